"""Home Assistant's list goes, whole and alone."""

import re

from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import llm
from homeassistant.util import yaml as yaml_util
from hypothesis import given, strategies as st
import pytest

from custom_components.lumo.context.description import has_list, without_list
from custom_components.lumo.internals import NO_ENTITIES

from .conftest import THINGS


class OtherAPI(llm.API):
    async def async_get_api_instance(
        self, llm_context: llm.LLMContext
    ) -> llm.APIInstance:
        return llm.APIInstance(self, "- Be kind.\n  Always.", llm_context, [])


async def prompt_of(hass: HomeAssistant, *apis: str) -> str:
    context = llm.LLMContext("lumo", Context(), "en", "conversation", None)
    return (await llm.async_get_api(hass, list(apis), context)).api_prompt


@pytest.mark.parametrize(
    "apis", [("assist",), ("assist", "other"), ("other", "assist")]
)
async def test_the_list_of_the_prompt_goes(
    rooms: HomeAssistant, apis: tuple[str, ...]
) -> None:
    llm.async_register_api(rooms, OtherAPI(hass=rooms, id="other", name="Other"))
    prompt = await prompt_of(rooms, *apis)
    without = without_list(prompt, is_empty=False)
    assert without is not None
    prompt = re.sub(r'(tools from "\w+") \(.*\):', r"\1:", prompt)
    begin = prompt.index("Static Context: ")
    assert prompt.startswith(without[:begin])
    assert prompt.endswith(without[begin:])
    assert "- names: " not in without
    assert all(name not in without for name, *_ in THINGS)
    assert ("- Be kind.\n  Always." in without) is ("other" in apis)
    assert not has_list(without)
    assert without_list(without, is_empty=False) is None


def test_a_home_without_anything_says_so_until_it_has() -> None:
    """2026.11 keeps what it said when the conversation began."""
    prompt = f"Hello\n{NO_ENTITIES}\nYou"
    assert has_list(prompt)
    assert without_list(prompt, is_empty=False) == "Hello\n\nYou"
    assert without_list(prompt, is_empty=True) is None


async def test_another_form_stays(rooms: HomeAssistant) -> None:
    """What cannot be read is left alone, and known to be there."""
    prompt = "Static Context: your home:\n* light.kitchen is a light\n"
    assert without_list(prompt, is_empty=False) is None
    assert has_list(prompt)


names = st.text(max_size=120)


@given(st.lists(st.tuples(names, names), min_size=1, max_size=5))
def test_any_names_go(items: list[tuple[str, str]]) -> None:
    listed = [{"names": a, "domain": "light", "areas": b} for a, b in items]
    prompt = f"Before\nStatic Context: it:\n{yaml_util.dump(listed)}\n- after\n  it"
    assert without_list(prompt, is_empty=False) == "Before\n\n- after\n  it"
