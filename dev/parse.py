"""Show what the detector makes of a text: a line for each call, text as it is."""

import argparse
import json
from pathlib import Path
import sys

from custom_components.lumo.tool_calling.detection.pieces import (
    BrokenCall,
    DetectedCall,
)
from custom_components.lumo.tool_calling.detection.reader import CallReader
from custom_components.lumo.tool_calling.naming import ToolNames

# What Assist offers in a home with a bit of everything.
TOOLS = (
    "calendar__get_events", "climate__HassClimateSetTemperature",
    "homeassistant__GetLiveContext", "intent__HassTurnOn", "intent__HassTurnOff",
    "intent__HassSetPosition", "intent__HassStopMoving", "light__HassLightSet",
    "llm__GetDateTime", "media_player__HassMediaPause",
    "media_player__HassMediaUnpause", "media_player__HassMediaNext",
    "media_player__HassSetVolume", "script__good_night", "todo__get_items",
    "todo__HassListAddItem", "vacuum__HassVacuumStart",
)  # fmt: skip


def main() -> int:
    """Read the text and print what was found; 1 if there is no such file."""
    parser = argparse.ArgumentParser(prog="scripts/parse", description=__doc__)
    parser.add_argument("file", help="the text of an answer, - for standard input")
    parser.add_argument(
        "--tool",
        action="append",
        metavar="NAME",
        help="full name of an offered tool, several times (default: a typical home's)",
    )
    parser.add_argument("--prefix", default="user:")
    options = parser.parse_args()
    try:
        text = (
            sys.stdin.read()
            if options.file == "-"
            else Path(options.file).read_text(encoding="utf-8")
        )
    except (OSError, UnicodeError) as err:
        print(f"scripts/parse: {err}", file=sys.stderr)
        return 1
    detector = CallReader(ToolNames(options.tool or TOOLS, prefix=options.prefix))
    for piece in (*detector.feed(text), *detector.finish()):
        match piece:
            case str():
                print(f"text    {json.dumps(piece, ensure_ascii=False)}")
            case DetectedCall():
                arguments = json.dumps(piece.arguments, ensure_ascii=False)
                print(f"call    {piece.tool or piece.name} {arguments}")
            case BrokenCall():
                print(f"broken  {piece.tool or piece.name}: {piece.reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
