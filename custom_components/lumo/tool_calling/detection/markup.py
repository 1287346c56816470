"""What stands around calls: tags, tokens of chat templates, code fences, thoughts.

Each function looks at a text from one position on and returns what is there, or None.
It raises NeedsMore where the text ends too early to tell; what it waits for is bounded.
"""

from collections.abc import Collection
import re
from typing import Final, NamedTuple

from .call_words import words
from .json_reader import BLANK, BLANKS, end_of


class NeedsMore(Exception):
    """More text is needed to tell."""


# No tag, and no line that opens a code block, is longer.
MAX_TAG: Final = 200

# `<tool_call>`, `</invoke>`, `<|im_start|>`, `<｜tool▁sep｜>`, `<tool_call|>`, and Kimi K3's
# `<|open|>call tool="..."<|sep|>`, where the words between the tokens are the tag.
_TAG: Final = re.compile(
    r"<\|(?P<side>open|close)\|>(?P<said>[^<>\n]{1,200})<\|sep\|>"
    r"|\[(?P<shut>/?)(?P<square>TOOL_CALLS?|TOOL_RESULTS|ARGS|CALL_ID|INST|THINK)\]"
    r"(?:(?<=ID\])\w*)?"
    r"|<(?P<bar>[|｜]?)(?P<slash>/?)[|｜]?(?P<inner>[A-Za-z_][^<>\n]{0,200}?)"
    r"(?P<end>[|｜]?)(?P<empty>/?)>"
)
_MAY_BE_TAG: Final = re.compile(
    r"<(?:\|(?:open|close)\|>[^<>\n]{0,200}(?:<[|sep]{0,5})?|[|｜/A-Za-z_][^<>\n]{0,200})?\Z"
    r"|\[/?[A-Z_]{0,12}\Z|\[CALL_ID\]\w*\Z"
)
_HALF_TAG: Final = ("<|open|>", "<|close|>")
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
    is_empty: bool

    @property
    def is_call(self) -> bool:
        """Return whether calls stand in such a tag."""
        return any(part.startswith(_CALLS) for part in self.parts)

    @property
    def is_parameter(self) -> bool:
        """Return whether an argument stands in such a tag."""
        is_one = self.word.lower().startswith(("param", "arg"))
        return is_one and not (self.is_token and not self.rest)

    @property
    def is_result(self) -> bool:
        """Return whether it is about what came of a call."""
        return not self.parts.isdisjoint(_RESULTS)

    @property
    def is_thought(self) -> bool:
        """Return whether thoughts stand in such a tag."""
        return not self.parts.isdisjoint(_THOUGHTS)

    @property
    def is_shown(self) -> bool:
        """Return whether examples or code stand in such a tag."""
        return not self.parts.isdisjoint(_SHOWN)

    @property
    def attributes(self) -> list[tuple[str, str]]:
        """Return its attributes; `<function=NAME>` has one without a key."""
        found = _ATTRIBUTE.findall(self.rest)
        return [(key, one or other or bare) for key, one, other, bare in found]


def tag_at(text: str, at: int, *, final: bool = True) -> Tag | None:
    """Return the tag at a position."""
    found = _TAG.match(text, at)
    if not final and _MAY_BE_TAG.match(text, at):
        if not found or found["square"] or text.startswith(_HALF_TAG, at):
            raise NeedsMore
    if found is None:
        return None
    closes = found["side"] == "close" or bool(found["slash"] or found["shut"])
    closes = closes or (bool(found["end"]) and not found["bar"])
    begun = _TAG_WORD.match(found["said"] or found["square"] or found["inner"])
    assert begun is not None  # it also matches the empty text
    word = begun[1].replace("▁", "_")
    parts = frozenset(re.split(r"[_.\-]+", word.lower()))
    closes = closes or "end" in parts
    marks = found["side"] or found["bar"] or found["end"] or found["square"]
    is_token = bool(marks) or "turn" in parts
    return Tag(
        found.end(), word, parts, begun[2], closes, is_token, bool(found["empty"])
    )


