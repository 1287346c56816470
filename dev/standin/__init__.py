"""A stand-in for Proton's side of Lumo, for development and tests.

It speaks the service's protocol well enough for any client: sessions, encrypted and
plain chat, limits, errors. What the model says comes from a brain; its habits and the
service's faults are scenarios. Nothing here is shared with the integration, so that a
mistake on one side shows.

    async with await dev.standin.start(scenario=["prose"]) as standin:
        standin.base_url, standin.public_key_file, standin.accounts, standin.requests
"""

from .answer import Brain
from .scenarios import SCENARIOS
from .server import Options, Standin, start

__all__ = ["SCENARIOS", "Brain", "Options", "Standin", "start"]
