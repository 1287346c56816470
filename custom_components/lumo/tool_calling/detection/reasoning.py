"""Reasoning that a model writes at the start of its answer: `<think>...</think>`.

It is not spoken, and a call in it is only thought of. Where it is not closed, all of the
answer is reasoning.
"""

from typing import Final

from .json_tokens import BLANKS
from .pieces import Reasoning, Text

# How it begins and ends: Qwen and DeepSeek, Claude, Gemini, Magistral, Kimi, Seed,
# gpt-oss, gemma and others.
_ENDS: Final = {
    **{
        f"<{word}>": f"</{word}>"
        for word in (
            *("think", "thinking", "thought", "thoughts", "reasoning", "reflection"),
            *("analysis", "scratchpad", "seed:think", "inner_monologue"),
            "reasoning_content",
        )
    },
    "[think]": "[/think]",
    "◁think▷": "◁/think▷",
    "<|begin_of_thought|>": "<|end_of_thought|>",
    "<|begin_of_thinking|>": "<|end_of_thinking|>",
    "<|think|>": "<|/think|>",
    "<|channel|>analysis<|message|>": "<|end|>",
    "<|start|>assistant<|channel|>analysis<|message|>": "<|end|>",
    "<|channel>thought": "<channel|>",
    "<unused94>thought": "<unused95>",
    "<|thinking|>": "<|/thinking|>",
    # What says that the answer itself begins is closed at once. So is what closes
    # reasoning that the service has cut off.
    **{f"</{word}>": "" for word in ("think", "thinking", "thought", "reasoning")},
    "<|start|>assistant<|channel|>final<|message|>": "",
    "<|start|>assistant<|channel|>commentary<|message|>": "",
    "<|channel|>commentary<|message|>": "",
    "<|channel|>final<|message|>": "",
}


class ReasoningReader:
    """Takes reasoning off the start of an answer."""

    __slots__ = ("_end", "_held", "done")

    def __init__(self) -> None:
        self._held = ""
        # What closes the reasoning that is open.
        self._end = ""
        # Whether the answer itself has begun.
        self.done = False

    def feed(self, text: str, *, final: bool) -> tuple[list[Text | Reasoning], str]:
        """Take text; return the reasoning in it, and what comes of the answer."""
        pieces: list[Text | Reasoning] = []
        blanks = ""
        text, self._held = self._held + text, ""
        while text and not self.done:
            if self._end:
                text = self._take(text, pieces, final=final)
                continue
            begun = BLANKS.sub("", text, count=1)
            blanks = text[: len(text) - len(begun)]
            text, folded = begun, begun.lower()
            opener = next((o for o in _ENDS if folded.startswith(o)), None)
            if opener is not None:
                self._end = _ENDS[opener]
                pieces += [blanks] if blanks else []
                pieces.append(Reasoning("", text[: len(opener)]))
                blanks = ""
                text = text[len(opener) :]
            elif not final and any(o.startswith(folded) for o in _ENDS):
                self._held = text
                return pieces, blanks
            else:
                self.done = True
        return pieces, blanks + text

    def _take(self, text: str, pieces: list[Text | Reasoning], *, final: bool) -> str:
        """Take reasoning up to its end; return what stands behind it."""
        end = text.lower().find(self._end)
        if end >= 0:
            behind = end + len(self._end)
            pieces.append(Reasoning(text[:end], text[:behind]))
            self._end = ""
            return text[behind:]
        kept = 0 if final else len(self._end) - 1
        take = max(len(text) - kept, 0)
        if take:
            pieces.append(Reasoning(text[:take], text[:take]))
        self._held = text[take:]
        return ""
