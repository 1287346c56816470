"""What all tests share: only the stubs of modules that text work does not need."""

from pathlib import Path
import sys

# Two compiled modules for audio that `assist_pipeline` imports.
sys.path.insert(0, str(Path(__file__).parent.parent / "dev" / "stubs"))
