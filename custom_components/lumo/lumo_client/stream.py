"""Bytes of an answer in, events out: no socket, no await.

    :queued                                     waiting for capacity
    :ingesting                                  the prompt is being read
    data: {"choices":[{"delta":{...}}]}         OpenAI chunk
    data: {"object":"chat.tool_call",...}       Proton's own tools
    data: {"object":"lumo.image_data",...}      what they draw, if that is wanted
    data: {"type":"token_data",...}             old-style message
    {"choices":...}                             the same without "data:"
    data: [DONE]

A failure is raised only after the events before it have been returned, so that the
result does not depend on how the network cut the bytes.
"""

import binascii
from collections.abc import Callable
from itertools import takewhile
import logging
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

_PROGRESS: Final = frozenset({"queued", "ingesting"})

# Parts of an answer that are not for the person who asked.
_IGNORED_TARGETS: Final = frozenset({"title", "suggested_questions"})


class LineReader:
    """Splits bytes into lines without their ends (LF, CRLF, CR), in linear time.

    After a line that is too long `overflow` is True and nothing more is returned.
    """

    def __init__(self, limit: int = MAX_LINE_BYTES) -> None:
        self._limit = limit
        self._begun = bytearray()
        self.overflow = False

    @property
    def size(self) -> int:
        """Return the bytes of the line that has not ended."""
        return len(self._begun)

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that the bytes complete."""
        if self.overflow:
            return []
        self._begun += data
        lines: list[bytes] = []
        if b"\n" in data or b"\r" in data:
            lines = bytes(self._begun).splitlines()
            self._begun = bytearray()
            if data[-1] not in b"\r\n":
                self._begun += lines.pop()
        fitting = list(takewhile(lambda line: len(line) <= self._limit, lines))
        self.overflow = self.size > self._limit or len(fitting) < len(lines)
        return fitting


class StreamParser:
    """Reads one answer of at most `ANSWER_CHARACTERS`, pictures only with `images`.

    `decrypt` opens one encrypted value, None for a request that was not encrypted.
    """

    def __init__(self, decrypt: Decrypt | None = None, *, images: bool = False) -> None:
        self._characters_left = ANSWER_CHARACTERS
        self._is_private = decrypt is not None
        self._decrypt = decrypt or no_key
        self._images = images
        self._lines = LineReader(MAX_IMAGE_LINE_BYTES) if images else LineReader()
        self._events: list[Event] = []
        self._failure: errors.LumoError | None = None
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
    def done(self) -> bool:
        """Return whether reading on is pointless: ended or failed."""
        return self.ended or self._failure is not None

    @property
    def complete(self) -> bool:
        """Return whether the answer is whole even if nothing more comes."""
        return self.ended or (self._finish_reason is not None and self._failure is None)

    def ends_image(self, data: bytes) -> bool:
        """Return whether the bytes end a line too long for the event loop."""
        return self._lines.size > MAX_LINE_BYTES and (b"\n" in data or b"\r" in data)

    def feed(self, data: bytes) -> list[Event]:
        """Return the events that the bytes complete, none after `[DONE]`; or LumoError."""
        return self._collect(lambda: self._read(self._lines.feed(data)))

    def finish(self) -> list[Event]:
        """Return the last events; call it at the end of the bytes, until it is empty.

        Raises LumoError, StreamInterruptedError if the answer is not complete.
        """
        return self._collect(
            lambda: self._read(self._lines.feed(b"\n"))
        ) or self._collect(self._close)

    def _collect(self, work: Callable[[], None]) -> list[Event]:
        """Return the events of some work; keep a failure that follows them."""
        if self._failure is not None:
            raise self._failure
        if self.ended:
            return []
        events = self._events = []
        try:
            work()
        except errors.LumoError as err:
            self._failure = err
            if not events:
                raise
        return events

    def _read(self, lines: list[bytes]) -> None:
        for line in lines:
            self._line(line)
            if self.ended:
                return
        if self._lines.overflow:
            raise errors.ImageError if self._images else errors.ProtocolError

    def _close(self) -> None:
        if self._finish_reason is None:
            raise errors.StreamInterruptedError
        self._end()

    def _end(self) -> None:
        self._flush_tool_messages()
        if text := self._reasoning.finish():
            self._events.append(ReasoningDelta(text))
        if text := self._text.finish():
            self._events.append(TextDelta(text))
        self._events.extend(self._calls.finish())
        self._events.append(End(self._finish_reason))
        self.ended = True

    def _line(self, line: bytes) -> None:
        line = line.strip()
        if line.startswith(b"data:"):
            line = line[5:].lstrip()
        elif line.startswith(b":"):
            stage = line[1:].strip().lower().decode(errors="replace")
            if stage in _PROGRESS:
                self._events.append(Progress(stage))
            return
        if line.startswith(b"{"):
            try:
                value = parse_json(line)
            except ValueError:
                _LOGGER.debug("Ignoring a line of %d bytes, not JSON", len(line))
                return
            self._value(value)
        elif line == b"[DONE]":
            self._end()

    def _value(self, value: dict[str, Any]) -> None:
        match value:
            case {"type": "queued" | "ingesting" as stage}:
                self._events.append(Progress(stage))
            case {"type": "done"}:
                self._end()
            case {"type": "token_data"}:
                content, target = value.get("content"), value.get("target") or "message"
                if isinstance(content, str) and isinstance(target, str):
                    self._content(target, content, bool(value.get("encrypted")))
            case {"type": "image_data"}:
                self._on_image(value)
            case {"object": "lumo.image_data"}:
                self._on_image(value.get("image"))
            case {"object": "chat.tool_call" | "chat.tool_result" as kind}:
                self._flush_tool_messages()
                message = value.get(kind.removeprefix("chat."))
                if isinstance(message, dict):
                    tools = self._server_tools
                    read = tools.call if kind == "chat.tool_call" else tools.result
                    self._events.append(read(message))
            case {"type": "harmful"}:
                raise errors.ContentFilteredError
            case {"type": "timeout" | "rejected"}:
                raise error_in(value) or errors.BusyError
            case {"type": "error" | "tool-error"}:
                raise error_in(value) or errors.ServerError
            case _:
                if error := error_in(value):
                    raise error
                self._chunk(value)

    def _chunk(self, value: dict[str, Any]) -> None:
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
                self._delta(delta, value.get("target"))
            reason = choice.get("finish_reason")
            if isinstance(reason, str) and reason:
                self._finish_reason = well_formed(reason)
        elif not isinstance(choices, list) and not isinstance(usage, dict):
            _LOGGER.debug("Ignoring an unknown event with %s", sorted(value)[:10])
        if isinstance(usage, dict):
            self._events.append(read_usage(usage))
        if self._finish_reason == "content_filter":
            raise errors.ContentFilteredError
        if self._finish_reason == "error":
            raise errors.ServerError

    def _delta(self, delta: dict[str, Any], chunk_target: object) -> None:
        target = delta.get("target") or chunk_target or "message"
        if not isinstance(target, str) or target in _IGNORED_TARGETS:
            return
        encrypted = bool(delta.get("encrypted"))
        reasoning = delta.get("reasoning") or delta.get("reasoning_content")
        if reasoning and isinstance(reasoning, str):
            self._content("reasoning", reasoning, encrypted)
        if content := delta.get("content"):
            for text in [content] if isinstance(content, str) else _part_texts(content):
                self._content(target, text, encrypted)
        tool_calls = delta.get("tool_calls")
        if isinstance(tool_calls, list):
            self.collected += len(tool_calls)
            for fragment in tool_calls:
                if isinstance(fragment, dict) and (name := self._calls.add(fragment)):
                    self._events.append(FunctionCallBegun(name))

    def _content(self, target: str, text: str, encrypted: bool) -> None:
        if target in ("tool_call", "tool_result"):
            self.collected += 1
            self._events.extend(self._server_tools.text(target, text, encrypted))
        elif target in ("message", "reasoning"):
            self._flush_tool_messages()
            joiner = self._reasoning if target == "reasoning" else self._text
            text = joiner.add(self._decrypt(text) if encrypted and text else text)
            if text and target == "reasoning":
                self._events.append(ReasoningDelta(text))
            elif text:
                self._say(text, in_clear=self._is_private and not encrypted)
        elif target not in _IGNORED_TARGETS:
            _LOGGER.debug("Ignoring a text of an unknown target")

    def _say(self, text: str, *, in_clear: bool) -> None:
        said = text[: self._characters_left]
        self._characters_left -= len(said)
        if said:
            self._events.append(TextDelta(said, in_clear))
        if len(said) < len(text):
            raise errors.AnswerTooLongError

    def _on_image(self, image: object) -> None:
        """Read a picture: not its announcement, nor the previews before it."""
        if not isinstance(image, dict) or image.get("is_final") is False:
            return
        data = text_of(image.get("data"))
        if not self._images or not data:
            return
        self._flush_tool_messages()
        if image.get("encrypted"):
            self._events.append(ImageData(self._decrypt(data)))
            return
        try:
            content = binascii.a2b_base64(data, strict_mode=True)
        except ValueError as err:
            raise errors.ImageError from err
        self._events.append(ImageData(content, self._is_private))

    def _flush_tool_messages(self) -> None:
        self._events.extend(self._server_tools.flush())


def _part_texts(content: object) -> list[str]:
    if not isinstance(content, list):
        return []
    texts = (part.get("text") for part in content if isinstance(part, dict))
    return [text for text in texts if isinstance(text, str) and text]
