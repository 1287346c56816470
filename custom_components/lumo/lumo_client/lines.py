"""Bytes to lines.

Lines end with LF, CRLF or CR, and none of these occurs inside a JSON string, so a line
is found before its text is decoded and a character cut in two by the network is whole
again. An LF that follows a CR in the next chunk only makes an empty line.

Linear: a chunk is searched once, and what waits for its end is joined once.
"""

from itertools import takewhile
from typing import Final

# Whatever stands in a line of that length, reading it takes no longer than the event
# loop may wait. A longer line is an attack or a defect, and is not kept.
MAX_LINE_BYTES: Final = 512 * 1024
# A picture comes in one line: nine megabytes of it, when it is base64.
MAX_IMAGE_LINE_BYTES: Final = 12 * 1024 * 1024


class LineReader:
    """Splits a stream of bytes into lines without their ends.

    `overflow` becomes True at a line that is too long; nothing after it is returned.
    """

    def __init__(self, limit: int = MAX_LINE_BYTES) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self.size = 0
        """Bytes of the line that has not ended."""
        self.overflow = False

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that the bytes complete."""
        if self.overflow or not data:
            return []
        lines = data.splitlines()
        rest = b"" if data[-1] in b"\r\n" else lines.pop()
        if self._parts and (lines or not rest):
            lines[0] = b"".join((*self._parts, lines[0]))
            self._parts.clear()
            self.size = 0
        if rest:
            self._parts.append(rest)
            self.size += len(rest)
        fitting = list(takewhile(lambda line: len(line) <= self._limit, lines))
        self.overflow = self.size > self._limit or len(fitting) < len(lines)
        return fitting

    def finish(self) -> list[bytes]:
        """Return the last line if it has no end."""
        return self.feed(b"\n") if self._parts else []
