"""One answer: the calls that are still to be made, else what there is to say."""

from typing import Any, Final

from .answers import holds
from .home import Entity
from .model import Call, Meaning, Result, Say, short_name
from .plan import Planner
from .prompt import Prompt
from .remembering import from_notes
from .reply import SMALLTALK, live_entities, phrase, say_done, say_result, say_time
from .seeing import describe
from .text import fold
from .tools import as_script, fit, missing, offered_tool, script_fields, to_call

_SELF_ANSWERED: Final = frozenset({"have", "not_understood"}) | SMALLTALK
# Commands that depend on a state: what to look at first.
_RELATIVE: Final = frozenset({"warmer", "cooler", "toggle"})


class Ledger:
    """The calls that were made since the sentence was spoken, and their results."""

    def __init__(self, prompt: Prompt) -> None:
        """Take over what the conversation shows."""
        exchange = prompt.exchanges[-1]
        self._done: list[tuple[Call | None, Result | None]] = []
        results = list(exchange.results)
        for call in exchange.calls:
            result = next((item for item in results if item.call is call), None)
            if result is not None:
                results.remove(result)
            self._done.append((call, result))
        self._done.extend((result.call, result) for result in results)

    def take(self, call: Call) -> Result | None:
        """Return the result of a call that was made, None if it was not.

        A call that nobody answered counts as failed: it is never made again.
        """
        short = fold(short_name(call.name))
        named = [
            entry
            for entry in self._done
            if entry[0] and fold(short_name(entry[0].name)) == short
        ]
        same = [
            entry
            for entry in named
            if entry[0] and entry[0].arguments == call.arguments
        ]
        nameless = [entry for entry in self._done if entry[0] is None]
        for entry in (*same, *named, *nameless):
            self._done.remove(entry)
            return entry[1] or Result(error="no result", call=call)
        return None


def take_turn(prompt: Prompt, planner: Planner) -> list[Say | Call]:
    """Answer a prompt."""
    if not prompt.exchanges or not prompt.sentence:
        return [Say(phrase("en", "default"))]
    language = planner.languages(prompt)[0]
    if prompt.pictures and not prompt.offered:
        # There is nothing to do but to look.
        return [Say(describe(prompt.pictures, language))]
    if known := from_notes(prompt):
        return [*known]
    plan = planner.plan(prompt)
    if prompt.bounce is not None:
        return _print_again(prompt, prompt.bounce, plan)
    if not plan:
        return [Say(_not_understood(prompt, language))]
    ledger = Ledger(prompt)
    calls: list[Say | Call] = []
    said: list[str] = []
    for meaning in plan:
        for outcome in _step(meaning, ledger, prompt):
            if isinstance(outcome, str):
                said.append(outcome)
            elif outcome not in calls:
                calls.append(outcome)
    return calls or [Say(" ".join(dict.fromkeys(said)))]


def _print_again(prompt: Prompt, call: Call, plan: list[Meaning]) -> list[Say | Call]:
    """Print a call in the form that is asked for.

    Where the shown arguments could not work, the sentence says what was meant.
    """
    tool = prompt.resolve(call.name)
    if tool is None:
        return [Say(phrase("en", "cannot"))]
    if (
        not missing(call.arguments, tool)
        and fit(call.arguments, tool) == call.arguments
    ):
        return [call]
    meant = [found for meaning in plan if (found := to_call(meaning, prompt))]
    fitting: list[Say | Call] = [found for found in meant if found.name == call.name]
    return fitting or [call]


def _not_understood(prompt: Prompt, language: str) -> str:
    """Say that a sentence was not understood, or that tools have done something."""
    if prompt.pictures:
        return describe(prompt.pictures, language)
    if prompt.results:
        errors = [result.error for result in prompt.results if result.error]
        if errors:
            return phrase(language, "failed", error=errors[0])
        return phrase(language, "done")
    return phrase(language, "not_understood")


def _step(meaning: Meaning, ledger: Ledger, prompt: Prompt) -> list[Call | str]:
    """Return the next call for a meaning, or what to say about it."""
    language = meaning.language
    if meaning.intent in _SELF_ANSWERED:
        return [
            _have(meaning, prompt)
            if meaning.intent == "have"
            else phrase(language, meaning.intent)
        ]
    if meaning.intent == "condition":
        return _condition(meaning, ledger, prompt)
    if meaning.intent in _RELATIVE:
        return _relative(meaning, ledger, prompt)
    if meaning.intent == "HassMediaSearchAndPlay":
        return _play(meaning, ledger, prompt)
    if meaning.slots.get("_unplaced") and prompt.asks_for_area:
        return [phrase(language, "which_area")]
    call = to_call(meaning, prompt)
    if call is None:
        return [_cannot(meaning, prompt)]
    result = ledger.take(call)
    if result is None:
        return [call]
    return [say_result(as_script(meaning, prompt.home), result, prompt)]


