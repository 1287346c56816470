"""The form that an answer must have, and the data of an answer that has it.

Home Assistant describes the form with selectors but does not check the data by them.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Self

from homeassistant.core import HomeAssistant
from homeassistant.util import slugify
import probatio

from ..lumo_client.messages import ResponseFormat
from ..tool_calling.json_text import one_line
from ..tool_calling.schema import brief
from ..tool_calling.structured import NoDataError, Written, read_data
from .model_texts import FORM
from .selectors import check, describe

_MAX_NAME: Final = 64
_NAME: Final = "answer"
_PROBLEMS: Final = 5
# Home Assistant makes objects of its own of these, which no automation can use.
_AS_WRITTEN: Final = {"condition", "target", "trigger"}


@dataclass(frozen=True, slots=True, eq=False)
class AnswerFormat:
    """The form that an answer must have."""

    hass: HomeAssistant
    structure: probatio.Schema
    """Selectors by key, as Home Assistant has made them."""
    schema: dict[str, Any]
    """The same as JSON schema."""
    name: str
    """What the form is called, a slug."""

    @classmethod
    def of(cls, hass: HomeAssistant, name: str, structure: probatio.Schema) -> Self:
        """Return the form of a task's answer."""
        slug = slugify(name)[:_MAX_NAME].strip("_")
        return cls(hass, structure, describe(hass, structure), slug or _NAME)

    @property
    def instructions(self) -> str:
        """Return the words that tell the model the form; they go behind the sentence."""
        return FORM.format(schema=one_line(brief(self.schema), compact=True))

    @property
    def response_format(self) -> ResponseFormat:
        """Return the form as a hint to the service, which sees it unencrypted."""
        return ResponseFormat(self.name, self.schema)

    async def async_read(self, text: str) -> dict[str, Any]:
        """Return the data of an answer, accepted by the structure; raises NoDataError.

        Whole numbers are integers, keys that the form does not have are left out.
        """
        values = await self.hass.async_add_executor_job(read_data, text, self.schema)
        accepted = [self._accepted(written) for written in values]
        # Models give examples and correct themselves: nobody knows which one is meant.
        if any(item != accepted[0] for item in accepted):
            raise NoDataError("It has several answers.")
        return accepted[0]

    def _accepted(self, written: Written) -> dict[str, Any]:
        if written.problem:
            raise NoDataError(written.problem)
        value = written.value
        kinds = {str(key): kind for key, kind in self.structure.schema.items()}
        try:
            accepted: dict[str, Any] = self.structure(value)
            probatio.Schema({key: partial(check, kind) for key, kind in kinds.items()})(
                value
            )
        except probatio.Invalid as err:
            raise NoDataError(_sentences(err)) from None
        except Exception as err:  # noqa: BLE001 - selectors are called with anything
            raise NoDataError(f"It is not valid ({type(err).__name__}).") from None
        return accepted | {
            key: item
            for key, item in value.items()
            if accepted.get(key) == item
            or getattr(kinds.get(key), "selector_type", "") in _AS_WRITTEN
        }


def _sentences(error: probatio.Invalid) -> str:
    errors = getattr(error, "errors", [error])[:_PROBLEMS]
    return " ".join(
        f"{'.'.join(map(str, item.path)) or 'The answer'}: {item.msg}."
        for item in errors
    )
