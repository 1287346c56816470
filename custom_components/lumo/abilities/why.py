"""Why: what Lumo did lately, for whom, what came of it, and what left the house.

Who asks hears what was said only if they said it: the same user, or at the same
satellite. Of others they hear who it was, where, and what was done.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any, Final, override

from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import llm
import probatio

from ..const import DOMAIN
from ..gate.asks import Ask
from ..gate.call_record import CallRecord
from ..gate.consent import Reply
from ..gate.effects import CHANGE
from ..gate.names import name_of
from ..gate.own_tool import Arguments
from ..gate.speaker import Speaker, area_of
from .ability import Ability, optional_texts
from .finder import Finder
from .result_texts import bounded, moment_text
from .sent import Sent

# What Lumo did to a thing shows within that time.
_SHOWS: Final = timedelta(minutes=1)
# Of so many things at most it is said who changed them.
_THINGS: Final = 3
# So many names are told of one call, and so many characters of a sentence.
_NAMES: Final = 8
_SENTENCE: Final = 120
_REPLIES: Final = {
    None: "no answer came",
    Reply.YES: "the answer was yes",
    Reply.SOME: "the answer was yes to some of it",
    Reply.NO: "the answer was no",
    Reply.CHOSEN: "one was chosen",
}


class Why(Ability):
    """Tells what Lumo did and why, and what was sent."""

    name = f"{DOMAIN}__why"
    title = "Why"
    description = (
        "What you did lately, for whom, and why something was not done; with question "
        "sent: what left the house."
    )
    parameters = probatio.Schema(optional_texts({"question": "", "name": ""}))

    @override
    async def async_run(
        self, hass: HomeAssistant, arguments: Arguments, context: llm.LLMContext
    ) -> dict[str, Any]:
        journal, sent = self.context.journal, self.context.sent
        assert journal and sent
        if "sent" in str(arguments.get("question")).casefold():
            return {"sent": list(_what_was_sent(sent))}
        name = str(arguments.get("name") or "").strip()
        exposed = self.exposed(hass)
        states = Finder(hass, exposed).all({"name": name}) if name else []
        since = moment_text(journal.since)
        there = {state.entity_id for state in exposed}
        wanted = {state.entity_id for state in states}
        entries = [
            entry
            for entry in reversed(journal.records)
            # What acted on nothing that is exposed is nobody's business.
            if (entry.entities & there if entry.entities else self._may_tell(entry))
            and (not states or entry.entities & wanted)
        ]
        data: dict[str, Any] = {"remembered_since": since}
        if states:
            data["now"] = [
                _who_changed(state, entries, journal.since)
                for state in states[:_THINGS]
            ]
        data["latest_first"] = bounded(
            [self._sentence(hass, entry, there) for entry in entries], 1_000
        ) or ["Lumo did nothing with that." if states else "Lumo did nothing."]
        return data

    def _may_tell(self, entry: CallRecord) -> bool:
        """Return whether what was about no thing may be told; of other places not."""
        return self.context.scope is None or (
            entry.speaker is not None
            and entry.speaker.is_same_person(self.context.speaker)
        )

    def _who(self, hass: HomeAssistant, speaker: Speaker | None) -> str:
        """Return who spoke; a name only if the person is exposed."""
        if speaker is None or not speaker.is_person:
            return "an automation or a script"
        for state in self.exposed(hass, "person"):
            if speaker.user_id and state.attributes.get("user_id") == speaker.user_id:
                return name_of(hass, state.entity_id)
        return "somebody"

    def _sentence(self, hass: HomeAssistant, entry: CallRecord, there: set[str]) -> str:
        """Return "today 14:05, somebody, in the Kitchen: done: unlock Front door."."""
        speaker = entry.speaker
        is_own = bool(speaker and speaker.is_same_person(self.context.speaker))
        who = "the person who asks" if is_own else self._who(hass, speaker)
        if (self.context.scope is None and speaker) and (
            area := area_of(hass, speaker.satellite_id, speaker.device_id)
        ):
            who = f"{who}, in the {area.name},"
        if speaker and is_own and speaker.sentence:
            said = " ".join(speaker.sentence.split())[:_SENTENCE]
            who = f"{who} said “{said}”"
        who = who.rstrip(",")
        return (
            f"{moment_text(entry.at)}, {who}: {'; '.join(_what(hass, entry, there))}."
        )


def _what(hass: HomeAssistant, entry: CallRecord, there: set[str]) -> Iterator[str]:
    """Yield what came of a call, as far as it concerns what is exposed."""

    def names(entity_ids: Iterable[str]) -> str:
        shown = [name_of(hass, item) for item in entity_ids if item in there]
        more = [f"{len(shown) - _NAMES} more"] if len(shown) > _NAMES else []
        return ", ".join(dict.fromkeys(shown[:_NAMES] + more))

    title = _title(entry.title)
    done: dict[str, list[str]] = {}
    for effect in entry.effects or entry.reached:
        words = title if effect.service == CHANGE else _words(effect.phrase)
        words = f"{words} to {effect.value}" if effect.value else words
        done.setdefault(words, []).append(effect.entity_id)
    actions = [f"{words} {item}" for words, ids in done.items() if (item := names(ids))]
    asked = ", ".join(
        dict.fromkeys(
            f"{_words(ask.phrase)} {names(sorted(ask.entities)) or _name(ask)}".rstrip()
            for ask in entry.asked
        )
    )
    if actions:
        yield f"done{' after a yes' if entry.confirmed else ''}: {', '.join(actions)}"
        if silent := names(entry.silent):
            yield f"no answer from {silent}"
    elif not asked:
        concerned = names(sorted(entry.targets))
        yield f"{title} ({concerned})" if concerned else title
    if entry.is_running:
        yield "begun, it went on"
    if entry.refusal:
        yield f"not done{f' ({asked})' if asked else ''}: {entry.refusal}"
    elif asked:
        reply = _REPLIES.get(entry.reply, "the answer was no clear yes")
        yield f"asked first ({asked}): {reply}"
    if entry.failure:
        yield f"failed: {entry.failure}"


def _words(phrase: str) -> str:
    """Return "turn on" for do_turn_on; of what is used or run only that it is."""
    words = phrase.removeprefix("do_").split("_")
    return words[0] if words[0] in ("use", "run") else " ".join(words)


def _title(title: str) -> str:
    """Return what a tool is called, in words and not as it is written in calls."""
    name = title.rpartition("__")[2].removeprefix("Hass")
    spaced = "".join(f" {item}" if item.isupper() else item for item in name)
    return spaced.replace("_", " ").strip().casefold()


def _who_changed(state: State, entries: Iterable[CallRecord], since: Any) -> str:
    """Return since when something is as it is, and whether that was Lumo."""
    changed = state.last_changed
    told = f"{state.name} has been {state.state} since {moment_text(changed)}: "
    if changed < since:
        return f"{told}before what Lumo remembers"
    if any(
        state.entity_id in entry.acted_on
        and timedelta() <= changed - entry.at <= _SHOWS
        for entry in entries
    ):
        return f"{told}Lumo did that"
    return f"{told}not Lumo; the history may tell who did it"


def _what_was_sent(sent: Sent) -> Iterator[str]:
    """Yield what left the house in a conversation."""

    def amounts(kinds: dict[str, int]) -> str:
        return ", ".join(f"{count} of {kind}" for kind, count in kinds.items() if count)

    total = sent.characters.total()
    yield (
        f"Requests to Lumo in this conversation: {sent.requests}, with {total} "
        f"characters: {amounts(sent.characters)}. Each repeats what came before it."
    )
    if sent.pictures:
        yield f"Pictures that Lumo was shown: {sent.pictures}."
    if not sent.is_encrypted:
        yield (
            "With an API key nothing of it is encrypted to Lumo, only on the way to the "
            "service."
        )
    elif clear := amounts(sent.in_clear):
        yield f"It was encrypted, only Lumo can read it, except: {clear}."
    else:
        yield "All of it was encrypted, only Lumo can read it."
    if sent.misrouted:
        calls = ", ".join(map(_title, sent.misrouted))
        yield (
            "Calls of these tools came beside the encrypted text, at least their names "
            f"in clear: {calls}."
        )
    if sent.queries:
        yield f"Proton's own tools were used, in clear: {'; '.join(sent.queries)}."
    else:
        yield "None of Proton's own tools was used."


def _name(ask: Ask) -> str:
    """Return what is used, but for what somebody is reminded of: that is their own."""
    return "" if ask.phrase == "do_remind" else ask.name
