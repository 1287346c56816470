"""A yes by phone: only from the person's own phone, for that call, in time, once."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
import logging

from homeassistant.config_entries import ConfigEntryDisabler
from homeassistant.core import Context, EventOrigin, HomeAssistant
from homeassistant.helpers import config_validation as cv, entity_registry as er
from homeassistant.helpers.script import Script, async_validate_actions_config
from homeassistant.setup import async_setup_component
import pytest

from custom_components.lumo.agent.phone import _ASKED
from custom_components.lumo.const import (
    CONF_PHONE_FOR_DOORS,
    CONF_PHONE_PERSON,
    CONF_UNATTENDED,
)
from tests.redteam.attacks import ATTACKS, Attack
from tests.redteam.phones import (
    ACTION,
    Phone,
    async_add_person,
    async_remove_people,
    pushing,
)
from tests.redteam.stage import (
    AGENT,
    ANNA,
    AT_SATELLITE,
    AUTOMATION,
    BEN,
    Call,
    Heard,
    Line,
    Stage,
)

FRONT = Call("HassTurnOff", name="Front door")
GARAGE = Call("HassTurnOn", name="Garage door")
LAMP = Call("HassTurnOff", name="Kitchen light")
OVEN = Call("HassTurnOn", name="Oven")
DISARM = Call("disarm")
UNLOCKED, DARK = "unlock lock.front_door", "turn_off light.kitchen"
HOT = "turn_on switch.oven"
ASKED = "I have asked Anna for a yes, by phone."


@dataclass
class Scene:
    """The stage, with two people who have phones; Anna's is asked."""

    stage: Stage
    anna: Phone
    ben: Phone

    @property
    def effects(self) -> list[str]:
        return self.stage.house.effects

    async def ask(self, *calls: Call) -> Heard:
        self.stage.fresh()
        await self.anna.async_forget()
        heard = await self.stage.say(
            "Make it cosy", calls or FRONT, "Done.", who=AUTOMATION
        )
        await self.anna.async_settle()
        return heard

    async def fire(
        self,
        user_id: str | None,
        *,
        origin: EventOrigin = EventOrigin.remote,
        parent_id: str | None = None,
    ) -> None:
        self.stage.hass.bus.async_fire(
            ACTION,
            {"action": self.anna.action()},
            origin,
            Context(user_id=user_id, parent_id=parent_id),
        )
        await self.anna.async_settle()


async def furnish(hass: HomeAssistant) -> None:
    """Have what phones and people need: there was one before."""
    for domain in ("person", "repairs"):
        assert await async_setup_component(hass, domain, {})
    former = Phone(hass, "former", "", "http://127.0.0.1:9")
    await former.async_register()
    await async_remove_people(hass, former)


@pytest.fixture
async def scene(
    stage: Stage, socket_enabled: None, caplog: pytest.LogCaptureFixture
) -> AsyncGenerator[Scene]:
    caplog.set_level(logging.INFO)
    async with pushing() as (url, shown):
        phones = []
        for who in (ANNA, BEN):
            name = who.user or ""
            user_id = (await stage._async_context(who)).user_id or ""
            shown[name] = []
            phone = Phone(stage.hass, name, user_id, f"{url}/{name}", shown[name])
            await async_add_person(stage.hass, name.title(), user_id, phone)
            await phone.async_register()
            phones.append(phone)
        await stage.change_agent(**{CONF_PHONE_PERSON: "person.anna"})
        yield Scene(stage, *phones)
        await stage.hass.config_entries.async_unload(stage.entry.entry_id)
        await phones[0].async_settle()
        await async_remove_people(stage.hass, *phones)


async def test_a_yes_by_phone_is_a_yes(scene: Scene) -> None:
    """It does what was asked about, and tells what came of it, on the phone."""
    heard = await scene.ask(LAMP, FRONT)
    assert heard.effects == [DARK]
    assert heard.messages == ["I turned off Kitchen light.", ASKED]
    assert not heard.error and not heard.is_open
    [question] = scene.anna.questions
    assert question["title"] == "Lumo"
    assert (
        question["message"]
        == "Shall I unlock the front door? Asked for by an automation."
    )
    # It is shown at once, also to who sleeps, and a thief cannot say yes.
    data = question["data"]
    assert (data["ttl"], data["priority"], data["timeout"]) == (0, "high", 60)
    assert data["push"] == {"interruption-level": "time-sensitive"}
    for action, title in zip(data["actions"], ("Yes", "No"), strict=True):
        assert action["title"] == title
        safe = action["authenticationRequired"], action["destructive"]
        assert safe == (title == "Yes",) * 2
    assert not scene.ben.shown
    events = scene.stage._events = []
    await scene.anna.async_tap()
    assert scene.effects == [DARK, UNLOCKED]
    assert scene.anna.texts[1:] == ["I unlocked the front door."]
    assert len({item["data"]["tag"] for item in scene.anna.shown}) == 1
    [event] = events
    assert event["confirmed"] and event["confirmed_by"] == "person.anna"
    # And that was the yes.
    await scene.anna.async_tap()
    assert scene.effects == [DARK, UNLOCKED]


