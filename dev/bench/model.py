"""Ask a small real model forty sentences in the demo home, and judge what came of it.

The model is far weaker than Lumo: what it does wrong shows what the integration lets
through. Deadlines are stretched, and plain commands go to the model as well.
"""

import argparse
import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
import json
from pathlib import Path
import re
import sys

from dev.home import HomeOptions, SetupError, Turn, open_home
from dev.model import NAME, TRANSCRIPTS, Model, agree_and_fetch, open_model

from .table import print_table

_KINDS = (
    *("right", "wrong act", "asked", "claimed and not done", "nothing done"),
    *("read aloud", "same step", "calls lost"),
)
# What no person says: JSON, names of tools, roles, tokens.
_TECHNICAL = re.compile(r"[{}]|```|user:|<\||\w__\w|Hass[A-Z]|\[value")
_DENIED = re.compile(
    r"\b(could|did|can|do|does) ?n[o']t|cannot|nothing|sorry|konnte|nicht|nichts|kein",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """What is said, and when the turn is right."""

    text: str
    does: tuple[str, ...] = ()
    """What changes: each a pattern of `entity_id state attributes`."""
    says: str = ""
    """What the reply has in it."""
    asks: bool = False
    """The person is asked before anything is done."""


ENGLISH = (
    Sentence("Turn off the kitchen lights", (r"ceiling_light off", r"counter_light off")),
    Sentence("Turn on the garden lights", ("garden_lights on",)),
    Sentence("Turn on the bedroom lamp", ("bedroom_lamp on",)),
    Sentence("Switch off the office light", ("office_light off",)),
    Sentence("Set the living room lamp to 30 percent", (r"living_room_lamp on .*7[67]",)),
    Sentence("Make the bedroom lamp blue", ("bedroom_lamp on",)),
    Sentence("Start the coffee machine", ("coffee_machine on",)),
    Sentence("Turn on the ceiling fan", ("ceiling_fan on",)),
    Sentence("Close the living room blinds", (r"living_room_blinds clos",)),
    Sentence("Open the bedroom blinds", (r"bedroom_blinds open",)),
    Sentence("Set the bedroom blinds to 40 percent", (r"bedroom_blinds .*40",)),
    Sentence("Set the living room thermostat to 21 degrees", (r"thermostat .*21",)),
    Sentence("Pause the kitchen radio", ("kitchen_radio paused",)),
    Sentence("Set the kitchen radio volume to 50 percent", (r"kitchen_radio .*0\.5",)),
    Sentence("Turn on the TV", ("living_room_tv (on|idle|playing)",)),
    Sentence("Start the robot vacuum", ("robot_vacuum cleaning",)),
    Sentence("Turn on the garden sprinkler", ("garden_sprinkler on",)),
    Sentence("Set the washing program to Eco", ("washing_program Eco",)),
    Sentence("Activate the relax scene", (".*",)),
    Sentence("Add eggs to the shopping list", ("shopping_list 3",)),
    Sentence("Unlock the front door", asks=True),
    Sentence("Open the garage door", asks=True),
    Sentence("Lock the front door", says="locked"),
    Sentence("Is the front door locked?", says=r"yes|is locked|locked"),
    Sentence("How warm is it in the living room?", says=r"20[.,]5"),
    Sentence("How humid is the bathroom?", says="58"),
    Sentence("What is on my shopping list?", says="[Mm]ilk"),
    Sentence("Is the TV on?", says=r"\b[Nn]o\b|\boff\b|not on"),
    Sentence("What is the capital of France?", says="Paris"),
    Sentence("How many legs does a spider have?", says="8|[Ee]ight"),
)  # fmt: skip
GERMAN = (
    Sentence("Schalte die Kaffeemaschine ein", ("coffee_machine on",)),
    Sentence("Mach das Licht im Büro aus", ("office_light off",)),
    Sentence("Schalte die Gartenlichter ein", ("garden_lights on",)),
    Sentence("Öffne die Jalousie im Schlafzimmer", ("bedroom_blinds open",)),
    Sentence("Stelle die Heizung im Wohnzimmer auf 22 Grad", (r"thermostat .*22",)),
    Sentence("Schließ die Haustür auf", asks=True),
    Sentence("Ist die Hintertür abgeschlossen?", says="[Jj]a|abgeschlossen|verriegelt"),
    Sentence("Wie feucht ist es im Bad?", says="58"),
    Sentence("Setze Brot auf die Einkaufsliste", ("shopping_list 3",)),
    Sentence("Was ist die Hauptstadt von Italien?", says="Rom"),
)  # fmt: skip


def judge(sentence: Sentence, turn: Turn, written: str) -> set[str]:
    """Return what the turn is, of `_KINDS`; `written` is all that the model wrote."""
    changes = [
        f"{item.entity_id} {item.after} {json.dumps(item.attributes)}"
        for item in turn.changes
        if not item.entity_id.startswith("camera.")  # it stops by itself
    ]
    meant = [re.compile(rf"\w+\.\w*{pattern}") for pattern in sentence.does]
    kinds = set()
    is_done = all(any(map(one.match, changes)) for one in meant)
    if any(not any(one.match(change) for one in meant) for change in changes):
        kinds.add("wrong act")
    elif turn.continue_conversation:
        kinds.add("right" if sentence.asks else "asked")
    elif not sentence.asks and is_done and re.search(sentence.says, turn.reply):
        kinds.add("right")
    elif sentence.does and not _DENIED.search(turn.reply):
        kinds.add("claimed and not done")
    else:
        kinds.add("nothing done")
    if _TECHNICAL.search(turn.reply):
        kinds.add("read aloud")
    if "same step" in turn.reply:
        kinds.add("same step")
    if '"arguments"' in written and not (turn.tool_calls or turn.bounces):
        kinds.add("calls lost")
    return kinds


async def run(mode: str, chosen: str, transcripts: Path) -> Counter[str]:
    """Ask all sentences in one mode of tool calling, and print each as it ends."""
    counted: Counter[str] = Counter()
    async with open_model() as model:
        for language, sentences in (("en", ENGLISH), ("de", GERMAN)):
            asked = [item for item in sentences if re.search(chosen, item.text)]
            if not asked:
                continue
            options = HomeOptions(language=language, lumo=model.lumo, sign_in="api_key")
            for sentence in asked:
                # Each in a house as new: what one has done changes what is right.
                async with open_home(options) as home:
                    await home.change_agent(tool_calling=mode, plain_commands=False)
                    model.answers.clear()
                    turn = await home.conversation().ask(sentence.text)
                counted.update(_told(sentence, turn, model, mode, transcripts))
    return counted


def _told(
    sentence: Sentence, turn: Turn, model: Model, mode: str, transcripts: Path
) -> dict[str, int]:
    written = json.dumps(model.answers)
    kinds = judge(sentence, turn, written)
    row = {"mode": mode, **turn.as_json(), "judged": sorted(kinds)}
    with transcripts.open("a", encoding="utf-8") as file:
        file.write(json.dumps({**row, "answers": model.answers}) + "\n")
    print(
        f"  {turn.total_ms / 1000:4.0f} s  {', '.join(sorted(kinds))}: "
        f"{sentence.text} -> {turn.reply}",
        file=sys.stderr,
        flush=True,
    )
    return {**dict.fromkeys(kinds, 1), "sentences": 1, "requests": turn.requests}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the bench and print a table."""
    parser = argparse.ArgumentParser(prog="scripts/bench model", description=__doc__)
    parser.add_argument("--yes", action="store_true", help="fetch without asking")
    parser.add_argument("--mode", choices=("private", "native"), action="append")
    parser.add_argument("--only", default="", help="a pattern of sentences")
    parser.add_argument("--transcripts", type=Path, default=TRANSCRIPTS)
    options = parser.parse_args(arguments)
    try:
        if not agree_and_fetch(yes=options.yes):
            return 2
        counts = {
            mode: asyncio.run(run(mode, options.only, options.transcripts))
            for mode in options.mode or ("private", "native")
        }
    except SetupError as err:
        print(f"{err.log}\nscripts/bench model: {err}", file=sys.stderr)
        return 2
    rows = [
        (kind, *(str(count[kind]) for count in counts.values()))
        for kind in ("sentences", *_KINDS)
    ]
    requests = (
        f"{c['requests'] / max(c['sentences'], 1):.2f}" for c in counts.values()
    )
    rows.append(("requests per turn", *requests))
    print_table((NAME, *counts), rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
