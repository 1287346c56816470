"""The client's side of a sign-in over HTTP, call by call.

Its arithmetic is the integration's, which has the numbers of Proton's own clients.
"""

from typing import Any

import httpx

from custom_components.lumo.lumo_client.srp import Proofs, answer_challenge

from .mini_client import MiniClient


class SrpClient:
    """Signs in over HTTP."""

    def __init__(self, client: MiniClient, base: str = "/api/auth/v4") -> None:
        self.client = client
        self.base = base
        self.headers: dict[str, str] = {}

    async def call(
        self, path: str, body: dict[str, Any], **headers: str
    ) -> httpx.Response:
        """Post to an auth call; header names are written with underscores."""
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.client.http.post(
            self.base + path, json=body, headers=self.headers | more
        )

    async def anonymous(self) -> dict[str, Any]:
        answer = await self.client.http.post("/api/auth/v4/sessions", json={})
        body: dict[str, Any] = answer.json()
        self.use(body)
        return body

    def use(self, body: dict[str, Any]) -> None:
        self.headers = {
            "x-pm-uid": body["UID"],
            "Authorization": f"Bearer {body['AccessToken']}",
        }
        self.client.headers = self.headers

    async def info(self, name: str, **headers: str) -> httpx.Response:
        body = {"Username": name, "Intent": "Proton"}
        return await self.call("/info", body, **headers)

    def answer(
        self, name: str, info: dict[str, Any], password: str
    ) -> tuple[dict[str, str], Proofs]:
        """Return what to post, and the proofs."""
        proofs = answer_challenge(
            password,
            info["Version"],
            info["Modulus"],
            info["ServerEphemeral"],
            info["Salt"],
        )
        body = {
            "Username": name,
            "ClientEphemeral": proofs.ephemeral,
            "ClientProof": proofs.proof,
            "SRPSession": info["SRPSession"],
        }
        return body, proofs

    async def sign_in(self, name: str, password: str) -> httpx.Response:
        """Sign in up to the second factor; check the server's proof."""
        info = await self.info(name)
        if info.status_code != 200:
            return info
        body, proofs = self.answer(name, info.json(), password)
        answer = await self.call("", body)
        if answer.status_code == 200:
            assert proofs.accept(answer.json()["ServerProof"])
            self.use(answer.json())
        return answer