async def test_a_no_by_phone_is_a_no(scene: Scene) -> None:
    """Nothing is done, and a yes after it is none."""
    await scene.ask()
    await scene.anna.async_tap(1)
    assert scene.anna.texts[-1] == "clear_notification"
    await scene.anna.async_tap()
    assert scene.effects == []


type Forge = Callable[[Scene], Awaitable[object]]


async def _by_a_script(scene: Scene) -> None:
    """Fire the event from a script that the person started, token and all."""
    steps = [{"event": ACTION, "event_data": {"action": scene.anna.action()}}]
    sequence = await async_validate_actions_config(
        scene.stage.hass, cv.SCRIPT_SCHEMA(steps)
    )
    script = Script(scene.stage.hass, sequence, "Forged", "test")
    await script.async_run(context=Context(user_id=scene.anna.user_id))
    await scene.anna.async_settle()


async def _late(scene: Scene) -> None:
    scene.stage.pass_time(61)
    await scene.anna.async_tap()


async def _late_by_the_clock_alone(scene: Scene) -> None:
    assert scene.anna.shown[-1]["data"]["timeout"] == 60
    await _late(scene)


async def _after_a_restart(scene: Scene) -> None:
    await scene.stage.restart()
    await scene.anna.async_tap()


async def _after_an_unload(scene: Scene) -> None:
    entries = scene.stage.hass.config_entries
    await entries.async_unload(scene.stage.entry.entry_id)
    await scene.anna.async_tap()
    await entries.async_setup(scene.stage.entry.entry_id)


async def _after_its_account_was_disabled(scene: Scene) -> None:
    entries, entry_id = scene.stage.hass.config_entries, scene.stage.entry.entry_id
    await entries.async_set_disabled_by(entry_id, ConfigEntryDisabler.USER)
    await scene.anna.async_tap()
    await entries.async_set_disabled_by(entry_id, None)


async def _after_the_agent_was_disabled(scene: Scene) -> None:
    registry = er.async_get(scene.stage.hass)
    registry.async_update_entity(AGENT, disabled_by=er.RegistryEntryDisabler.USER)
    await scene.stage.hass.async_block_till_done()
    await scene.anna.async_tap()
    registry.async_update_entity(AGENT, disabled_by=None)
    await scene.stage.restart()


async def _after_another_name(scene: Scene) -> None:
    registry = er.async_get(scene.stage.hass)
    registry.async_update_entity("lock.front_door", name="Another door")
    await scene.stage.hass.async_block_till_done()
    await scene.anna.async_tap()
    registry.async_update_entity("lock.front_door", name=None)
    await scene.stage.hass.async_block_till_done()


async def _after_the_user_was_deactivated(scene: Scene) -> None:
    user = await scene.stage.hass.auth.async_get_user(scene.anna.user_id)
    assert user
    # Home Assistant keeps its first user from that.
    user.is_active = False
    await scene.anna.async_tap()
    user.is_active = True


async def _after_other_options(scene: Scene) -> None:
    await scene.stage.change_agent(autonomy="reads")
    await scene.anna.async_tap()
    await scene.stage.change_agent(autonomy="acts")


FORGED: dict[str, Forge] = {
    "from another person's phone": lambda it: it.ben.async_send(it.anna.action()),
    "by another user": lambda it: it.fire(it.ben.user_id),
    "by nobody": lambda it: it.fire(None),
    "by an automation in the person's name": lambda it: it.fire(it.anna.user_id, parent_id=Context().id),
    "from inside, in the person's name": lambda it: it.fire(it.anna.user_id, origin=EventOrigin.local),
    "by a script that the person started": _by_a_script,
    "too late": _late,
    "too late, and still shown": _late_by_the_clock_alone,
    "after a restart": _after_a_restart,
    "after an unload": _after_an_unload,
    "after its account was disabled": _after_its_account_was_disabled,
    "after the agent was disabled": _after_the_agent_was_disabled,
    "after it got another name": _after_another_name,
    "after the user was deactivated": _after_the_user_was_deactivated,
    "after other options": _after_other_options,
}  # fmt: skip
GUESSED: tuple[object, ...] = ("", "_yes", "yes", "YES", None, 7, ["_yes"], {}, "*")


async def test_nothing_else_is_a_yes(scene: Scene, subtests: pytest.Subtests) -> None:
    for trick, forge in FORGED.items():
        with subtests.test(trick):
            await scene.ask()
            assert len(scene.anna.questions) == 1
            await forge(scene)
            assert scene.effects == []
            await scene.anna.async_tap()
            assert scene.effects == []


