"""What stands around calls: tags, tokens of chat templates, code fences, thoughts.

Each function looks at a text from one position on and returns what is there, or None.
"""

from collections.abc import Collection
import html
import re
from typing import Final, NamedTuple

from .call_words import words
from .json_reader import BLANK, BLANKS, end_of

# `<tool_call>`, `</invoke>`, `<|im_start|>`, `<｜tool▁sep｜>`, `<tool_call|>`, and Kimi K3's
# `<|open|>call tool="..."<|sep|>`, where the words between the tokens are the tag.
_TAG: Final = re.compile(
    r"<\|(?P<side>open|close)\|>(?P<said>[^<>\n]{1,200})<\|sep\|>"
    r"|\[(?P<shut>/?)(?P<square>TOOL_CALLS?|TOOL_RESULTS|ARGS|CALL_ID|INST|THINK)\]"
    r"(?:(?<=ID\])\w*)?"
    r"|<(?P<bar>[|｜]?)(?P<slash>/?)[|｜]?(?P<inner>[A-Za-z_][^<>\n]{0,200}?)"
    r"(?P<end>[|｜]?)/?>"
)
_TAG_WORD: Final = re.compile(r"(?:[\w▁.\-]*[:|｜])*([\w▁.\-]*)(.*)")
_ATTRIBUTE: Final = re.compile(
    r"""([\w\-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))"""
)
# A part of a tag's word that begins so says that calls stand inside.
_CALLS: Final = ("tool", "function", "invoke", "call", "python", "action")
_RESULTS: Final = words("response responses result results output outputs observation")
_THOUGHTS: Final = words(
    "think thinking thought thoughts reasoning reflection scratchpad monologue analysis"
)
# What stands in these is shown, not done.
_SHOWN: Final = words(
    "example examples sample demo illustration code pre xmp samp quote"
)


class Tag(NamedTuple):
    """A tag or token.

    `word` is its first word, without namespace, as it stands there; `parts` is what that
    is made of, in small letters: `tool` and `call`; `rest` follows it.
    """

    end: int
    word: str
    parts: frozenset[str]
    rest: str
    closes: bool
    is_token: bool
    is_call: bool
    """Calls stand in such a tag."""
    is_parameter: bool
    """An argument stands in such a tag."""
    is_result: bool
    is_thought: bool
    is_shown: bool
    """Examples or code stand in such a tag."""

    @property
    def attributes(self) -> list[tuple[str, str]]:
        """Return its attributes; `<function=NAME>` has one without a key."""
        found = _ATTRIBUTE.findall(self.rest)
        return [(key, one or other or bare) for key, one, other, bare in found]


def tag_at(text: str, at: int) -> Tag | None:
    """Return the tag at a position."""
    if (found := _TAG.match(text, at)) is None:
        return None
    closes = found["side"] == "close" or bool(found["slash"] or found["shut"])
    closes = closes or (bool(found["end"]) and not found["bar"])
    begun = _TAG_WORD.match(found["said"] or found["square"] or found["inner"])
    assert begun is not None  # it also matches the empty text
    word = begun[1].replace("▁", "_")
    parts = frozenset(re.split(r"[_.\-]+", word.lower()))
    marks = found["side"] or found["bar"] or found["end"] or found["square"]
    is_token = bool(marks) or "turn" in parts
    return Tag(
        found.end(),
        word,
        parts,
        begun[2],
        closes or "end" in parts,
        is_token,
        is_call=any(part.startswith(_CALLS) for part in parts),
        is_parameter=word.lower().startswith(("param", "arg"))
        and not (is_token and not begun[2]),
        is_result=not parts.isdisjoint(_RESULTS),
        is_thought=not parts.isdisjoint(_THOUGHTS),
        is_shown=not parts.isdisjoint(_SHOWN),
    )


_MAY_CLOSE: Final = re.compile(r"<(?=[|｜/]|[^<>\n]{0,200}(?:[|｜]>|end))")


def closing_tag(text: str, at: int, opened: Collection[Tag]) -> tuple[int, int] | None:
    """Return where the first tag stands that closes one of some: its begin and end."""
    closed = {tag.parts - {"begin", "start", "end"} for tag in opened}
    for found in _MAY_CLOSE.finditer(text, at):
        tag = tag_at(text, found.start())
        if tag is not None and tag.closes and tag.parts - {"end"} in closed:
            return found.start(), tag.end
    return None


# The line that opens a code block. Behind words its own word has to follow at once.
_FENCE: Final = re.compile(r"(`{3,}|~{3,})[ \t]*([^\n`~]{0,200})\n")
_INFO: Final = re.compile(r"[\w+#.:/\-]{0,40}\r?")
# Blocks of data, as calls are; in others a call is only what stands first.
_DATA: Final = re.compile(
    r"(?:json|tool|function|call|homeassistant).*|", re.IGNORECASE
)


class Fence(NamedTuple):
    """The opening of a code block, up to where its content begins."""

    end: int
    run: str
    is_data: bool
    """By the word behind it."""


def fence_at(text: str, at: int, *, at_line_start: bool) -> Fence | None:
    """Return the opening of a code block at a position."""
    found = _FENCE.match(text, at)
    if found is None or not (at_line_start or _INFO.fullmatch(found[2])):
        return None
    is_data = _DATA.fullmatch(found[2].strip().partition(" ")[0]) is not None
    return Fence(found.end(), found[1], is_data)


