"""What stands around calls: tags, tokens of chat templates, code fences, thoughts."""

from collections.abc import Collection
import html
import re
from typing import Any, Final, NamedTuple

from .json_reader import BLANK, BLANKS, MAX_DEPTH, end_of

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
# What a tag is, by a part of its word: calls, results, thoughts or examples are in it.
_KINDS: Final = {
    "call": re.compile("(?:tool|function|invoke|call|python|action).*"),
    "result": re.compile("(?:response|result|output)s?|observation"),
    "thought": re.compile(
        "think|thinking|thoughts?|reasoning|reflection|scratchpad|monologue|analysis"
    ),
    "shown": re.compile("examples?|sample|demo|illustration|code|pre|xmp|samp|quote"),
}


class Tag(NamedTuple):
    """A tag or token.

    `word` is its first word, without namespace, `parts` are that word's, in small
    letters: `tool` and `call`; `rest` follows it. `kinds` are those above, `token` and
    `parameter`.
    """

    end: int
    word: str
    parts: frozenset[str]
    rest: str
    closes: bool
    kinds: frozenset[str]

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
    word, rest = begun[1].replace("▁", "_"), begun[2]
    parts = frozenset(re.split(r"[_.\-]+", word.lower()))
    kinds = {name for name, kind in _KINDS.items() if any(map(kind.fullmatch, parts))}
    marks = found["side"] or found["bar"] or found["end"] or found["square"]
    if marks or "turn" in parts:
        kinds.add("token")
    if word.lower().startswith(("param", "arg")) and (rest or "token" not in kinds):
        kinds.add("parameter")
    closes = closes or "end" in parts
    return Tag(found.end(), word, parts, rest, closes, frozenset(kinds))


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
_FENCE_LINE: Final = re.compile(rf"^[ \t]*{_FENCE.pattern}", re.MULTILINE)
_INFO: Final = re.compile(r"[\w+#.:/\-]{0,40}\r?")
# Blocks of data, as calls are; in others a call is only what stands first.
_DATA: Final = re.compile(
    r"(?:json|tool|function|call|homeassistant).*|", re.IGNORECASE
)


class Fence(NamedTuple):
    """The opening of a code block, up to where its content begins."""

    end: int
    run: str
    info: str

    @property
    def is_data(self) -> bool:
        """Whether calls may stand anywhere in the block."""
        return _DATA.fullmatch(self.info.partition(" ")[0]) is not None


def fence_at(text: str, at: int, *, at_line_start: bool) -> Fence | None:
    """Return the opening of a code block at a position."""
    found = _FENCE.match(text, at)
    if found is None or not (at_line_start or _INFO.fullmatch(found[2])):
        return None
    return Fence(found.end(), found[1], found[2].strip())


def open_fence(text: str, at: int) -> Fence | None:
    """Return the opening of the code block in which a position stands."""
    block = None
    for found in _FENCE_LINE.finditer(text, 0, at):
        fence = Fence(found.end(), found[1], found[2].strip())
        if block is None:
            block = fence
        elif fence.run.startswith(block.run) and not fence.info:
            block = None
    return block


def fence_end(text: str, at: int, run: str) -> int:
    """Return the end of the line that closes a block, or of the text."""
    found = re.compile(rf"^[ \t>]*{run}[`~]*[ \t\r]*$", re.MULTILINE).search(text, at)
    return found.end() if found else len(text)


# Where thoughts begin that are no tags (harmony's channel, gemma's, older models'), and
# where any thought ends.
_CHANNEL: Final = re.compile(
    rf"<\|channel\|?>[{BLANK}]{{0,4}}(?:analysis|thought)(?:<\|message\|>)?"
    r"|(?<!\w)(?:analysis|thought)<\|message\|>"
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
    elif tag is not None and "thought" in tag.kinds and not tag.closes:
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
    if tag is None or tag.closes or "result" not in tag.kinds:
        return False
    return "call" in tag.kinds or behind_call or "observation" in tag.parts


# At the start of a line: words that belong to tokens of a template, which are gone, and
# what code has before the name of a tool.
LEAD: Final = re.compile(
    r"(?:functools|analysis|commentary|thought|call:)(?=[<\[{])|call:(?=\w)"
    r"|(?:\[ ?|(?:assistant)?(?:commentary|final) ?|assistant)(?=<[|｜])"
    r"|(?:print\(|await )?(?:default_api|functions)\.(?=\w)"
)
LEADS: Final = (
    *("functools", "analysis", "commentary", "thought", "call:", "default_api."),
    *("final<|", "final <|", "commentary <|", "assistant<|", "assistantfinal<|"),
    *("assistantfinal <|", "assistantcommentary<|"),
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


# GLM's two tags for each.
_PAIR: Final = re.compile(
    r"<arg_key>\s*([^<>\"]*?)\s*</arg_key>\s*<arg_value>(.*?)</arg_value>", re.DOTALL
)


def read_parameters(text: str) -> dict[str, Any]:
    """Return arguments that are tags: `<parameter=area>`, `<param name="area">`, `<area>`.

    Values stay texts. Raises ValueError, with the reason, for anything else.
    """
    text = _PAIR.sub(r'<parameter name="\1">\2</parameter>', text)
    items, at = _elements(text, 0, 0)
    if text[at:].strip():
        raise ValueError("arguments that cannot be read")
    return _object(items)


def _object(items: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(items)
    if "" in members or len(members) < len(items):
        raise ValueError("an argument without a name, or twice")
    return members


def _elements(text: str, at: int, depth: int) -> tuple[list[tuple[str, Any]], int]:
    """Return the elements that begin at a position, and the end of the last."""
    found: list[tuple[str, Any]] = []
    while True:
        tag = tag_at(text, end_of(BLANKS, text, at)) if depth <= MAX_DEPTH else None
        if tag is None or tag.closes:
            return found, at
        close = closing_tag(text, tag.end, [tag])
        if close is None:
            raise ValueError(f"<{tag.word}> is not closed")
        attributes, key = dict(tag.attributes), tag.word
        if "parameter" in tag.kinds:
            keys = [attributes[key] for key in ("", "name", "key") if key in attributes]
            key = keys[0] if keys else ""
        elif attributes:
            raise ValueError("attributes")
        inner, at = text[tag.end : close[0]], close[1]
        found.append((key, _content(inner, "parameter" in tag.kinds, depth)))


def _content(inner: str, is_parameter: bool, depth: int) -> Any:
    """Return what an element holds: a text, or of elements a list or an object."""
    if is_parameter or not inner.lstrip().startswith("<"):
        if "<" in inner and re.search(r"</?(?:[\w.\-]+:)?(?:param|arg)", inner):
            raise ValueError("an argument in an argument")
        return inner.removeprefix("\n").removesuffix("\n")
    items, end = _elements(inner, 0, depth + 1)
    if not items or inner[end:].strip():
        return inner
    if {key for key, _ in items} == {"item"}:
        return [value for _, value in items]
    return _object(items)
