"""The gate knows nothing of the client: safety does not depend on who wrote a call."""

from ..test_rooms import KNOWN, room


def test_gate_does_not_know_the_client() -> None:
    """Nor how a call was written."""
    known = {
        room(other) for name in KNOWN if room(name) == "gate" for other in KNOWN[name]
    }
    assert "const" in known
    assert known.isdisjoint({"", "agent", "lumo_client"})
