"""What a home is made of, as its people speak of it: floors, areas, things."""

from dataclasses import dataclass


class _Named:
    """What people have names for."""

    __slots__ = ()
    names: tuple[str, ...]

    @property
    def name(self) -> str:
        """Return what it is called."""
        return self.names[0]


@dataclass(frozen=True, slots=True)
class Floor(_Named):
    """A floor of the home."""

    floor_id: str
    names: tuple[str, ...]
    """Its name, then its aliases."""
    level: int | None


@dataclass(frozen=True, slots=True)
class Area(_Named):
    """An area of the home."""

    area_id: str
    names: tuple[str, ...]
    """Its name, then its aliases."""
    floor: Floor | None


@dataclass(frozen=True, slots=True)
class Thing(_Named):
    """An entity that is exposed to Assist."""

    entity_id: str
    names: tuple[str, ...]
    """What it can be called by, the best first; its id where it has no name."""
    domain: str
    device_class: str
    area: Area | None
    """Its own area, or its device's."""

    @property
    def kind(self) -> str:
        """Return its domain, and its device class where it has one."""
        return f"{self.domain} {self.device_class}".rstrip()