def fence_end(text: str, at: int, run: str) -> tuple[int, int]:
    """Return where the line stands that closes a block, or the end of the text."""
    found = re.compile(rf"^[ \t>]*{run}[`~]*[ \t\r]*$", re.MULTILINE).search(text, at)
    return found.span() if found else (len(text), len(text))


# Where thoughts begin that are no tags (harmony's channel, gemma's, older models'), and
# where any thought ends.
_CHANNEL: Final = re.compile(
    rf"<\|channel\|?>[{BLANK}]{{0,4}}(?:analysis|thought)(?:<\|message\|>)?"
    r"|<unused94>thought|◁think▷"
)
_THOUGHT_END: Final = re.compile(
    r"<[|｜]?/[^<>\n]{0,20}(?:think|thought|reasoning|reflection|scratchpad|monologue"
    r"|analysis)[^<>\n]{0,20}>|<\|end_(?:of_)?th(?:ought|inking)\|>|\[/THINK\]|◁/think▷"
    r"|<\|(?:end|return)\|>|<channel\|>|<unused95>|<\|close\|>think<\|sep\|>"
    r"|(?=<\|start\|>|<\|channel\|>(?:commentary|final))",
    re.IGNORECASE,
)


def thought_at(text: str, at: int) -> tuple[int, int, int] | None:
    """Return where a thought at a position begins and ends, and where its end ends.

    One that is not closed has no end: the last is 0.
    """
    tag = tag_at(text, at)
    if (found := _CHANNEL.match(text, at)) is not None:
        begin = found.end()
    elif tag is not None and tag.is_thought and not tag.closes:
        begin = tag.end
    else:
        return None
    end = _THOUGHT_END.search(text, begin)
    return (begin, *end.span()) if end else (begin, len(text), 0)


def without_thoughts(text: str) -> str:
    """Return what stands behind the thoughts with which an answer begins."""
    while (at := end_of(BLANKS, text, 0)) < len(text):
        if (end := _THOUGHT_END.match(text, at)) is not None and end[0]:
            text = text[end.end() :]
        elif (thought := thought_at(text, at)) is not None:
            text = text[thought[2] or len(text) :]
        else:
            break
    return text


# Where somebody else's turn begins, and what is invented of what came of a call.
_TURN: Final = re.compile(
    r"<[|｜]?(?:im_start|start_header_id|header_start|start_of_turn|start|turn|role)[|｜]?>"
    r"\s{0,2}(?:user|human|system|tool|ipython|observation)\b"
    r"|<[|｜](?:user|human|system|observation)[|｜]?>|\[/?INST\]|\[TOOL_RESULTS\]"
    r"|<\|open\|>message role=.(?:user|tool|system)",
    re.IGNORECASE,
)
TURN_WORD: Final = re.compile(
    r"[\s*#>\[(]{0,8}(?:user|human|person|system|observation"
    r"|(?:tool|function)[ _](?:result|response|output)s?|benutzer|nutzer|utilisateur"
    r"|usuario|usuário|utente|gebruiker|użytkownik|användare|bruger|bruker|uživatel"
    r"|result of \S+ \(data[^\n]*)[*\])]{0,3}\s?:",
    re.IGNORECASE,
)


def turn_at(text: str, at: int, *, behind_call: bool) -> bool:
    """Return whether somebody else's turn, or an invented result, begins here."""
    if _TURN.match(text, at) is not None:
        return True
    tag = tag_at(text, at)
    if tag is None or tag.closes or not tag.is_result:
        return False
    return tag.is_call or behind_call or "observation" in tag.parts


# At the start of a line: words that belong to tokens of a template, which are gone, and
# what code has before the name of a tool.
LEAD: Final = re.compile(
    r"(?:functools|analysis|commentary|thought|call:)(?=[<\[{])|call:(?=\w)"
    r"|(?:print\(|await )?(?:default_api|functions)\.(?=\w)"
)
LEADS: Final = (
    *("functools", "analysis", "commentary", "thought", "call:", "default_api."),
    *("functions.", "print(default_api.", "print(functions.", "await default_api."),
)
# The role or channel behind a token.
ROLE: Final = re.compile(
    r"\s{0,2}(?:assistant|model|analysis|commentary|final|thought)\b(?!\s+to=)\n?"
)
# Harmony's channels without their tokens: `analysisI think...assistantfinalIt is off.`
BARE_HARMONY: Final = re.compile(r"analysis(?=[A-Z])")
_BARE_CHANNEL: Final = re.compile(r"assistant(analysis|commentary|final)(?=[ {A-Z])")
# Tags that a gateway has escaped, MiniMax' name before each of its tags.
_MASKED: Final = re.compile(
    r"&lt;[|/]?(?:tool|func|call|invoke)|\]<\]minimax\[>\[|[{\[]\s*&quot;"
)


def unmasked(text: str, at: int) -> str:
    """Return a text with the tags and tokens that are missing or masked behind `at`."""
    if BARE_HARMONY.match(text, at) and not text[:at].strip():
        rest = _BARE_CHANNEL.sub(
            r"<|start|>assistant<|channel|>\1<|message|>", text[at:]
        )
        rest = rest.replace("commentary<|message|>", "commentary")
        return f"{text[:at]}<|channel|>{rest}"
    if (found := _MASKED.search(text, at)) is None:
        return text
    bare = text[found.start() :].replace("]<]minimax[>[", "")
    if found[0][0] != "]":
        bare = html.unescape(bare)
    return text[: found.start()] + bare
