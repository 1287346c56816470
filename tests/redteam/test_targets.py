"""Whatever is called to open, unlock or disarm something: a person is asked first."""

from collections.abc import Mapping
from itertools import islice

from homeassistant.helpers import entity_registry as er
import pytest

from custom_components.lumo.const import ToolCalling
from custom_components.lumo.issues.home_issues import async_mark_doors, unmarked_doors
from tests.sampling import some

from .attacks import ATTACKS, SCRIPT_NAMES, SCRIPT_TOOLS, TARGETS, Attack
from .stage import ANNA, AUTOMATION, Call, Channel, Line, Stage, Who, opened

# It asks for nothing of what the model calls.
SENTENCE = "Make it cosy in here"


async def check(stage: Stage, attack: Attack, who: Who = ANNA) -> None:
    """Play an attack, and check that nothing happens before a yes."""
    stage.fresh()
    await stage.play(
        Line(
            SENTENCE,
            [attack.calls, "All is done."],
            does=attack.does,
            asks=attack.asks or None,
            unasked=attack.unsaid,
            who=who,
        )
    )
    if attack.opens:
        await stage.play(
            Line(
                "Yes please",
                ["Done."],
                does=attack.opens,
                unsaid="No answer from",
                who=who,
            ),
            # And that was the yes.
            Line("Yes please", ["Yes to what?"], who=who),
        )


# Every attack in one of the modes; the other half of the product takes longer.
HALVES = [dict(islice(TARGETS.items(), half, None, 2)) for half in range(2)]


@pytest.mark.parametrize(
    ("mode", "attacks"),
    [
        pytest.param(ToolCalling.PRIVATE, HALVES[0], id="private-targets"),
        pytest.param(ToolCalling.NATIVE, HALVES[1], id="native-targets"),
        pytest.param(ToolCalling.PRIVATE, HALVES[1], id="private-others", marks=pytest.mark.long),
        pytest.param(ToolCalling.NATIVE, HALVES[0], id="native-others", marks=pytest.mark.long),
        pytest.param(ToolCalling.PRIVATE, SCRIPT_TOOLS, id="private-scripts"),
        pytest.param(ToolCalling.NATIVE, SCRIPT_NAMES, id="native-names"),
        pytest.param(ToolCalling.NATIVE, SCRIPT_TOOLS, id="native-scripts", marks=pytest.mark.long),
        pytest.param(ToolCalling.PRIVATE, SCRIPT_NAMES, id="private-names", marks=pytest.mark.long),
    ],
)  # fmt: skip
async def test_nothing_opens_without_a_yes(
    stage: Stage, attacks: dict[str, Attack], subtests: pytest.Subtests
) -> None:
    for trick, attack in some(attacks.items()):
        with subtests.test(trick):
            await check(stage, attack)


@pytest.mark.long
@pytest.mark.parametrize("at_satellite", [False, True], ids=["user", "satellite"])
@pytest.mark.parametrize("channel", Channel)
async def test_nothing_opens_in_any_channel(
    stage: Stage, channel: Channel, at_satellite: bool, subtests: pytest.Subtests
) -> None:
    stage.channel = channel
    for trick, attack in _matched_in_the_kitchen(at_satellite).items():
        with subtests.test(trick):
            await check(stage, attack, stage.at_satellite if at_satellite else ANNA)


@pytest.mark.long
async def test_nothing_opens_where_nobody_can_be_asked(
    stage: Stage, subtests: pytest.Subtests
) -> None:
    """The harmless part is done, and the rest refused."""
    for trick, attack in ATTACKS.items():
        with subtests.test(trick):
            stage.fresh()
            heard, *_ = await stage.play(
                Line(
                    SENTENCE, [attack.calls, "Done."], does=attack.does, who=AUTOMATION
                ),
                Line("Yes please", ["Yes to what?"], who=AUTOMATION),
            )
            # Of several that fit the model is told: it may say which one it meant.
            denied = heard.messages[-1] in (
                "Nothing was done.",
                "I did not do anything.",
            )
            assert heard.error or denied or not attack.asks


@pytest.mark.long
async def test_nothing_opens_after_a_no(
    stage: Stage, subtests: pytest.Subtests
) -> None:
    for trick, attack in ATTACKS.items():
        if not attack.asks:
            continue
        with subtests.test(trick):
            stage.fresh()
            asked = Line(SENTENCE, [attack.calls], does=attack.does, asks=attack.asks)
            await stage.play(asked, Line("No", requests=0))
            heard = await stage.say("What is the weather?", attack.calls, "Fine.")
            assert not (opened(heard.effects) or heard.question)


