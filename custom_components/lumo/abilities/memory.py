"""Memory: keeping notes, telling them and forgetting them; each is said in full."""

from contextlib import suppress
from typing import Any, ClassVar, Final, override

from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
import probatio

from ..const import DOMAIN
from ..gate.mention import Sentence, words_of
from ..gate.names import spoken
from ..gate.own_tool import Arguments, Result, Wording
from ..languages import language_of
from ..languages.form import Language
from ..text import as_compared
from .ability import Ability, schema
from .note_store import HOUSE, NotesInTurn, checked

_ACTIONS: Final = ("remember", "forget", "forget_all", "list")
# What is said of the note with that password.
_WIFI: Final = "Wi-Fi"
# Words of so few letters stand in any sentence.
_SHORT: Final = 3
_FORGOTTEN: Final = {"done": "forgotten; the person has been told"}


class Memory(Ability):
    """Keeps, tells and forgets notes."""

    name = f"{DOMAIN}__memory"
    title = "Memory"
    description = (
        "Notes of people: only what they ask you to remember, in their words; forget "
        "without text: the last note."
    )
    parameters = schema("text", needs={"action": probatio.In(_ACTIONS)})
    annotations = llm.ToolAnnotations(idempotent=True, open_world=False)
    is_private: ClassVar = True
    is_personal: ClassVar = True

    @override
    def is_useful(self) -> bool:
        return self.context.hass is None or self.context.notes is not None

    @property
    @override
    def is_asked_for(self) -> bool:
        # `question` asks after text from outside, and says the note.
        return True

    @override
    def question(self, arguments: Arguments) -> Wording | None:
        turn = self.context.notes
        assert turn
        if arguments["action"] == "forget_all":
            count = len(turn.notes.of(turn.owner))
            return Wording("do_forget", value=str(count)) if count else None
        if arguments["action"] == "list" or not turn.has_read_outside():
            return None
        try:
            _, note = _note(turn, arguments)
        except HomeAssistantError:
            # It is said when it runs.
            return None
        if arguments["action"] == "forget":
            return Wording("do_forget_note", value=_told(turn, note))
        is_wifi = _told(turn, note) == _WIFI
        return Wording("do_keep_wifi" if is_wifi else "do_remember", value=spoken(note))

    @override
    def narrowed(self, arguments: Arguments, *entity_ids: str) -> dict[str, Any]:
        turn = self.context.notes
        if turn and arguments["action"] in ("remember", "forget"):
            with suppress(HomeAssistantError):
                return {**arguments, "text": _note(turn, arguments)[1]}
        return dict(arguments)

    @override
    async def async_run(self, arguments: Arguments, context: llm.LLMContext) -> Result:
        turn, action = self.context.notes, arguments["action"]
        assert turn
        if action == "list":
            seen = turn.notes.seen_by(turn.speaker).items()
            notes = {
                "of the house" if owner == HOUSE else "of this person": texts
                for owner, texts in seen
            }
            return {"notes": notes or "none"}
        if action == "forget_all":
            await turn.notes.async_change(turn.owner, drop=turn.notes.of(turn.owner))
            turn.conversation_state.noted = ""
            turn.unsaid.append(("forgot_all", ""))
            return _FORGOTTEN
        owner, note = _note(turn, arguments)
        told = _told(turn, note)
        if action == "forget":
            await turn.notes.async_change(owner, drop=[note])
            turn.conversation_state.noted = ""
            turn.unsaid.append(("forgot", told))
            return _FORGOTTEN
        await turn.notes.async_change(owner, add=[note])
        turn.conversation_state.noted = note
        turn.unsaid.append(("kept_wifi" if told == _WIFI else "remembered", told))
        who = "everybody here" if owner == HOUSE else "this person only"
        return {"done": f"remembered for {who}; the person has been told"}


def _note(turn: NotesInTurn, arguments: Arguments) -> tuple[str, str]:
    text = str(arguments.get("text") or "").strip()
    language = language_of(turn.speaker.language)
    if arguments["action"] == "remember":
        words = as_compared(turn.sentence).split()
        long = [word for word in as_compared(text).split() if len(word) > _SHORT]
        is_said_now = any(word in words for word in long)
        # "The network is called Otter." "Remember that."
        said = [turn.sentence] if is_said_now else [turn.sentence, turn.before]
        for item in said:
            text = _with_denial(text, item, language)
        return turn.owner, checked(text, language, *said)
    text = text or turn.conversation_state.noted
    seen = turn.notes.seen_by(turn.speaker)
    every = [(owner, note) for owner, notes in seen.items() for note in notes]
    exact = [item for item in every if item[1].casefold() == text.casefold()]
    read = [(item, Sentence(item[1], language)) for item in every]
    fitting = [item for item, said in read if said.names(text, in_parts=False)]
    # What is somebody's own comes behind the house's.
    if found := exact[-1:] or (fitting if len(fitting) == 1 else []):
        return found[0]
    if not fitting:
        raise HomeAssistantError("There is no such note. List them.")
    notes = "; ".join(note for _, note in fitting)
    raise HomeAssistantError(f"Several fit, ask the person which one: {notes}")


def _with_denial(note: str, sentence: str, language: Language) -> str:
    """Return a note; as it was said if it leaves out a "not" between its words."""
    said = sentence.split()
    words, kept = [{*words_of(item)} for item in said], {*words_of(note)}
    places = [at for at, found in enumerate(words) if found & kept]
    between = range(places[0], places[-1]) if places else range(0)
    denials = {*words_of(language.denials)} - kept
    if any(words[at] & denials for at in between):
        return " ".join(said[places[0] : places[-1] + 1]).rstrip(".,;!")
    return note


def _told(turn: NotesInTurn, note: str) -> str:
    """Return what is said of a note: all of it, but no password of the Wi-Fi."""
    is_wifi = language_of(turn.speaker.language).secrets.search(note)
    return _WIFI if is_wifi else spoken(note).rstrip(".!")
