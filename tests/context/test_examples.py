"""The calls of a home that its prompt shows."""

from custom_components.lumo.context.description import Area, Thing
from custom_components.lumo.context.examples import examples_of
from custom_components.lumo.context.home import make_home

KITCHEN = Area("kitchen", ("Kitchen",), None)


def thing(domain: str, name: str, area: Area | None = KITCHEN) -> Thing:
    return Thing(f"{domain}.one", (name,), domain, "", area)


def test_the_first_thing_of_each_kind_is_in_an_example() -> None:
    things = (
        *(thing("light", "Counter light"), thing("light", "Spots", None)),
        *(thing("lock", "Back door"), thing("climate", "Heating")),
        *(thing("media_player", "Radio"), thing("todo", "Shopping list")),
    )
    found = examples_of(make_home(things, (KITCHEN,), (), {}))
    heating = {"name": "Heating", "setting": "temperature", "to": "21"}
    assert [(said, arguments) for said, _tool, arguments in found] == [
        ("Turn on the Counter light", {"name": "Counter light"}),
        ("Kitchen lights off", {"area": "Kitchen", "domain": ["light"]}),
        ("Pause Radio", {"name": "Radio"}),
        ("Heating to 21 degrees", heating),
        ("How warm is it in the Kitchen?", {"area": "Kitchen"}),
        ("Is the Back door locked?", {"name": "Back door"}),
        ("What is on the Shopping list?", {"todo_list": "Shopping list"}),
    ]
    assert examples_of(make_home((thing("sensor", "Rain"),), (), (), {})) == []
