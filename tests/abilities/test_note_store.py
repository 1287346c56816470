"""The file of the notes: what is in it, and what is in none any more."""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from homeassistant.core import HomeAssistant
from homeassistant.helpers.storage import Store
from homeassistant.util.file import WriteError
import pytest

from custom_components.lumo.abilities.note_store import (
    HOUSE,
    MAX_NOTES,
    NoteError,
    Notes,
    checked,
)
from custom_components.lumo.gate.speaker import Speaker
from custom_components.lumo.languages import LANGUAGES

EN = LANGUAGES["en"]
# Other tests have nothing written.
REAL = {
    name: getattr(Store, name)
    for name in ("_async_load", "_async_write_data", "async_remove")
}
SECRET = "The guest network is called Otter"


@pytest.fixture
def folder(hass: HomeAssistant, tmp_path: Path) -> Iterator[Path]:
    (tmp_path / ".storage").mkdir()
    with (
        patch.object(hass.config, "config_dir", str(tmp_path)),
        patch.multiple(Store, **REAL),
    ):
        yield tmp_path / ".storage"


def holding(folder: Path, text: str) -> list[str]:
    """Return the files that hold the bytes of a text, however it is escaped."""
    return [
        path.name for path in folder.iterdir() if text.encode() in path.read_bytes()
    ]


def by(
    user: str | None = None, satellite: str | None = None, *, person: bool = True
) -> Speaker:
    return Speaker(user, satellite, person, "", "en")


async def test_what_was_kept_is_there_after_a_restart(
    hass: HomeAssistant, folder: Path
) -> None:
    """Once: the same in other letters is the same. Nobody else may read the file."""
    notes = Notes(hass, "one")
    await notes.async_change(HOUSE, add=["Tea at five", "tea AT five", SECRET])
    again = Notes(hass, "one")
    await again.async_load()
    assert again.of(HOUSE) == ["tea AT five", SECRET]
    assert len(again) == 2
    assert (folder / "lumo.one.notes").stat().st_mode & 0o077 == 0


async def test_what_is_forgotten_is_in_no_file(
    hass: HomeAssistant, folder: Path
) -> None:
    notes = Notes(hass, "one")
    await notes.async_change(HOUSE, add=[SECRET, "Tea at five"])
    await notes.async_change(HOUSE, drop=[SECRET.upper()])
    assert holding(folder, SECRET) == []
    assert holding(folder, "Tea at five") == ["lumo.one.notes"]
    await notes._store.async_remove()
    assert holding(folder, "") == []


async def test_what_cannot_be_written_is_not_confirmed(
    hass: HomeAssistant, folder: Path
) -> None:
    notes = Notes(hass, "one")
    await notes.async_change(HOUSE, add=["Tea at five"])
    with (
        patch(
            "homeassistant.helpers.storage.write_utf8_file_atomic",
            side_effect=WriteError("The disk is full"),
        ),
        pytest.raises(NoteError) as err,
    ):
        await notes.async_change(HOUSE, add=[SECRET])
    assert err.value.key == "note_not_stored"
    assert notes.of(HOUSE) == ["Tea at five"]


async def test_there_is_an_end_to_them(hass: HomeAssistant, folder: Path) -> None:
    notes = Notes(hass, "one")
    await notes.async_change(HOUSE, add=[f"Number {n}" for n in range(MAX_NOTES)])
    with pytest.raises(NoteError):
        await notes.async_change(HOUSE, add=["One more"])
    await notes.async_change(HOUSE, add=["number 7"])
    await notes.async_change("anna", add=["One more"])
    assert len(notes) == MAX_NOTES + 1
    assert notes.of(HOUSE)[-1] == "number 7"


async def test_those_of_a_user_go_with_the_user(
    hass: HomeAssistant, folder: Path
) -> None:
    await hass.auth.async_create_user("Owner")
    user = await hass.auth.async_create_user("Anna")
    notes = Notes(hass, "one")
    await notes.async_change(user.id, add=[SECRET])
    await notes.async_change(HOUSE, add=["Tea at five"])
    await hass.auth.async_remove_user(user)
    again = Notes(hass, "one")
    await again.async_load()
    assert len(again) == 1
    assert holding(folder, SECRET) == []


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "note_too_long"),
        ("?!", "note_too_long"),
        ("a" * 257, "note_too_long"),
        ("The password of the guest network is otter", "note_secret"),
        ("My PIN is four seven one one", "note_secret"),
        ("The gate code is with grandma", "note_secret"),
        ("The alarm is 4711", "note_secret"),
        ("The front door opens with 4 7 1 1", "note_secret"),
    ],
)
def test_what_is_no_note(text: str, key: str) -> None:
    """The sentence about it says what to do."""
    with pytest.raises(NoteError) as err:
        checked(text, EN)
    assert err.value.key == key


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("de", "Das Passwort ist Otter"),
        ("de", "Der Türcode ist bei Oma"),
        ("de", "Meine Geheimzahl ist 4711"),
        ("es", "La contraseña es nutria"),
        ("es", "El codigo es 4711"),
        ("fr", "Le mot de passe est loutre"),
        ("fr", "Le digicode est 4711"),
        ("nl", "Het wachtwoord is otter"),
        ("nl", "De pincode is 4711"),
    ],
)
def test_secrets_are_known_in_each_language(code: str, text: str) -> None:
    """They would be told to anybody at a satellite, and sent with requests."""
    with pytest.raises(NoteError):
        checked(text, LANGUAGES[code])


def test_a_secret_is_known_by_what_was_said_of_it() -> None:
    """A model may leave the word out."""
    assert checked("It is 4711", EN, "Remember where I live") == "It is 4711"
    with pytest.raises(NoteError):
        checked("It is 4711", EN, "Remember that my pin is 4711")


def test_a_note_is_one_line() -> None:
    """It must not look like anything else in a request."""
    assert checked("  Tea\n\nat\u2028five\x00 ", EN) == "Tea at five"


async def test_nothing_is_changed_behind_who_has_them_next(
    hass: HomeAssistant, folder: Path
) -> None:
    """A turn that outlives its account forgets nothing that is still told."""
    notes = Notes(hass, "entry")
    await notes.async_change(HOUSE, add=[SECRET])
    await notes.async_stop()
    with pytest.raises(NoteError):
        await notes.async_change(HOUSE, drop=[SECRET])
    assert holding(folder, SECRET)
