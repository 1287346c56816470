"""Homes of any size in several languages, and what people want of them.

    home = make_home("de", 500)      a home in the words of a language, always the same
    wishes_of(home)                  its sentences, each with what it needs

A home has the things that the wishes speak of, and around them as many others as its
size asks for, with names that are easily mixed up with theirs.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
import random
from typing import Any, Final

from homeassistant.components.media_player import MediaPlayerEntityFeature
from homeassistant.util import slugify
import yaml

from .context_request import WHOLE_HOME

# Those that the tests sample; the benchmark has more.
LANGUAGES: Final = ("en", "de", "fr", "nl", "es", "it", "ja")
SIZES: Final = (100, 500, 1000, 2000)
_FOLDER: Final = Path(__file__).parent / "large_homes"
_MANY: Final = 42
"""Entities in an area, about."""
_SEARCH: Final = (
    MediaPlayerEntityFeature.PLAY | MediaPlayerEntityFeature.PAUSE
    | MediaPlayerEntityFeature.NEXT_TRACK | MediaPlayerEntityFeature.PREVIOUS_TRACK
    | MediaPlayerEntityFeature.VOLUME_SET | MediaPlayerEntityFeature.SEARCH_MEDIA
    | MediaPlayerEntityFeature.PLAY_MEDIA
)  # fmt: skip

# What stands in an area, in this order; then again.
_MAIN: Final = (
    *("light", "sensor.temperature", "switch", "binary_sensor.window", "light"),
    *("cover", "sensor.humidity", "light", "climate", "binary_sensor.motion"),
    *("switch", "media_player", "sensor.illuminance", "light", "switch"),
    *("binary_sensor.smoke", "fan", "sensor.carbon_dioxide", "light", "lock"),
    "binary_sensor.door",
)
# Of those that have parts, how many they have.
_PARTS: Final = {"light": 2, "switch": 2, "cover": 1, "climate": 1, "media_player": 1}
_STATES: Final = {
    "cover": "open", "climate": "heat", "media_player": "playing", "lock": "locked",
    "vacuum": "docked", "sensor": "21", "todo": "0",
}  # fmt: skip
_COVERS: Final = {"garage": "closed"}


@dataclass(frozen=True, slots=True)
class Row:
    """Things of a kind in an area, or in all areas of a larger place."""

    area: str
    domain: str
    device_class: str | None
    within: str
    """The name of the floor, `all`, or of the area itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A sentence, and what the request must hold for it."""

    key: str
    kind: str
    sentence: str
    tools: tuple[str, ...] = ()
    """Last segments of the names of tools, one of which it needs, if any."""
    things: tuple[str, ...] = ()
    """Entity ids."""
    rows: tuple[Row, ...] = ()
    here: str | None = None
    """The name of the area where it is said."""
    before: tuple[str, str, str] | None = None
    """What was said before, the tool that was called for it, and the name given."""


@dataclass(slots=True)
class Home:
    """A home as `BenchHome` furnishes it."""

    language: str
    floors: list[dict[str, Any]] = field(default_factory=list)
    areas: list[dict[str, Any]] = field(default_factory=list)
    entities: list[dict[str, Any]] = field(default_factory=list)
    keys: dict[str, str] = field(default_factory=dict)
    """The entity ids of what the wishes speak of."""

    @property
    def description(self) -> dict[str, Any]:
        """Return what `BenchHome` takes."""
        return {
            "language": self.language,
            "floors": self.floors,
            "areas": self.areas,
            "entities": self.entities,
        }

    def add_area(self, key: str, names: list[str], floor: str | None) -> None:
        """Add an area."""
        self.areas.append(
            {"id": key, "name": names[0], "aliases": names[1:], "floor": floor}
        )

    def add(
        self, kind: str, names: list[str], area: str | None, **more: Any
    ) -> dict[str, Any]:
        """Add an entity of a kind (`cover.blind`), and return it."""
        domain, _, device_class = kind.partition(".")
        taken = {item["id"] for item in self.entities}
        object_id = slugify(names[0])
        entity_id = f"{domain}.{object_id}"
        for number in count(2):
            if entity_id not in taken:
                break
            entity_id = f"{domain}.{object_id}_{number}"
        attributes: dict[str, Any] = more.pop("attributes", {})
        if device_class:
            attributes["device_class"] = device_class
        entity = {
            "id": entity_id,
            "name": names[0],
            "aliases": names[1:],
            "state": _COVERS.get(device_class) or _STATES.get(domain, "off"),
            "area": area,
            "attributes": attributes,
            **more,
        }
        self.entities.append(entity)
        return entity

    def rows(self, place: str, kind: str) -> Iterator[Row]:
        """Yield the rows of a kind in an area, on a floor, or in the whole home."""
        domain, _, device_class = kind.partition(".")
        names = {area["id"]: area["name"] for area in self.areas}
        floors = {floor["id"]: floor["name"] for floor in self.floors}
        whole = (floors | names).get(place, WHOLE_HOME)
        wanted = {
            area["id"]
            for area in self.areas
            if place in ("all", area["id"], area["floor"])
        }
        found = {}
        for entity in self.entities:
            own = entity["attributes"].get("device_class")
            if entity["area"] in wanted and entity["id"].startswith(f"{domain}."):
                if device_class in ("", own):
                    area = names[entity["area"]]
                    found[Row(area, domain, device_class or None, whole)] = 1
        yield from found


@cache
def _words(name: str) -> dict[str, Any]:
    text = (_FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
    words: dict[str, Any] = yaml.safe_load(text)
    return words


def make_home(language: str, size: int) -> Home:
    """Return the home of a size in the words of a language."""
    words, plan = _words(language), _words("wishes")
    home = Home(language)
    for key, names in words["floors"].items():
        home.floors.append({"id": key, "name": names[0], "aliases": names[1:]})
    rooms = list(plan["areas"].items())
    for number in range(max(10, size // _MANY)):
        key, floor = rooms[number % len(rooms)]
        names = words["areas"][key]
        if wing := number // len(rooms):
            annex = words["annexes"][wing - 1]
            names = [words["in_annex"].format(area=names[0], annex=annex)]
            key = f"{key}_{wing}"
        home.add_area(key, names, floor)
    for key, (kind, area) in plan["things"].items():
        more: dict[str, Any] = {}
        if kind == "script":
            more = _script(words["things"][key][0], words, fields=key == "watering")
        if kind == "media_player.speaker":
            more["attributes"] = {"supported_features": _SEARCH}
        home.keys[key] = home.add(kind, words["things"][key], area, **more)["id"]
    _add_scripts(home, words, size)
    _add_things(home, words, size)
    return home


def _script(name: str, words: dict[str, Any], *, fields: bool) -> dict[str, Any]:
    minutes = {"selector": {"number": {"min": 1, "max": 60}}, "required": True}
    return {
        "description": words["script_text"].format(name=name),
        "fields": {"minutes": minutes} if fields else {},
    }


def _add_scripts(home: Home, words: dict[str, Any], size: int) -> None:
    for number in range(size // 50):
        noun = words["scripts"][number % len(words["scripts"])]
        area = home.areas[number % len(home.areas)]
        name = f"{noun} {area['name']}"
        home.add("script", [name], None, **_script(name, words, fields=False))


def _add_things(home: Home, words: dict[str, Any], size: int) -> None:
    """Fill the areas, one after the other, until the home has its size."""
    chance = random.Random(home.language)
    used: dict[tuple[str, str], int] = {}
    for turn in count():
        for area in home.areas:
            kind = _MAIN[turn % len(_MAIN)]
            nouns = words["nouns"][kind]
            number = used[area["id"], kind] = used.get((area["id"], kind), -1) + 1
            pattern = chance.choice(words["named"])
            name = pattern.format(noun=nouns[number % len(nouns)], area=area["name"])
            if again := number // len(nouns):
                name = f"{name} {again + 1}"
            name = name[0].upper() + name[1:]
            parts = chance.sample(list(words["parts"].items()), _PARTS.get(kind, 0))
            rest = [(part, [f"{name} {text}"]) for part, text in parts]
            for one, names in [(kind, [name]), *rest]:
                if len(home.entities) == size:
                    return
                home.add(one, names, area["id"])


def wishes_of(home: Home) -> list[Wish]:
    """Return what people say in a home that `make_home` has made."""
    words, plan = _words(home.language), _words("wishes")
    areas = {area["id"]: area["name"] for area in home.areas}

    def tool(name: str) -> str:
        entity_id = home.keys.get(name, "")
        return entity_id.removeprefix("script.") if "script." in entity_id else name

    def wish(key: str, item: dict[str, Any]) -> Wish:
        before = item.get("before")
        return Wish(
            key=key,
            kind=item["kind"],
            sentence=words["sentences"][key],
            tools=tuple(map(tool, item["tools"])),
            things=tuple(home.keys[name] for name in item.get("things", ())),
            rows=tuple(
                row
                for text in item.get("rows", ())
                for row in home.rows(*text.split(" "))
            ),
            here=areas[item["here"]] if "here" in item else None,
            before=before
            and (
                words["sentences"][before["said"]],
                before["tool"],
                words["things"][before["name"]][0],
            ),
        )

    return [wish(key, item) for key, item in plan["wishes"].items()]


def strangers() -> Iterator[tuple[Home, list[Wish]]]:
    """Yield homes with what is said in them in other words than the names."""
    for plan in _words("strangers").values():
        home = Home(plan["language"])
        for key, names in plan["floors"].items():
            home.floors.append({"id": key, "name": names[0], "aliases": names[1:]})
        for key, (name, floor) in plan["areas"].items():
            home.add_area(key, [name], floor)
        for name, (kind, area) in plan["things"].items():
            home.keys[name] = home.add(kind, [name], area)["id"]
        for number in count():
            for area in home.areas:
                for kind, noun in plan["filler"].items():
                    if len(home.entities) < plan["size"]:
                        name = f"{area['name']} {noun} {number + 1}"
                        home.add(kind, [name], area["id"])
            if len(home.entities) == plan["size"]:
                break
        yield (
            home,
            [
                Wish(
                    key=name,
                    kind="other words",
                    sentence=sentence,
                    things=(home.keys[name],),
                )
                for sentence, name in plan["sentences"].items()
            ],
        )


def misheard(sentence: str, share: float, seed: str) -> str:
    """Return the sentence as a recogniser damages it.

    One edit in this share of the words (at least one) that have three letters or more;
    in writing without spaces a word is six characters.
    """
    chance = random.Random(f"{seed} {sentence} {share}")
    width = 6 if not sentence.isascii() and " " not in sentence else None
    words = (
        [sentence[at : at + width] for at in range(0, len(sentence), width)]
        if width
        else sentence.split(" ")
    )
    long = [at for at, word in enumerate(words) if sum(map(str.isalpha, word)) > 2]
    for at in chance.sample(long, min(len(long), max(1, round(len(long) * share)))):
        words[at] = _damaged(words[at], chance)
    return ("" if width else " ").join(words)


def _damaged(word: str, chance: random.Random) -> str:
    """Lose, change or double a letter."""
    letters = [at for at, letter in enumerate(word) if letter.isalpha()]
    at = chance.choice(letters)
    other = chance.choice([word[i] for i in letters if word[i] != word[at]] or ["e"])
    return word[:at] + chance.choice(("", other, word[at] * 2)) + word[at + 1 :]
