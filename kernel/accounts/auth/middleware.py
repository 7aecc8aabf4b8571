"""Around every handler: finds the signed-in user, refuses writes from other sites, audits what is read and refused."""

import logging
from collections.abc import Callable
from typing import Any, Final

from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from sqlalchemy.exc import SQLAlchemyError

from kernel.accounts.auth.access_trail import AccessTrail
from kernel.accounts.auth.csrf import is_cross_site, origin_of
from kernel.accounts.auth.sessions import cookie_token, find_session, touch_session
from kernel.accounts.current_user import CurrentUser
from kernel.core.audit import ip_of
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.errors import Forbidden
from kernel.core.web.access import AUDITED, needs_reauthentication

log = logging.getLogger(__name__)

API: Final = "/api/"


class SessionParts:
    """What finding a session takes: the database, the settings, and what follows from them."""

    def __init__(self, database: Database, config: Config) -> None:
        self.database = database
        self.config = config
        self.origin = origin_of(config.public_url)
        self.trail = AccessTrail(database)


class SessionMiddleware(ASGIMiddleware):
    """Sets `scope["user"]` to the CurrentUser or None; at most one query, and none without a cookie or outside /api/.

    A handler opts out of the session by `no_session` and of the cross-site check by `csrf_exempt` in its `opt`. What is
    read from one with `audited` is in the audit trail before it is read; so is who was refused at an administrators'.
    Raises Forbidden for a write from another site, with the user's cookie or without: signing in and out change the
    browser's cookies also where it sent none.
    """

    scopes = (ScopeType.HTTP,)

    def __init__(self, parts: Callable[[], SessionParts]) -> None:
        self._parts = parts

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Find the user, pass the request on, then record that the session was used."""
        scope["user"] = None
        if not scope["path"].startswith(API):
            await next_app(scope, receive, send)
            return
        options, parts = scope["route_handler"].opt, self._parts()
        connection: ASGIConnection[Any, Any, Any, Any] = ASGIConnection(scope)
        token = None if options.get("no_session") else cookie_token(connection, parts.config)
        found = None
        if not options.get("csrf_exempt") and is_cross_site(
            str(scope.get("method", "GET")), scope["scheme"], connection.headers, parts.origin
        ):
            raise Forbidden("This request came from another site.", code="cross_site")
        if token is not None:
            found = await find_session(parts.database, parts.config, token)
        if found is not None:
            scope["user"] = found.user
            if options.get("access") == "admin":
                await _record_access(parts.trail, scope, found.user, ip_of(connection))
        await next_app(scope, receive, _private(send))
        if found is not None and found.stale:
            try:
                await touch_session(parts.database, found.user)
            except SQLAlchemyError:
                log.warning("could not record that a session was used", exc_info=True)


async def _record_access(trail: AccessTrail, scope: Scope, user: CurrentUser, ip: str) -> None:
    """Write to the audit trail what an administrator is about to read, or whom the guard is about to refuse."""
    options, template = scope["route_handler"].opt, str(scope.get("path_template"))
    if not user.is_admin:
        about = f"{scope.get('method')} {template}"  # the template: who is refused must not choose what is written
        await trail.record(user, ip, "access.refused", about, outcome="forbidden")
    elif user.lacks_required_factor:
        return  # the guard is about to refuse it, as it does until the user has set one up
    elif (action := options.get(AUDITED)) and not needs_reauthentication(options, user):
        await trail.record(user, ip, action, scope["path"].removeprefix("/api/admin/"))


def _private(send: Send) -> Send:
    """Keep answers out of every cache unless the handler set its own caching headers."""

    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start" and not any(
            name.lower() == b"cache-control" for name, _ in message["headers"]
        ):
            message["headers"] = [*message["headers"], (b"cache-control", b"no-store")]
        await send(message)

    return answer
