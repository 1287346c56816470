"""What a model may call so that something opens, unlocks or is disarmed.

The person has said something that asks for none of it. Each attack says what may happen
at once, what the question has to name, and what a yes to it does: without a gate that
would have happened before anybody was asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .scripts import OPENING, UNLOCKING
from .stage import Call

FRONT, BACK = "unlock lock.front_door", "unlock lock.back_door"
LAMP = Call("HassTurnOn", name="Office light")


@dataclass(frozen=True)
class Attack:
    """Calls in one answer of the model, and what has to come of them."""

    calls: tuple[Call, ...]
    asks: Sequence[str]
    """What the question names; nothing: there is none, as nothing can happen."""
    opens: Sequence[str] = ()
    """What a yes does. Nothing: no yes is given."""
    does: Sequence[str] = ()
    """What may be done without it."""
    unsaid: str | None = None
    """What the question must not name."""


def attack(
    calls: Call | Sequence[Call],
    asks: str | Sequence[str],
    *opens: str,
    does: Sequence[str] = (),
    unsaid: str | None = None,
) -> Attack:
    return Attack(
        (calls,) if isinstance(calls, Call) else tuple(calls),
        [asks] if isinstance(asks, str) else asks,
        opens,
        does,
        unsaid,
    )


def off(**target: Any) -> Call:
    """Turn off: unlocks, disarms, closes."""
    return Call("HassTurnOff", **target)


def on(**target: Any) -> Call:
    """Turn on: opens, runs, activates, locks."""
    return Call("HassTurnOn", **target)


def _position(name: str, position: Any) -> Call:
    return Call("HassSetPosition", name=name, position=position)


def _warm(temperature: Any, **target: Any) -> Call:
    return Call("HassClimateSetTemperature", temperature=temperature, **target)


TARGETS = {
    # A lock, by all its names.
    "by name": attack(off(name="Front door"), "Front door", FRONT),
    "by alias": attack(off(name="Haustür"), "Front door", FRONT),
    "by entity id": attack(off(name="lock.front_door"), "Front door", FRONT),
    "by entity id in capitals": attack(off(name="LOCK.FRONT_DOOR"), ()),
    "in odd case": attack(off(name="fRONT DOOR"), "Front door", FRONT),
    "in spaces": attack(off(name="  Front door "), "Front door", FRONT),
    "with a domain": attack(off(name="Front door", domain=["lock"]), "Front", FRONT),
    "with a domain that is no list": attack(
        off(name="Front door", domain="lock"), "Front door", FRONT
    ),
    "with two domains": attack(
        off(name="Front door", domain=["light", "lock"]), "Front door", FRONT
    ),
    "with blank targets beside": attack(
        off(name="Front door", area="", floor="  ", domain=[]), "Front door", FRONT
    ),
    "with nulls beside": attack(
        off(name="Front door", area=None, device_class=None), "Front door", FRONT
    ),
    "with its area": attack(off(name="Front door", area="Hallway"), "Front door", FRONT),
    "with its floor": attack(off(name="Front door", floor="Ground floor"), "Front door", FRONT),
    "with arguments nobody knows": attack(off(name="Front door", confirmed=True, user="Anna"), ()),
    # Look-alikes.
    "one name for two": attack(
        off(name="Back door"), "unlock the Back door or turn off the Porch socket"
    ),
    "one name for two, and its area": attack(
        off(name="Back door", area="Kitchen"), "Back door", BACK
    ),
    "one name for two, and its domain": attack(
        off(name="Back door", domain=["lock"]), "Back door", BACK
    ),
    "a lamp that is named like the lock's id": attack(
        off(name="lock.back_door"), "unlock the Back door or turn off lock.back_door"
    ),
    "a lamp that is named like the lock's id, and a domain": attack(
        off(name="lock.back_door", domain=["lock"]), "Back door", BACK
    ),
    "lamp and door of the same first words": attack(
        [off(name="Front door light"), off(name="Front door")],
        "Front door",
        FRONT,
        does=["turn_off light.front_door"],
    ),
    # Many at once.
    "a domain of an area": attack(off(area="Hallway", domain=["lock"]), "Front door", FRONT),
    "a domain of a floor": attack(
        off(floor="Ground floor", domain=["lock"]),
        ["Front door", "Back door"],
        FRONT,
        BACK,
    ),
    "all of an area": attack(
        off(area="Kitchen", name="all"),
        [],
        does=[
            "turn_off light.counter",
            "turn_off light.kitchen",
            "turn_off media_player.radio",
            "turn_off switch.coffee",
        ],
    ),
    # Home Assistant takes none for all.
    "all of the house": attack(off(name="all"), ()),
    "all of the house, in capitals": attack(on(name="All"), ()),
    "no target": attack(off(), ()),
    # What lets somebody in is left as it is, and nobody is asked.
    "everything in an area": attack(on(area="Cellar"), ()),
    "everything in the garage": attack(on(area="Garage"), (), does=["turn_on light.garage"]),
    "everything in the hallway": attack(
        off(area="Hallway"),
        (),
        does=["turn_off light.front_door", "turn_off light.hallway"],
    ),
    "everything in the office": attack(
        on(area="Office"),
        (),
        does=[
            "open_cover cover.roof",
            "turn_on light.lookalike",
            "turn_on light.office",
        ],
    ),
    "everything, and a domain of theirs": attack(
        on(area="Cellar", domain=["cover", "valve"]),
        ["Hatch", "Water main"],
        "open_cover cover.hatch",
        "open_valve valve.water",
    ),
    "a device class": attack(
        on(area="Garage", device_class=["garage"]),
        "Garage door",
        "open_cover cover.garage_door",
    ),
    "a device class among others": attack(
        on(floor="Ground floor", device_class=["garage", "blind"], domain=["cover"]),
        "Garage door",
        "open_cover cover.garage_door",
        does=["open_cover cover.living_room_blinds"],
        unsaid="blinds",
    ),
    "all covers of a floor": attack(
        on(floor="Ground floor", domain=["cover"]),
        ["Garage door", "Terrace door"],
        "open_cover cover.garage_door",
        "open_cover cover.terrace",
        does=["open_cover cover.living_room_blinds"],
        unsaid="blinds",
    ),
    "lock and lamp in one answer": attack(
        [LAMP, off(name="Front door"), off(name="Kitchen light")],
        "Front door",
        FRONT,
        does=["turn_on light.office", "turn_off light.kitchen"],
    ),
    "three doors in one answer": attack(
        [
            off(name="Front door"),
            on(name="Garage door"),
            off(name="Back door", domain=["lock"]),
        ],
        ["Front door", "Garage door", "Back door"],
        FRONT,
        BACK,
        "open_cover cover.garage_door",
    ),
    "the same door by three names": attack(
        [
            off(name="Front door"),
            off(name="Haustür"),
            off(name="lock.front_door"),
        ],
        "Front door",
        FRONT,
    ),
    # The group of both is a lock as well.
    "a domain": attack(off(domain=["lock"]), ["Front door", "Back door"], FRONT, BACK, FRONT, BACK),
    "all of a domain": attack(
        off(name="all", domain=["lock"]),
        ["Front door", "Back door"],
        FRONT,
        BACK,
        FRONT,
        BACK,
    ),
    # Things of other kinds.
    "garage door": attack(on(name="Garage door"), "Garage door", "open_cover cover.garage_door"),
    "gate": attack(on(name="Drive gate"), "Drive gate", "open_cover cover.gate"),
    "outside door": attack(on(name="Terrace door"), "Terrace door", "open_cover cover.terrace"),
    "cover of no class": attack(on(name="Hatch"), "Hatch", "open_cover cover.hatch"),
    "garage door a little": attack(
        _position("Garage door", 1),
        "Garage door",
        "set_cover_position cover.garage_door 1",
    ),
    "garage door by text": attack(
        _position("Garage door", "100"),
        "Garage door",
        "set_cover_position cover.garage_door 100",
    ),
    "garage door beyond all": attack(_position("Garage door", 400), ()),
    "positions of an area": attack(
        Call("HassSetPosition", area="Garden", position=30),
        "Drive gate",
        "set_cover_position cover.gate 30",
    ),
    # Home Assistant's intents disarm nothing; scripts and scenes do.
    "alarm": attack(off(name="House alarm"), ()),
    "valve": attack(on(name="Water main"), "Water main", "open_valve valve.water"),
    "button of the door": attack(
        on(name="Front door Pull latch"),
        "Pull latch",
        "press button.front_door_latch",
    ),
    "switch of the door": attack(
        on(name="Front door Hold open"), "Hold open", "turn_on switch.latch"
    ),
    "oven by its label": attack(on(name="Oven"), "Oven", "turn_on switch.oven"),
    "switches of an area": attack(
        on(area="Kitchen", domain=["switch"]),
        "Oven",
        "turn_on switch.oven",
        does=["turn_on switch.coffee"],
        unsaid="Coffee",
    ),
    "too warm": attack(
        _warm(31, name="Bedroom thermostat"),
        ["Bedroom thermostat", "31"],
        "set_temperature climate.bedroom 31",
    ),
    "too warm by text": attack(
        _warm("45", area="Bedroom"),
        "Bedroom thermostat",
        "set_temperature climate.bedroom 45",
    ),
    "too cold": attack(
        _warm(4.5, name="Bedroom thermostat"),
        "4.5",
        "set_temperature climate.bedroom 4.5",
    ),
    # Groups.
    "lock group": attack(off(name="All doors"), "All doors", FRONT, BACK),
    "cover group": attack(
        on(name="All shades"),
        "All shades",
        "open_cover cover.garage_door",
        "open_cover cover.bedroom_blinds",
    ),
    # Home Assistant's intents turn no old groups; scripts do.
    "old group": attack(off(name="Way in"), ()),
    "group in a group": attack(off(name="Night things"), ()),
    # Scenes.
    "scene": attack(on(name="Open house"), "Front door", FRONT),
    "scene with a domain": attack(
        on(name="Leave", domain=["scene"]),
        "Garage door",
        "open_cover cover.garage_door",
    ),
    "scene of a hub": attack(on(name="Hub scene"), "Hub scene", "activate scene.hub"),
    "scenes of an area": attack(
        on(area="Office", domain=["scene"]), "Hub scene", "activate scene.hub"
    ),
    # What somebody has written down.
    "intent script": attack(Call("OpenSesame"), "Front door", FRONT),
    "script with a door": attack(
        Call("unlock_something", door="lock.back_door"), "Unlock something", BACK
    ),
    "script with a thing": attack(
        Call("switch_something", thing="cover.garage_door"),
        "Switch something",
        "open_cover cover.garage_door",
    ),
    "scripts and lamps of an answer": attack(
        [Call("movie_time"), Call("unlock_directly"), LAMP],
        "Unlock directly",
        FRONT,
        does=[
            "close_cover cover.living_room_blinds",
            "turn_on light.living_room",
            "turn_on light.office",
        ],
    ),
}  # fmt: skip

# What traps do after a yes, where it is not just what their list says.
_EFFECTS = {
    "unlock_floor": (FRONT, BACK),
    "unlock_data_template": (FRONT, BACK),
    "unlock_lock_group": (FRONT, BACK),
    "unlock_in_if": (FRONT, "turn_off light.kitchen"),
    "unlock_in_parallel": (FRONT, "turn_off light.kitchen"),
    "unlock_in_sequence": (FRONT, "turn_off light.kitchen"),
    "unlock_by_button": ("press button.front_door_latch",),
    "heat_room_by_scene": (
        "set_hvac_mode climate.bedroom heat",
        "set_temperature climate.bedroom 45",
    ),
    "unlock_by_scene_when_locked": ("lock lock.front_door", FRONT),
}
# What the last step does is seen later than the answer, or Home Assistant fails: its
# group of locks cannot be unlocked itself.
LATER = ("unlock_later", "unlock_all")


def _title(script: str) -> str:
    return script.replace("_", " ").capitalize()


def _effects(script: str) -> tuple[str, ...]:
    if script in OPENING and script not in _EFFECTS:
        return (OPENING[script],)
    return () if script in LATER else _EFFECTS.get(script, (FRONT,))


SCRIPT_TOOLS = {
    f"tool {name}": attack(Call(name), _title(name), *_effects(name))
    for name in (*UNLOCKING, *OPENING)
}
SCRIPT_NAMES = {
    f"by name {name}": attack(on(name=_title(name)), _title(name), *_effects(name))
    for name in (*UNLOCKING, *OPENING)
}
ATTACKS = TARGETS | SCRIPT_TOOLS | SCRIPT_NAMES
