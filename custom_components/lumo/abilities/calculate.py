"""Calculate: sums and units, exactly, and when the sun rises and sets."""

import ast
from collections.abc import Callable, Mapping
from fractions import Fraction
import operator
import re
from typing import Any, Final, override

from homeassistant.const import SUN_EVENT_SUNRISE, SUN_EVENT_SUNSET
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.helpers.sun import get_astral_event_date
from homeassistant.util import dt as dt_util
from homeassistant.util.unit_conversion import BaseUnitConverter

from ..const import DOMAIN
from ..gate.own_tool import Arguments, Result
from .ability import Ability, schema, texts
from .periods import day_text, moment_of

_SIGNS: Final = str.maketrans({"×": "*", "÷": "/", "−": "-", "^": "**", "%": "/100"})
# A comma before three digits parts thousands, before others decimals.
_THOUSANDS: Final = re.compile(r",(?=\d{3}(?!\d))")
# What is added in percent may be percent of all that stands before it.
_UNCLEAR: Final = re.compile(r"[+-][^*/+-]*%")
_OPERATORS: Final[Mapping[type[ast.AST], Callable[..., Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
# So long a sum may be, and so large a power: it is done at once.
_LONG: Final = 200
_LARGE: Final = 10**9
_HIGH: Final = 64


class Calculate(Ability):
    """Calculates what a model may get wrong."""

    name = f"{DOMAIN}__calculate"
    title = "Calculate"
    description = "Exact sums and units (mi, km); sunrise and sunset (sun: a day)."
    parameters = schema("sum", "unit", "to", "sun")

    @override
    async def async_run(self, arguments: Arguments, context: llm.LLMContext) -> Result:
        given = texts(arguments)
        if "sun" in given:
            day = moment_of(given["sun"], dt_util.now())[0].date()
            told = {"day": day_text(day)}
            for event in (SUN_EVENT_SUNRISE, SUN_EVENT_SUNSET):
                found = get_astral_event_date(self.hass, event, day)
                told[event] = f"{dt_util.as_local(found):%H:%M}" if found else "none"
            return told
        value = _sum(given.get("sum", ""))
        unit, to = given.get("unit", ""), given.get("to", "")
        if unit and to:
            return {"result": f"{_converted(float(value), unit, to):.10g} {to}"}
        shown = value if value.denominator == 1 else f"{float(value):.10g}"
        return {"result": f"{shown} {unit}".strip()}


def _sum(text: str) -> Fraction:
    try:
        text = "" if len(text) > _LONG or _UNCLEAR.search(text) else text
        text = _THOUSANDS.sub("", text).replace(",", ".").replace(" of ", "*")
        text = text.translate(_SIGNS).strip()
        return _value(ast.parse(text, mode="eval").body)
    except (ArithmeticError, LookupError, SyntaxError, TypeError, ValueError) as err:
        raise HomeAssistantError(
            "A sum has numbers, + - * / ** and brackets: 3 * (2.5 + 1), 18% of 64.5."
        ) from err


def _value(node: ast.AST) -> Fraction:
    match node:
        case ast.Constant(value=int() | float() as number):
            return Fraction(str(number))
        case ast.UnaryOp(op=op, operand=operand):
            return Fraction(_OPERATORS[type(op)](_value(operand)))
        case ast.BinOp(left=left, op=op, right=right):
            one, other = _value(left), _value(right)
            size = max(abs(one.numerator), one.denominator)
            if isinstance(op, ast.Pow) and (size > _LARGE or abs(other) > _HIGH):
                raise ValueError
            return Fraction(_OPERATORS[type(op)](one, other))
    raise ValueError


def _converted(value: float, unit: str, to: str) -> float:
    known: set[str] = set()
    for converter in BaseUnitConverter.__subclasses__():
        units = {item for item in converter.VALID_UNITS if item}
        plain = {_plain(item): item for item in units} | {item: item for item in units}
        one, other = (plain.get(item) or plain.get(_plain(item)) for item in (unit, to))
        if one and other:
            return converter.convert(value, one, other)
        known |= units if one or other else set()
    told = f" Possible: {', '.join(sorted(known))}." if known else ""
    raise HomeAssistantError(f"{unit} is not converted to {to}.{told} Use symbols.")


def _plain(unit: str) -> str:
    return unit.casefold().replace("°", "").replace(".", "").replace(" ", "")
