"""The form that an answer must have, and the data read from an answer that has it.

Home Assistant describes the form with selectors and does not check what it is given, so
nothing leaves here that the selectors have not accepted.
"""

from dataclasses import dataclass
import json
from typing import Any, Final, Self

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.util import slugify
import probatio

from ..lumo_client.messages import ResponseFormat
from ..tool_calling.json_text import one_line
from .model_texts import FORM, FORM_AGAIN

_MAX_NAME: Final = 64
_NAME: Final = "answer"


class AnswerFormError(Exception):
    """An answer that has not the form, with the reason in words for the model."""

    @property
    def request(self) -> str:
        """Return what asks for the answer again."""
        return FORM_AGAIN.format(reason=self)


@dataclass(frozen=True, slots=True, eq=False)
class AnswerFormat:
    """The form that an answer must have."""

    structure: probatio.Schema
    """Selectors by key, as Home Assistant has made them."""
    schema: dict[str, Any]
    """The same as JSON schema."""
    name: str
    """What the form is called, a slug."""

    @classmethod
    def of(cls, hass: HomeAssistant, name: str, structure: probatio.Schema) -> Self:
        """Return the form of a task's answer."""
        schema = probatio.to_openapi(
            structure,
            custom_serializer=llm.selector_serializer,
            openapi_version="3.1.0",
            strict=False,
        )
        slug = slugify(name)[:_MAX_NAME].strip("_")
        return cls(structure, schema, slug or _NAME)

    @property
    def instructions(self) -> str:
        """Return what tells the model the form; it stands behind the sentence."""
        return FORM.format(schema=one_line(self.schema, compact=True))

    @property
    def response_format(self) -> ResponseFormat:
        """Return the same as a hint to the service, where it may read what is said."""
        return ResponseFormat(self.name, self.schema)

    async def async_read(self, text: str) -> Any:
        """Return the data of an answer. Raises AnswerFormError."""
        try:
            return self.structure(json.loads(text))
        except (ValueError, probatio.Invalid) as err:
            raise AnswerFormError(str(err)) from None
