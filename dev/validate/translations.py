"""translations/*.json: their form, and that all languages say the same things."""

from collections.abc import Iterator
from functools import cache, partial
import re
import string
from typing import Any

from homeassistant.generated.languages import LANGUAGES
from homeassistant.helpers import config_validation as cv
import voluptuous as vol

from .files import Problem, Tree

_KEY = re.compile(r"(?!.*[_-]{2})[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?")
_URL = re.compile(r"(?:\b[a-z]+://|\bwww\.)\w", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][^>]*>", re.IGNORECASE)


def translation_key(value: Any) -> str:
    """Take a key as hassfest wants it."""
    if not _KEY.fullmatch(str(value)):
        raise vol.Invalid(f"{value} is no key; write small letters, digits, _ and -")
    return str(value)


def placeholders(text: str) -> set[str]:
    """Return the names in a text's braces; a ValueError says what is wrong with them."""
    return {
        name for _, name, _, _ in string.Formatter().parse(text) if name is not None
    }


@cache
def _wrong(text: str, holders: bool) -> str | None:
    """Return what is wrong with a text."""
    try:
        names = placeholders(text)
    except ValueError as err:
        return f"the braces are wrong: {err}"
    for wrong, what in (
        (not text or text != text.strip(), "is empty, or begins or ends with a blank"),
        (_TAG.search(text), "has HTML; write Markdown"),
        (_URL.search(text), "has an address; hand it over as a placeholder"),
        ("[%" in text, "refers to another text; that works in Home Assistant only"),
        (re.search(r"'\{\w*\}'", text), "has a placeholder in single quotes"),
        (not all(map(str.isidentifier, names)), "has a placeholder of no name"),
        (names and not holders, "may have no placeholder"),
    ):
        if wrong:
            return what
    return None


def _text(value: Any, *, holders: bool = True) -> Any:
    if not isinstance(value, str):
        raise vol.Invalid("is no text")
    if what := _wrong(value, holders):
        raise vol.Invalid(what)
    return value


_plain = partial(_text, holders=False)
_texts = {str: _text}


def _keyed(value: Any) -> Any:
    return cv.schema_with_slug_keys(value, slug_validator=translation_key)


def _described(flow: dict[str, Any]) -> dict[str, Any]:
    """Refuse explanations of fields that are not there."""
    for name, step in flow["step"].items():
        for part in (step, *step.get("sections", {}).values()):
            if extra := set(part.get("data_description", {})) - set(
                part.get("data", {})
            ):
                raise vol.Invalid(f"{name} explains {min(extra)}, which has no name")
    return flow


_FIELDS = {vol.Any("data", "data_description"): _texts}
_STEP: dict[Any, Any] = {
    vol.Any("title", "description", "submit"): _text,
    vol.Any("menu_options", "menu_option_descriptions"): _texts,
    "sections": {str: {vol.Any("name", "description"): _text, **_FIELDS}},
    **_FIELDS,
}


def _flow(**more: Any) -> vol.All:
    schema: dict[Any, Any] = {
        "flow_title": _text,
        vol.Required("step"): {str: _STEP},
        vol.Any("error", "abort", "progress", "create_entry"): _texts,
    }
    return vol.All(schema | {vol.Required(key): more[key] for key in more}, _described)


_BOTH = {vol.Required("name"): _text, vol.Required("description"): _text}
_STATES = {
    "name": _text,
    "state": _keyed(_plain),
    "unit_of_measurement": _plain,
}
_SCHEMA = vol.Schema(
    {
        "title": _text,
        vol.Any("config", "options"): _flow(),
        "config_subentries": cv.schema_with_slug_keys(
            _flow(
                entry_type=_text,
                initiate_flow={vol.Required("user"): _text, str: _text},
            )
        ),
        "issues": {
            str: vol.All(
                cv.has_at_least_one_key("description", "fix_flow"),
                {
                    vol.Required("title"): _text,
                    vol.Exclusive("description", "fixable"): _text,
                    vol.Exclusive("fix_flow", "fixable"): _flow(),
                },
            )
        },
        "selector": cv.schema_with_slug_keys(
            {
                vol.Any("choices", "options", "unit_of_measurement"): _keyed(_text),
                "fields": _keyed(vol.Any(str, _BOTH)),
            }
        ),
        "system_health": {"info": _keyed(_text)},
        "device": _keyed({"name": _text}),
        "entity": cv.schema_with_slug_keys(
            _keyed({**_STATES, "state_attributes": _keyed(_STATES)})
        ),
        "exceptions": cv.schema_with_slug_keys({vol.Required("message"): _text}),
        "services": _keyed(
            {
                **_BOTH,
                "fields": _keyed({**_BOTH, "example": _text}),
                "sections": _keyed({vol.Required("name"): _text, "description": _text}),
            }
        ),
        "common": {cv.slug: _text},
    }
)


def flat(data: dict[str, Any], path: str = "") -> dict[str, str]:
    """Return all texts by their path."""
    texts: dict[str, str] = {}
    for key, value in data.items():
        if isinstance(value, dict):
            texts |= flat(value, f"{path}{key}.")
        else:
            texts[f"{path}{key}"] = str(value)
    return texts


def english(tree: Tree) -> dict[str, Any] | None:
    """Return the English texts, None if there are none that can be used."""
    path = tree.folder / "translations" / "en.json"
    return None if tree.fits(path, _SCHEMA) else tree.load(path)


def translation_problems(tree: Tree) -> Iterator[Problem]:
    """Yield what is wrong with a language, or differs from English."""
    folder = tree.folder / "translations"
    if (tree.folder / "strings.json").exists():
        yield Problem(
            tree.name(tree.folder / "strings.json"),
            "is read in Home Assistant's repository only; write translations/en.json",
        )
    if not tree.load(folder / "en.json"):
        yield Problem(tree.name(folder / "en.json"), "there has to be an English one")
    texts_in_english = flat(english(tree) or {})
    for path in sorted(folder.glob("*")):
        name = tree.name(path)
        if path.suffix != ".json" or path.stem not in LANGUAGES:
            yield Problem(name, "is no language that Home Assistant has")
            continue
        problems = tree.fits(path, _SCHEMA)
        yield from problems
        texts = tree.load(path)
        if texts is not None and texts_in_english and not problems:
            yield from _differences(name, flat(texts), texts_in_english)


def _differences(
    name: str, texts: dict[str, str], english: dict[str, str]
) -> Iterator[Problem]:
    for key in sorted(texts.keys() ^ english.keys()):
        yield Problem(name, f"{key} is only here or only in English")
    for key in sorted(texts.keys() & english.keys()):
        if placeholders(texts[key]) != placeholders(english[key]):
            yield Problem(name, f"{key} has other placeholders than English")
