"""What a person said, from the messages of Lumo's socket for speech: no I/O.

    {"type": "transcription.segment", "segment_id", "text", "encrypted", "is_final"}
    {"type": "conversation.item.input_audio_transcription.delta",
     "delta": {"text", "encrypted"}}

From Proton's web client. A segment replaces the text of its id; deltas are appended,
and ignored beside segments. Unencrypted text is refused: what is heard becomes a
command.
"""

from collections.abc import Callable
from typing import Any, Final

from .errors import AnswerTooLongError, IntegrityError, ProtocolError, ServerError
from .wire_json import TextJoiner, parse_json, text_of

# Of a minute of speech, several times over.
_CHARACTERS: Final = 10_000


class Transcript:
    """The text of one utterance so far. `decrypt` opens a text, or raises LumoError."""

    def __init__(self, decrypt: Callable[[str], bytes]) -> None:
        self._decrypt = decrypt
        self._segments: dict[str, str] = {}
        self._open: set[str] = set()
        self._joiner = TextJoiner()
        self._appended = ""
        self.is_idle = False
        """The service ends the connection because it has heard nothing for long."""

    def take(self, message: bytes | str) -> bool:
        """Take a message; return whether it held text. Raises LumoError."""
        try:
            value = parse_json(message)
        except ValueError:
            value = None
        match value:
            case {"type": "transcription.segment"}:
                self._take_segment(value)
            case {"type": "conversation.item.input_audio_transcription.delta"}:
                self._appended += self._joiner.add(self._read(value.get("delta")))
            case {"type": "error"}:
                self._fail(value)
                return False
            case {"type": str()}:
                return False
            case _:
                raise ProtocolError("A message of the socket is no event")
        if len(self.text) > _CHARACTERS:
            raise AnswerTooLongError
        return True

    @property
    def text(self) -> str:
        """Return the segments in the order of their ids, else the deltas."""
        order = list(self._segments)
        if all(map(str.isdecimal, order)):
            order.sort(key=lambda number: (len(number), number))
        texts = (self._segments[number].strip() for number in order)
        return " ".join(filter(None, texts)) or self._appended.strip()

    @property
    def is_open(self) -> bool:
        """Return whether a segment may still change."""
        return bool(self._open)

    @property
    def is_final(self) -> bool:
        """Return whether there are segments, none of which will change."""
        return bool(self._segments) and not self._open

    def _take_segment(self, value: dict[str, Any]) -> None:
        number = value.get("segment_id")
        if not isinstance(number, int | str):
            raise ProtocolError("A part of the transcript has no number")
        number, text = str(number), self._read(value).decode(errors="replace")
        if value.get("is_final") is True:
            self._open.discard(number)
        elif number in self._segments and number not in self._open:
            # A guess that was on its way when it was known.
            return
        else:
            self._open.add(number)
        self._segments[number] = text

    def _read(self, part: object) -> bytes:
        match part:
            case {"text": ""}:
                return b""
            case {"text": str(sealed), "encrypted": True}:
                return self._decrypt(sealed)
            case {"text": str()}:
                raise IntegrityError("A part of the transcript came unencrypted")
        raise ProtocolError("A part of the transcript has no text")

    def _fail(self, value: dict[str, Any]) -> None:
        error = value.get("error")
        text = text_of(value.get("message")) or text_of(
            error.get("message") if isinstance(error, dict) else None
        )
        if "inactivity" not in text.lower():
            raise ServerError
        self.is_idle = True
