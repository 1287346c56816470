"""Valid calls whose arguments' places are known, and damage done to them.

The oracle is computed from where the damage is, and never with the reader that is
tested: an argument whose characters are all there, untouched, was meant.
"""

from dataclasses import dataclass
import json
import re
from typing import Any

from hypothesis import strategies as st

ARGUMENTS: dict[str, Any] = {
    "domain": ["light"],
    "area": "Kitchen",
    "name": "Lamp",
    "position": 50,
    "half": 0.25,
    "on": True,
    "message": "Hi",
    "id": "7",
    "input": "x y",
    "color": {"r": 1, "g": 2},
    "items": ["a", "b", "c"],
    "floor": None,
}
# Before and behind the arguments.
FORMS = (
    ('{{"name": "{name}", "arguments": {{', "}}}}"),
    ('{{"name":"{name}","parameters":{{', "}}}}"),
    ('{{\n  "name": "{name}",\n  "arguments": {{\n    ', "\n  }}\n}}"),
    ('{{"arguments": {{', '}}, "name": "{name}"}}'),
    ('{{"name": "{name}", "arguments": {{', '}}, "id": "call_1"}}'),
    ('{{"type": "function", "function": {{"name": "{name}", "arguments": {{', "}}}}}}"),
    ('{{"tool_calls": [{{"name": "{name}", "arguments": {{', "}}}}]}}"),
    ('[{{"name": "{name}", "arguments": {{', "}}}}]"),
    ('{{"tool": "{name}", ', "}}"),
    ("<function={name}>{{", "}}</function>"),
    ("[TOOL_CALLS]{name}[ARGS]{{", "}}"),
    ("<tool_call>{name}\n{{", "}}</tool_call>"),
    ("{name}({{", "}})"),
)
WRAPPERS = (
    ("", ""),
    ("Sure.\n", "\nDone."),
    ("```json\n", "\n```"),
    ("I do that:\n```\n", "\n```\n\nDone."),
    ("<tool_call>\n", "\n</tool_call>"),
    ("`", "`"),
)
# What gets into a text that should not be there.
RUBBISH = (
    *"{}[]\"'`,:#<>/\\ \n",
    *("}}", "},", "},{", "}{", "}\n", "}x", "]}", "}]", "{}", '""', '"}', "}}]", "```"),
    *(
        "//",
        "# ",
        "/*",
        "*/",
        "// off\n",
        "# now\n",
        "/* off */",
        "null",
        "null,",
        '"",',
    ),
    *(" and ", "light", "\n\n", "}\n\n", "}}\n", "}`\n", "“", "‘", "\\n"),
    *("</tool_call>", "</function>"),
)


@dataclass(frozen=True)
class Damaged:
    """A call, and which of its arguments are still as they were written."""

    text: str
    untouched: dict[str, Any]

    def is_less(self, arguments: dict[str, Any]) -> str | None:
        """Return what a call with these arguments lacks, or has too much."""
        for key, value in self.untouched.items():
            # Behind the arguments it is the call's own.
            if key not in arguments and key != "id":
                return f"{key} is missing"
            if arguments.get(key, value) != value:
                return f"{key} is not {value!r}"
        there = _letters(re.sub(r"\\[nrtbf]", "", self.text))
        for key, value in arguments.items():
            for word in (key, value):
                if isinstance(word, str) and _letters(word) not in there:
                    return f"{word} is nowhere"
        return None


def _letters(text: str) -> str:
    """Return the letters and digits of a text: the rest may have been escaped."""
    return "".join(filter(str.isalnum, text))


@dataclass(frozen=True)
class _Written:
    text: str
    # From where to where each argument stands.
    places: dict[str, tuple[int, int]]

    def spoil(self, start: int, end: int, rubbish: str) -> _Written:
        shift = len(rubbish) - (end - start)
        places = {}
        for key, (first, last) in self.places.items():
            if last <= start:
                places[key] = (first, last)
            elif first >= end:
                places[key] = (first + shift, last + shift)
        return _Written(self.text[:start] + rubbish + self.text[end:], places)

    def cut(self, end: int) -> _Written:
        """Cut off what stands behind a place."""
        places = {key: place for key, place in self.places.items() if place[1] <= end}
        return _Written(self.text[:end], places)


def _write(form: tuple[str, str], around: tuple[str, str], keys: list[str]) -> _Written:
    before, behind = (part.format(name="HassTurnOff") for part in form)
    text = around[0] + before
    places = {}
    for number, key in enumerate(keys):
        member = f"{', ' if number else ''}"
        text += member
        member = f"{json.dumps(key)}: {json.dumps(ARGUMENTS[key])}"
        places[key] = (len(text), len(text) + len(member))
        text += member
    return _Written(text + behind + around[1], places)


@st.composite
def damaged_calls(draw: st.DrawFn) -> Damaged:
    """Draw a call with one damage, and perhaps cut."""
    keys = draw(
        st.lists(st.sampled_from(list(ARGUMENTS)), min_size=1, max_size=4, unique=True)
    )
    written = _write(
        draw(st.sampled_from(FORMS)), draw(st.sampled_from(WRAPPERS)), keys
    )
    start = draw(st.integers(0, len(written.text)))
    end = min(start + draw(st.integers(0, 3)), len(written.text))
    part = written.text[start:end]
    match draw(st.sampled_from(["insert", "delete", "replace", "swap", "double"])):
        case "insert":
            written = written.spoil(start, start, draw(st.sampled_from(RUBBISH)))
        case "delete":
            written = written.spoil(start, end, "")
        case "replace":
            written = written.spoil(start, end, draw(st.sampled_from(RUBBISH)))
        case "swap":
            written = written.spoil(start, end, part[::-1])
        case _:
            written = written.spoil(start, end, part + part)
    if draw(st.booleans()):
        written = written.cut(draw(st.integers(0, len(written.text))))
    return Damaged(written.text, {key: ARGUMENTS[key] for key in written.places})
