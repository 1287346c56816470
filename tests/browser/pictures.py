"""The pictures of README and docs: how large each is, and what is done before it.

They are made in this order in one home: what one has planned or noted stays for those
after it. All are as narrow as a phone, where a dialog fills the screen.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
import io
import re

from PIL import Image
from playwright.async_api import FloatRect

from .conftest import scenario
from .frontend import ASSIST, FLOW, PIPELINE, Frontend

type Prepare = Callable[[Frontend], Awaitable[None]]

# What a picture says of the time at which it was made.
TIMES = re.compile(
    r"((today|tomorrow), )?(\w+day \d+ \w+, )?\d+:\d\d|\d{4}-\d\d-\d\d(_\d+)?"
)

TASK = 1  # The agent's options stand first on the page.
EXCEPT = ("Turn off all the lights except the kitchen", "turned off")
WHY = ("Why did you do that?", "said")
TURN_OFF = ("Turn off the kitchen lights", "turned off")
UNLOCK = ("Unlock the front door", "Shall I unlock the front door?")
YES = ("Yes please", "unlocked")


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, and where in it the texts are that it is about."""

    width: int
    height: int
    prepare: Prepare
    within: str = FLOW
    dark: bool = False


def masked(texts: list[str]) -> list[str]:
    """Return texts as they are kept, without times."""
    return [TIMES.sub("…", text) for text in texts]


async def conversation(tab: Frontend) -> None:
    """A command, and one that is asked about."""
    await tab.act("lock.lock", entity_id="lock.front_door")
    await tab.act("light.turn_on", entity_id="light.kitchen_ceiling_light")
    await tab.open_assist()
    for sentence, answer in (TURN_OFF, UNLOCK, YES):
        await tab.say(sentence, answer)


async def camera_answer(tab: Frontend) -> None:
    await tab.open_assist()
    await tab.say("Who is at the door?", ".")


async def sign_in(tab: Frontend) -> None:
    await tab.add_integration()
    await tab.see("Try as a guest", within=FLOW)


async def assistant(tab: Frontend) -> None:
    """Where the agent is chosen, and what passes it by."""
    await tab.open("/config/voice-assistants/assistants")
    await tab.press("Lumo", "assist-pref")
    await tab.see("Prefer handling commands locally", within=PIPELINE)


async def cameras_option(tab: Frontend) -> None:
    await tab.all_options()
    await tab.open_section("Tools")
    await tab.scroll_to("Cameras")


async def later_option(tab: Frontend) -> None:
    await tab.open_assist()
    await tab.say("Turn off the kitchen lights in ten minutes", "Planned:")
    await tab.say("Remind me in two hours to water the plants", "Planned:")
    await tab.say("Close the living room blinds at seven tomorrow", "Planned:")
    await tab.options()


async def notes_option(tab: Frontend) -> None:
    await tab.all_options()
    await tab.open_section("Tools")
    await tab.scroll_to("Cameras")
    await tab.choose_option("Memory", "On, where it is encrypted")
    await tab.submit()
    await tab.see("Tools of the agent", within=FLOW)
    await tab.submit()
    await tab.see("Reconfiguration was successful", within=FLOW)
    await tab.open_assist()
    await tab.say("Remember that the guest network is called Otter", ".")
    await tab.say("Remember that I drink tea in the morning", ".")
    await tab.all_options()
    await tab.submit()
    await tab.see("Notes", "Otter", within=FLOW)


async def phone_option(tab: Frontend) -> None:
    await tab.all_options()
    await tab.open_section("Safety")
    await tab.scroll_to("Yes by phone from")


async def places_option(tab: Frontend) -> None:
    await tab.all_options()
    await tab.open_section("Places")
    add = tab.page.locator("ha-selector-object").get_by_role("button").first
    await add.click()
    await tab.see("What you call this rule")


async def task_options(tab: Frontend) -> None:
    await tab.options(which=TASK)


async def speech_to_text(tab: Frontend) -> None:
    await tab.open("/config/integrations/integration/lumo")
    await tab.press("Add speech-to-text")
    await tab.see("Speech-to-text", within=FLOW)


async def generated(tab: Frontend) -> None:
    """A picture that was made for a task, in the media browser."""
    await tab.open("/")
    await tab.home.api.command(
        "call_service",
        domain="ai_task",
        service="generate_image",
        service_data={
            "entity_id": "ai_task.lumo_alice_ai_task",
            "task_name": "picture of the day",
            "instructions": "Hills in the evening sun",
        },
        return_response=True,
    )
    await tab.open("/media-browser/browser/app%2Cmedia-source%3A%2F%2Fai_task")
    await tab.page.locator("ha-media-player-browse ha-card").last.click()
    await tab.page.locator("hui-dialog-web-browser-play-media img").wait_for()


