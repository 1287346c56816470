"""Bytes of an answer in, events out: no socket, no await.

:queued                                     waiting for capacity
:ingesting                                  the prompt is being read
data: {"choices":[{"delta":{...}}]}         OpenAI chunk
data: {"object":"chat.tool_call",...}       Proton's own tools
data: {"object":"lumo.image_data",...}      what they draw, if that is wanted
data: {"type":"token_data",...}             old-style message
{"choices":...}                             the same without "data:"
data: [DONE]
"""

import binascii
from collections.abc import Iterator
import logging
import re
from typing import Any, Final

from . import errors
from .deadlines import ANSWER_CHARACTERS
from .events import (
    End,
    Event,
    FunctionCallBegun,
    ImageData,
    Progress,
    ReasoningDelta,
    TextDelta,
    read_usage,
)
from .replies import error_in
from .tool_calls import Decrypt, FunctionCallAssembler, ServerToolReader, no_key
from .wire_json import TextJoiner, parse_json, text_of, well_formed

_LOGGER = logging.getLogger(__name__)

# Read in the time that the event loop may wait. A longer line is an attack or a defect.
MAX_LINE_BYTES: Final = 512 * 1024
# A picture comes in one line.
MAX_IMAGE_LINE_BYTES: Final = 12 * 1024 * 1024

# Behind a carriage return a line feed may still come.
_LINE_END: Final = re.compile(rb"\r\n|\n|\r(?!\Z)")
_NO_DATA: Final = re.compile(rb"(event|id|retry)?:|(event|id|retry|data:?)\Z")

_PROGRESS: Final = frozenset({"queued", "ingesting"})

# Parts of an answer that are not for the person who asked.
_IGNORED_TARGETS: Final = frozenset({"title", "suggested_questions"})


