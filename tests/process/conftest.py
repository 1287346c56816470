"""Home Assistant runs elsewhere: here are only its clients, and they need the network.

The test plugin's guards are for a Home Assistant inside the test, and are put aside.
"""

import pytest
import pytest_socket


@pytest.fixture(autouse=True)
def network() -> None:
    """Allow sockets; a fixture that lives longer than a test does so itself."""
    pytest_socket.enable_socket()


@pytest.fixture(autouse=True)
def verify_cleanup() -> None:
    """Let a connection live longer than one test."""
