"""Offered names of tools, and the way back to the full ones.

Home Assistant names a tool `intent__HassTurnOff`, an MCP server as it likes. A tool is
offered under the last part of its name if that is unique, else under all of it. On the
way back counts what was offered, then the full name, then spellings that differ in case
and punctuation, then the same with one leading namespace less. If the first that fits
any tool fits several, there is no answer: a guess could unlock the wrong door.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import cached_property
import hashlib
from itertools import chain, count
import re
from typing import Final
import unicodedata

from ..text import letters_and_digits
from .detection.call_words import words
from .instructions import PREFIX

# What OpenAI-style services accept as the name of a function.
MAX_NAME_LENGTH: Final = 64
_ACCEPTED: Final = re.compile(rf"[A-Za-z0-9_-]{{1,{MAX_NAME_LENGTH}}}")
_NOT_ACCEPTED: Final = re.compile(r"[^A-Za-z0-9_-]+")

# Home Assistant's separator (helpers/llm.py, NamespacedTool).
_SEPARATOR: Final = "__"

# Tools of Lumo itself, as Proton's web client lists them. A tool of the home must not
# be offered under such a name: a call of it would go to Proton instead.
SERVER_TOOL_NAMES: Final = words("""
    proton_info web_search weather stock cryptocurrency web_extract
    generate_image describe_image edit_image
""")

# One leading namespace, as models write it: `functions.`, `default_api:`, `intent__`.
_NAMESPACE: Final = re.compile(r"([^:./]*?)(?:::|[:./]|__)_*")
# Namespaces that mean nothing but "a tool".
_WRAPPERS: Final = words("""
    api assist defaultapi function functions ha hass home homeassistant
    multitooluse tool tools user