def closing_tag(text: str, at: int, opened: Collection[Tag]) -> tuple[int, int] | None:
    """Return where the first tag stands that closes one of some: its begin and end."""
    closed = {tag.parts - {"begin", "start", "end"} for tag in opened}
    while (at := text.find("<", at)) >= 0:
        tag = tag_at(text, at)
        if tag is not None and tag.closes and tag.parts - {"end"} in closed:
            return at, tag.end
        at += 1
    return None


_RUN: Final = re.compile(r"(?:`+|~+)?")
_HEADER: Final = re.compile(r"[ \t]*([^\n`~]*)")
# A word and what may follow a closing fence on its line.
_INFO: Final = re.compile(r"[\w+#.:/\-]{1,40}")
_FENCE_REST: Final = re.compile(r"[ \t\r]{0,20}([\w+#.\-]{0,20})[ \t\r]{0,20}(\n|\Z)?")
# Blocks of data, as calls are; in others a line may begin with a bracket, too.
_DATA: Final = re.compile(
    r"(?:json|tool|function|call|homeassistant).*|", re.IGNORECASE
)


class Fence(NamedTuple):
    """The opening of a code block, up to where its content begins."""

    end: int
    run: str
    is_data: bool
    """By the word behind it."""


def run_at(text: str, at: int) -> int:
    """Return the end of the run of backticks or tildes at a position."""
    return end_of(_RUN, text, at)


def fence_at(text: str, at: int, *, at_line_start: bool, final: bool) -> Fence | None:
    """Return the opening of a code block at a position.

    Behind words its own word has to follow at once; others are of the sentence.
    """
    end = run_at(text, at)
    header = _HEADER.match(text, end)
    assert header is not None  # it also matches the empty text
    if end - at > MAX_TAG or header.end() - end > MAX_TAG:
        return None
    if header.end() == len(text) and not final and (end - at > 2 or end == len(text)):
        raise NeedsMore
    info = header[1].strip()
    is_opening = at_line_start or _INFO.fullmatch(header[0].rstrip("\r")) is not None
    if end - at < 3 or not is_opening or not text.startswith("\n", header.end()):
        return None
    is_data = _DATA.fullmatch(info.partition(" ")[0]) is not None
    return Fence(header.end() + 1, text[at:end], is_data)


def fence_end_at(text: str, at: int, *, behind_call: bool, final: bool) -> int | None:
    """Return the end of the closing fence at a position.

    Directly behind a call any fence closes, unless it has a word and a line of its own
    and so opens another block. Behind words it has to stand alone.
    """
    end = run_at(text, at)
    if end - at > MAX_TAG or (end - at < 3 and (end < len(text) or final)):
        return None
    rest = _FENCE_REST.match(text, end)
    assert rest is not None  # it also matches the empty text
    word, line_end = rest.groups()
    if rest.end() == len(text) and not line_end and not final:
        raise NeedsMore
    if word:
        return end if behind_call and line_end is None else None
    return end if behind_call or line_end is not None else None


# Where thoughts begin that are no tags (harmony's channel, gemma's, older models'), and
# where any thought ends.
_CHANNEL: Final = re.compile(
    rf"<\|channel\|?>[{BLANK}]{{0,4}}(?:analysis|thought)(?P<harmony><\|message\|>)?"
    r"|<unused94>thought|◁think▷"
)
_MAY_BE_CHANNEL: Final = re.compile(
    rf"<(?:\|channel\|?>[{BLANK}]{{0,4}}[a-z]{{0,8}}|unused94>[a-z]{{0,7}})\Z|◁\w{{0,5}}\Z"
)
THOUGHT_END: Final = re.compile(
    r"<[|｜]?/[^<>\n]{0,20}(?:think|thought|reasoning|reflection|scratchpad|monologue"
    r"|analysis)[^<>\n]{0,20}>|<\|end_(?:of_)?th(?:ought|inking)\|>|\[/THINK\]|◁/think▷"
    r"|<\|(?:end|return)\|>|<channel\|>|<unused95>|<\|close\|>think<\|sep\|>"
    r"|(?=<\|start\|>|<\|channel\|>(?!analysis))",
    re.IGNORECASE,
)
LONGEST_END: Final = 60


