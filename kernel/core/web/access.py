"""Who may call a route: every handler states it in its metadata, or the application does not start."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, Literal, Protocol, cast

from litestar import Litestar, Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.enums import ScopeType
from litestar.handlers import BaseRouteHandler
from litestar.middleware import ASGIMiddleware
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, Receive, Scope, Send

from kernel.core import clock
from kernel.core.errors import Forbidden, SignedOut
from kernel.core.web.query import check_parameters

Access = Literal["public", "user", "admin"]
LEVELS: Final[tuple[Access, ...]] = ("public", "user", "admin")

PUBLIC: Final[dict[str, Any]] = {"access": "public"}
USER: Final[dict[str, Any]] = {"access": "user"}
ADMIN: Final[dict[str, Any]] = {"access": "admin"}
AUDITED: Final = "audited"

SHARED: Final[dict[str, Any]] = {"shared": True, "no_session": True}
"""Metadata of a route whose answer depends on nobody and on no parameter: it is made once for many requests."""

RECENT_SIGN_IN: Final[dict[str, Any]] = {"recent_sign_in": True}
"""Metadata of a route that an unlocked screen or a stolen session must not be enough for."""

RECENT: Final = timedelta(minutes=15)
"""How long a proof of who the user is counts as recent."""


def audited(action: str) -> dict[str, Any]:
    """Return the metadata of a route that shows administrators what is personal: the audit trail gets this action."""
    return {AUDITED: action}


class Viewer(Protocol):
    """What the guard needs to know about the signed-in user."""

    @property
    def id(self) -> int: ...

    @property
    def is_admin(self) -> bool: ...

    @property
    def auth_at(self) -> datetime: ...

    @property
    def lacks_required_factor(self) -> bool: ...


AppRequest = Request[Viewer | None, None, State]
"""A request as handlers take it, for its headers, address and body; who makes it is injected."""


def is_recent(viewer: Viewer) -> bool:
    """Say whether the user proved who they are within the last RECENT."""
    return clock.now() - viewer.auth_at <= RECENT


def reauthentication_required() -> Forbidden:
    """Return the refusal of what needs a recent proof of who the user is."""
    return Forbidden("Please sign in again first.", code="reauthentication_required")


def needs_reauthentication(options: Mapping[str, Any], viewer: Viewer) -> bool:
    """Say whether a route, by its metadata, needs a more recent proof than the user's last one."""
    return bool(options.get("recent_sign_in")) and not is_recent(viewer)


def check_access(options: Mapping[str, Any], viewer: Viewer | None) -> None:
    """Let a request to a route with this metadata through, or raise SignedOut or Forbidden.

    `reauthentication_required` stands for a stale session, `second_factor_missing` for an administrator who has to set
    one up first.
    """
    level: Access = options.get("access", "admin")
    if level == "public":
        return
    if viewer is None:
        raise SignedOut
    if level == "admin" and not viewer.is_admin:
        raise Forbidden("You don't have admin privileges to access this page.")
    if level == "admin" and viewer.lacks_required_factor:
        raise Forbidden("Administrators need a second factor here. Please set one up.", code="second_factor_missing")
    if needs_reauthentication(options, viewer):
        raise reauthentication_required()


Admission = Callable[[Any, ASGIConnection[Any, Any, Any, Any]], Awaitable[None]]
"""Looks at the head of a request, with the application's services; raises what refuses it."""


class AccessMiddleware(ASGIMiddleware):
    """Before every handler, and before the body: checks who calls it, by `scope["user"]` and the route's metadata,
    and with which parameters.

    A handler may name an Admission as `admission` there. This is what the framework's guards do; but each of those is
    handed a copy of the handler, which took a fifth of a small request.
    """

    scopes = (ScopeType.HTTP,)

    def __init__(self, services: Callable[[], Any] = lambda: None) -> None:
        self._services = services

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Pass the request on, or raise what refuses it."""
        options = scope["route_handler"].opt
        check_access(options, cast(Viewer | None, scope.get("user")))
        check_parameters(options, scope["query_string"])
        admission: Admission | None = options.get("admission")
        if admission is not None:
            await admission(self._services(), ASGIConnection(scope))
        await next_app(scope, receive, send)


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
