"""Test vectors for signing in, read from the file beside this one."""

from pathlib import Path
import tomllib
from types import SimpleNamespace

_TEXT = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
vectors = SimpleNamespace(**tomllib.loads(_TEXT))
