"""Run pytest on a Home Assistant release that the test plugin does not know yet.

    .venv-next/bin/python -m dev.run_next tests -k sentence

The plugin of 2026.10 imports httpx before Home Assistant 2026.11 can put its own in
its place, and a private name that has moved. Both are put right here, before pytest
loads any plugin: in this process, and (as a plugin named on the command line comes
first) in those of pytest-xdist. To be removed when the plugin has caught up.
"""

import sys

# isort: off
import homeassistant  # noqa: F401
import homeassistant.components.logger as logger_component
from homeassistant.components.logger import helpers as logger_helpers
# isort: on

import pytest

if not hasattr(logger_component, "_clear_logger_overwrites"):
    moved = logger_helpers._clear_logger_overwrites  # noqa: SLF001
    vars(logger_component)["_clear_logger_overwrites"] = moved

if __name__ == "__main__":
    # What is imported already cannot be rewritten: known, and of no importance.
    quiet = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
    sys.exit(pytest.main(["-p", "dev.run_next", *quiet, *sys.argv[1:]]))
