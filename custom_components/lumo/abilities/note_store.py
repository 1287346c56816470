"""What people asked to have remembered: notes of one person, or of the house."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
import re
from typing import Final, Protocol

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError

from ..const import DOMAIN
from ..gate.names import speak_of, spoken
from ..gate.speaker import Speaker
from ..languages.form import Language
from ..private_store import PrivateStore

HOUSE: Final = "house"
"""The owner of notes that anybody at a satellite had kept."""
MAX_CHARACTERS: Final = 256
MAX_NOTES: Final = 50
_WIFI: Final = re.compile(r"wi-?fi|wlan", re.IGNORECASE)
_PIN: Final = re.compile(r"\d(?:[ .-]?\d){2,}")
# By the keys of the sentences in forms: what the model is told.
_REASONS: Final = {
    "note_too_long": f"A note has 1 to {MAX_CHARACTERS} characters.",
    "note_secret": "Only the password of the Wi-Fi is kept, no other password, PIN or "
    "code. Tell the person so.",
    "notes_full": f"There are {MAX_NOTES} notes; one must be forgotten first.",
    "note_not_stored": "It could not be stored. Nothing was changed.",
}


class NoteError(HomeAssistantError):
    """A note cannot be kept; `key` is that of a form's text."""

    def __init__(self, key: str) -> None:
        super().__init__(_REASONS[key])
        self.key = key


def owner_of(speaker: Speaker) -> str | None:
    """Return whose notes a speaker writes: at a satellite, where all hear, the house's."""
    if not speaker.is_person:
        return None
    return HOUSE if speaker.satellite_id else speaker.user_id or HOUSE


def checked(text: str, language: Language, *said: str) -> str:
    """Return a note as it is kept; of secrets only the Wi-Fi's. Raises NoteError."""
    text = " ".join("".join(x if x.isprintable() else " " for x in text).split())
    if not spoken(text) or len(text) > MAX_CHARACTERS:
        raise NoteError("note_too_long")
    whole = " ".join((text, *said))
    opens = speak_of([whole], "door") or speak_of([whole], "alarm")
    # A password or a code.
    has_secret = language.secrets.search
    is_secret = has_secret(whole) and not all(
        _WIFI.search(item) and len(language.secrets.findall(item)) == 1
        for item in (text, *said)
        if has_secret(item)
    )
    if is_secret or (opens and (has_secret(whole) or _PIN.search(whole))):
        raise NoteError("note_secret")
    return text


class Notes:
    """The notes of an account, by user id or HOUSE."""

    def __init__(self, hass: HomeAssistant, entry_id: str) -> None:
        self._hass = hass
        self._lock = asyncio.Lock()
        self._all: Mapping[str, list[str]] = {}
        self._store = PrivateStore[dict[str, list[str]]](
            hass, f"{DOMAIN}.{entry_id}.notes"
        )

    def __len__(self) -> int:
        return sum(map(len, self._all.values()))

    async def async_load(self) -> None:
        """Read them; delete those of users who are gone."""
        self._all = await self._store.async_load() or {}
        for owner in self._all.keys() - {HOUSE}:
            if await self._hass.auth.async_get_user(owner) is None:
                await self.async_change(owner, drop=self.of(owner))

    def of(self, owner: str) -> list[str]:
        """Return the notes of one owner, the oldest first."""
        return [*self._all.get(owner, ())]

    def seen_by(self, speaker: Speaker) -> dict[str, list[str]]:
        """Return the notes that a speaker may hear of, by owner."""
        owner = owner_of(speaker)
        owners = () if owner is None else dict.fromkeys((HOUSE, owner))
        return {item: self.of(item) for item in owners if self.of(item)}

    async def async_change(
        self, owner: str, *, add: Iterable[str] = (), drop: Iterable[str] = ()
    ) -> None:
        """Change the notes of one owner, also on disk. Raises NoteError."""
        async with self._lock:
            kept = {text.casefold(): text for text in self.of(owner)}
            for text in drop:
                kept.pop(text.casefold(), None)
            for text in add:
                # The latest is the last.
                kept.pop(text.casefold(), None)
                kept[text.casefold()] = text
            if len(kept) > MAX_NOTES:
                raise NoteError("notes_full")
            changed = {**self._all, owner: [*kept.values()]}
            changed = {key: texts for key, texts in changed.items() if texts}
            if not await self._store.async_save(changed):
                raise NoteError("note_not_stored")
            self._all = changed

    async def async_stop(self) -> None:
        """Write nothing from here on."""
        await self._store.async_close()


class HasNoted(Protocol):
    """What is kept of a conversation."""

    noted: str
    """The last note that was kept there: "forget that"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesInTurn:
    """The notes as one turn may use them."""

    notes: Notes
    speaker: Speaker
    sentence: str
    """What the person said, now or before the question that this answers."""
    before: str
    """What the same person said before that in this conversation."""
    conversation_state: HasNoted
    has_read_outside: Callable[[], bool]
    unsaid: list[tuple[str, str]] = field(default_factory=list)
    """What was kept and forgotten and is not said yet: keys of sentences, and notes."""

    @property
    def owner(self) -> str:
        """Return whose notes are written: those of who speaks."""
        owner = owner_of(self.speaker)
        assert owner
        return owner