def thought_at(text: str, at: int, tag: Tag | None, *, final: bool) -> int | None:
    """Return the end of what begins a thought at a position, where `tag` stands."""
    if (found := _CHANNEL.match(text, at)) is not None:
        if not (final or found["harmony"]) and "<|message|>".startswith(
            text[found.end() :]
        ):
            raise NeedsMore
        return found.end()
    if not final and _MAY_BE_CHANNEL.match(text, at):
        raise NeedsMore
    return tag.end if tag is not None and tag.is_thought and not tag.closes else None


def without_thoughts(text: str) -> str:
    """Return what stands behind the thoughts with which an answer begins."""
    while (at := end_of(BLANKS, text, 0)) < len(text):
        end = THOUGHT_END.match(text, at)
        if end is None or not end[0]:
            begun = thought_at(text, at, tag_at(text, at), final=True)
            if begun is None:
                break
            end = THOUGHT_END.search(text, begun)
        text = text[end.end() :] if end else ""
    return text


# Where somebody else's turn begins, and what is invented of what came of a call.
_ROLE_TOKEN: Final = r"<[|｜]?(?:im_start|start_header_id|header_start|start_of_turn|start|turn|role)[|｜]?>"
_TURN: Final = re.compile(
    rf"{_ROLE_TOKEN}\s{{0,2}}(?:user|human|system|tool|ipython|observation)\b"
    r"|<[|｜](?:user|human|system|observation)[|｜]?>|\[/?INST\]|\[TOOL_RESULTS\]"
    r"|<\|open\|>message role=.(?:user|tool|system)",
    re.IGNORECASE,
)
_MAY_BE_TURN: Final = re.compile(
    rf"{_ROLE_TOKEN}\s{{0,2}}[a-z]{{0,11}}\Z", re.IGNORECASE
)
MAX_TURN: Final = 40
TURN_WORD: Final = re.compile(
    r"[\s*#>\[(]{0,8}(?:user|human|person|system|observation"
    r"|(?:tool|function)[ _](?:result|response|output)s?|benutzer|nutzer|utilisateur"
    r"|usuario|usuário|utente|gebruiker|użytkownik|användare|bruger|bruker|uživatel"
    r"|result of \S+ \(data[^\n]*)[*\])]{0,3}\s?:",
    re.IGNORECASE,
)


def turn_at(
    text: str, at: int, tag: Tag | None, *, behind_call: bool, final: bool
) -> bool:
    """Return whether somebody else's turn, or an invented result, begins here."""
    if _TURN.match(text, at) is not None:
        return True
    if not final and _MAY_BE_TURN.match(text, at):
        raise NeedsMore
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
MAY_BE_ROLE: Final = re.compile(r"[\s*#>\[(]{0,8}\w{0,14}[*\])]{0,3}\s{0,2}t?o?=?\Z")
# Harmony's channels without their tokens: `analysisI think...assistantfinalIt is off.`
BARE_HARMONY: Final = re.compile(r"analysis(?=[A-Z])")
BARE_CHANNEL: Final = re.compile(r"assistant(analysis|commentary|final)(?=[ {A-Z])")
# Tags that a gateway has escaped, MiniMax' name before each of its tags.
MASKED: Final = re.compile(r"&lt;[|/]?(?:tool|func|call|invoke)|\]<\]minimax\[>\[")
MASKS: Final = (
    "]<]minimax[>[",
    *(
        "&lt;tool",
        "&lt;|tool",
        "&lt;func",
        "&lt;|func",
        "&lt;call",
        "&lt;|call",
        "&lt;invoke",
    ),
)
