"""What the other side of the encryption does, written apart from the client."""

import base64
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM


def open_messages(body: dict[str, Any], key: bytes) -> list[tuple[str, str]]:
    """Return role and clear text of each message of an encrypted chat request."""
    data = f"lumo.request.{body['lumo']['request_id']}.turn".encode()
    messages = []
    for message in body["messages"]:
        assert set(message) == {"role", "content", "encrypted"}
        assert message["encrypted"] is True
        sealed = base64.b64decode(message["content"], validate=True)
        text = AESGCM(key).decrypt(sealed[:12], sealed[12:], data).decode()
        messages.append((message["role"], text))
    return messages


def seal_answer(
    request_id: str, key: bytes, part: str | bytes, iv: bytes = bytes(12)
) -> str:
    """Return a part of an answer, encrypted."""
    content = part.encode() if isinstance(part, str) else part
    data = f"lumo.response.{request_id}.chunk".encode()
    return base64.b64encode(iv + AESGCM(key).encrypt(iv, content, data)).decode()
