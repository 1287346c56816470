"""What stands around calls: tags, tokens of chat templates, fences, thoughts, turns."""

from collections.abc import Collection
import html
import re
from typing import Any, Final, NamedTuple

from .call_words import ROLES, TAG_KINDS
from .json_reader import BLANK, BLANKS, MAX_DEPTH, end_of

# `<tool_call>`, `</invoke>`, `<|im_start|>`, `<｜tool▁sep｜>`, `<tool_call|>`. `</s>` before
# words ends what is struck through.
_TAG: Final = re.compile(
    r"\[(?P<shut>/?)(?P<square>TOOL_CALLS?|TOOL_RESULTS|ARGS|CALL_ID|INST|THINK)\]"
    r"(?:(?<=ID\])\w*)?"
    r"|<(?!s>|/s>\s*[^\s<\[])(?P<bar>[|｜]?)(?P<slash>/?)[|｜]?"
    r"(?P<inner>[A-Za-z_][^<>\n]{0,200}?)(?P<end>[|｜]?)/?>"
)
_TAG_WORD: Final = re.compile(r"(?:[\w▁.\-]*(?::|[|｜] ?))*([\w▁.\-]*)")
_ATTRIBUTE: Final = re.compile(
    r"""([\w\-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))"""
)
_ENDS: Final = frozenset({"end", "suffix"})
_SIDES: Final = _ENDS | {"begin", "start", "prefix"}


class Tag(NamedTuple):
    """A tag or token.

    `word` is its first word, without namespace, `parts` are all of it, in small letters:
    `tool` and `call`; `rest` follows. `kinds` are those of `call_words.toml`.
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

    @property
    def is_turn(self) -> bool:
        """Whether it begins somebody else's turn."""
        return self.kinds >= {"token", "turn"} or ("role", "user") in self.attributes


def kinds_of(parts: Collection[str]) -> set[str]:
    """Return the kinds of a tag whose word has these parts."""
    return {kind for kind, part in TAG_KINDS.items() if any(map(part.fullmatch, parts))}


def tag_at(text: str, at: int) -> Tag | None:
    """Return the tag at a position."""
    if (found := _TAG.match(text, at)) is None:
        return None
    said = found["square"] or found["inner"]
    begun = _TAG_WORD.match(said)
    assert begun is not None  # it also matches the empty text
    parts = frozenset(re.split(r"[\W_]+", begun[0].lower()))
    kinds, rest = kinds_of(parts), said[begun.end() :]
    if found["bar"] or found["end"] or found["square"]:
        kinds.add("token")
    if "token" in kinds and not rest:
        kinds.discard("parameter")
    if "call" in kinds:
        kinds.discard("shown")
    # Harmony ends calls with `<|call|>`.
    closes = found["slash"] or found["shut"] or parts & _ENDS or said == "call"
    closes = closes or (found["end"] and not found["bar"])
    word = begun[1].replace("▁", "_")
    return Tag(found.end(), word, parts, rest, bool(closes), frozenset(kinds))


def closes(tag: Tag | None, opened: Collection[Tag]) -> bool:
    """Return whether a tag closes one of some."""
    sides = [other.parts - _SIDES for other in opened]
    return tag is not None and tag.closes and tag.parts - _SIDES in sides


_MAY_CLOSE: Final = re.compile(r"<(?=[|｜/]|[^<>\n]{0,200}(?:[|｜]>|end))")


def closing_tag(text: str, at: int, opened: Collection[Tag]) -> tuple[int, int] | None:
    """Return where the first tag stands that closes one of some: its begin and end."""
    for found in _MAY_CLOSE.finditer(text, at):
        if (tag := tag_at(text, found.start())) and closes(tag, opened):
            return found.start(), tag.end
    return None


# What opens a code block: at the start of a line, or calls may follow. Blocks of data are
# those in which they may stand anywhere.
_FENCE: Final = re.compile(r"(`{3,}|~{3,})[ \t]*([^\n`~{\[]{0,200})(?:\n|(?=[{\[]))")
_DATA: Final = re.compile(
    r"(?:(?:json|tool|function|call|homeassistant)\S*)?", re.IGNORECASE
)


