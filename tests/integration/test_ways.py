"""A way to sign in is a member, a row, a class with its steps, and texts."""

from enum import StrEnum
from typing import Any

from homeassistant.config_entries import ConfigEntryState, ConfigFlowResult
from homeassistant.const import CONF_API_KEY
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest

from custom_components.lumo import config_flow
from custom_components.lumo.const import CONF_SIGN_IN, SignIn
from custom_components.lumo.lumo_client.auth import ApiKeyCredential
from custom_components.lumo.sign_in import ways
from custom_components.lumo.sign_in.base import SignInSteps
from custom_components.lumo.sign_in.ways import WAYS, Way
from dev.standin import Standin

from .sign_in_forms import (
    TEXTS,
    api_key,
    choose,
    make_account,
    start_reconfigure,
    submit,
)

MEMBERS = {**{member.name: member.value for member in SignIn}, "FOUND": "found"}


class FoundSteps(SignInSteps):
    """Uses a key that lies about."""

    key = ""

    async def async_step_found(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for nothing."""
        way = list(WAYS)[-1]
        return await self._async_finish(way, {CONF_API_KEY: self.key}, "found")


async def test_a_fifth_way_changes_nothing_else(
    home: HomeAssistant, standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is in the menus, makes an entry that loads, and takes over another one."""
    more = StrEnum("SignIn", MEMBERS)  # type: ignore[misc] # as in const.py
    row = Way(credential=ApiKeyCredential)
    monkeypatch.setattr(ways, "SignIn", more)
    monkeypatch.setitem(WAYS, more("found"), row)  # type: ignore[misc] # as it will be
    step = FoundSteps.async_step_found
    monkeypatch.setattr(
        config_flow.LumoConfigFlow, "async_step_found", step, raising=False
    )
    key = api_key(standin, "valid")
    monkeypatch.setattr(config_flow.LumoConfigFlow, "key", key, raising=False)
    for step_id in ("user", "reconfigure"):
        for texts in ("menu_options", "menu_option_descriptions"):
            monkeypatch.setitem(TEXTS["step"][step_id][texts], "found", "Found")

    made = await choose(home, "found")
    await home.async_block_till_done()
    assert made["type"] is FlowResultType.CREATE_ENTRY
    assert made["title"] == "Lumo (API)"
    assert made["result"].state is ConfigEntryState.LOADED
    assert await home.config_entries.async_remove(made["result"].entry_id)

    entry = await make_account(home, standin, "bob")
    menu = await start_reconfigure(home, entry)
    assert menu["menu_options"] == [*MEMBERS.values(), "public_key"]
    done = await submit(home, menu, {"next_step_id": "found"})
    assert done["reason"] == "reconfigure_successful"
    assert entry.state is ConfigEntryState.LOADED
    assert entry.data[CONF_SIGN_IN] == "found"
