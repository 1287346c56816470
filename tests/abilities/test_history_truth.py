"""What is told of the past is true of any rows: counted anew in the plainest way."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import count, pairwise
from typing import Any, Final, NamedTuple

from homeassistant.core import HomeAssistant
from hypothesis import HealthCheck, given, settings, strategies as st
import pytest
from pytest_homeassistant_custom_component.components.recorder.common import (
    async_wait_recording_done,
)

from custom_components.lumo.abilities.periods import moment_text

from .large_home import add, async_prepare
from .test_history import ask, at, set_at

# Two days, in eighths of a second: sums of them are exact.
FIRST: Final = at("2026-11-10 12:00")
NOTHING: Final = ("unavailable", "unknown")
moments = st.integers(0, 8 * 48 * 3600)
lamp_states = st.sampled_from(("on", "off", *NOTHING))
numbers = st.integers(-50, 50).map(str) | st.sampled_from(NOTHING)


class Piece(NamedTuple):
    begin: float
    end: float
    state: str

    @property
    def seconds(self) -> float:
        return self.end - self.begin


def pieces(rows: Mapping[float, str], begin: float, end: float) -> Iterator[Piece]:
    for (moment, state), (after, _) in pairwise([*sorted(rows.items()), (end, "")]):
        piece = Piece(max(moment, begin), min(after, end), state)
        if piece.seconds > 0 and state not in NOTHING:
            yield piece


def told(kind: str, held: Sequence[Piece]) -> dict[str, Any]:
    values = [(float(piece.state), piece) for piece in held if kind[0] == "m"]
    if kind == "count":
        # What it was before a gap at the beginning of the period does not count.
        came = [a for b, a in pairwise(held) if a.state == "on" != b.state]
        return {"count": len(came)}
    if kind == "duration":
        seconds = sum(piece.seconds for piece in held if piece.state == "on")
        return {"seconds": round(seconds)}
    if kind == "mean":
        total = sum(value * piece.seconds for value, piece in values)
        mean = total / sum(piece.seconds for piece in held)
        return {"mean": pytest.approx(mean, abs=0.0101)}
    choose = min if kind == "min" else max
    value, piece = choose(values, key=lambda item: item[0])
    when = moment_text(datetime.fromtimestamp(piece.begin, UTC))
    return {kind: value, f"{kind}_at": when}


def gaps(held: Sequence[Piece], begin: float, end: float) -> dict[str, str]:
    """Return what is told of what is not known."""
    share = sum(piece.seconds for piece in held) / (end - begin)
    if share >= 0.995:
        return {}
    first = moment_text(datetime.fromtimestamp(held[0].begin, UTC))
    since = {"known_from": first} if held[0].begin > begin else {}
    return {"known": f"{int(share * 100)} % of the time", **since}


@pytest.fixture
async def home(recorder_mock: Any, hass: HomeAssistant) -> HomeAssistant:
    """Return a home of which nothing is known yet."""
    await hass.config.async_set_time_zone("UTC")
    await async_prepare(hass)
    # The recorder keeps nothing that is older than the first row that it sees.
    set_at(hass, "sun.sun", "2026-11-09 00:00", "up")
    return hass


numbered = count()


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(moments, lamp_states, max_size=20),
    st.dictionaries(moments, numbers, max_size=20),
    st.lists(moments, min_size=2, max_size=2, unique=True).map(sorted),
)
async def test_whatever_happened(
    home: HomeAssistant, lit: dict[int, str], measured: dict[int, str], ends: list[int]
) -> None:
    begin, end = (FIRST + moment / 8 for moment in ends)
    number = next(numbered)
    period: dict[str, Any] = {
        key: datetime.fromtimestamp(moment, UTC).isoformat()
        for key, moment in (("from", begin), ("to", end))
    }
    for domain, states, kinds in (
        ("light", lit, ("count", "duration")),
        ("sensor", measured, ("min", "max", "mean")),
    ):
        more: dict[str, Any] = (
            {"unit_of_measurement": "bar"} if domain == "sensor" else {}
        )
        name = f"{domain.title()} {number}"
        entity_id = f"{domain}.any_{number}"
        add(home, entity_id, "unknown", name=name, **more)
        rows = {FIRST + key / 8: states[key] for key in sorted(states)}
        for moment, state in rows.items():
            attributes = {"friendly_name": name, **more}
            home.states.async_set(entity_id, state, attributes, timestamp=moment)
        await async_wait_recording_done(home)
        held = list(pieces(rows, begin, end))
        for kind in kinds:
            asked = {"state": "on", **period} if domain == "light" else period
            data = await ask(home, question=kind, name=name, **asked)
            [result] = data["results"]
            expected = {"known": "nothing of that time"}
            if held:
                expected = told(kind, held) | gaps(held, begin, end)
            same = {key: result.get(key) for key in (*expected, "known", "known_from")}
            assert same == {"known": None, "known_from": None, **expected}
