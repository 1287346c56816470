"""What all entities of the demo home have in common."""

from homeassistant.helpers.entity import Entity

from .house import Thing


class DemoHomeEntity(Entity):
    """An entity of the demo home, made from a row of the house's table."""

    _attr_should_poll = False

    def __init__(self, thing: Thing) -> None:
        """Take name and identity from the table."""
        self._attr_name = thing.name
        self._attr_unique_id = thing.object_id
