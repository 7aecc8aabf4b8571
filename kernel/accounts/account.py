"""Calls about one's own account, and the audit trail for administrators."""

from typing import Annotated

from litestar import Response, delete, get, post
from litestar.controller import Controller
from litestar.di import NamedDependency
from litestar.params import JSONBody, QueryParameter
from sqlalchemy import select

from kernel.accounts.facts import FactsSource
from kernel.accounts.models import User
from kernel.accounts.provide import OWN, AccountRequest
from kernel.accounts.schemas import AuditOut, PasswordBody, SessionOut, UserOut, user_out
from kernel.accounts.self_service import SelfService
from kernel.accounts.sessions import peer_of, session_cookie
from kernel.core.access import ADMIN, USER
from kernel.core.audit import Audit
from kernel.core.config import Config
from kernel.core.database import Database
from kernel.core.errors import SignedOut
from kernel.core.paging import (
    DEFAULT_LIMIT,
    Cursor,
    Limit,
    PathId,
    cursor_id,
    decode_cursor,
    encode_cursor,
    link_header,
)
from kernel.core.wire import MAX_ID


class AccountController(Controller):
    """The signed-in user's password and sessions."""

    path = "/api"
    tags = ("Account",)
    opt = USER
    dependencies = OWN

    @post("/auth/password", operation_id="changePassword", status_code=200)
    async def change_password(
        self,
        data: JSONBody[PasswordBody],
        request: AccountRequest,
        own: NamedDependency[SelfService],
        config: NamedDependency[Config],
        user_facts: NamedDependency[FactsSource],
    ) -> Response[UserOut]:
        """Change the password. All other sessions end; this one goes on under a new token."""
        if request.user is None:
            raise SignedOut
        peer = peer_of(request, config)
        token = await own.change_password(request.user, data.current_password, data.new_password, peer)
        user = await own.signed_in(token)
        known = await user_facts.facts(user)
        return Response(user_out(user, known), cookies=[session_cookie(config, token)])

    @get("/account/sessions", operation_id="listSessions")
    async def sessions(self, request: AccountRequest, own: NamedDependency[SelfService]) -> list[SessionOut]:
        """The user's sessions, the one used last first."""
        if request.user is None:
            raise SignedOut
        return [
            SessionOut(
                id=row.id,
                current=row.id == request.user.session_id,
                created_at=row.created_at,
                last_seen_at=row.last_seen_at,
                method=row.method,
                ip=row.ip,
                user_agent=row.user_agent,
            )
            for row in await own.sessions(request.user)
        ]

    @delete("/account/sessions", operation_id="endOtherSessions", status_code=204)
    async def end_other_sessions(
        self, request: AccountRequest, own: NamedDependency[SelfService], config: NamedDependency[Config]
    ) -> None:
        """Sign every other device out."""
        if request.user is None:
            raise SignedOut
        await own.end_other_sessions(request.user, peer_of(request, config))

    @delete("/account/sessions/{session_id:int}", operation_id="endSession", status_code=204)
    async def end_session(
        self,
        session_id: PathId,
        request: AccountRequest,
        own: NamedDependency[SelfService],
        config: NamedDependency[Config],
    ) -> None:
        """Sign one device out."""
        if request.user is None:
            raise SignedOut
        await own.end_session(request.user, session_id, peer_of(request, config))


class AuditController(Controller):
    """The audit trail. There is no call that changes or deletes it."""

    path = "/api/admin/audit"
    tags = ("Administration",)
    opt = ADMIN

    @get(operation_id="listAudit")
    async def entries(
        self,
        request: AccountRequest,
        database: NamedDependency[Database],
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
        action: Annotated[str | None, QueryParameter(max_length=64)] = None,
        actor: Annotated[int | None, QueryParameter(name="actorId", ge=1, le=MAX_ID)] = None,
    ) -> Response[list[AuditOut]]:
        """What was done, latest first; of one action or one person where asked."""
        query = (
            select(Audit, User.email)
            .join(User, User.id == Audit.actor_id, isouter=True)
            .order_by(Audit.id.desc())
            .limit(limit)
        )
        if parts := decode_cursor(cursor, 1):
            query = query.where(Audit.id < cursor_id(parts[0]))
        if action is not None:
            query = query.where(Audit.action == action)
        if actor is not None:
            query = query.where(Audit.actor_id == actor)
        async with database.read() as connection:
            rows = (await connection.execute(query)).all()
        page = [
            AuditOut(
                id=row.id,
                at=row.at,
                actor_id=row.actor_id,
                actor_email=row.email,
                ip=row.ip,
                action=row.action,
                object=row.object,
                outcome=row.outcome,
                keys=row.keys,
            )
            for row in rows
        ]
        following = encode_cursor(page[-1].id) if len(page) == limit else None
        return Response(page, headers=link_header(request, following))
