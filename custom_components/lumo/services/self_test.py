"""The action that tries whether an agent's model and options work."""

from typing import Final

from homeassistant.core import ServiceCall, ServiceResponse
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import config_validation as cv, llm
import probatio

from ..agent.self_test import MOST_REQUESTS, async_self_test, options_for_test
from ..conversation import LumoConversationEntity
from ..lumo_client.auth import GuestCredential
from ..tool_list import make_context
from .agents import ATTR_AGENT_ID, find_entity, not_available, refusal

ATTR_SENTENCES: Final = "sentences"
SELF_TEST_SCHEMA: Final = probatio.Schema(
    {
        probatio.Required(ATTR_AGENT_ID): cv.entity_id,
        probatio.Optional(ATTR_SENTENCES, default=6): probatio.All(
            probatio.Coerce(int), probatio.Range(min=3, max=12)
        ),
    }
)


async def async_self_test_of(call: ServiceCall) -> ServiceResponse:
    """Say sentences about a written home to an agent; nothing that it calls is run.

    Costs requests, so it is refused where fewer are left than it may take.
    """
    hass, count = call.hass, call.data[ATTR_SENTENCES]
    agent = find_entity(hass, call.data[ATTR_AGENT_ID], LumoConversationEntity)
    credential = agent.coordinator.client.credential
    if isinstance(credential, GuestCredential):
        raise refusal("self_test_guest")
    options = options_for_test(agent.subentry.data, encrypted=credential.encrypted)
    pools = {"lumo-lite": ("lite",), "lumo-max": ("max",)}
    left = agent.coordinator.quota.left(*pools.get(options.model, ("lite", "max")))
    needed = count * MOST_REQUESTS
    if left is not None and left < needed:
        raise refusal("self_test_quota", needed=str(needed), left=str(left))
    if not options.llm_apis:
        raise refusal("self_test_no_tools")
    try:
        api = await llm.async_get_api(
            hass, options.llm_apis, make_context(hass, call.context)
        )
    except (HomeAssistantError, ValueError) as err:
        raise not_available(str(err)) from err
    return await async_self_test(api, options, agent.async_run_turn, count)
