"""What all tests share: stubs for text work, and what makes all of them cheaper."""

import asyncio
from functools import cache
from pathlib import Path
import sys

import bcrypt
import pytest

# Two compiled modules for audio that `assist_pipeline` imports.
sys.path.insert(0, str(Path(__file__).parent.parent / "dev" / "stubs"))

# A password and a salt have one hash. People sign in a hundred times in these tests, at
# the cost that Proton chose: computed anew it was half of their time.
vars(bcrypt)["hashpw"] = cache(bcrypt.hashpw)


@pytest.fixture(autouse=True)
async def enable_event_loop_debug() -> None:
    """Let the loop check threads and slow callbacks, without a stack for each callback.

    The test plugin's fixture of this name switches debug mode on; keeping the stack of
    every callback, task and future would be a sixth of the time of all tests.
    """
    loop = asyncio.get_running_loop()
    loop.set_debug(True)
    vars(loop)["get_debug"] = lambda: False
