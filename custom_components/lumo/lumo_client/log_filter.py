"""Keep the tokens of sessions out of the HTTP library's log.

At its debug level, which `default: debug` turns on, it writes the headers of answers.
What follows the first cookie is hidden.
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
    record.msg = _COOKIES.sub("set-cookie: ***", str(record.msg))
    return True
