"""What a sentence needs is in its request, in large homes and misheard too.

A sample of `scripts/bench context`; the whole is a long test.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from unittest.mock import AsyncMock

import pytest

from custom_components.lumo.conversation import LumoConversationEntity
from dev.bench.context_home import LargeHome
from dev.bench.context_homes import LANGUAGES, make_home, misheard, wishes_of
from dev.standin import start

type Opener = Callable[[str, int], AbstractAsyncContextManager[LargeHome]]


@pytest.fixture
def open_home(monkeypatch: pytest.MonkeyPatch, socket_enabled: None) -> Opener:
    @asynccontextmanager
    async def opened(language: str, size: int) -> AsyncGenerator[LargeHome]:
        monkeypatch.setattr(LumoConversationEntity, "_async_warm", AsyncMock())
        async with await start() as standin:
            monkeypatch.setenv("LUMO_BASE_URL", standin.base_url)
            monkeypatch.setenv("LUMO_PUBLIC_KEY_FILE", standin.public_key_file)
            async with LargeHome(make_home(language, size)) as home:
                yield home

    return opened


async def recall(home: LargeHome, share: float, some: slice) -> list[str]:
    """Return the sentences, damaged in a share of their words, that lack something."""
    lacking = []
    for wish in wishes_of(home.home)[some]:
        sentence = misheard(wish.sentence, share, "") if share else wish.sentence
        asked = await home.ask(wish, sentence=sentence)
        if missing := home.missing(wish, asked.told):
            lacking.append(f"{sentence}: {missing}")
        assert wish.before or asked.request.characters <= 20_000
    return lacking


async def test_a_request_has_what_the_sentence_needs(open_home: Opener) -> None:
    """A thing by its name, or its kind where it is, and a tool that acts on it."""
    async with open_home("de", 500) as home:
        assert await recall(home, 0, slice(None, None, 8)) == []
        assert await recall(home, 0.5, slice(2, None, 16)) == []


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_request_has_what_its_sentence_needs(
    open_home: Opener, language: str
) -> None:
    async with open_home(language, 1_000) as home:
        assert len(await recall(home, 0, slice(None))) <= 0.005 * 61
        assert len(await recall(home, 1, slice(None))) <= 0.015 * 61 + 1
