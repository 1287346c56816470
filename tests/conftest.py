"""What all tests share: stubs for text work, and what makes all of them cheaper."""

import asyncio
from collections.abc import Generator
from functools import cache
import gc
import inspect
import logging
from pathlib import Path
from random import Random
import re
import sys
from types import ModuleType
from typing import Any
from unittest.mock import Mock, patch

from _pytest.unraisableexception import gc_collect_iterations_key
import bcrypt
import freezegun.api
from homeassistant.util import executor
from hypothesis import settings
import pytest
from pytest_homeassistant_custom_component import common

from . import sampling, templates

# Two compiled modules for audio that `assist_pipeline` imports.
sys.path.insert(0, str(Path(__file__).parent.parent / "dev" / "stubs"))

# How long an example takes says how busy the machine is. The quick tests try the same
# examples each time: who has changed something else is not told of an old fault by
# chance. The long ones look for new ones.
settings.register_profile(
    "repeatable", deadline=None, derandomize=True, max_examples=25
)
settings.register_profile("random", deadline=None)
settings.load_profile("repeatable")

# A password and a salt have one hash. People sign in a hundred times in these tests, at
# the cost that Proton chose: computed anew it was half of their time.
vars(bcrypt)["hashpw"] = cache(bcrypt.hashpw)


# Nothing that is loaded goes away again. Then a home makes more objects, most of them for
# long, than Python thinks a program does before it looks for garbage.
gc.disable()

templates.install()
# Homes have more patterns than Python keeps: each would be compiled anew for each home.
vars(re)["_MAXCACHE"] = 100_000


# A worker that does not end within a tenth of this is interrupted, and then the next one
# never learns that it should end. On a busy machine half a second was too short.
executor.EXECUTOR_SHUTDOWN_TIMEOUT = 100


# The rooms whose files take longest: one begun last would be waited for.
FIRST = {"process": 0, "redteam": 1, "household": 2, "voice": 3, "integration": 4}

# The plugin wants everything told, also to who only reads whether the tests passed. A
# test that reads the log has it told.
logging.getLogger().setLevel(logging.WARNING)
logging.getLogger("sqlalchemy.engine").setLevel(logging.WARNING)


def pytest_configure(config: pytest.Config) -> None:
    """Collect garbage once at the end: each of five times takes a second or more."""
    config.stash[gc_collect_iterations_key] = 1
    sampling.one_in = 3 if "not long" in config.getoption("markexpr") else 1


def pytest_collection_finish() -> None:
    """Begin to collect garbage: the plugin does so once a file, too."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--cases", type=int, metavar="N", help="of each test at most N")
    parser.addoption("--shuffle", metavar="SEED", help="mix the tests of each file")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Begin with the files that take longest; keep so many cases of each test, evenly.

    Mixed, what a test leaves behind cannot always hide the fault of the same other one.
    """
    files = [*dict.fromkeys(item.path for item in items)]
    files.sort(key=lambda path: FIRST.get(path.parent.name, len(FIRST)))
    if (seed := config.getoption("--shuffle")) is not None:
        Random(seed).shuffle(items)
    items.sort(key=lambda item: files.index(item.path))
    if (most := config.getoption("--cases")) is None:
        return
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    kept: set[pytest.Item] = set()
    for test in cases.values():
        count = min(most, len(test))
        kept.update(test[place * len(test) // count] for place in range(count))
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def _attributes_of(module: ModuleType) -> str:
    return f"{id(module)}-{len(getattr(module, '__dict__', ()))}"


def _patch(target: str, *args: object, **options: Any) -> Any:
    if target.startswith("homeassistant.helpers.storage.Store."):
        return patch(target, options["side_effect"])
    return patch(target, *args, **options)


# The plugin replaces four methods of each store, and reads their signatures each time:
# longer than Home Assistant takes to start.
vars(_patch).update(vars(patch))
vars(common)["patch"] = _patch

# Whose attributes have changed since the clock was last stopped. To read the names of
# all attributes of thousands of modules took a tenth of a second each time.
vars(freezegun.api)["_get_module_attributes_hash"] = _attributes_of


# Of what the test plugin does around each test, half of them need nothing: they start no
# Home Assistant and have no loop. The rest of it is the same for all.


def _has_loop(request: pytest.FixtureRequest) -> bool:
    is_async = inspect.iscoroutinefunction(request.function)
    return is_async or "hass" in request.fixturenames


@pytest.fixture(autouse=True)
def configure_event_loop(request: pytest.FixtureRequest) -> None:
    """Have the plugin's loop, where there is one."""
    if _has_loop(request):
        request.getfixturevalue("configure_event_loop")


@pytest.fixture(autouse=True)
def enable_event_loop_debug(request: pytest.FixtureRequest) -> None:
    """Have its debug mode, where there is a loop."""
    if _has_loop(request):
        request.getfixturevalue("debug_without_stacks")


@pytest.fixture
async def debug_without_stacks() -> None:
    """Let the loop check threads and slow callbacks, without a stack for each callback.

    Keeping the stack of every callback, task and future would be a sixth of the time of
    all tests.
    """
    loop = asyncio.get_running_loop()
    loop.set_debug(True)
    vars(loop)["get_debug"] = lambda: False


@pytest.fixture(autouse=True)
def verify_cleanup(request: pytest.FixtureRequest) -> None:
    """Let the plugin look what is left behind, where there is a loop."""
    if _has_loop(request):
        request.getfixturevalue("verify_cleanup")


@pytest.fixture(autouse=True, scope="module")
def garbage_collection() -> None:
    """Leave it to Python, where the plugin looks for all garbage once a file."""


@pytest.fixture(autouse=True, scope="session")
def disable_http_server() -> Generator[None]:
    """Let no Home Assistant listen, as the plugin does for each test."""
    server = "homeassistant.components.http.HomeAssistantHTTP"
    with patch(f"{server}.async_bind"), patch(f"{server}.start"):
        yield


@pytest.fixture(autouse=True, scope="session")
def skip_stop_scripts() -> Generator[None]:
    """Wait for no scripts when Home Assistant stops, as the plugin does."""
    script = "homeassistant.helpers.script"
    with patch(f"{script}._schedule_stop_scripts_after_shutdown", Mock()):
        yield