PICTURES = {
    "conversation": Picture(440, 760, conversation, ASSIST),
    "conversation-dark": Picture(440, 760, conversation, ASSIST, dark=True),
    "camera-answer": Picture(440, 420, camera_answer, ASSIST),
    "sign-in": Picture(440, 540, sign_in),
    "assistant": Picture(440, 760, assistant, PIPELINE),
    "cameras-option": Picture(440, 600, cameras_option),
    "phone-option": Picture(440, 640, phone_option),
    "places-option": Picture(440, 900, places_option, "dialog-form"),
    "ai-task-options": Picture(440, 1250, task_options),
    "speech-to-text-form": Picture(440, 470, speech_to_text),
    "generated-picture": Picture(
        560, 640, generated, "hui-dialog-web-browser-play-media"
    ),
    "later-option": Picture(440, 860, later_option),
    "notes-option": Picture(440, 680, notes_option),
}


# The moving one: how long its pictures are shown, in milliseconds.
TYPED, STREAMED, READ, END = 90, 160, 1400, 3500
# What is seen of the two tabs of 400 px, without the bar above the dashboard.
BOARD: FloatRect = {"x": 0, "y": 56, "width": 400, "height": 216}
CHAT: FloatRect = {"x": 0, "y": 0, "width": 400, "height": 460}
SHOWN = (
    "light.kitchen_ceiling_light",
    "light.living_room_lamp",
    "light.bedroom_lamp",
    "light.hallway_light",
    "light.office_light",
    "lock.front_door",
)


@dataclass(slots=True)
class Film:
    """Pictures of a dashboard and of the chat below it, one after the other."""

    board: Frontend
    tab: Frontend
    frames: list[Image.Image]
    shown: list[int]

    async def take(self, milliseconds: int) -> None:
        """Add what is seen now; if nothing has changed, it is seen for longer."""
        newest = self.tab.page.locator("ha-assist-chat .message").last
        await newest.evaluate("item => item.scrollIntoView({block: 'end'})")
        parts = [
            Image.open(
                io.BytesIO(await page.screenshot(animations="disabled", clip=clip))
            )
            for page, clip in ((self.board.page, BOARD), (self.tab.page, CHAT))
        ]
        size = (parts[0].width, sum(part.height for part in parts))
        image = Image.new("RGB", size)
        image.paste(parts[0], (0, 0))
        image.paste(parts[1], (0, parts[0].height))
        if self.frames and image.tobytes() == self.frames[-1].tobytes():
            self.shown[-1] = max(self.shown[-1], milliseconds)
            return
        self.frames.append(image)
        self.shown.append(milliseconds)

    async def turn(self, sentence: str, answer: str) -> None:
        """Type a sentence, and follow the answer until it is whole."""
        for at in range(0, len(sentence), 2):
            await self.tab.type(sentence[at : at + 2])
            await self.take(TYPED)
        before = len(await self.tab.bubbles())
        await self.tab.send()
        while True:
            await self.take(STREAMED)
            said = " ".join((await self.tab.bubbles())[before + 1 :])
            if answer in said and said.rstrip().endswith((".", "?")):
                break
        await self.tab.settle()
        await self.take(READ)

    def gif(self) -> bytes:
        """Return all of it: one palette, and of each picture only what has changed."""
        palette = self.frames[-1].quantize(128, dither=Image.Dither.NONE)
        frames = [
            frame.quantize(palette=palette, dither=Image.Dither.NONE)
            for frame in self.frames
        ]
        file = io.BytesIO()
        frames[0].save(
            file,
            format="GIF",
            save_all=True,
            append_images=frames[1:],
            duration=[*self.shown[:-1], END],
            loop=0,
            optimize=False,
        )
        return file.getvalue()


async def dashboard(tab: Frontend) -> None:
    """Make a dashboard of what the film speaks of, and open it."""
    command = tab.home.api.command
    tiles = [{"type": "tile", "entity": entity} for entity in SHOWN]
    grid = {"type": "grid", "columns": 2, "square": False, "cards": tiles}
    await command(
        "lovelace/dashboards/create",
        url_path="demo-house",
        title="Home",
        mode="storage",
    )
    await command(
        "lovelace/config/save",
        url_path="demo-house",
        config={"views": [{"title": "Home", "cards": [grid]}]},
    )
    await tab.open("/demo-house/0")
    await tab.see("Front door")


async def film(board: Frontend, tab: Frontend) -> Film:
    """Follow a conversation: many lights, a door that is asked about, and why."""
    await tab.act("lock.lock", entity_id="lock.front_door")
    await tab.act("light.turn_on", entity_id=[*SHOWN[:-1]])
    await dashboard(board)
    await tab.open_assist()
    await tab.settle()
    made = Film(board, tab, [], [])
    await made.take(READ)
    async with scenario(tab.home, "unhurried"):
        for sentence, answer in (EXCEPT, UNLOCK, YES, WHY):
            await made.turn(sentence, answer)
    return made
