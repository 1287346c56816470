"""The form that an answer must have, and the data read from an answer that has it.

Home Assistant describes the form with selectors and does not check what it is given, so
nothing leaves here that the selectors have not accepted.
"""

from dataclasses import dataclass
from typing import Any, Final, Self

from homeassistant.core import HomeAssistant
from homeassistant.helpers.selector import Selector
from homeassistant.util import slugify
import probatio

from ..lumo_client.messages import ResponseFormat
from ..tool_calling.json_text import one_line
from ..tool_calling.schema import brief
from ..tool_calling.structured import NoValueError, Written, fit_data, values_in
from .model_texts import FORM, FORM_AGAIN
from .selectors import check, describe

_MAX_NAME: Final = 64
_NAME: Final = "answer"
# Characters that are read without the event loop noticing, and at all.
_SHORT: Final = 10_000
_LONGEST: Final = 200_000
_PROBLEMS: Final = 5
# Home Assistant makes objects of its own of these, which no automation can use.
_AS_WRITTEN: Final = {"condition", "target", "trigger"}


class AnswerFormError(Exception):
    """An answer that has not the form, with the reason in words for the model."""

    @property
    def request(self) -> str:
        """Return what asks for the answer again."""
        return FORM_AGAIN.format(reason=self)


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
        """Return what tells the model the form; it stands behind the sentence."""
        return FORM.format(schema=one_line(brief(self.schema), compact=True))

    @property
    def response_format(self) -> ResponseFormat:
        """Return the same as a hint to the service, where it may read what is said."""
        return ResponseFormat(self.name, self.schema)

    async def async_read(self, text: str) -> Any:
        """Return the data of an answer, accepted by the structure.

        Of several objects that are accepted the first counts, as what runs on behind
        an answer is none; the last, where words stand between them: models give an
        example first, and correct themselves. Whole numbers are integers, keys that
        the form does not have are left out. Raises AnswerFormError.
        """
        if len(text) > _LONGEST:
            raise AnswerFormError("It is too long.")
        try:
            written = (
                values_in(text)
                if len(text) <= _SHORT
                else await self.hass.async_add_executor_job(values_in, text)
            )
        except NoValueError as err:
            raise AnswerFormError(str(err)) from None
        found: list[Any] = []
        problem: AnswerFormError | None = None
        behind_words = False
        for item in written:
            behind_words |= item.behind_words
            if found and not behind_words:
                continue
            try:
                found = [self._accepted(item)]
            except AnswerFormError as err:
                problem = problem or err
            else:
                behind_words = False
        if not found:
            raise problem or AnswerFormError("It is no data.")
        return found[0]

    def _accepted(self, written: Written) -> Any:
        """Return a value as the structure accepts it. Raises AnswerFormError."""
        kinds = self._kinds
        try:
            value = fit_data(written.value, self.schema)
            accepted = self.structure(value)
            for key, item in value.items():
                check(kinds.get(key), item)
        except NoValueError as err:
            raise AnswerFormError(str(err)) from None
        except probatio.Invalid as err:
            raise AnswerFormError(_sentences(err)) from None
        except Exception as err:  # noqa: BLE001 - selectors are called with anything
            raise AnswerFormError(f"It is not valid ({type(err).__name__}).") from None
        for key, item in value.items():
            kind = kinds.get(key)
            is_written = (
                isinstance(kind, Selector) and kind.selector_type in _AS_WRITTEN
            )
            if is_written or accepted.get(key) == item:
                accepted[key] = item
        return accepted

    @property
    def _kinds(self) -> dict[str, Any]:
        """Return the selectors by key."""
        members = self.structure.schema
        if not isinstance(members, dict):
            return {}
        return {str(marker): kind for marker, kind in members.items()}


def _sentences(error: probatio.Invalid) -> str:
    """Return what a structure does not accept."""
    errors = getattr(error, "errors", [error])[:_PROBLEMS]
    return " ".join(
        f"{'.'.join(map(str, item.path)) or 'The answer'}: {item.msg}."
        for item in errors
    )
