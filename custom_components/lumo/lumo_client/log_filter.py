"""Keep the tokens of sessions out of the HTTP library's log.

At its debug level, which a home turns on with `default: debug`, that library writes
down the headers of every answer. A browser's session is renewed by such headers, and a
guest is known by one. What follows the first cookie is hidden, whoever has set it.
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
_COOKIES: Final = re.compile("set-cookie.*", re.IGNORECASE | re.DOTALL)


def hide_tokens_in_log() -> None:
    """Install the filter; once is enough."""
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_without_cookies)


def _without_cookies(record: logging.LogRecord) -> bool:
    """Let the record through, up to the first cookie."""
    record.msg = _COOKIES.sub("set-cookie: ***", str(record.msg))
    return True
