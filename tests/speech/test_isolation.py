"""The room loads where Home Assistant cannot be imported."""

from pathlib import Path
import subprocess
import sys

import custom_components.lumo

SCRIPT = """
import importlib, pathlib, sys, types

sys.modules["homeassistant"] = None
lumo = pathlib.Path(sys.argv[1])
package = types.ModuleType("lumo")
package.__path__ = [str(lumo)]
sys.modules["lumo"] = package
for path in (lumo / "speech").glob("[a-z]*.py"):
    importlib.import_module(f"lumo.speech.{path.stem}")
others = {name.split(".")[1] for name in sys.modules if name.startswith("lumo.")}
assert others == {"speech", "languages"}, others
"""


def test_it_needs_only_the_languages() -> None:
    """Neither Home Assistant nor another room."""
    lumo = Path(custom_components.lumo.__file__).parent
    subprocess.run([sys.executable, "-c", SCRIPT, str(lumo)], check=True)