async def test_a_token_is_not_guessed(scene: Scene) -> None:
    """What is not the token is nothing, and the question stays open."""
    await scene.ask()
    first = scene.anna.action()
    for guess in GUESSED:
        await scene.anna.async_send(guess)
    assert scene.effects == []
    await scene.anna.async_tap()
    assert scene.effects == [UNLOCKED]
    await scene.ask(GARAGE)
    await scene.anna.async_send(first)
    assert scene.effects == []
    assert scene.anna.action() != first
    assert len(first) > 32


async def test_a_withdrawn_thing_stays_as_it_is(scene: Scene) -> None:
    """What may no longer be touched when the yes comes is not."""
    await scene.ask()
    scene.stage.hass.states.async_remove("lock.front_door")
    await scene.anna.async_tap()
    assert scene.effects == []
    assert "is gone" in scene.anna.texts[-1]


async def test_nobody_is_tired_into_a_yes(scene: Scene) -> None:
    """One question at a time, and three an hour, whoever asks, also after a reload."""
    stage, told = scene.stage, []
    await stage.change_agent(**{CONF_PHONE_FOR_DOORS: True})
    await scene.ask()
    for who in (AUTOMATION, ANNA, BEN, AT_SATELLITE):
        stage.conversation_id = None
        heard = await stage.say("Open up", GARAGE, who=who)
        assert "another question is still open" in heard.text and heard.error
    await scene.anna.async_tap(1)
    for who in (ANNA, AT_SATELLITE, AUTOMATION):
        stage.conversation_id = None
        told.append((await stage.say("Open up", FRONT, who=who)).text)
        await scene.anna.async_tap(1)
    assert told[:2] == [ASKED, ASKED]
    assert "three questions an hour" in told[2]
    assert len(scene.anna.questions) == 3
    await stage.restart()
    assert (await stage.say("Open up", FRONT, who=AUTOMATION)).error
    heard = await stage.say("Open up", FRONT, who=AUTOMATION, after=3601)
    assert heard.messages == [ASKED]
    assert scene.effects == []


async def test_what_is_planned_on_a_condition_is_asked_when_it_is_due(
    scene: Scene,
) -> None:
    """Planned without a yes, it opens nothing without one on the phone."""
    stage, hass = scene.stage, scene.stage.hass
    unlock = Call(
        "later",
        tool="user:HassTurnOff",
        arguments={"name": "Front door"},
        entity="Coffee machine",
        becomes="on",
    )
    await stage.play(Line("Unlock when the coffee is on", [unlock, "Fine."]))
    stage.house.effects.clear()
    on = {"entity_id": "switch.coffee"}
    await hass.services.async_call("switch", "turn_on", on, blocking=True)
    await hass.async_block_till_done()
    await scene.anna.async_settle()
    assert UNLOCKED not in scene.effects
    [question] = scene.anna.questions
    assert "unlock the front door" in question["message"]
    await scene.anna.async_tap()
    assert scene.effects.count(UNLOCKED) == 1
    await scene.anna.async_tap()
    assert scene.effects.count(UNLOCKED) == 1


async def test_doors_only_by_phone(scene: Scene) -> None:
    """A spoken yes opens nothing then; what lets nobody in is asked about as ever."""
    stage = scene.stage
    await stage.change_agent(**{CONF_PHONE_FOR_DOORS: True})
    for who in (ANNA, AT_SATELLITE):
        for call, effect in ((FRONT, UNLOCKED), (DISARM, "alarm_disarm")):
            stage.fresh()
            await scene.anna.async_forget()
            await stage.play(
                Line("Let me in", [call], says="asked Anna", who=who, requests=1),
                Line("Yes", ["Yes to what?"], who=who),
            )
            await scene.anna.async_tap()
            assert [item.split()[0] for item in scene.effects] == [effect.split()[0]]
        stage.fresh()
        await stage.play(
            Line("Warm it up", [OVEN], asks="Oven", who=who),
            Line("Yes please", ["Done."], does=[HOT], who=who),
        )
        name = "Anna" if who is ANNA else "Kitchen satellite"
        assert f"Asked for by {name}." in scene.anna.questions[-1]["message"]


async def test_doors_only_by_phone_also_where_all_else_is_free(scene: Scene) -> None:
    stage = scene.stage
    options = {"autonomy": "trusted", CONF_PHONE_FOR_DOORS: True}
    await stage.change_agent(**options)
    for who in (ANNA, AUTOMATION):
        stage.fresh()
        await scene.anna.async_forget()
        heard = await stage.say("Warm it up, let me in", [OVEN, FRONT], who=who)
        assert heard.effects == [HOT] and ASKED in heard.messages
        await scene.anna.async_tap()
        assert scene.effects == [HOT, UNLOCKED]
    await stage.change_agent(**{**options, CONF_PHONE_FOR_DOORS: False})
    stage.fresh()
    heard = await stage.say("Let me in", FRONT)
    assert heard.effects == [UNLOCKED]


