"""Around every handler: finds the signed-in user, and refuses writes from other sites."""

import logging
from typing import Any, Final

from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from sqlalchemy.exc import SQLAlchemyError

from kernel.accounts.auth.csrf import is_cross_site, origin_of
from kernel.accounts.auth.sessions import cookie_token, find_session, touch_session
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.errors import Forbidden

log = logging.getLogger(__name__)

API: Final = "/api/"


class SessionMiddleware(ASGIMiddleware):
    """Sets `scope["user"]` to the CurrentUser or None; at most one query, and none without a cookie or outside /api/.

    A handler opts out of the session by `no_session` and of the cross-site check by `csrf_exempt` in its `opt`.
    Raises Forbidden for a write that another site makes with the user's cookie.
    """

    scopes = (ScopeType.HTTP,)

    def __init__(self, database: Database, config: Config) -> None:
        self._database = database
        self._config = config
        self._origin = origin_of(config.public_url)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Find the user, pass the request on, then record that the session was used."""
        scope["user"] = None
        if not scope["path"].startswith(API):
            await next_app(scope, receive, send)
            return
        options = scope["route_handler"].opt
        connection: ASGIConnection[Any, Any, Any, Any] = ASGIConnection(scope)
        token = None if options.get("no_session") else cookie_token(connection, self._config)
        found = None
        if token is not None:
            if not options.get("csrf_exempt") and is_cross_site(
                str(scope.get("method", "GET")), connection.headers, self._origin
            ):
                raise Forbidden("This request came from another site.", code="cross_site")
            found = await find_session(self._database, self._config, token)
        if found is not None:
            scope["user"] = found.user
        await next_app(scope, receive, _private(send))
        if found is not None and found.stale:
            try:
                await touch_session(self._database, found.user)
            except SQLAlchemyError:
                log.warning("could not record that a session was used", exc_info=True)


def _private(send: Send) -> Send:
    """Keep answers out of every cache unless the handler set its own caching headers."""

    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start" and not any(
            name.lower() == b"cache-control" for name, _ in message["headers"]
        ):
            message["headers"] = [*message["headers"], (b"cache-control", b"no-store")]
        await send(message)

    return answer
