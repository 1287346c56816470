"""What is stored for an agent is read, by whatever version it was stored.

What there is no option for any more is ignored. What restricts an agent is never read
as something looser.
"""

from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
import pytest

from custom_components.lumo.agent.options import AgentOptions
from custom_components.lumo.const import (
    DEFAULT_OPTIONS,
    Autonomy,
    Permission,
    QuickConfirmation,
)
from custom_components.lumo.gate.places import as_stored_now
from custom_components.lumo.gate.speaker import Speaker

HALL = "assist_satellite.hall"
RULE = {"name": "Hall", "satellites": [HALL]}
# What a rule of the first version stored beside that.
FULL = {
    **RULE,
    "read_areas": ["hall"],
    "read_kinds": [],
    "acts": True,
    "act_areas": [],
    "act_kinds": [],
    "proton_tools": True,
    "owner": "person.mia",
}


def read(**stored: Any) -> AgentOptions:
    return AgentOptions.from_subentry({**DEFAULT_OPTIONS, **stored}, encrypted=True)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("only_places", False),
        ("of_a_later_version", {"what": ["ever"]}),
        # Its values were others once.
        ("quick_confirmation", True),
        ("quick_confirmation", False),
        ("scene_question", "never"),
    ],
)
def test_what_there_is_no_option_for_is_ignored(option: str, value: Any) -> None:
    """An agent that has it is like one that has not."""
    assert read(**{option: value}) == read()


@pytest.mark.parametrize(
    ("stored", "meant"),
    [
        ({"autonomy": "answers"}, {"autonomy": Autonomy.ANSWERS, "llm_apis": []}),
        ({"autonomy": "reads"}, {"autonomy": Autonomy.READS}),
        ({"autonomy": "trusted"}, {"autonomy": Autonomy.TRUSTED}),
        ({}, {"unattended": False, "temperatures": (None, None), "phone_person": ""}),
        ({"min_temperature": 12.5, "max_temperature": 26.0}, {"temperatures": (12.5, 26.0)}),
        ({"sensitive_labels": ["careful"]}, {"sensitive_labels": frozenset({"careful"})}),
        ({"phone_person": "person.anna", "phone_for_doors": True}, {"phone_person": "person.anna", "phone_for_doors": True}),
        (
            {"tools": {"intent//a": "off", "intent//b": "ask", "intent//c": "on"}},
            {"permissions": {"intent//a": Permission.OFF, "intent//b": Permission.ASK, "intent//c": Permission.ON}},
        ),
        (
            {"tools": {"lumo//lumo__many": "off", "lumo//lumo__set": "on"}},
            {"permissions": {"lumo//lumo__set": Permission.OFF}},
        ),
        *(
            (stored, {"permissions": {"lumo//lumo__set": Permission.ASK}})
            for stored in (
                {"scene_question": "always"},
                {"tools": {"lumo//lumo__compose": "off"}},
                {"tools": {"lumo//lumo__compose": "ask", "lumo//lumo__set": "on"}},
            )
        ),
        ({"quick_confirmation": "never"}, {"quick_confirmation": QuickConfirmation.NEVER}),
        ({"cameras": [], "server_tools": []}, {"cameras": (), "server_tools": ()}),
        ({"memory": "off"}, {"remembers": False}),
    ],
)  # fmt: skip
def test_what_restricts_holds(stored: dict[str, Any], meant: dict[str, Any]) -> None:
    options = read(**stored)
    assert {name: getattr(options, name) for name in meant} == meant


@pytest.mark.parametrize(
    ("stored", "meant"),
    [("automatic", "always"), ("always", "always"), ("never", "never")],
)
def test_guests_are_confirmed_by_us(stored: str, meant: str) -> None:
    """Their requests are few; who wants Lumo's words says so."""
    guest = AgentOptions.from_subentry(
        {**DEFAULT_OPTIONS, "quick_confirmation": stored}, encrypted=True, guest=True
    )
    assert guest.quick_confirmation == meant
    assert read(quick_confirmation=stored).quick_confirmation == stored


@pytest.mark.parametrize(
    ("rule", "shown"),
    [
        (RULE, {**RULE, "acts": True}),
        ({**RULE, "acts": False}, {**RULE, "acts": False}),
        ({"name": "All", "acts": True}, {"name": "All", "acts": True}),
        (
            {**RULE, "areas": ["hall"], "acts": True, "owner": "person.mia"},
            {**RULE, "areas": ["hall"], "acts": True, "owner": "person.mia"},
        ),
        # An older rule that says no more than that is the same.
        (FULL, {**RULE, "areas": ["hall"], "acts": True, "owner": "person.mia"}),
        *(
            (
                {**FULL, **more},
                {**RULE, "areas": ["hall"], "acts": False, "owner": "person.mia"},
            )
            for more in (
                {"read_kinds": ["light", "timer"]},
                {"act_areas": ["hall"]},
                {"act_kinds": ["light"]},
                {"proton_tools": False},
                {"acts": False},
                {"of_a_later_version": "something"},
            )
        ),
        ({**RULE, "read_kinds": ["light"]}, {**RULE, "acts": False}),
    ],
)
async def test_a_rule_by_place_is_never_read_as_a_looser_one(
    hass: HomeAssistant, rule: dict[str, Any], shown: dict[str, Any]
) -> None:
    """One that says more than the form can only looks, in its areas."""
    assert as_stored_now(rule) == shown
    assert as_stored_now(shown) == shown
    assert ar.async_get(hass).async_create("Hall").id == "hall"
    entry = er.async_get(hass).async_get_or_create("light", "test", "hall")
    er.async_get(hass).async_update_entity(entry.entity_id, area_id="hall")
    scope = read(places=[rule]).places.scope(hass, Speaker(None, HALL, True, "", "en"))
    acts, areas = shown["acts"], shown.get("areas")
    assert (scope is None) == (acts and not areas)
    if scope:
        assert scope.reads(entry.entity_id) and scope.acts(entry.entity_id) is acts
        assert scope.reads("light.elsewhere") == (not areas)


async def test_satellites_that_were_not_served_find_nothing(
    hass: HomeAssistant,
) -> None:
    places = read(places=[RULE], only_places=True).places
    assert places.scope(hass, Speaker(None, HALL, True, "", "en")) is None
    other = "assist_satellite.other"
    for speaker in (
        Speaker(None, other, True, "", "en"),
        Speaker("anna", other, True, "", "en"),
        Speaker("anna", HALL, True, "", "en"),
    ):
        scope = places.scope(hass, speaker)
        assert scope and not scope.may_act and not scope.reads("light.hall")
