"""What the integration takes for granted about the service: one row an assumption.

A row names the questions that it needs. It holds, or does not, or nobody knows: the
service refused the question, or the way of signing in has no such thing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
import json
from typing import Final

from custom_components.lumo.lumo_client.events import (
    FunctionCall,
    ImageData,
    ReasoningDelta,
    ServerToolCall,
    ServerToolResult,
    TextDelta,
    Usage,
)

from ..standin.pictures import sniff
from .questions import LAMP, QUESTIONS, Seen
from .sentences import SENTENCES, Sentence

ALL: Final = frozenset({"account", "key", "guest"})
ENCRYPTED: Final = frozenset({"account", "guest"})
KEY: Final = frozenset({"key"})
ACCOUNT: Final = frozenset({"account"})


@dataclass(frozen=True, slots=True)
class Assumption:
    """A row; `why` is what breaks in a home where it does not hold."""

    says: str
    question: str
    holds: Callable[[Seen], bool]
    why: str
    ways: frozenset[str] = ALL
    succeeds: bool = True
    """Only an answer that our client can read tells whether it holds."""

    def verdict(self, seen: Mapping[str, Seen]) -> bool | None:
        """Return whether it holds, None if that could not be found out."""
        answer = seen[self.question]
        is_read = 200 <= answer.status < 300 and not answer.error
        if not answer.status or (self.succeeds and not is_read):
            return None
        try:
            return bool(self.holds(answer))
        except AttributeError, TypeError, ValueError, LookupError:
            return False  # A form that nobody assumed.


def _calls(seen: Seen) -> list[FunctionCall]:
    return [call for call in seen.of(FunctionCall) if call.name == LAMP.name]


def _prints_a_call(seen: Seen) -> bool:
    return "user:HassTurnOn" in seen.text and '"arguments"' in seen.text


def _fragments(seen: Seen) -> int:
    return sum(
        bool((call.get("function") or {}).get("arguments"))
        for delta in seen.deltas()
        for call in delta.get("tool_calls") or ()
    )


def _is_enveloped(seen: Seen) -> bool:
    return any(isinstance(value.get("Code"), int) for value in seen.values)


def _is_error_object(seen: Seen) -> bool:
    return any(isinstance(value.get("error"), dict) for value in seen.values)


def _limits(seen: Seen) -> dict[str, object]:
    return next((value["limits"] for value in seen.values if "limits" in value), {})


def _models(seen: Seen) -> list[dict[str, object]]:
    return next((value["data"] for value in seen.values if "data" in value), [])


def _web(seen: Seen) -> list[ServerToolCall]:
    return [call for call in seen.of(ServerToolCall) if call.name == "web_search"]


def _segments(seen: Seen) -> list[dict[str, object]]:
    """Return the texts of speech, one that is none if nothing was understood."""
    found = [v for v in seen.values if v.get("type") == "transcription.segment"]
    return found or [{"behind_the_end": False}]


def _is_understood(sentence: Sentence) -> Callable[[Seen], bool]:
    return lambda seen: sentence.is_understood(seen.text)


ASSUMPTIONS: Final[tuple[Assumption, ...]] = (
    # Streams and their forms
    Assumption("An answer is an event stream", "hello",
        lambda s: s.content_type == "text/event-stream", "pages are told by the type"),
    Assumption("A stream ends with its mark", "hello", lambda s: s.done, "ends are waited for"),
    Assumption("A stream says why it ended", "hello",
        lambda s: any(c.get("finish_reason") for v in s.values
            for c in v.get("choices") or ()), "broken answers are told by it"),
    Assumption("Comments are nothing but progress", "hello",
        lambda s: {c.lower() for c in s.comments} <= {"queued", "ingesting", ""},
        "an unknown comment does not extend the wait"),
    Assumption("A chunk has at most one choice", "hello",
        lambda s: all(len(v.get("choices") or ()) <= 1 for v in s.values),
        "only the first is read"),
    Assumption("An answer tells its cost", "hello", lambda s: bool(s.of(Usage)), "sensors"),
    # Encryption
    Assumption("Every piece of a private answer is encrypted", "hello",
        lambda s: bool(s.text) and not any(e.in_clear for e in s.of(TextDelta)),
        "calls in clear text are refused", ENCRYPTED),
    Assumption("Arguments of calls are encrypted", "function",
        lambda s: bool(_calls(s)) and not any(c.in_clear for c in _calls(s)),
        "calls in clear are refused", ENCRYPTED),
    Assumption("Nothing is encrypted with a key", "hello",
        lambda s: not any(d.get("encrypted") for d in s.deltas()), "it has no key", KEY, succeeds=False),
    # Native tools
    Assumption("A function is called on its channel", "function",
        lambda s: bool(_calls(s)), "native mode"),
    Assumption("Arguments come in one piece", "function",
        lambda s: _fragments(s) == 1, "encrypted pieces may not join"),
    Assumption("Arguments are an object of the schema", "function",
        lambda s: all("name" in (c.arguments or {}) for c in _calls(s)), "calls run"),
    Assumption("A result is understood, and answered in words", "result",
        lambda s: bool(s.text.strip()), "every command needs it"),
    # Private tools, misrouting, and the place of the instructions
    Assumption("Instructions in the last message are obeyed", "printed, last",
        _prints_a_call, "the option to put them there"),
    Assumption("Instructions in the first message are obeyed", "printed, first",
        _prints_a_call, "the option to put them there"),
    Assumption("Instructions at the start and a reminder are obeyed", "printed, split",
        _prints_a_call, "the recommended order"),
    Assumption("A printed call does not go astray", "printed, last",
        lambda s: not any(
            isinstance(e, ServerToolCall | FunctionCall) for e in s.events), "misrouted calls"),
    # Proton's own tools
    Assumption("A search is announced, then sent", "web search",
        lambda s: [c.announced for c in _web(s)][:2] == [True, False], "its reader"),
    Assumption("A search has a result", "web search",
        lambda s: any(not r.failed for r in s.of(ServerToolResult)), "web search"),
    # Thinking and models
    Assumption("Thinking can be asked for", "thinking",
        lambda s: bool(s.of(ReasoningDelta)), "the option"),
    Assumption("Nobody thinks unasked", "hello",
        lambda s: not s.of(ReasoningDelta), "the first word"),
    Assumption("The larger model answers", "max", lambda s: bool(s.text.strip()), "the option"),
    Assumption("Both models are listed, with their length", "models",
        lambda s: {m.get("id") for m in _models(s) if m.get("max_context_length")}
            >= {"lumo-lite", "lumo-max"}, "names and lengths of models"),
    # Pictures, forms, and the account's keys
    Assumption("A picture is seen", "picture",
        lambda s: "red" in s.text.lower(), "cameras and attachments"),
    Assumption("A picture is made", "drawing",
        lambda s: any(sniff(image.data) for image in s.of(ImageData)),
        "pictures for automations"),
    Assumption("A picture that is made is encrypted", "drawing",
        lambda s: bool(s.of(ImageData)) and not any(
            image.in_clear for image in s.of(ImageData)), "privacy", ENCRYPTED),
    # Limits
    Assumption("The pools of the limits are known", "limits",
        lambda s: set(_limits(s)) >= {"lite", "max", "images"}, "sensors"),
    Assumption("An answer says what is left", "hello",
        lambda s: any(u.remaining for u in s.of(Usage)), "sensors", ENCRYPTED),
    Assumption("An answer to a key says nothing of limits", "hello",
        lambda s: not any(u.remaining for u in s.of(Usage)),
        "a key that is not recognised is told by them", KEY),
    # Speech
    Assumption("An account may open the socket for speech", "socket",
        lambda s: s.status == 200, "speech to text", ACCOUNT, succeeds=False),
    Assumption("The socket is closed to guests and keys", "socket",
        lambda s: s.status != 200, "what its form says", ALL - ACCOUNT, succeeds=False),
    Assumption("Speech comes back in segments, final in the end", "speech",
        lambda s: all(
            last.get("is_final") is True
            for last in {v.get("segment_id"): v for v in _segments(s)}.values()),
        "else the end is waited for", ACCOUNT, succeeds=False),
    Assumption("All texts of speech are encrypted", "speech",
        lambda s: all(v.get("encrypted") is True for v in _segments(s)),
        "others are refused", ACCOUNT, succeeds=False),
    Assumption("Text still comes behind the final commit", "speech",
        lambda s: any(v["behind_the_end"] for v in _segments(s)),
        "it is waited for", ACCOUNT, succeeds=False),
    # Errors
    Assumption("A wrong request is refused in a known form", "no messages",
        lambda s: 400 <= s.status < 500 and (_is_enveloped(s) or _is_error_object(s)),
        "other refusals are taken for somebody else's", succeeds=False),
    Assumption("An unknown path is refused in a known form", "unknown path",
        lambda s: s.status == 404 and _is_enveloped(s),
        "other refusals are taken for somebody else's", succeeds=False),
    # Calls: the first answers to sentences about a written home
    *(Assumption(item.says, item.says, _is_understood(item), "commands") for item in SENTENCES),
)  # fmt: skip


def report(way: str, seen: Mapping[str, Seen], version: str) -> str:
    """Return the findings as text to attach to an issue: no sentence, no secret."""
    lines = [f"# What holds of Lumo, asked {way}", "", f"Integration {version}", ""]
    for row in ASSUMPTIONS:
        if way in row.ways:
            lines += [f"- [{mark(row.verdict(seen))}] {row.says}"]
    lines += ["", "| Question | Status | Type | Objects | Events | Error |",
              "| --- | --- | --- | --- | --- | --- |"]  # fmt: skip
    for name in QUESTIONS:
        answer = seen[name]
        kinds = sorted({type(event).__name__ for event in answer.events})
        # Names of members tell the form; their values could tell more.
        members = sorted({key for value in answer.values for key in value})[:12]
        lines.append(
            f"| {name} | {answer.status} | {_word(answer.content_type)} | "
            f"{_word(' '.join(members))} | {' '.join(kinds)} | {answer.error or ''} |"
        )
    return "\n".join([*lines, ""])


def mark(verdict: bool | None) -> str:
    """Return a verdict in one word."""
    return {True: "holds", False: "DOES NOT HOLD", None: "not known"}[verdict]


def _word(text: str) -> str:
    """Return what a server named, harmless in a table."""
    return json.dumps(text[:120])[1:-1].replace("|", "/")