""") | {""}
# Our prefix, as models write it.
_ANY_PREFIX: Final = re.compile(r"(?:user[:./]+)*", re.IGNORECASE)
# Some models number their calls: `functions.HassTurnOff:0`.
_CALL_NUMBER: Final = re.compile(r":\d+\Z")
_QUOTES: Final = " \t\r\n`'\"*\u200b\ufeff"
# Longer than any name; keeps nonsense cheap.
_MAX_WRITTEN: Final = 300
# difflib's own default is 0.6; names are short, so a little less.
_SIMILAR: Final = 0.55

_CAMEL_CASE: Final = re.compile(r"[A-Za-z0-9]*[a-z0-9][A-Z][A-Za-z0-9]*")
# Names longer than this are not looked for.
_MAX_NAME: Final = 100


class NameFinder:
    """Finds the names of tools in text, as far as nobody writes them by accident."""

    def __init__(self, names: Iterable[str]) -> None:
        """Take the names that are unmistakable: with the prefix, or in CamelCase."""
        spelled = sorted({n for n in names if n and len(n) < _MAX_NAME}, key=len)
        longest_first = "|".join(map(re.escape, reversed(spelled))) or "(?!)"
        self.pattern: Final = rf"(?<![^\W_])(?:{longest_first})(?!\w)"
        self._name: Final = re.compile(self.pattern)
        self._beginnings: Final = {n[:end] for n in spelled for end in range(1, len(n))}
        self._longest: Final = max(map(len, spelled), default=0)

    def mentioned(self, text: str) -> bool:
        """Return whether a text holds a name."""
        return self._name.search(text) is not None

    def is_name(self, text: str) -> bool:
        """Return whether a text is a name."""
        return self._name.fullmatch(text) is not None

    def end(self, text: str, at: int) -> int:
        """Return the end of the name at a position, 0 if there is none."""
        found = self._name.match(text, at)
        return found.end() if found else 0

    def begun(self, text: str, start: int) -> int:
        """Return where a name begins that the end of a text may cut, or that end."""
        for at in range(max(start, len(text) - self._longest), len(text)):
            if at == 0 or not text[at - 1].isalnum():
                if text[at:] in self._beginnings or self._name.fullmatch(text, at):
                    return at
        return len(text)


class ToolNames:
    """The names of the tools of one request, in both directions."""

    def __init__(self, full_names: Iterable[str], prefix: str = PREFIX) -> None:
        """Choose an offered name for each full name, none of them one of Lumo's own.

        `prefix` marks custom tools in prompted mode; it ends with a colon, or is empty.
        """
        self.prefix = prefix
        self.full_names = tuple(dict.fromkeys(full_names))
        self._offered = _choose_names(self.full_names)

        # Exact spellings; what was offered stands before a full name that looks the same.
        self._exact: dict[str, str] = {full: full for full in self.full_names}
        for mark in ("", prefix):
            offers = self._offered.items()
            self._exact |= {mark + offered: full for full, offered in offers}
        # Loose spellings, in the order in which they are asked: the offered name, the
        # full one, its tails. And names as another text about these tools spells them.
        self._loose = [defaultdict[str, set[str]](set) for _ in range(3)]
        mentions: defaultdict[str, set[str]] = defaultdict(set)
        for full, offered in self._offered.items():
            for number, names in enumerate(([offered], [full], _tails(full))):
                for name in names:
                    self._loose[number][letters_and_digits(name)].add(full)
            for tail in _tails(full):
                mentions[tail].add(full)
        self._mentions: dict[str, str] = {
            tail: full
            for tail, owners in mentions.items()
            # A full name stands for itself even if it is the tail of another.
            for full in (owners if len(owners) == 1 else owners & {tail})
            # In a text it can only be the tool.
            if _SEPARATOR in tail or _CAMEL_CASE.fullmatch(tail)
        }

    @cached_property
    def finder(self) -> NameFinder:
        """Return what finds these names in text, where nobody writes them by accident."""
        offered = self._offered.values()
        prefixed = [self.prefix + name for name in offered] if self.prefix else []
        return NameFinder([*prefixed, *filter(_CAMEL_CASE.fullmatch, offered)])

    def offered(self, full: str) -> str:
        """Return the short name of a tool, also of one that is gone, without prefix."""
        if (name := self._offered.get(full)) is not None:
            return name
        if self.has_prefix(full):
            full = full.strip(_QUOTES)[len(self.prefix) :]
        return _accepted(_tails(full)[0])

    def prompted(self, full: str) -> str:
        """Return the name of a tool as the prompted form writes it, with prefix."""
        return self.prefix + self.offered(full)

    def has_prefix(self, written: str) -> bool:
        """Return whether a written name carries the prefix, in any case."""
        return bool(self.prefix) and written.strip(_QUOTES).casefold().startswith(
            self.prefix.casefold()
        )

    def resolve(self, written: str) -> str | None:
        """Return the full name of the tool that a written name means, or None."""
        if (full := self._exact.get(written)) is not None:
            return full
        if len(written) > _MAX_WRITTEN:
            return None
        for reading, namespaces in self._readings(written):
            if owners := self._owners(reading):
                full = next(iter(owners))
                fits = len(owners) == 1 and _may_be_in(full, reading, namespaces)
                return full if fits else None
        return None

    def closest(self, written: str) -> list[str]:
        """Return up to three offered names that resemble a written one, closest first."""
        keys = {
            letters_and_digits(name): offered
            for full, offered in self._offered.items()
            for name in (full, offered)
        }
        found = (
            keys[key]
            for reading, _ in self._readings(written[:_MAX_WRITTEN])
            for key in get_close_matches(letters_and_digits(reading), keys, 3, _SIMILAR)
        )
        return list(dict.fromkeys(found))[:3]

    def rewrite(self, text: str, *, prompted: bool) -> str:
        """Return a text with the tools it mentions under their offered names.

        Names that somebody may write by accident stay: `good_night`.
        """
        present = sorted(
            (name for name in self._mentions if name in text), key=len, reverse=True
        )
        if not present:
            return text
        pattern = re.compile(
            rf"(?<![\w.:/@-])(?:{re.escape(self.prefix)})?"
            rf"({'|'.join(map(re.escape, present))})"
            r"(?![\w-]|[./:@]\w)"
        )

        def replace(match: re.Match[str]) -> str:
            full = self._mentions[match[1]]
            return self.prompted(full) if prompted else self.offered(full)

        return pattern.sub(replace, text)

    def _owners(self, reading: str) -> set[str]:
        if (full := self._exact.get(reading)) is not None:
            return {full}
        # Without letters and digits nothing is left to compare.
        if key := letters_and_digits(reading):
            for table in self._loose:
                if owners := table.get(key):
                    return owners
        return set()

    def _readings(self, written: str) -> Iterator[tuple[str, list[str]]]:
        """Yield what a name may stand for, and the namespaces that each next has lost."""
        text = _ANY_PREFIX.sub("", written.strip(_QUOTES), count=1)
        namespaces: list[str] = []
        while text:
            yield text, namespaces
            if (shorter := _CALL_NUMBER.sub("", text)) != text:
                yield shorter, namespaces
            if match := _NAMESPACE.match(text):
                namespaces = [*namespaces, match[1]]
                text = text[match.end() :]
            elif text[:5].casefold() in {"user_", "user-"}:
                text = text[5:]
            else:
                return


def _choose_names(full_names: Iterable[str]) -> dict[str, str]:
    """Return the offered name of each full name: its end, unless another's is alike."""
    reserved = set(map(letters_and_digits, SERVER_TOOL_NAMES))
    spellings = {
        full: [{*map(letters_and_digits, (name, _accepted(name)))} for name in ends]
        for full in full_names
        for ends in [(_tails(full)[0], full)]
    }
    uses = Counter(key for sets in spellings.values() for key in set().union(*sets))
    chosen: dict[str, str] = {}
    # A name that needs no change keeps it.
    for full in sorted(full_names, key=lambda full: (_accepted(full) != full, full)):
        names = [_accepted(full)]
        if letters_and_digits(names[0]) in reserved:
            names = [_accepted(f"home_{names[0]}")]
        if all(uses[key] == 1 and key not in reserved for key in spellings[full][0]):
            names.insert(0, _accepted(_tails(full)[0]))
        hashed = (_hashed(names[-1], full, length) for length in count(8, 4))
        taken = chosen.values()
        chosen[full] = next(name for name in chain(names, hashed) if name not in taken)
    return chosen