class StreamParser:
    """Reads one answer of at most `ANSWER_CHARACTERS`, pictures only with `images`.

    `decrypt` opens one encrypted value, None for a request that was not encrypted.
    """

    def __init__(self, decrypt: Decrypt | None = None, *, images: bool = False) -> None:
        self._characters_left = ANSWER_CHARACTERS
        self._is_private = decrypt is not None
        self._decrypt = decrypt or no_key
        self._images = images
        self._longest_line = MAX_IMAGE_LINE_BYTES if images else MAX_LINE_BYTES
        self._begun = bytearray()
        """The line that has not ended."""
        self._event = bytearray()
        """The data of an event that goes over several lines."""
        self.ended = False
        """Whether the End has been returned."""
        self.collected = 0
        """Pieces of calls that have arrived; their events come later."""
        self._finish_reason: str | None = None
        self._text = TextJoiner()
        self._reasoning = TextJoiner()
        self._calls = FunctionCallAssembler(decrypt)
        self._server_tools = ServerToolReader(decrypt)

    @property
    def complete(self) -> bool:
        """Return whether the answer is whole even if nothing more comes."""
        return self.ended or self._finish_reason is not None

    def ends_image(self, data: bytes) -> bool:
        """Return whether the bytes end a line too long for the event loop."""
        return len(self._begun) > MAX_LINE_BYTES and b"\n" in data

    def feed(self, data: bytes) -> Iterator[Event]:
        """Yield the events that the bytes complete, none after `[DONE]`.

        Raises LumoError behind the events that came before the failure.
        """
        is_line = _LINE_END.search(self._begun[-1:] + data)
        self._begun += data
        if is_line:
            *lines, rest = _LINE_END.split(bytes(self._begun))
            self._begun = bytearray(rest)
            for line in lines:
                if self.ended:
                    return
                self._check_length(line)
                yield from self._line(line.lstrip(b"\xef\xbb\xbf").strip())
        if not self.ended:
            self._check_length(self._begun)

    def finish(self) -> Iterator[Event]:
        """Yield the last events, at the end of the bytes.

        Raises LumoError, StreamInterruptedError if the answer is not complete.
        """
        yield from self.feed(b"\n\n")
        if not self.ended:
            if self._finish_reason is None:
                raise errors.StreamInterruptedError
            yield from self._end()

    def _check_length(self, line: bytes | bytearray) -> None:
        if len(line) > self._longest_line:
            raise errors.ImageError if self._images else errors.ProtocolError

    def _end(self) -> Iterator[Event]:
        yield from self._server_tools.flush()
        if text := self._reasoning.finish():
            yield ReasoningDelta(text)
        if text := self._text.finish():
            yield TextDelta(text)
        yield from self._calls.finish()
        self.ended = True
        yield End(self._finish_reason)

    def _line(self, line: bytes) -> Iterator[Event]:
        if _NO_DATA.match(line):
            stage = line[1:].strip().lower().decode(errors="replace")
            if stage in _PROGRESS:
                yield Progress(stage)
            return
        text = line = line.removeprefix(b"data:").lstrip()
        if self._event:
            if line not in (b"", b"[DONE]"):
                self._event += b"\n" + line
                self._check_length(self._event)
                return
            text = bytes(self._event)
            self._event.clear()
        if text.startswith(b"{"):
            try:
                value = parse_json(text)
            except ValueError:
                if text is line:
                    self._event += line
                else:
                    _LOGGER.debug("Ignoring %d bytes that are not JSON", len(text))
            else:
                yield from self._value(value)
        if line == b"[DONE]" and not self.ended:
            yield from self._end()

    def _value(self, value: dict[str, Any]) -> Iterator[Event]:
        match value:
            case {"type": "queued" | "ingesting" as stage}:
                yield Progress(stage)
            case {"type": "done"}:
                yield from self._end()
            case {"type": "token_data"}:
                content, target = value.get("content"), value.get("target") or "message"
                if isinstance(content, str) and isinstance(target, str):
                    encrypted = bool(value.get("encrypted"))
                    yield from self._content(target, content, encrypted)
            case {"type": "image_data"}:
                yield from self._image(value)
            case {"object": "lumo.image_data", "image": dict(image)}:
                yield from self._image(image)
            case {"object": "chat.tool_call", "tool_call": dict(message)}:
                yield from self._server_tools.flush()
                yield self._server_tools.call(message)
            case {"object": "chat.tool_result", "tool_result": dict(message)}:
                yield from self._server_tools.flush()
                yield self._server_tools.result(message)
            case {"type": "harmful"}:
                raise errors.ContentFilteredError
            case {"type": "timeout" | "rejected"}:
                raise error_in(value) or errors.BusyError
            case {"type": "error" | "tool-error"}:
                raise error_in(value) or errors.ServerError
            case _:
                if error := error_in(value):
                    raise error
                yield from self._chunk(value)

    def _chunk(self, value: dict[str, Any]) -> Iterator[Event]:
        """Read a chunk: text, its end, its cost. One choice was asked for."""
        choices = value.get("choices")
        usage = value.get("usage")
        if isinstance(choices, list) and choices and isinstance(choices[0], dict):
            choice = choices[0]
            delta = choice.get("delta")
            if delta is None:
                # A whole answer in one piece: streaming was not possible.
                delta = choice.get("message")
            if isinstance(delta, dict):
                yield from self._delta(delta, value.get("target"))
            reason = choice.get("finish_reason")
            if isinstance(reason, str) and reason:
                self._finish_reason = well_formed(reason)
        elif not isinstance(choices, list) and not isinstance(usage, dict):
            _LOGGER.debug("Ignoring an unknown event with %s", sorted(value)[:10])
        if isinstance(usage, dict):
            yield read_usage(usage)
        if self._finish_reason == "content_filter":
            raise errors.ContentFilteredError

    def _delta(self, delta: dict[str, Any], chunk_target: object) -> Iterator[Event]:
        target = delta.get("target") or chunk_target or "message"
        if not isinstance(target, str) or target in _IGNORED_TARGETS:
            return
        encrypted = bool(delta.get("encrypted"))
        reasoning = delta.get("reasoning") or delta.get("reasoning_content")
        if reasoning and isinstance(reasoning, str):
            yield from self._content("reasoning", reasoning, encrypted)
        content = delta.get("content")
        if content and isinstance(content, str):
            yield from self._content(target, content, encrypted)
        tool_calls = delta.get("tool_calls")
        if isinstance(tool_calls, list):
            self.collected += len(tool_calls)
            for fragment in tool_calls:
                if isinstance(fragment, dict) and (name := self._calls.add(fragment)):
                    yield FunctionCallBegun(name)

    def _content(self, target: str, text: str, encrypted: bool) -> Iterator[Event]:
        if target in ("tool_call", "tool_result"):
            self.collected += 1
            yield from self._server_tools.text(target, text, encrypted)
        elif target in ("message", "reasoning"):
            yield from self._server_tools.flush()
            joiner = self._reasoning if target == "reasoning" else self._text
            text = joiner.add(self._decrypt(text) if encrypted and text else text)
            if text and target == "reasoning":
                yield ReasoningDelta(text)
            elif text:
                yield from self._say(text, in_clear=self._is_private and not encrypted)
        elif target not in _IGNORED_TARGETS:
            _LOGGER.debug("Ignoring a text of an unknown target")

    def _say(self, text: str, *, in_clear: bool) -> Iterator[Event]:
        said = text[: self._characters_left]
        self._characters_left -= len(said)
        if said:
            yield TextDelta(said, in_clear)
        if len(said) < len(text):
            raise errors.AnswerTooLongError

    def _image(self, image: dict[str, Any]) -> Iterator[Event]:
        """Read a picture: not its announcement, nor the previews before it."""
        data = text_of(image.get("data"))
        if not self._images or not data or image.get("is_final") is False:
            return
        is_encrypted = bool(image.get("encrypted"))
        try:
            content = (
                self._decrypt(data)
                if is_encrypted
                else binascii.a2b_base64(data, strict_mode=True)
            )
        except ValueError as err:
            raise errors.ImageError from err
        yield from self._server_tools.flush()
        yield ImageData(content, self._is_private and not is_encrypted)