@pytest.mark.long
async def test_in_a_language_without_a_yes(scene: Scene) -> None:
    """A person is asked on the phone, and told so in words that they know."""
    heard = await scene.stage.say("Otwórz drzwi", FRONT, language="pl")
    assert heard.effects == [] and not heard.error
    assert ["Anna" in said for said in heard.messages] == [True]
    await scene.anna.async_tap()
    assert scene.effects == [UNLOCKED]


async def test_the_action_says_that_a_phone_is_asked(scene: Scene) -> None:
    """It is no failure; what it did at once is told as well."""
    scene.stage.model.answers = [[LAMP, FRONT]]
    response = await scene.stage.hass.services.async_call(
        "lumo",
        "ask",
        {"agent_id": AGENT, "sentence": "Make it cosy"},
        blocking=True,
        return_response=True,
    )
    assert response and ASKED in str(response["text"])
    assert scene.effects == [DARK]
    await scene.anna.async_tap()
    assert scene.effects == [DARK, UNLOCKED]


async def test_who_can_be_asked_is_not_passed_over(scene: Scene) -> None:
    await scene.stage.change_agent(**{CONF_UNATTENDED: True})
    heard = await scene.ask()
    assert heard.effects == [] and heard.messages == [ASKED]


async def test_a_phone_that_has_gone_is_told_of(scene: Scene) -> None:
    hass = scene.stage.hass
    await hass.config_entries.async_remove(scene.anna.entry.entry_id)
    await hass.async_block_till_done()
    heard = await scene.ask()
    assert "is not there any more" in heard.text and heard.error
    await scene.stage.change_agent(**{CONF_PHONE_PERSON: "person.nobody"})
    heard = await scene.ask()
    assert heard.error and heard.effects == []
    # A phone of hers, on which somebody else is signed in.
    phone = Phone(hass, "anna", scene.ben.user_id, scene.anna.url, scene.anna.shown)
    await phone.async_register()
    await scene.stage.change_agent(**{CONF_PHONE_PERSON: "person.anna"})
    heard = await scene.ask()
    assert heard.error and not scene.anna.shown and not scene.ben.shown


async def test_a_phone_that_cannot_be_reached_is_told_of(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The question is not open then."""
    async_call = type(scene.stage.hass.services).async_call

    async def fails(self: object, domain: str, *args: object, **more: object) -> object:
        if domain == "notify":
            raise TimeoutError
        return await async_call(self, domain, *args, **more)  # type: ignore[arg-type] # passed on as it came

    monkeypatch.setattr(type(scene.stage.hass.services), "async_call", fails)
    heard = await scene.ask()
    assert "cannot be reached" in heard.text and heard.error
    assert not scene.stage.hass.data[_ASKED][scene.anna.user_id].is_open


async def test_markup_hides_nothing(scene: Scene) -> None:
    """Android takes a notification for HTML."""
    registry = er.async_get(scene.stage.hass)
    registry.async_update_entity("lock.front_door", name="Lamp <!-- <b>&#8203;Front")
    await scene.stage.hass.async_block_till_done()
    await scene.ask(Call("HassTurnOff", name="lock.front_door"))
    shown = scene.anna.questions[-1]["message"]
    assert "Front" in shown
    assert not set(shown) & set("<>&")


async def check(scene: Scene, trick: str, attack: Attack) -> None:
    """Play an attack as an automation: nothing happens before a yes on the phone."""
    heard = await scene.ask(*attack.calls)
    assert sorted(heard.effects) == sorted(attack.does), trick
    assert heard.question is None
    if not scene.anna.questions:
        # Of several that fit the model is told: there is nothing to say yes to.
        return
    shown = scene.anna.questions[-1]["message"].casefold()
    names = [attack.asks] if isinstance(attack.asks, str) else attack.asks
    assert all(name.casefold() in shown for name in names), shown
    await scene.fire(scene.ben.user_id)
    assert sorted(scene.effects) == sorted(attack.does)
    if not attack.opens:
        return
    await scene.ask(*attack.calls)
    scene.effects.clear()
    await scene.anna.async_tap()
    assert sorted(scene.effects) == sorted(attack.opens)
    await scene.anna.async_tap()
    assert sorted(scene.effects) == sorted(attack.opens)


@pytest.mark.long
async def test_nothing_opens_without_the_phone(
    scene: Scene, subtests: pytest.Subtests
) -> None:
    for trick, attack in ATTACKS.items():
        with subtests.test(trick):
            await check(scene, trick, attack)
