"""Pictures and forms of answers as the stand-in takes them, and pictures it makes."""

import base64
from typing import Any

import pytest

from dev.standin.pictures import draw, sniff

from .conftest import Starter
from .mini_client import MiniClient

PNG = draw("a door", "1:1")
FORM = {"type": "json_schema", "json_schema": {"name": "look", "schema": {}}}
TOOLS = {"tools": [{"name": "generate_image"}]}


def shown(client: MiniClient, *images: bytes, **image: Any) -> dict[str, Any]:
    """Return a body that shows pictures, in the form of the web client."""
    sealed = client.encrypted
    flag = {"encrypted": True} if sealed else {}
    parts: list[dict[str, Any]] = [
        {"type": "text", "text": client.seal("?") if sealed else "?", **flag}
    ]
    for data in images:
        text = client.seal(data) if sealed else base64.b64encode(data).decode()
        told = "application/octet-stream" if sealed else sniff(data)
        url = {"url": f"data:{told};base64,{text}", **flag, **image}
        parts.append({"type": "image_url", "image_url": url})
    body = client.body("Hello")
    body["messages"][0]["content"] = parts
    return body


CLEAR = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
# What a client gets wrong: what it writes into the image, and what is reported.
WRONG: dict[str, tuple[bool, dict[str, Any], list[str]]] = {
    "in clear": (
        True,
        {"url": CLEAR, "encrypted": False},
        [
            "a picture in clear beside a request_key",
            "a picture in clear in the body of an encrypted request",
        ],
    ),
    "a type beside the sealed bytes": (
        True,
        {"url": None},
        ["an encrypted picture that says it is image/png"],
    ),
    "an address": (
        False,
        {"url": "https://example.invalid/a.png"},
        ["a picture that is no data URI with base64"],
    ),
    "another type": (
        False,
        {"url": CLEAR.replace("png", "jpeg", 1)},
        ["a picture that says image/jpeg and is image/png"],
    ),
    "no picture": (
        False,
        {"url": "data:image/png;base64,aGVsbG8="},
        ["what is shown is no picture"],
    ),
}


@pytest.mark.parametrize(("encrypted", "image", "told"), WRONG.values(), ids=WRONG)
async def test_what_a_good_client_does_not_show_is_told(
    standin: Starter, encrypted: bool, image: dict[str, Any], told: list[str]
) -> None:
    running, client = await standin(encrypted=encrypted)
    image = dict(image)
    if image["url"] is None:
        image["url"] = f"data:image/png;base64,{client.seal(PNG)}"
    reply = await client.post(shown(client, PNG, **image))
    assert (reply.text, running.violations) == ("I see 1.", told)


async def test_a_form_of_the_answer_is_only_fine_in_clear(standin: Starter) -> None:
    """It reaches the brain all the same."""
    running, client = await standin(encrypted=False)
    reply = await client.chat("Hello", response_format=FORM)
    assert (reply.text, running.violations) == ('{"name": "look", "schema": {}}', [])
    running, client = await standin()
    await client.chat("Hello", response_format=FORM)
    assert running.violations == [
        "a response_format beside a request_key: it travels in clear"
    ]