class Fence(NamedTuple):
    """The opening of a code block, up to where its content begins."""

    end: int
    run: str
    info: str
    is_data: bool


def fence_at(text: str, at: int, *, at_line_start: bool) -> Fence | None:
    """Return the opening of a code block at a position."""
    if (found := _FENCE.match(text, at)) is None:
        return None
    info = found[2].strip()
    is_data = _DATA.fullmatch(info) is not None
    is_block = is_data or (at_line_start and found[0][-1] == "\n")
    return Fence(found.end(), found[1], info, is_data) if is_block else None


def fence_end(text: str, at: int, run: str) -> int:
    """Return the end of the line that closes a block, or of the text."""
    found = re.compile(rf"^[ \t>]*{run}[`~]*[ \t\r]*$", re.MULTILINE).search(text, at)
    return found.end() if found else len(text)


# Where thoughts begin that are no tags (harmony's channel, gemma's, MedGemma's), and
# where any thought ends.
_CHANNEL: Final = re.compile(
    rf"<(?:\|channel\|?|unused94)>[{BLANK}]{{0,4}}(?:analysis|thought)(?:<\|message\|>)?"
)
_THOUGHT_END: Final = re.compile(
    r"<[|｜]?/[^<>\n]{0,20}(?:think|thought|reasoning|reflection|scratch_?pad|monologue"
    r"|analysis)[^<>\n]{0,20}>|<\|end_(?:of_)?th(?:ought|inking)\|>|\[/THINK\]"
    r"|<\|(?:end|return|inner_suffix)\|>|<channel\|>|<unused95>"
    r"|(?=<\|start\|>|<\|channel\|>(?:commentary|final))",
    re.IGNORECASE,
)


def thought_at(text: str, at: int) -> tuple[int, int, int] | None:
    """Return where a thought at a position begins and ends, and where its end ends.

    One that is not closed has no end: the last is 0.
    """
    tag, found = tag_at(text, at), _CHANNEL.match(text, at)
    if found is None and (tag is None or tag.closes or "thought" not in tag.kinds):
        return None
    begin = found.end() if found else tag.end if tag else at
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


# Who speaks, behind a token: the assistant, in one of its channels, or somebody else.
ROLE: Final = re.compile(
    rf"\s{{0,3}}(?:{ROLES['own']}|(?P<other>{ROLES['other']}))[^\S\n]*(?:\n|\Z|(?=[<{{]))",
    re.IGNORECASE,
)
TURN_LINE: Final = re.compile(
    rf"[\s*#>\[(]{{0,8}}(?:{ROLES['line']})[*\])]{{0,3}}\s?:(?!\w)", re.IGNORECASE
)


def turn_at(
    text: str, at: int, *, was_cut: bool, behind_call: bool = False, line: str = "-"
) -> bool:
    """Return whether somebody else's turn, or a result, begins here; `line` is before."""
    if (tag := tag_at(text, at)) is None:
        found = TURN_LINE.match(text, at) if behind_call and not line else None
    elif tag.is_turn or (
        "result" in tag.kinds
        and not tag.closes
        and ("call" in tag.kinds or behind_call)
    ):
        return True
    elif "token" in tag.kinds and (tag.closes or "call" not in tag.kinds):
        role = ROLE.match(text, tag.end)
        found = role if role and role["other"] else TURN_LINE.match(text, tag.end)
    else:
        found = None
    # Where the text is cut it may go on as a sentence does.
    is_sure = text[-1] == "\n" or not was_cut
    return found is not None and (is_sure or found.end() < len(text))


