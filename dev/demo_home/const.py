"""Names that the parts of the demo home share."""

from typing import Final

DOMAIN: Final = "demo_home"

CONF_HOME: Final = "home"
HOME_DEMO: Final = "demo"
HOME_EMPTY: Final = "empty"

SERVICE_WATER: Final = "water"
ATTR_MINUTES: Final = "minutes"
