"""Services are made once, package by package, and injected into handlers by name."""

from collections.abc import Callable
from typing import Any

import msgspec
from litestar import Litestar
from litestar.di import Provide
from litestar.routes import HTTPRoute


class HandlerDependency(Provide):
    """Gives one thing to handlers. Is equal to itself alone.

    The framework compares each one with all others for every handler, millions of times: by their contents that takes
    a fifth of the time in which the application is built.
    """

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __init__(self, give: Callable[..., Any]) -> None:
        """`give` must not wait for anything."""
        super().__init__(give, sync_to_thread=False)


class Services(msgspec.Struct, frozen=True, kw_only=True):
    """The services of one package. A field that is itself `Services` is a part of it."""


def service_dependencies(kind: type[Services], opened: Callable[[], Services]) -> dict[str, Provide]:
    """Return name → how handlers get that service; `opened` returns the services once the application has started.

    The names are those of the fields, without those of parts. Raises TypeError when two services have the same name.
    """
    found: dict[str, Provide] = {}
    for field in msgspec.structs.fields(kind):
        give = _getter(opened, field.name)
        if isinstance(field.type, type) and issubclass(field.type, Services):
            inside = service_dependencies(field.type, give)
        else:
            inside = {field.name: HandlerDependency(give)}
        if twice := found.keys() & inside.keys():
            raise TypeError(f"two services are called {', '.join(sorted(twice))}")
        found |= inside
    return found


def _getter(opened: Callable[[], Services], name: str) -> Callable[[], Any]:
    def give() -> Any:
        return getattr(opened(), name)

    return give


def resolve_in_turn(app: Litestar) -> None:
    """Let every handler's dependencies be resolved one after the other.

    The framework starts a task for each, as if they had to wait for something: ours return at once, and the tasks cost
    a sixth of a small request.
    """
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for _, parameters in route.route_handler_map.values():
                batches = parameters.dependency_batches
                parameters.dependency_batches = [{dependency} for batch in batches for dependency in batch]
