"""Keep the tokens of sessions out of the HTTP library's log.

At its debug level, which a home turns on with `default: debug`, that library writes
down the headers of every answer. A browser's session is renewed by such headers, and a
guest is known by one. The value of every cookie is hidden, whoever has set it.
"""

import logging
import re
from typing import Final

# The library under httpx, and the one under its successor.
_LOGGERS: Final = tuple(
    f"{library}.{protocol}"
    for library in ("httpcore", "httpcore2")
    for protocol in ("http11", "http2")
)
# A pair of bytes as Python shows it, the name of the cookie kept.
_COOKIE: Final = re.compile(
    r"""(b'set-cookie', b)(['"])([^=;'"\\]*=)?(?:\\.|(?!\2)[^\\])*\2""", re.IGNORECASE
)


class _TokenFilter(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        """Let the record through, without the values of the cookies."""
        if isinstance(record.msg, str):
            record.msg = _COOKIE.sub(r"\1\2\3***\2", record.msg)
        return True


_FILTER: Final = _TokenFilter()


def hide_tokens_in_log() -> None:
    """Install the filter; once is enough."""
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_FILTER)
