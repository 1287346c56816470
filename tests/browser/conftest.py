"""A home for each file, and a browser beside it. Each test has a tab of its own.

Home Assistant runs elsewhere: the test plugin's guards are put aside.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
import contextlib
from dataclasses import replace
from typing import Any

import aiohttp
from playwright.async_api import BrowserContext, async_playwright
import pytest
import pytest_asyncio
import pytest_socket

from dev.home import Home, HomeOptions, open_home
from dev.run_tests import NEXT_PYTHON, find_browser

from .frontend import Frontend, new_tab

type OpenTab = Callable[..., Awaitable[Frontend]]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take what `scripts/test --browser` hands on."""
    parser.addoption("--pictures", action="store_true", help="make docs/images anew")
    parser.addoption("--next", action="store_true", help="on the next release")


@pytest.fixture
def anew(request: pytest.FixtureRequest) -> bool:
    """Tell whether pictures are made, not only compared."""
    wanted: bool = request.config.getoption("--pictures")
    return wanted


@pytest.fixture(autouse=True)
def network() -> None:
    """Allow sockets; a fixture that lives longer than a test does so itself."""
    pytest_socket.enable_socket()


@pytest.fixture(autouse=True)
def verify_cleanup() -> None:
    """Let a connection live longer than one test."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def home(request: pytest.FixtureRequest) -> AsyncGenerator[Home]:
    """Start Home Assistant and the stand-in; `HOME` of a file says how."""
    pytest_socket.enable_socket()
    usual = HomeOptions(sign_in="account", user_name="alice")
    options = getattr(request.module, "HOME", usual)
    if request.config.getoption("--next"):
        options = replace(options, python=str(NEXT_PYTHON))
    async with open_home(options) as home:
        # What Lumo answers is seen here, and each costs a request.
        await home.change_agent(plain_commands=False, quick_confirmation="never")
        yield home


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def context() -> AsyncGenerator[BrowserContext]:
    pytest_socket.enable_socket()
    async with async_playwright() as drivers:
        browser = await drivers.chromium.launch(
            executable_path=find_browser(), args=["--no-sandbox"]
        )
        yield await browser.new_context(
            locale="en-GB",
            timezone_id="Europe/Zurich",
            device_scale_factor=1.5,
            service_workers="block",
        )
        await browser.close()


@pytest_asyncio.fixture(loop_scope="module")
async def open_tab(context: BrowserContext, home: Home) -> AsyncGenerator[OpenTab]:
    """Return what opens tabs; they are closed after the test."""
    async with contextlib.AsyncExitStack() as stack:

        async def opened(**looks: Any) -> Frontend:
            frontend = await new_tab(context, home, **looks)
            stack.push_async_callback(frontend.page.close)
            return frontend

        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def tab(open_tab: OpenTab) -> Frontend:
    return await open_tab()


async def standin(home: Home, call: str, **body: object) -> None:
    """Tell the stand-in something (`dev/standin/control.py`)."""
    async with (
        aiohttp.ClientSession() as http,
        http.post(f"{home.lumo.base_url}/__standin__/{call}", json=body) as answer,
    ):
        answer.raise_for_status()


@contextlib.asynccontextmanager
async def scenario(home: Home, name: str) -> AsyncIterator[None]:
    """Give the stand-in other habits for a while."""
    await standin(home, "scenario", scenario=[name])
    try:
        yield
    finally:
        await standin(home, "scenario", scenario=[])


async def prefer_local(home: Home, *, wanted: bool) -> None:
    """Turn *Prefer handling commands locally* of the assistant on or off."""
    found = await home.api.command("assist_pipeline/pipeline/list")
    [pipeline] = found["pipelines"]
    await home.api.command(
        "assist_pipeline/pipeline/update",
        pipeline_id=pipeline.pop("id"),
        **{**pipeline, "prefer_local_intents": wanted},
    )
