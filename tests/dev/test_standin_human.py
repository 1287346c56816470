"""Human verification: the task, its page, the repeated request."""

from typing import Any

import httpx
import pytest

from dev.standin import Standin

from .conftest import Starter
from .srp_client import SrpClient

TOKEN, KIND = "x_pm_human_verification_token", "x_pm_human_verification_token_type"


def passes(token: str, kind: str = "captcha") -> dict[str, str]:
    return {TOKEN: token, KIND: kind}


def task(answer: httpx.Response) -> dict[str, Any]:
    assert (answer.status_code, answer.json()["Code"]) == (422, 9001)
    details: dict[str, Any] = answer.json()["Details"]
    assert details["HumanVerificationMethods"] == ["captcha"]
    assert details["HumanVerificationToken"] in details["WebUrl"]
    return details


async def begun(running: Standin, client: SrpClient) -> dict[str, str]:
    """Begin to sign in to an account that asks for a captcha; return the proof."""
    password = next(
        item["password"]
        for item in running.accounts
        if item["kind"] == "account" and item["user_name"] == "frank"
    )
    info = (await client.info("frank")).json()
    return client.answer("frank", info, password)[0]


@pytest.mark.parametrize("kind", ["captcha", "captcha,email"])
async def test_the_same_proof_is_good_once_the_task_is_solved(
    standin: Starter, kind: str
) -> None:
    """Asking again without the token asks again for the same task."""
    running, mini = await standin()
    client = SrpClient(mini)
    body = await begun(running, client)
    details = task(await client.call("", body))
    assert task(await client.call("", body)) == details
    token = details["HumanVerificationToken"]
    early = await client.call("", body, **passes(token))
    assert (early.status_code, early.json()["Code"]) == (422, 12087)
    page = await mini.http.get(details["WebUrl"])
    assert page.status_code == 200
    assert token in page.text
    assert task(await client.call("", body)) == details
    answer = await client.call("", body, **passes(token, kind))
    assert answer.status_code == 200
    assert answer.json()["ServerProof"]


async def test_a_token_is_bound_to_its_attempt(standin: Starter) -> None:
    """Neither a new attempt nor a second use can have it."""
    running, mini = await standin()
    client = SrpClient(mini)
    first = await begun(running, client)
    details = task(await client.call("", first))
    await mini.http.get(details["WebUrl"])
    shown = passes(details["HumanVerificationToken"])
    second = await begun(running, client)
    answer = await client.call("", second, **shown)
    assert answer.json()["Code"] == 12087
    assert (await client.call("", first, **shown)).status_code == 200
    answer = await client.call("", await begun(running, client), **shown)
    assert answer.json()["Code"] == 12087


@pytest.mark.parametrize("only", [True, False])
async def test_the_page_hands_out_a_longer_token(standin: Starter, only: bool) -> None:
    """It is good as well; in a scenario nothing else is."""
    running, mini = await standin(*(["composite_token"] if only else []))
    client = SrpClient(mini)
    body = await begun(running, client)
    details = task(await client.call("", body))
    page = await mini.http.get(details["WebUrl"])
    token = page.text.partition("<code>")[2].partition("</code>")[0]
    assert token.startswith(f"{details['HumanVerificationToken']}:")
    if only:
        short = passes(details["HumanVerificationToken"])
        answer = await client.call("", body, **short)
        assert answer.json()["Code"] == 12087
    assert (await client.call("", body, **passes(token))).status_code == 200
