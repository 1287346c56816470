"""Whose sign-in it is: by what its entry is known.

The unique id is Proton's id of the account where it is known. A session that may not
ask for it is known by its own id, an API key by a hash of it, and there is one guest.
"""

import hashlib
from typing import Final

# Proton counts a guest's requests by a cookie. A second guest would be a second quota,
# so there is one guest in a home.
GUEST_ID: Final = "guest"

# Half of a SHA-256 in hexadecimal: enough to tell keys apart.
_KEY_ID_LENGTH: Final = 32


def api_key_id(key: str, base_url: str | None) -> str:
    """Return what an API key is known by; the key cannot be read from it.

    Gateways may all take the same word for a key, so their address is part of it.
    """
    text = f"{base_url}\n{key}" if base_url else key
    return f"key-{hashlib.sha256(text.encode()).hexdigest()[:_KEY_ID_LENGTH]}"
