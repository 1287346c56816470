"""Speech to text: added by a person after a check, and what comes of an utterance."""

import asyncio
from collections.abc import AsyncIterator
import logging
from typing import Any

from aiohttp.test_utils import TestServer
from homeassistant.components import stt
from homeassistant.config_entries import (
    SOURCE_USER,
    ConfigSubentryData,
    SubentryFlowResult,
)
from homeassistant.const import CONF_API_KEY
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import entity_registry as er
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.const import (
    CONF_BASE_URL,
    CONF_SIGN_IN,
    CONF_SIGN_IN_ID,
    SignIn,
)
from custom_components.lumo.diagnostics import async_get_config_entry_diagnostics
from custom_components.lumo.lumo_client import realtime
from dev.sound import sound_of
from dev.standin import Standin

from .conftest import make_entry

EARS = "stt.ears"
SENTENCE = "Turn off the kitchen lights, please"


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait less for what does not come."""
    patience = realtime.Patience(late=0.2, quiet=0.1, final=0.01)
    monkeypatch.setattr(realtime, "PATIENCE", patience)


async def add(home: HomeAssistant, entry: MockConfigEntry) -> SubentryFlowResult:
    """Fill in the form, and return what comes of it."""
    flows = home.config_entries.subentries
    form = await flows.async_init(
        (entry.entry_id, "stt"), context={"source": SOURCE_USER}
    )
    if form["type"] is not FlowResultType.FORM:
        return form
    result = await flows.async_configure(form["flow_id"], {"name": "Ears"})
    await home.async_block_till_done()
    return result


@pytest.fixture
async def ears(home: HomeAssistant, entry: MockConfigEntry) -> stt.SpeechToTextEntity:
    """Return the entity, added by its form."""
    result = await add(home, entry)
    assert result["type"] is FlowResultType.CREATE_ENTRY
    return entity(home)


def entity(home: HomeAssistant) -> stt.SpeechToTextEntity:
    found = stt.async_get_speech_to_text_entity(home, EARS)
    assert found is not None
    return found


def metadata(**changes: Any) -> stt.SpeechMetadata:
    facts: dict[str, Any] = {
        "language": "en",
        "format": stt.AudioFormats.WAV,
        "codec": stt.AudioCodecs.PCM,
        "bit_rate": stt.AudioBitRates.BITRATE_16,
        "sample_rate": stt.AudioSampleRates.SAMPLERATE_16000,
        "channel": stt.AudioChannels.CHANNEL_MONO,
    }
    return stt.SpeechMetadata(**facts | changes)


async def spoken(text: str) -> AsyncIterator[bytes]:
    """Return the sound of a sentence as a pipeline gives it."""
    sound = sound_of(text)
    for at in range(0, len(sound), 1024):
        yield sound[at : at + 1024]


async def heard(
    ears: stt.SpeechToTextEntity, text: str = SENTENCE, **changes: Any
) -> stt.SpeechResult:
    return await ears.async_process_audio_stream(metadata(**changes), spoken(text))


ERROR = stt.SpeechResult(None, stt.SpeechResultState.ERROR)


async def test_it_is_added_when_the_socket_takes_the_account(
    home: HomeAssistant, entry: MockConfigEntry, standin: Standin
) -> None:
    """With the cookie of a browser, or as with other requests; one is enough.

    Nothing is there before: Home Assistant would offer it in every assistant.
    """
    assert home.states.async_entity_ids("stt") == []
    assert standin.counts["realtime"] == 0
    standin.scenarios = ["speech_cookie"]
    result = await add(home, entry)
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert await heard(entity(home)) == stt.SpeechResult(
        SENTENCE, stt.SpeechResultState.SUCCESS
    )
    assert (await add(home, entry))["reason"] == "already_configured"
    with pytest.raises(ServiceValidationError) as caught:
        await home.services.async_call(
            "lumo", "list_tools", {"agent_id": EARS}, True, return_response=True
        )
    assert caught.value.translation_key == "not_an_agent"
    assert standin.violations == []


@pytest.mark.parametrize(
    ("scenario", "reason"),
    [("speech_refused", "refused"), ("speech_cut", "cannot_connect")],
)
async def test_it_is_not_added_where_it_would_not_work(
    home: HomeAssistant,
    entry: MockConfigEntry,
    standin: Standin,
    scenario: str,
    reason: str,
) -> None:
    """The form says why, and can be sent again."""
    standin.scenarios = [scenario]
    form = await add(home, entry)
    assert form["type"] is FlowResultType.FORM
    assert form["errors"] == {"base": reason}
    assert home.states.async_entity_ids("stt") == []
    standin.scenarios = []
    flows = home.config_entries.subentries
    result = await flows.async_configure(form["flow_id"], {"name": "Ears"})
    assert result["type"] is FlowResultType.CREATE_ENTRY


@pytest.mark.parametrize("way", SignIn)
def test_it_is_offered_to_accounts_that_can_use_it(way: SignIn) -> None:
    data = {CONF_SIGN_IN: way.value, CONF_SIGN_IN_ID: "first"}
    offered = make_entry(data).supported_subentry_types
    assert ("stt" in offered) is (way in (SignIn.ACCOUNT, SignIn.SESSION))
    ears = ConfigSubentryData(
        data={}, subentry_type="stt", title="Ears", unique_id=None
    )
    kept = MockConfigEntry(domain="lumo", data=data, subentries_data=[ears])
    assert "stt" in kept.supported_subentry_types


async def test_the_check_can_be_repeated(
    home: HomeAssistant,
    entry: MockConfigEntry,
    ears: stt.SpeechToTextEntity,
    standin: Standin,
    gateway: TestServer,
) -> None:
    [subentry] = entry.get_subentries_of_type("stt")
    standin.scenarios = ["speech_cookie"]
    form = await entry.start_subentry_reconfigure_flow(home, subentry.subentry_id)
    assert form["step_id"] == "reconfigure"
    result = await home.config_entries.subentries.async_configure(form["flow_id"], {})
    assert result["reason"] == "reconfigure_successful"
    await home.async_block_till_done()
    assert (await heard(entity(home))).text == SENTENCE
    data = {CONF_SIGN_IN: "api_key", CONF_SIGN_IN_ID: "second"}
    data |= {CONF_BASE_URL: str(gateway.make_url("/v1")), CONF_API_KEY: "open-sesame"}
    home.config_entries.async_update_entry(entry, data=data)
    await home.async_block_till_done()
    before = standin.counts["realtime"]
    assert await heard(entity(home)) == ERROR
    form = await entry.start_subentry_reconfigure_flow(home, subentry.subentry_id)
    result = await home.config_entries.subentries.async_configure(form["flow_id"], {})
    assert result["errors"] == {"base": "gateway"}
    assert standin.counts["realtime"] == before


async def test_the_language_is_told_by_lumos_name_for_it(
    ears: stt.SpeechToTextEntity, standin: Standin
) -> None:
    for tag, language in (("de-CH", "de"), ("zh-HK", "yue"), ("nb", None)):
        assert (await heard(ears, language=tag)).text == SENTENCE
        assert standin.speeches[-1]["language"] == language


async def test_failures_are_errors(
    home: HomeAssistant, ears: stt.SpeechToTextEntity, standin: Standin
) -> None:
    """One try for a sentence, and the next sentence is another try."""
    assert await heard(ears, "") == ERROR
    for scenario in ("speech_cut", "speech_error", "speech_garbage"):
        standin.scenarios = [scenario]
        before = standin.counts["realtime"]
        assert await heard(ears) == ERROR
        assert standin.counts["realtime"] == before + 1
    standin.scenarios = []
    assert (await heard(ears)).text == SENTENCE


async def endless() -> AsyncIterator[bytes]:
    """Return the silence of somebody who does not stop."""
    while True:
        yield bytes(2560)
        await asyncio.sleep(0.001)


async def test_a_stopped_pipeline_closes_the_socket(
    home: HomeAssistant,
    entry: MockConfigEntry,
    ears: stt.SpeechToTextEntity,
    standin: Standin,
) -> None:
    """An account that is not loaded has no speech to text to add."""
    said = asyncio.create_task(ears.async_process_audio_stream(metadata(), endless()))
    while len(standin.speeches) < 2:
        await asyncio.sleep(0.005)
    said.cancel()
    with pytest.raises(asyncio.CancelledError):
        await said
    for record in standin.speeches:
        await record["closed"].wait()
    assert await home.config_entries.async_unload(entry.entry_id)
    assert (await add(home, entry))["reason"] == "entry_not_loaded"


async def test_nothing_of_it_is_kept(
    home: HomeAssistant,
    entry: MockConfigEntry,
    ears: stt.SpeechToTextEntity,
    standin: Standin,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    for scenario in ([], ["speech_error"]):
        standin.scenarios = scenario
        await heard(ears)
    told = [
        record.getMessage() for record in caplog.records if "aiohttp" not in record.name
    ]
    diagnostics = await async_get_config_entry_diagnostics(home, entry)
    everything = "\n".join([*told, str(diagnostics), str(home.states.get(EARS))])
    session = standin.accounts_state.alice
    secrets = [SENTENCE, "kitchen", session.access_token, "Transcription failed"]
    secrets += [frame[40:120] for frame in standin.speeches[-1]["frames"]]
    for secret in secrets:
        assert secret not in everything
    assert "Speech could not be understood" in everything
    assert {"type": "stt"} in diagnostics["agents"]
    registered = er.async_get(home).async_get(EARS)
    assert registered is not None and registered.translation_key == "speech"
