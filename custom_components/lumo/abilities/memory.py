"""Memory: what people asked to have remembered, who may hear it, and forgetting it.

The model only proposes. The person's own sentence must ask for it, in words of its
language, and what is kept must be in that person's words: where anything from outside
was read, word by word. So nobody else can write a note, nor have one forgotten.
"""

from collections.abc import Sequence
import re
from typing import Any, ClassVar, Final, override

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
import probatio

from ..const import DOMAIN
from ..gate.mention import Sentence
from ..gate.own_tool import Arguments, Wording
from ..languages import language_of
from ..languages.form import Language
from ..text import as_compared, as_searched
from .ability import Ability, optional_texts
from .note_store import HOUSE, NotesInTurn, checked, owner_of
from .telling import bounded

_ACTIONS: Final = ("remember", "forget", "forget_all", "list")
_NOT_ASKED: Final = "Nothing was changed: the person's sentence does not ask for that. Do not try again."
_NOT_OWN: Final = (
    "Nothing was changed. The text must be in the person's own words, taken from what "
    "they have just said, and from nothing else."
)
_NONE: Final = "There is no such note; the list shows what there is."
# Characters of a list.
_LISTED: Final = 4_000


def wishes(wish: re.Pattern[str], sentence: str) -> bool:
    """Return whether a sentence asks for this by itself, not something in it."""
    return wish.search(as_searched(sentence).strip()) is not None


class Memory(Ability):
    """Keeps notes, tells them, forgets them."""

    name = f"{DOMAIN}__memory"
    title = "Memory"
    description = (
        "Notes that people ask you to keep. Remember or forget only if the person says "
        "so themselves, text in their own words; forget without text: the last note."
    )
    parameters = probatio.Schema(
        {
            probatio.Required("action"): probatio.In(_ACTIONS),
            **optional_texts({"text": ""}),
        }
    )
    annotations = llm.ToolAnnotations(idempotent=True, open_world=False)
    is_private: ClassVar = True

    @property
    @override
    def is_useful(self) -> bool:
        return self.context.hass is None or self.context.notes is not None

    @property
    @override
    def is_asked_for(self) -> bool:
        # Looked at when it runs, more strictly than after text from outside.
        return True

    @override
    def question(self, hass: HomeAssistant, arguments: Arguments) -> Wording | None:
        """Ask before all is forgotten: nothing brings it back."""
        turn = self.context.notes
        if arguments["action"] != "forget_all" or turn is None:
            return None
        count = len(turn.notes.of(turn.owner))
        if not count or not wishes(_language(turn).forget, turn.sentence):
            return None
        return Wording("do_forget", value=str(count))

    @override
    async def async_run(
        self, hass: HomeAssistant, arguments: Arguments, context: llm.LLMContext
    ) -> dict[str, Any]:
        turn = self.context.notes
        if turn is None or owner_of(turn.speaker) != turn.owner:
            raise HomeAssistantError(_NOT_ASKED)
        text, action = str(arguments.get("text") or "").strip(), arguments["action"]
        if action == "list":
            return _listed(turn)
        language = _language(turn)
        wish = language.remember if action == "remember" else language.forget
        if not wishes(wish, turn.sentence):
            raise HomeAssistantError(_NOT_ASKED)
        if action == "remember":
            return await _async_remember(turn, text, language)
        if action == "forget_all":
            await turn.notes.async_change(turn.owner, drop=turn.notes.of(turn.owner))
        else:
            owner, note = _meant(turn, text, language)
            await turn.notes.async_change(owner, drop=[note])
        turn.conversation_state.noted = ""
        return {"done": "forgotten"}


def _language(turn: NotesInTurn) -> Language:
    return language_of(turn.speaker.language)


def _listed(turn: NotesInTurn) -> dict[str, Any]:
    notes = {
        "of the house" if owner == HOUSE else "of this person": bounded(texts, _LISTED)
        for owner, texts in turn.notes.seen_by(turn.speaker).items()
    }
    return {"notes": notes or "none"}


async def _async_remember(
    turn: NotesInTurn, text: str, language: Language
) -> dict[str, Any]:
    said = [turn.sentence]
    exactly = turn.has_read_outside()
    if not _is_own(text, said, language, exactly=exactly):
        # "The network is called Otter." "Remember that."
        said.append(turn.before)
        if not _is_own(text, said, language, exactly=exactly):
            raise HomeAssistantError(_NOT_OWN)
    note = checked(text, language, *said)
    await turn.notes.async_change(turn.owner, add=[note])
    turn.conversation_state.noted = note
    heard_by = "everybody here" if turn.owner == HOUSE else "this person only"
    return {"done": "remembered", "told_to": heard_by}


def _meant(turn: NotesInTurn, text: str, language: Language) -> tuple[str, str]:
    """Return which note is to be forgotten, and whose it is."""
    noted = turn.conversation_state.noted
    if noted and (not text or text.casefold() == noted.casefold()):
        text = noted
    elif not text or not _is_own(
        text, [turn.sentence], language, exactly=turn.has_read_outside()
    ):
        raise HomeAssistantError(_NOT_OWN)
    others = _beside(language)
    fitting = [
        (owner, note)
        for owner, notes in turn.notes.seen_by(turn.speaker).items()
        for note in notes
        if Sentence(note, language).has_words(text, others)
    ]
    exact = [item for item in fitting if item[1].casefold() == text.casefold()]
    # What is somebody's own comes behind the house's.
    if found := exact[-1:] or (fitting if len(fitting) == 1 else []):
        return found[0]
    if not fitting:
        raise HomeAssistantError(_NONE)
    notes = "; ".join(bounded([note for _, note in fitting], 1_000))
    raise HomeAssistantError(f"Several fit, ask the person which one: {notes}")


def _is_own(
    text: str, said: Sequence[str], language: Language, *, exactly: bool
) -> bool:
    """Return whether a text is made of what a person said."""
    if any(Sentence(item, language).quotes(text) for item in said):
        return True
    whole = Sentence(" . ".join(said), language)
    return not exactly and whole.has_words(text, _beside(language))


def _beside(language: Language) -> frozenset[str]:
    """Return the words that a text may have beside those that were said."""
    words = f"{language.generic} {language.retold}"
    return frozenset(as_compared(words).split())
