"""Rules by place: nothing is read or done from a place that its rules keep away.

A children's room with lights and music, and a hall where one may look: every way in which
a model can reach a thing, and a person ask for it, is tried against each rule.
"""

from typing import Final

import pytest

from custom_components.lumo.const import ToolCalling

PRIVATE = pytest.mark.parametrize("mode", [ToolCalling.PRIVATE])
# What the whole table is too many of for the quick run.
SAMPLE: Final = 12
