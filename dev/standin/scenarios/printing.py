"""Habits of writing calls: odd fences, words around, broken JSON, wrong names."""

from collections.abc import Callable
import re
from typing import Any

from ..plan import Call, Decision, Finish, Step, Writing, dump
from .base import Exchange, Scenario, reads, register


@register("fenced")
class Fenced(Scenario):
    """Calls stand in fences of all kinds, never the one that was asked for."""

    def style(self, exchange: Exchange, writing: Writing) -> None:
        """Take the next kind."""
        writing.as_text = True
        writing.fence = self.rotate(
            ("```tool_call\n", "\n```"),
            ("```\n", "\n```"),
            ("```JSON\n", "\n```"),
            ("~~~json\n", "\n~~~"),
            ("````json\n", "\n````"),
            ("```tool_code\n", "\n```"),
        )


@register("raw")
class Raw(Scenario):
    """Calls stand in the text without any fence."""

    def style(self, exchange: Exchange, writing: Writing) -> None:
        """Take the fence away."""
        writing.as_text = True
        writing.fence = ("", "")


@register("prose")
class Prose(Scenario):
    """The model talks before and after the call."""

    def style(self, exchange: Exchange, writing: Writing) -> None:
        """Put words around."""
        writing.as_text = True
        writing.around = (
            (
                "Gerne, ich kümmere mich darum.\n\n",
                "\n\nSag Bescheid, wenn noch etwas ist.",
            )
            if exchange.german
            else (
                "Sure, I'll take care of that for you.\n\n",
                "\n\nLet me know if you need anything else.",
            )
        )


def _array(objects: list[str]) -> list[str]:
    return [f"[{', '.join(objects)}]"]


def _lines(objects: list[str]) -> list[str]:
    return ["\n".join(objects)]


@register("several")
class Several(Scenario):
    """Several calls in one block; a harmless read is asked for twice."""

    def decide(self, exchange: Exchange, decisions: list[Decision]) -> list[Decision]:
        """Double the calls that only read."""
        return [
            copy
            for decision in decisions
            for copy in [decision]
            * (2 if isinstance(decision, Call) and reads(decision.name) else 1)
        ]

    def style(self, exchange: Exchange, writing: Writing) -> None:
        """Take the next way to join them; native arguments come in fragments."""
        writing.arrange = self.rotate(_array, _lines)
        writing.fragmented = True


# How a name is spelled in place of `{prefix}{bare}`.
_SPELLINGS = (
    "{prefix}{lower}", "{prefix}{space}{bare}", "{bare}", "{prefix}{upper}",
    "{space}{bare}", "{prefix}assist__{space}{bare}", "{flat}{bare}",
)  # fmt: skip
# Home Assistant's tools that do not belong to its domain `intent`.
_NAMESPACES = {
    "GetDateTime": "llm__", "Get": "homeassistant__", "HassClimate": "climate__",
    "HassHumidifier": "humidifier__", "HassLight": "light__", "HassList": "todo__",
    "HassMedia": "media_player__", "HassSetVolume": "media_player__",
    "HassVacuum": "vacuum__",
}  # fmt: skip


def _namespace(bare: str) -> str:
    if "__" in bare:
        return ""
    beginnings = (name for name in _NAMESPACES if bare.startswith(name))
    return _NAMESPACES.get(next(beginnings, ""), "intent__")


@register("wrong_name")
class WrongName(Scenario):
    """Names in another case, longer or shorter than they were offered."""

    def decide(self, exchange: Exchange, decisions: list[Decision]) -> list[Decision]:
        """Misspell each call's name in the next way."""
        spelled: list[Decision] = []
        for decision in decisions:
            if isinstance(decision, Call):
                prefix, _, bare = decision.name.rpartition(":")
                space = _namespace(bare)
                name = self.rotate(*_SPELLINGS).format(
                    prefix=f"{prefix}:" if prefix else "",
                    bare=bare,
                    lower=bare.lower(),
                    upper=bare.upper(),
                    space=space,
                    flat=space.replace("__", "_"),
                )
                spelled.append(Call(name, decision.arguments))
            else:
                spelled.append(decision)
        return spelled


# What JSON does not have; nothing is missing from what is meant.
_DAMAGES: tuple[Callable[[dict[str, Any]], str], ...] = (
    lambda value: re.sub(r"(?<=[^{\[,\s])([}\]])$", r",\1", dump(value)),
    # Keys and plain values in single quotes, JSON's own words elsewhere.
    lambda value: re.sub(r'"([^"\\\']*)"', r"'\1'", dump(value)),
    repr,
    lambda value: dump(value)[:-1],
    lambda value: dump(value)[:-1] + " // as you asked\n}",
)


@register("broken_json")
class BrokenJson(Scenario):
    """Syntax that JSON does not have; nothing is missing from what is meant."""

    def style(self, exchange: Exchange, writing: Writing) -> None:
        """Take the next kind of damage."""
        writing.spell = self.rotate(*_DAMAGES)


_STRING = re.compile(r'"(?:[^"\\]|\\.)+"')


def cut(text: str, choice: int) -> str:
    """Cut a call or its arguments inside a string, so that no value is complete."""
    start = text.find('"arguments": ')
    strings = list(_STRING.finditer(text, start + 13 if start >= 0 else 0))
    # Arguments without any string: then the name is cut.
    strings = strings or list(_STRING.finditer(text))
    if not strings:
        return text[:1]
    match = strings[choice % len(strings)]
    return text[: (match.start() + match.end()) // 2]


@register("cut_json")
class CutJson(Scenario):
    """The answer ends inside a key or a value: never a call."""

    def decide(self, exchange: Exchange, decisions: list[Decision]) -> list[Decision]:
        """Stop at the first call, in which the answer ends."""
        for number, decision in enumerate(decisions):
            if isinstance(decision, Call):
                return decisions[: number + 1]
        return decisions

    def style(self, exchange: Exchange, writing: Writing) -> None:
        """Cut it at the next place."""
        place, spell = next(self._turns[""]), writing.spell
        writing.spell = lambda value: cut(spell(value), place)
        writing.fence = (writing.fence[0], "" if place % 2 else writing.fence[1])
        writing.around = (writing.around[0], "")

    def revise(self, exchange: Exchange, plan: list[Step]) -> list[Step]:
        """Say that the length was the reason, if a call was cut."""
        if not exchange.called:
            return plan
        return [Finish("length") if isinstance(step, Finish) else step for step in plan]
