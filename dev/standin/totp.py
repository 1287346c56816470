"""Time-based one-time codes (RFC 6238): six digits, thirty seconds, SHA-1."""

import base64
import hmac

PERIOD = 30
DIGITS = 6


def totp(secret: str, at: float) -> str:
    """Return the code of a base32 secret at a Unix time."""
    key = base64.b32decode(secret, casefold=True)
    counter = int(at // PERIOD).to_bytes(8)
    digest = hmac.digest(key, counter, "sha1")
    offset = digest[-1] & 15
    number = int.from_bytes(digest[offset : offset + 4]) & 0x7FFFFFFF
    return str(number % 10**DIGITS).zfill(DIGITS)


def is_valid(secret: str, code: str, at: float) -> bool:
    """Say whether a code is good: clocks may differ by one step."""
    return any(
        hmac.compare_digest(totp(secret, at + step * PERIOD).encode(), code.encode())
        for step in (-1, 0, 1)
    )
