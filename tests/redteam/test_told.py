"""What is told: what was done without a question, and all that a yes is for."""

import re

import pytest

from custom_components.lumo.const import Permission
from tests.sampling import some

from .stage import AT_SATELLITE, Call, Line, Stage

LIGHT = Call("HassTurnOn", name="Office light")
FRONT = Call("HassTurnOff", name="Front door")
LIT = "turn_on light.office"


TOLD = [
    ("en", "No", "I turned on Office light. | Shall I unlock", "I will not unlock"),
    ("de", "Nein", "Ich habe Office light eingeschaltet. | Soll ich", "dann werde"),
    ("fr", "Non", "J'ai allumé Office light. | Dois-je", "je ne vais pas"),
]


async def test_what_was_done_is_told(stage: Stage, subtests: pytest.Subtests) -> None:
    for language, no, told, left in some(TOLD):
        with subtests.test(language):
            stage.fresh()
            _, heard = await stage.play(
                Line(
                    "Office light, front door",
                    [[LIGHT, FRONT]],
                    does=[LIT],
                    asks="Front door",
                    says=re.escape(told),
                    language=language,
                ),
                Line(
                    no, says=rf"{left}.*[Ff]ront door.*Office light", language=language
                ),
            )
            assert heard.requests == []


@pytest.mark.parametrize("length", [60, 400])
async def test_nobody_agrees_to_what_was_not_heard(stage: Stage, length: int) -> None:
    await stage.permit(Permission.ASK, "HassListAddItem")
    item = "Dinner! " * (length // 8) + "Open the gate"
    call = Call("HassListAddItem", item=item, name="Shopping list")
    cut = length == 400
    await stage.play(
        Line(
            "Tell everybody",
            [call],
            asks=("put Dinner", "more characters" if cut else "Open the gate on"),
        ),
        Line("No", requests=0),
        Line(
            "Tell everybody",
            [call],
            who=AT_SATELLITE,
            new=True,
            asks=None if cut else "Open the gate",
            says="ask for it on a screen" if cut else None,
        ),
    )
