"""Home Assistant's list goes, whole and alone."""

from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import llm
from homeassistant.util import yaml as yaml_util
from hypothesis import given, strategies as st
import pytest

from custom_components.lumo.context.home import async_get_home
from custom_components.lumo.context.static_list import has_list, rebuilt, without_list
from custom_components.lumo.internals import NO_ENTITIES, STATIC_LIST

from .conftest import expose


class OtherAPI(llm.API):
    """An API beside Home Assistant's own."""

    async def async_get_api_instance(
        self, llm_context: llm.LLMContext
    ) -> llm.APIInstance:
        """Return an instance that has a prompt alone."""
        return llm.APIInstance(self, "- Be kind.\n  Always.", llm_context, [])


async def prompt_of(hass: HomeAssistant, *apis: str) -> str:
    """Return what Home Assistant tells an agent."""
    context = llm.LLMContext("lumo", Context(), "en", "conversation", None)
    return (await llm.async_get_api(hass, list(apis), context)).api_prompt


@pytest.mark.parametrize(
    "apis", [("assist",), ("assist", "other"), ("other", "assist")]
)
async def test_the_list_of_the_prompt_goes(
    rooms: HomeAssistant, apis: tuple[str, ...]
) -> None:
    """By its exact text; and where that has changed, by its heading. Nothing else."""
    llm.async_register_api(rooms, OtherAPI(hass=rooms, id="other", name="Other"))
    prompt = await prompt_of(rooms, *apis)
    home = await async_get_home(rooms, "en")
    assert home.theirs in prompt
    without = without_list(prompt, home.theirs)
    assert without == prompt.replace(home.theirs, "")
    expose(rooms, "light.ceiling_light", False)
    later = await async_get_home(rooms, "en")
    assert later.theirs not in prompt
    assert without_list(prompt, later.theirs) == without
    assert not has_list(without)
    assert without_list(without, home.theirs) is None


async def test_a_home_without_anything_says_so_until_it_has(
    rooms: HomeAssistant,
) -> None:
    """2026.11 keeps what it said when the conversation began."""
    home = await async_get_home(rooms, "en")
    prompt = f"Hello\n{NO_ENTITIES}\nYou"
    assert has_list(prompt)
    assert without_list(prompt, home.theirs) == "Hello\n\nYou"
    assert without_list(prompt, "") is None


async def test_another_form_stays(rooms: HomeAssistant) -> None:
    """What cannot be read is left alone, and known to be there."""
    prompt = "Static Context: your home:\n* light.kitchen is a light\n"
    assert without_list(prompt, "") is None
    assert has_list(prompt)


@pytest.mark.parametrize("kept", [0, 1, 2])
def test_a_list_that_was_longer_when_the_conversation_began_goes_whole(
    kept: int,
) -> None:
    """Also where what is left of it is how it begins."""
    lamp = {"names": "Lamp", "domain": "light"}
    now = [dict(lamp) for _ in range(kept)]
    for then in ([*now, lamp], [*now[:-1], {**lamp, "areas": "Hall"}]):
        prompt = f"Before\n{rebuilt(then)}\nAfter"
        assert without_list(prompt, rebuilt(now)) == "Before\n\nAfter"


names = st.text(max_size=120)


@given(st.lists(st.tuples(names, names), min_size=1, max_size=5))
def test_any_names_go(items: list[tuple[str, str]]) -> None:
    """Also those that have lines, dashes or headings of their own."""
    listed = [{"names": a, "domain": "light", "areas": b} for a, b in items]
    prompt = f"Before\n{STATIC_LIST}\n{yaml_util.dump(listed)}\n- after\n  it"
    assert without_list(prompt, "") == "Before\n\n- after\n  it"