def _tails(full: str) -> list[str]:
    """Return the last segment of a full name, the last two, ... and the whole."""
    segments = full.split(_SEPARATOR)
    tails = [
        _SEPARATOR.join(segments[start:]) for start in range(len(segments) - 1, 0, -1)
    ]
    return [*(tail for tail in tails if letters_and_digits(tail)), full]


def _accepted(name: str) -> str:
    """Return a name as near as possible to the given one that services accept."""
    if _ACCEPTED.fullmatch(name):
        return name
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    plain = _NOT_ACCEPTED.sub("_", plain).strip("_")
    if not letters_and_digits(plain):
        return _hashed("tool", name)
    return _hashed(plain, name) if len(plain) > MAX_NAME_LENGTH else plain


def _hashed(name: str, full: str, length: int = 8) -> str:
    digest = hashlib.sha256(full.encode("utf-8", "surrogatepass")).hexdigest()[:length]
    stem = name[: MAX_NAME_LENGTH - 1 - length].rstrip("_-") or "tool"
    return f"{stem}_{digest}"


def _may_be_in(full: str, reading: str, namespaces: list[str]) -> bool:
    """Return whether these namespaces fit: `light.good_night` is an entity."""
    if _CAMEL_CASE.fullmatch(reading):
        return True
    known = _WRAPPERS.union(map(letters_and_digits, full.split(_SEPARATOR)))
    return all(letters_and_digits(namespace) in known for namespace in namespaces)
