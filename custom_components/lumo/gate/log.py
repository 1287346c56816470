"""What a log may say of a failure."""

import traceback


def stack_of(err: BaseException) -> str:
    """Return where a failure happened, without what: its text may quote the home."""
    return "".join(traceback.format_tb(err.__traceback__))