# Tokens that are spelled unlike all others: MiniMax', EXAONE's and Kimi's, and where one
# begins, or a tag that a gateway has escaped.
_ODD_TOKEN: Final = re.compile(
    r"\]<\]minimax\[>\[|\](?P<begin>~b)\]|\[(?P<end>e)~\["
    r"|\[\|(?P<word>user|assistant|system|tool|endofturn)\|\]|◁(?P<think>/?think)▷"
    r"|<\|(?:open|(?P<close>close))\|>(?P<said>[^<>\n]{1,200})<\|sep\|>"
)
_ODD: Final = {"begin": "<|im_start|>", "end": "<|im_end|>"}
_ESCAPED: Final = re.compile(r"&lt;[|/]?(?:tool|func|call|invoke)")
# Harmony's channels without their tokens: `analysisI think...assistantfinalIt is off.`
_BARE_HARMONY: Final = re.compile(r"analysis(?=[A-Z])")
_BARE_CHANNEL: Final = re.compile(r"assistant(analysis|commentary|final)(?=[ {A-Z])")
ODD: Final = (
    r"\][<~]|\[(?:e~|\|)|◁|<\|(?:open|close)\|>|&lt;|(?:\A|(?<=\n))analysis(?=[A-Z])"
)


def unmasked(text: str, at: int) -> str:
    """Return a text whose tags and tokens behind `at` are spelled as most models do."""
    before, rest = text[:at], text[at:]
    if _BARE_HARMONY.match(rest) and not before.strip():
        rest = _BARE_CHANNEL.sub(r"<|start|>assistant<|channel|>\1<|message|>", rest)
        rest = "<|channel|>" + rest.replace("commentary<|message|>", "commentary")
    if found := _ESCAPED.search(rest):
        rest = rest[: found.start()] + html.unescape(rest[found.start() :])
    return before + _ODD_TOKEN.sub(_as_others, rest)


def _as_others(found: re.Match[str]) -> str:
    if found["think"]:
        return f"<{found['think']}>"
    if said := found["said"] or found["word"]:
        return f"<|{'/' if found['close'] else ''}{said}|>"
    return _ODD.get(found.lastgroup or "", "")


def read_elements(
    text: str, at: int, depth: int = 0
) -> tuple[list[tuple[str, Any]], int]:
    """Return the arguments that are tags at a position, and the end of the last.

    `<parameter=area>`, `<param name="area">`, `<area>`, GLM's `<arg_key>` and
    `<arg_value>`. Values stay texts. Raises ValueError, with the reason, for what is not
    closed.
    """
    found: list[tuple[str, Any]] = []
    while True:
        tag = tag_at(text, end_of(BLANKS, text, at)) if depth <= MAX_DEPTH else None
        if tag is None or tag.closes:
            return found, at
        if (close := closing_tag(text, tag.end, [tag])) is None:
            raise ValueError(f"<{tag.word}> is not closed")
        inner, at = text[tag.end : close[0]], close[1]
        keys = [value for key, value in tag.attributes if key in {"", "name", "key"}]
        if "parameter" not in tag.kinds:
            if tag.attributes:
                raise ValueError("attributes")
            found.append((tag.word, _content(inner, depth)))
        elif "key" in tag.parts:
            found.append((inner.strip(), None))
        elif keys or not found or found[-1][1] is not None:
            found.append((keys[0] if keys else "", _text(inner)))
        else:
            found[-1] = (found[-1][0], _text(inner))


def members(items: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object that elements make; raise ValueError where it is none."""
    found = dict(items)
    if "" in found or len(found) < len(items) or None in found.values():
        raise ValueError("an argument without a name, without a value, or twice")
    return found


# Some write a text as JSON does.
_MARKED: Final = re.compile(r'\s*(?:<!\[CDATA\[(.*)\]\]>|"([^"\\]*)")\s*', re.DOTALL)
_ARGUMENT: Final = re.compile(r"</?[|｜]?(?:[\w.\-]+[:|｜])?(?:\w+_)?(?:param|arg)")


def _text(inner: str) -> str:
    if _ARGUMENT.search(inner):
        raise ValueError("an argument in an argument")
    if found := _MARKED.fullmatch(inner):
        return found[found.lastindex or 0]
    return inner.removeprefix("\n").removesuffix("\n")


def _content(inner: str, depth: int) -> Any:
    """Return what an element holds: a text, or of elements a list or an object."""
    items, end = read_elements(inner, 0, depth + 1)
    if not items or inner[end:].strip():
        return _text(inner)
    if {key for key, _ in items} == {"item"}:
        return [value for _, value in items]
    return members(items)