def _cannot(meaning: Meaning, prompt: Prompt) -> str:
    """Say why there is no call for a meaning."""
    language = meaning.language
    if meaning.intent in ("HassGetCurrentTime", "HassGetCurrentDate") and prompt.time:
        return say_time(meaning, {"time": prompt.time, "date": prompt.date})
    meaning = as_script(meaning, prompt.home)
    tool = offered_tool(meaning, prompt)
    if meaning.intent == "run_script" and tool is not None:
        absent = missing(script_fields(meaning, tool, prompt.home), tool)
        if absent:
            field = absent[0].replace("_", " ")
            return phrase(
                language, "which_value", field=field, name=meaning.slots["name"]
            )
    if not prompt.home.entities and meaning.intent.startswith("Hass"):
        return phrase(language, "no_home")
    return phrase(language, "cannot")


def _look(
    slots: dict[str, Any], ledger: Ledger, prompt: Prompt
) -> Call | Result | None:
    """Return the live context, the call that gets it, or None if it cannot be had."""
    kept = {
        key: value for key, value in slots.items() if key in ("name", "area", "domain")
    }
    if "name" in kept:
        kept.pop("domain", None)
    call = to_call(Meaning("HassGetState", kept), prompt)
    return None if call is None else (ledger.take(call) or call)


def _condition(meaning: Meaning, ledger: Ledger, prompt: Prompt) -> list[Call | str]:
    """Look whether something is so, then do what depends on it."""
    found = _look(meaning.slots, ledger, prompt)
    if found is None:
        return [phrase(meaning.language, "cannot")]
    if isinstance(found, Call):
        return [found]
    if found.error:
        return [phrase(meaning.language, "failed", error=found.error)]
    if not holds(meaning, live_entities(found)):
        return [phrase(meaning.language, "condition_false")]
    outcomes: list[Call | str] = []
    for command in meaning.then:
        outcomes.extend(_step(command, ledger, prompt))
    return outcomes


def _relative(meaning: Meaning, ledger: Ledger, prompt: Prompt) -> list[Call | str]:
    """Look how things are, then change that."""
    domain = "climate" if meaning.intent != "toggle" else meaning.slots.get("domain")
    slots = {**meaning.slots, "domain": domain} if domain else dict(meaning.slots)
    found = _look(slots, ledger, prompt)
    if found is None:
        return [phrase(meaning.language, "cannot")]
    if isinstance(found, Call):
        return [found]
    live = [] if found.error else list(live_entities(found))
    changed = _changed(
        meaning, [item for item in live if domain in (None, item.domain)]
    )
    if changed is None:
        return [phrase(meaning.language, "unknown_state")]
    return _step(changed, ledger, prompt)


def _changed(meaning: Meaning, live: list[Entity]) -> Meaning | None:
    """Return the command that a relative one amounts to."""
    for thing in live:
        slots: dict[str, Any] = {"name": thing.name}
        if meaning.intent == "toggle":
            intent = (
                "HassTurnOff"
                if thing.state in ("on", "open", "playing")
                else "HassTurnOn"
            )
            return Meaning(intent, slots, meaning.text, meaning.language)
        try:
            now = float(thing.attributes["temperature"])
        except KeyError, TypeError, ValueError:
            continue
        slots["temperature"] = now + (1 if meaning.intent == "warmer" else -1)
        return Meaning(
            "HassClimateSetTemperature", slots, meaning.text, meaning.language
        )
    return None


def _play(meaning: Meaning, ledger: Ledger, prompt: Prompt) -> list[Call | str]:
    """Search for media, then play what was found first."""
    search, play = prompt.tool("search_media"), prompt.tool("play_media")
    slots = meaning.slots
    if search is None or play is None:
        return [phrase(meaning.language, "cannot")]
    where = {
        f"player_{key}": slots[key] for key in ("name", "area", "floor") if key in slots
    }
    wanted = Call(
        search.name, fit({"search_query": slots.get("search_query"), **where}, search)
    )
    found = ledger.take(wanted)
    if found is None:
        return [wanted]
    if found.error:
        return [phrase(meaning.language, "failed", error=found.error)]
    results = found.data.get("results") if isinstance(found.data, dict) else found.data
    for item in results if isinstance(results, list) else ():
        if isinstance(item, dict) and item.get("can_play", True):
            started = Call(play.name, fit({**item, **where}, play))
            result = ledger.take(started)
            if result is None:
                return [started]
            if result.error:
                return [phrase(meaning.language, "failed", error=result.error)]
            return [
                say_done(meaning.with_slots(search_query=item.get("title")), prompt)
            ]
    return [phrase(meaning.language, "unknown_state")]


def _have(meaning: Meaning, prompt: Prompt) -> str:
    """Answer whether there is such a thing, from the static context."""
    slots = meaning.slots
    things = prompt.home.of(str(slots.get("domain")), slots.get("area"))
    if not things:
        return phrase(meaning.language, "have_none")
    names = ", ".join(thing.name for thing in things)
    return phrase(meaning.language, "have", names=names)
