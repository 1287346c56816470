"""Function calls, put together from their fragments when the answer is complete.

A call of an answer that broke off never exists.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .encryption import looks_encrypted
from .errors import IntegrityError
from .events import FunctionCall
from .wire_json import dump_json, parse_object, text_of, well_formed

type Decrypt = Callable[[str], bytes]


def no_key(_value: str) -> bytes:
    """Refuse an encrypted value in the answer to a plain request."""
    raise IntegrityError("Lumo encrypted an answer that was asked for without a key")


@dataclass(slots=True)
class _OpenCall:
    index: int
    call_id: str = ""
    name: str = ""
    fragments: list[str] = field(default_factory=list)


class FunctionCallAssembler:
    """Merges the fragments of `delta.tool_calls`."""

    def __init__(self, decrypt: Decrypt | None) -> None:
        self._decrypt = decrypt
        self._calls: list[_OpenCall] = []
        self._by_index: dict[int, _OpenCall] = {}

    def add(self, fragment: dict[str, Any]) -> str | None:
        """Take one entry of `delta.tool_calls`; return the name of a call it begins."""
        function = fragment.get("function")
        function = function if isinstance(function, dict) else {}
        call_id = text_of(fragment.get("id"))
        name = text_of(function.get("name"))
        arguments = function.get("arguments")
        if arguments is None:
            arguments = ""
        elif not isinstance(arguments, str):
            arguments = dump_json(arguments)
        call = self._call(fragment.get("index"), call_id, name)
        begun = name if name and not call.name else None
        call.call_id = call.call_id or call_id
        call.name = call.name or name
        if arguments:
            call.fragments.append(arguments)
        return begun

    def _call(self, index: object, call_id: str, name: str) -> _OpenCall:
        """Return the call that a fragment belongs to: the index decides.

        Gateways may number every call 0, so a second name begins another call, unless
        it has the id of the one there.
        """
        if isinstance(index, bool) or not isinstance(index, int):
            index = 0
        call = self._by_index.get(index)
        is_same = call_id and call and call.call_id == call_id
        if call is None or (name and call.name and not is_same):
            call = _OpenCall(index)
            self._calls.append(call)
            self._by_index[index] = call
        return call

    def finish(self) -> list[FunctionCall]:
        """Return the calls that have names, as they began. Raises IntegrityError."""
        calls: dict[str, FunctionCall] = {}
        for number, call in enumerate(self._calls, 1):
            if call.name:
                call_id = call.call_id or f"call_{call.index}"
                call_id = f"{call_id}_{number}" if call_id in calls else call_id
                arguments = read_arguments(call.fragments, self._decrypt)
                calls[call_id] = FunctionCall(call_id, call.name, *arguments)
        return list(calls.values())


def read_arguments(
    fragments: list[str], decrypt: Decrypt | None
) -> tuple[dict[str, Any] | None, str, bool]:
    """Return the object in the arguments or None, their text, and whether it is clear.

    No flag tells: the text is read as JSON, else decrypted, whole or by fragment. What
    looks encrypted and cannot be opened must not pass as a call: IntegrityError.
    """
    raw = well_formed("".join(fragments))
    arguments = parse_object(raw)
    if arguments is not None or decrypt is None:
        return arguments, raw, decrypt is not None
    if not looks_encrypted(raw) and not looks_encrypted(fragments[0]):
        return None, raw, True
    try:
        data = decrypt(raw)
    except IntegrityError:
        if len(fragments) == 1:
            raise
        data = b"".join(decrypt(fragment) for fragment in fragments)
    raw = data.decode(errors="replace")
    return parse_object(raw), raw, False
