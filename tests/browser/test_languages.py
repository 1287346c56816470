"""In each language: the way in, the options, a repair, an error, and what cannot be asked.

On a phone, where long words have the least room.
"""

from collections.abc import Iterator
import json
from pathlib import Path
import tomllib
from typing import Any

import pytest

from dev.home import Home

from .conftest import OpenTab, prefer_local, scenario
from .frontend import FLOW, PHONE, Frontend, squeezed

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

LUMO = Path(__file__).parents[2] / "custom_components" / "lumo"
CODES = sorted(path.stem for path in LUMO.glob("translations/*.json"))


def texts_of(code: str) -> Any:
    """Return the texts of a language, English where it has none yet."""

    def joined(english: Any, other: Any) -> Any:
        if not isinstance(english, dict):
            return other
        return {
            key: joined(text, other.get(key, text)) for key, text in english.items()
        }

    english, other = (
        json.loads((LUMO / "translations" / f"{name}.json").read_text("utf-8"))
        for name in ("en", code)
    )
    return joined(english, other)


def is_signed(code: str) -> bool:
    """Tell whether somebody has signed its words for yes and no."""
    path = LUMO / "languages" / f"{code}.toml"
    return bool(tomllib.loads(path.read_text(encoding="utf-8"))["signed"])


def pairs(english: Any, other: Any) -> Iterator[tuple[str, str]]:
    """Yield each text with its translation."""
    if isinstance(english, str):
        yield squeezed(english), squeezed(other)
    else:
        for key, value in english.items():
            yield from pairs(value, other[key])


async def check_form(tab: Frontend, form: Any, english: Any, *texts: str) -> None:
    """See a form in its language: all of it whole, nothing in English or by its key."""
    shown = await tab.see(form["title"], *texts, within=FLOW)
    assert await tab.cut(FLOW) == []
    left = {text for text, translated in pairs(english, form) if text != translated}
    assert not [text for text in shown if squeezed(text) in left]
    assert not [text for text in shown if text.startswith("component.")]


@pytest.mark.parametrize("code", CODES)
async def test_what_one_sees_is_in_the_language(
    code: str, open_tab: OpenTab, home: Home
) -> None:
    """The words of `translations`, in forms, in Assist and in a repair."""
    words, english = texts_of(code), texts_of("en")
    tab = await open_tab(language=code, size=PHONE)

    await tab.add_integration()
    form = words["config"]["step"]["user"]
    menu = (*form["menu_options"].values(), *form["menu_option_descriptions"].values())
    await check_form(tab, form, english["config"]["step"]["user"], *menu)

    agent, in_english = (
        texts["config_subentries"]["conversation"] for texts in (words, english)
    )
    label = agent["initiate_flow"]["reconfigure"]
    await tab.options(label)
    step = agent["step"]["init"]
    fields = (
        step[kind][name]
        for kind in ("data", "data_description")
        for name in ("llm_hass_api", "autonomy", "recommended")
    )
    await check_form(tab, step, in_english["step"]["init"], *fields)
    await tab.all_options(label)
    step = agent["step"]["settings"]
    sections = (section["name"] for section in step["sections"].values())
    await check_form(tab, step, in_english["step"]["settings"], *sections)

    await home.change_language(code)
    await tab.open_assist()
    async with scenario(home, "server_error"):
        await tab.say("Poem", words["exceptions"]["server_error"]["message"])

    await prefer_local(home, wanted=True)
    await tab.open("/config/repairs")
    issue = words["issues"]["local_commands"]
    title = issue["title"]
    await tab.see(title)
    await tab.press(title)
    await tab.see(title, within=FLOW)
    assert await tab.cut(FLOW) == []
    await prefer_local(home, wanted=False)


@pytest.mark.parametrize("code", [code for code in CODES if not is_signed(code)])
async def test_where_nobody_signed_the_yes_nothing_is_asked(
    code: str, open_tab: OpenTab, home: Home
) -> None:
    """The door stays locked, and the language's own sentence says why."""
    tab = await open_tab(language=code, size=PHONE)
    await tab.act("lock.lock", entity_id="lock.front_door")
    await home.change_language(code)
    await tab.open_assist()
    said = texts_of(code)["exceptions"]["cannot_ask"]["message"]
    await tab.say("Unlock the front door", said)
    lock = await home.api.request("GET", "states/lock.front_door")
    assert lock["state"] == "locked"
