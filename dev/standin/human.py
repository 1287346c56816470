"""Human verification: a token, a page that solves it, the repeated request.

The page is the stand-in's own. The original token is good once it is solved; so is the
longer one that the page shows, as some clients report that it must be pasted.
"""

from dataclasses import dataclass, field
import secrets
from typing import Final
from urllib.parse import urlencode

from aiohttp import web

from .errors import HUMAN_VERIFICATION_REQUIRED, VERIFICATION_TOKEN_INVALID, ApiError
from .keys import SERVICE
from .routes import CONTROL

PAGE: Final = f"{CONTROL}/verify"
METHOD: Final = "captcha"


@dataclass(slots=True)
class Captcha:
    """A task, for one subject: an attempt to sign in, or a session."""

    subject: str
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    response: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    solved: bool = False

    @property
    def composite(self) -> str:
        """Return the longer token that the page hands out."""
        return f"{self.token}:{self.response}"


@dataclass(frozen=True, slots=True)
class Shown:
    """What a request's headers show of a solved task."""

    token: str
    methods: str
    site: str  # where the page is

    @classmethod
    def of(cls, request: web.Request) -> Shown:
        """Read the headers."""
        headers = request.headers
        return cls(
            headers.get("x-pm-human-verification-token", ""),
            headers.get("x-pm-human-verification-token-type", ""),
            f"{request.scheme}://{request.host}",
        )


NOTHING_SHOWN: Final = Shown("", "", "")


class HumanVerification:
    """Who has to solve a captcha, and who has."""

    def __init__(self) -> None:
        self.composite_only = False  # the original token is not enough
        self._tasks: dict[str, Captcha] = {}
        self._human: set[str] = set()

    def solve(self, token: str) -> Captcha | None:
        """Mark a task as solved; None if there is none."""
        if task := self._tasks.get(token):
            task.solved = True
        return task

    def demand(self, subject: str, shown: Shown, *, in_headers: bool = True) -> None:
        """Raise ApiError (9001, 12087) unless the subject has solved its task.

        A token is good for one subject; with `in_headers` it must come with the request.
        """
        if subject in self._human:
            return
        if not shown.token:
            task = self._task(subject)
            if in_headers or not task.solved:
                raise _required(task, shown.site)
        else:
            task = self._check(subject, shown)
        self._human.add(subject)
        del self._tasks[task.token]

    def _task(self, subject: str) -> Captcha:
        for task in self._tasks.values():
            if task.subject == subject:
                return task
        task = Captcha(subject)
        self._tasks[task.token] = task
        return task

    def _check(self, subject: str, shown: Shown) -> Captcha:
        token = shown.token.partition(":")[0]
        task = self._tasks.get(token)
        if (
            task is None
            or not task.solved
            or task.subject != subject
            or METHOD not in shown.methods.split(",")
            or shown.token not in {task.composite, "" if self.composite_only else token}
        ):
            raise ApiError(
                422, VERIFICATION_TOKEN_INVALID, "Human verification token invalid"
            )
        return task


def add_routes(app: web.Application) -> None:
    """Serve the page."""
    app.router.add_get(PAGE, page, allow_head=False)


async def page(request: web.Request) -> web.Response:
    """Solve the task; a person has only to open the page."""
    service = request.app[SERVICE]
    task = service.accounts_state.humans.solve(request.query.get("token", ""))
    if task is None:
        raise web.HTTPNotFound
    return web.Response(
        text="<!doctype html><title>Human verification</title>"
        "<p>Solved: this token is good now. Go back and continue."
        f"<p>If you are asked for a token: <code>{task.composite}</code>",
        content_type="text/html",
    )


def _required(task: Captcha, site: str) -> ApiError:
    query = urlencode({"methods": METHOD, "token": task.token})
    return ApiError(
        422,
        HUMAN_VERIFICATION_REQUIRED,
        "For security reasons, please complete CAPTCHA",
        {
            "HumanVerificationToken": task.token,
            "HumanVerificationMethods": [METHOD],
            "WebUrl": f"{site}{PAGE}?{query}",
            "Title": "Human verification",
        },
    )
