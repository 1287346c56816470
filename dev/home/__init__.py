"""A real Home Assistant with the demo home and Lumo, made in seconds and for one use.

async with open_home(HomeOptions(language="de")) as home:
    turn = await home.conversation().ask("Schalte das Licht in der Küche aus")
"""

import asyncio
from collections.abc import AsyncIterator, Callable
import contextlib
from dataclasses import dataclass
import os
from pathlib import Path
import sys

from .api import Api
from .errors import HomeError, SetupError
from .folder import LUMO, REPOSITORY, HomeKind, temporary_folder, write_folder
from .lumo import (
    SIGN_INS,
    SignIn,
    ToolCalling,
    add_lumo,
    change_options,
    find_agent,
    prefer_agent,
)
from .processes import ReservedPort
from .servers import HomeAssistant, LumoServer, StandIn, last_lines
from .turn import ChangeLog, Conversation, Turn

__all__ = [
    "REPOSITORY", "SIGN_INS", "Conversation", "Home", "HomeError", "HomeOptions",
    "SetupError", "Turn", "open_home", "reserve_port", "set_up_lumo",
]  # fmt: skip

type Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeOptions:
    """What a home is to be like."""

    home: HomeKind = "demo"
    language: str = "en"
    scenario: str | None = None
    """Habits of the stand-in, with commas between them."""
    lumo: LumoServer | None = None
    """None: the one that the environment names, else the stand-in."""
    sign_in: SignIn | None = None
    """None: with a session if there is one."""
    user_name: str | None = None
    """Which of several accounts; None: the first."""
    tool_calling: ToolCalling = "automatic"
    memory: str = "off"
    """Whether the agent keeps notes of what it is asked to remember."""
    python: str = sys.executable
    """The interpreter whose Home Assistant is started."""
    integration: Path = LUMO
    """The folder of the integration that is tried."""
    verbose: bool = False
    """Show Home Assistant's log on stderr."""


class Home:
    """A home that is ready to be spoken to."""

    def __init__(
        self, api: Api, lumo: LumoServer, entry_id: str, agent: str, pipeline_id: str
    ) -> None:
        self.api = api
        self.lumo = lumo
        self.agent = agent
        self.entry_id = entry_id
        self.log: Path | None = None
        self._pipeline_id = pipeline_id
        self._changes = ChangeLog()

    async def satellite(self) -> str:
        """Put a satellite into the kitchen of the demo home; return its device."""
        device_id: str = await self.api.command(
            "demo_home/satellite", entry_id=self.entry_id
        )
        return device_id

    def conversation(self, device_id: str | None = None) -> Conversation:
        """Begin a new conversation, in the app or at a device.

        Conversations may run side by side, but then the changes in the house cannot
        be told apart.
        """
        return Conversation(
            self.api, self._pipeline_id, self._changes, self.lumo.patience, device_id
        )

    def last_log_lines(self) -> str:
        """Return what Home Assistant wrote last, from its last error on."""
        return last_lines(self.log) if self.log else ""

    async def follow_changes(self) -> None:
        """Note what happens in the house from now on."""
        await self._changes.follow(self.api)

    async def change_agent(self, **options: object) -> None:
        """Change options of the agent, and wait until they hold."""
        await change_options(self.api, self.entry_id, **options)

    async def change_language(self, language: str) -> None:
        """Speak another language from now on."""
        await prefer_agent(self.api, self.agent, language)


@contextlib.asynccontextmanager
async def open_home(
    options: HomeOptions, progress: Progress = lambda text: None
) -> AsyncIterator[Home]:
    """Start everything, hand out the home, and leave nothing behind.

    Raises `SetupError` if the home cannot be made ready.
    """
    async with contextlib.AsyncExitStack() as stack:
        folder = stack.enter_context(temporary_folder())
        progress("Starting Home Assistant ...")
        stand_in: StandIn | None = None
        lumo = options.lumo or LumoServer.from_environment(os.environ)
        if lumo is None:
            progress("What answers here is no model: a stand-in that follows rules.")
            stand_in = await StandIn.start(
                port=reserve_port(stack), scenario=options.scenario, folder=folder
            )
            stack.push_async_callback(stand_in.stop)
            lumo = stand_in.address
        port = reserve_port(stack)
        owner = write_folder(
            folder,
            home=options.home,
            port=port,
            lumo=options.integration,
            language="de" if options.language.startswith("de") else "en",
        )
        hass = await HomeAssistant.start(
            folder, python=options.python, port=port, lumo=lumo, verbose=options.verbose
        )
        stack.push_async_callback(hass.stop)
        api = await stack.enter_async_context(Api(hass.base_url, owner.access_token))
        if stand_in is not None:
            lumo = await stand_in.running()
        await hass.running(api)
        progress("Setting Lumo up ...")
        try:
            home = await set_up_lumo(api, lumo, options)
        except HomeError as err:
            # What Home Assistant wrote last may only be on its way to the file.
            await asyncio.sleep(0.2)
            raise SetupError(str(err), last_lines(hass.log)) from err
        home.log = hass.log
        yield home


def reserve_port(stack: contextlib.AsyncExitStack) -> int:
    """Return a port that is ours until the stack ends."""
    port = ReservedPort()
    stack.callback(port.release)
    return port.number


async def set_up_lumo(
    api: Api, lumo: LumoServer, options: HomeOptions, **agent_options: object
) -> Home:
    """Sign in to Lumo and make it the preferred assistant."""
    await api.connect()
    sign_in = options.sign_in or ("session" if lumo.find("session") else "guest")
    entry_id = await add_lumo(api, lumo, sign_in, options.user_name)
    if options.tool_calling != "automatic":
        agent_options["tool_calling"] = options.tool_calling
    if options.memory != "off":
        agent_options["memory"] = options.memory
    if options.home == "demo":
        agent_options.setdefault("cameras", ["camera.front_door_camera"])
    if agent_options:
        await change_options(api, entry_id, **agent_options)
    agent = await find_agent(api, entry_id)
    pipeline_id = await prefer_agent(api, agent, options.language)
    home = Home(api, lumo, entry_id, agent, pipeline_id)
    await home.follow_changes()
    # The recorder begins late, and has a past to write.
    while options.home == "demo" and (await api.command("recorder/info"))["backlog"]:
        await asyncio.sleep(0.05)
    return home
