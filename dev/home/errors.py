"""What can go wrong while a home is set up or spoken to."""


class HomeError(Exception):
    """Home Assistant, or what belongs to it, did not do what it was asked."""

    def __init__(self, message: str, *, code: str = "home_assistant") -> None:
        super().__init__(message)
        self.code = code


class SetupError(HomeError):
    """The home could not be made ready; `log` holds the last lines of its log."""

    def __init__(self, message: str, log: str = "") -> None:
        super().__init__(message, code="setup_failed")
        self.log = log