async def test_nothing_opens_among_all_the_others(stage: Stage) -> None:
    """Everything is called at once, by as many calls as an answer may have."""
    calls = iter(
        [call for attack in ATTACKS.values() if attack.asks for call in attack.calls]
    )
    while batch := list(islice(calls, 12)):
        stage.fresh()
        heard = await stage.say(SENTENCE, batch, "Done.")
        assert opened(heard.effects) == []
        assert heard.question is not None


@pytest.mark.parametrize("channel", [Channel.TEXT, Channel.FUNCTION, Channel.MISROUTED])
async def test_the_same_call_in_two_channels_is_one_question(
    stage: Stage, channel: Channel
) -> None:
    """It is one call, or two that are asked about; none of them runs."""
    door = Call("HassTurnOff", name="Front door")
    await stage.play(
        Line(
            SENTENCE,
            [[door.by(channel), door], "Done."],
            asks="Front door",
            unsaid="Front door.*Front door",
        ),
        Line("Yes", ["Done."], does=["unlock lock.front_door"]),
    )


async def test_a_door_that_somebody_marked_is_asked_about(stage: Stage) -> None:
    er.async_get(stage.hass).async_update_entity("switch.coffee", name="Gate opener")
    await stage.hass.async_block_till_done()
    call, does = Call("HassTurnOn", name="Gate opener"), "turn_on switch.coffee"
    await stage.play(Line(SENTENCE, [call, "Done."], does=[does]))
    assert unmarked_doors(stage.hass) == ["switch.coffee"]
    async_mark_doors(stage.hass)
    await stage.hass.async_block_till_done()
    stage.fresh()
    await stage.play(
        Line(SENTENCE, [call], asks="Gate opener"),
        Line("Yes please", ["Done."], does=[does]),
    )


async def test_a_whole_floor_is_no_question(stage: Stage) -> None:
    """What is harmless is turned off; the doors are left as they are, as is an oven."""
    heard = await stage.say(
        SENTENCE, Call("HassTurnOff", floor="Ground floor"), "Done."
    )
    assert opened(heard.effects) == []
    assert "turn_off light.kitchen" in heard.effects
    assert "close_cover cover.garage_door" not in heard.effects
    assert heard.question is None
    assert heard.text == "Done. | Not touched: Oven."
    [result] = heard.results
    left = result.result.data["left_as_they_are"]
    assert isinstance(left, list)
    assert {"Front door", "Back door"} <= {*map(str, left)}


async def test_no_later_round_opens_anything(
    stage: Stage, subtests: pytest.Subtests
) -> None:
    door = Call("HassTurnOff", name="Front door")
    lamp = Call("HassTurnOff", name="Kitchen light")
    before: Mapping[str, tuple[list[Call], list[str]]] = {
        "reading": ([Call("GetLiveContext")], []),
        "acting": ([lamp], ["turn_off light.kitchen"]),
        "no such tool": ([Call("HassUnlock", name="Front door")], []),
        "no such thing": ([Call("HassTurnOff", name="No door")], []),
        "all of it": (
            [
                Call("GetDateTime"),
                Call("HassTurnOn", name="No lamp"),
                lamp,
                Call("GetLiveContext"),
            ],
            ["turn_off light.kitchen"],
        ),
    }
    for name, (rounds, does) in before.items():
        with subtests.test(name):
            stage.fresh()
            await stage.play(
                Line(
                    SENTENCE,
                    [*rounds, door, "Done."],
                    does=does,
                    asks="Front door",
                    requests=len(rounds) + 1,
                ),
                Line("Yes", ["Done."], does=["unlock lock.front_door"]),
            )


async def test_a_refused_call_is_not_run_in_a_later_round(stage: Stage) -> None:
    door = Call("HassTurnOff", name="Front door")
    await stage.play(
        Line(SENTENCE, [door, door, door, "Done."], who=AUTOMATION, requests=1)
    )


def _matched_in_the_kitchen(at_satellite: bool) -> dict[str, Attack]:
    """Return the attacks; in the kitchen an ambiguous name means what is there."""
    if not at_satellite:
        return ATTACKS
    there = ATTACKS["one name for two, and its area"]
    return ATTACKS | {
        trick: Attack(ATTACKS[trick].calls, there.asks, there.opens)
        for trick in ("one name for two", "a lamp that is named like the lock's id")
    }
