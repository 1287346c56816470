"""One answer: the calls that are still to be made, else what there is to say."""

import re
from typing import Final

from .answers import SMALLTALK, phrase, say_result, say_time
from .later import say_later
from .model import Call, Meaning, Result, Say, short_name
from .plan import Planner
from .prompt import Prompt
from .remembering import from_notes
from .seeing import describe
from .text import fold
from .tools import as_script, fit, missing, offered_tool, script_fields, to_call

_SELF_ANSWERED: Final = (
    frozenset({"not_understood", "unknown_state", "yes", "no"}) | SMALLTALK
)


class Ledger:
    """The calls that were made since the sentence was spoken, and their results."""

    def __init__(self, prompt: Prompt) -> None:
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
    if not plan or (prompt.results and plan[0].intent == "default"):
        if any(isinstance(x.data, dict) and x.data.get("done") for x in prompt.results):
            return [Say(phrase(language, "done"))]  # "Yes, please."
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
    # An empty list is not told beside a full one.
    empty = [phrase(language, key) for key in ("none", "no_events")]
    full = [x for x in said if x not in (*empty, say_later({}, language))]
    text = " ".join(dict.fromkeys(full or said[:1]))
    if language == "de":
        text = re.sub(r"(?<=\d)\.(?=\d)", ",", text)
    return calls or [Say(text)]


def _print_again(prompt: Prompt, call: Call, plan: list[Meaning]) -> list[Say | Call]:
    """Print a call as asked; the sentence says what was meant if it could not work."""
    tool = prompt.resolve(call.name)
    if tool is None:
        return [Say(phrase("en", "cannot"))]
    fits = fit(call.arguments, tool) == call.arguments
    if fits and not missing(call.arguments, tool):
        return [call]
    meant = [found for meaning in plan if (found := to_call(meaning, prompt))]
    fitting: list[Say | Call] = [found for found in meant if found.name == call.name]
    return fitting or [call]


def _not_understood(prompt: Prompt, language: str) -> str:
    if prompt.pictures:
        return describe(prompt.pictures, language)
    before = prompt.history[-1].reply if prompt.history else ""
    if re.search(r"\btimers?\b", fold(prompt.sentence)) or (
        before in (phrase("en", "no_timer"), phrase("de", "no_timer"))
    ):
        return phrase(language, "no_timer")
    is_undo = re.search(r"\bundo\b|\bruckgangig\b", fold(prompt.sentence))
    return phrase(language, "nothing" if is_undo else "not_understood")


def _step(meaning: Meaning, ledger: Ledger, prompt: Prompt) -> list[Call | str]:
    language = meaning.language
    if meaning.intent in _SELF_ANSWERED:
        return [phrase(language, meaning.intent)]
    if meaning.slots.get("_unplaced") and prompt.asks_for_area:
        return [phrase(language, "which_area")]
    call = to_call(meaning, prompt)
    if call is None:
        return [_cannot(meaning, prompt)]
    result = ledger.take(call)
    is_odd = "find_phone" in call.arguments  # It is asked whose.
    if result and "write the call again" in str(result.error) and not is_odd:
        result = ledger.take(call)  # It is asked about then.
    if result is None:
        return [call]
    return [say_result(as_script(meaning, prompt.home), result, prompt)]


def _cannot(meaning: Meaning, prompt: Prompt) -> str:
    language = meaning.language
    if meaning.intent in ("HassGetCurrentTime", "HassGetCurrentDate") and prompt.time:
        return say_time(meaning, {"time": prompt.time, "date": prompt.date})
    if "Timer" in meaning.intent:
        return phrase(language, "no_timer")
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
