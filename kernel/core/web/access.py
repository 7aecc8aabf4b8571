"""Who may call a route: every handler states it in its metadata, or the application does not start."""

from collections.abc import Iterable
from typing import Any, Final, Literal, Protocol, cast

from litestar import Litestar, Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.handlers import BaseRouteHandler
from litestar.routes import HTTPRoute

from kernel.core.errors import Forbidden, SignedOut

Access = Literal["public", "user", "admin"]
LEVELS: Final[tuple[Access, ...]] = ("public", "user", "admin")

PUBLIC: Final[dict[str, Any]] = {"access": "public"}
USER: Final[dict[str, Any]] = {"access": "user"}
ADMIN: Final[dict[str, Any]] = {"access": "admin"}


class Viewer(Protocol):
    """What the guard needs to know about the signed-in user."""

    @property
    def id(self) -> int: ...

    @property
    def is_admin(self) -> bool: ...


AppRequest = Request[Viewer | None, None, State]
"""A request as handlers take it, for its headers, address and body; who makes it is injected."""


async def access_guard(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Let a request through, or raise SignedOut or Forbidden.

    Async although it awaits nothing: the framework runs synchronous guards in a thread.
    """
    level: Access = handler.opt.get("access", "admin")
    if level == "public":
        return
    viewer = cast(Viewer | None, connection.scope.get("user"))
    if viewer is None:
        raise SignedOut
    if level == "admin" and not viewer.is_admin:
        raise Forbidden("You don't have admin privileges to access this page.")


def route_table(app: Litestar) -> Iterable[tuple[str, str, Access | None, BaseRouteHandler]]:
    """Yield (method, path template, access, handler) of every HTTP route; access None where none was stated."""
    for route in app.routes:
        if not isinstance(route, HTTPRoute):
            continue
        for handler in route.route_handlers:
            for method in sorted(handler.http_methods):
                if method != "OPTIONS":
                    yield method, route.path_format, handler.opt.get("access"), handler


def require_access_metadata(app: Litestar) -> None:
    """Raise RuntimeError when a route does not state who may call it."""
    silent = [f"{method} {path}" for method, path, access, _ in route_table(app) if access not in LEVELS]
    if silent:
        raise RuntimeError(f"routes without access metadata: {', '.join(silent)}")
