"""Sessions: rows that stand for a device. Requests read them and record their use; only a sign-in adds one."""

from datetime import datetime, timedelta
from typing import Any, Final

import msgspec
from litestar import Response
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from sqlalchemy import CursorResult, bindparam, delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.current_user import CurrentUser
from kernel.accounts.models import Session, User
from kernel.accounts.pro_override import override_now
from kernel.accounts.second_step import (
    MINUTES,
    SecondStep,
    drop_held_sign_ins,
    has_second_factor,
    lacks_required_factor,
)
from kernel.core import clock
from kernel.core.audit import ip_of
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.data.ids import new_token, token_hash
from kernel.core.text.languages import FALLBACK, accepted_language, is_language

CLEAR_SITE_DATA: Final = {"clear-site-data": '"cache"'}
"""Sent after signing out, so that "back" shows nothing. "storage" would also delete language, theme and drafts."""


COOKIE: Final = "coverwright"
DEVICE_COOKIE: Final = "coverwright-device"
SECOND_STEP_COOKIE: Final = "coverwright-step"
PASSKEY_COOKIE: Final = "coverwright-passkey"
DEVICE_DAYS: Final = 365
LANGUAGE_COOKIES: Final = ("preferred-language", "i18next")
LANGUAGE_DAYS: Final = 365
TOKEN_CHARS: Final = 43
"""Length of 32 bytes in base64 without padding; anything else in the cookie is not ours."""

SEEN_EVERY: Final = timedelta(minutes=1)
MAX_USER_AGENT: Final = 300


class Peer(msgspec.Struct, frozen=True, kw_only=True):
    """The origin of a request: address, browser, and its cookies.

    `language` was chosen in this browser, None where none was; `spoken` is the best guess at the user's language.
    """

    ip: str
    user_agent: str
    token: str | None = None
    device: str | None = None
    language: str | None = None
    spoken: str = FALLBACK


def cookie_name(config: Config, base: str = COOKIE) -> str:
    """Return a cookie's name: with `__Host-` on https, plain on http, where browsers refuse the prefix."""
    return f"__Host-{base}" if config.https else base


def make_cookie(config: Config, value: str, *, max_age_s: int, base: str = COOKIE) -> Cookie:
    """Make a cookie that scripts cannot read and other sites' writes do not send; `max_age_s` 0 deletes it."""
    return Cookie(
        key=cookie_name(config, base),
        value=value,
        max_age=max_age_s,
        path="/",
        secure=config.https,
        httponly=True,
        samesite="lax",
    )


def session_cookie(config: Config, token: str) -> Cookie:
    """Return the cookie of a new session."""
    return make_cookie(config, token, max_age_s=config.accounts.session_days * 86_400)


def second_step_cookie(config: Config, second_step: SecondStep) -> Cookie:
    """Return the cookie of a sign-in that waits for its second factor: no other browser can complete it."""
    return make_cookie(config, second_step.token, max_age_s=MINUTES * 60, base=SECOND_STEP_COOKIE)


def second_step_token(connection: ASGIConnection[Any, Any, Any, Any], config: Config) -> str | None:
    """Return the token of the sign-in that a browser has begun, or None."""
    return _token_in(connection, cookie_name(config, SECOND_STEP_COOKIE))


def passkey_token(connection: ASGIConnection[Any, Any, Any, Any], config: Config) -> str | None:
    """Return the token of the sign-in with a passkey that a browser has begun, or None."""
    return _token_in(connection, cookie_name(config, PASSKEY_COOKIE))


def signed_out_response(config: Config, peer: Peer) -> Response[None]:
    """Return the empty response that ends the session in the browser."""
    return Response(None, status_code=204, cookies=gone_cookies(config, peer), headers=CLEAR_SITE_DATA)


def gone_cookies(config: Config, peer: Peer) -> list[Cookie]:
    """Return the cookie that deletes the session's; none for a request without it, which may be another site's."""
    return [make_cookie(config, "", max_age_s=0)] if peer.token is not None else []


def cookie_token(connection: ASGIConnection[Any, Any, Any, Any], config: Config) -> str | None:
    """Return the token of a request, or None; a value that cannot be a token of ours counts as none."""
    return _token_in(connection, cookie_name(config))


def _token_in(connection: ASGIConnection[Any, Any, Any, Any], name: str) -> str | None:
    token = connection.cookies.get(name)
    return token if token and len(token) == TOKEN_CHARS and token.isascii() else None


def peer_of(connection: ASGIConnection[Any, Any, Any, Any], config: Config) -> Peer:
    """Describe the origin of a request."""
    language = next((code for name in LANGUAGE_COOKIES if is_language(code := connection.cookies.get(name, ""))), None)
    return Peer(
        ip=ip_of(connection),
        user_agent=connection.headers.get("user-agent", "")[:MAX_USER_AGENT],
        token=cookie_token(connection, config),
        device=connection.cookies.get(cookie_name(config, DEVICE_COOKIE)),
        language=language,
        spoken=language or accepted_language(connection.headers.get("accept-language", "")),
    )


def language_cookies(config: Config, code: str) -> list[Cookie]:
    """Return the cookies that hold the language; the interface reads them, too."""
    return [
        Cookie(name, value=code, max_age=LANGUAGE_DAYS * 86_400, secure=config.https, samesite="lax")
        for name in LANGUAGE_COOKIES
    ]


def first_language_cookies(config: Config, peer: Peer, chosen: str | None) -> list[Cookie]:
    """Return the cookies that carry a user's language to a browser in which none was chosen."""
    return language_cookies(config, chosen) if chosen is not None and peer.language is None else []


async def start_session(
    session: AsyncSession,
    config: Config,
    user_id: int,
    method: str,
    peer: Peer,
    *,
    issuer_session: str | None = None,
) -> str:
    """Add a session and return its token. The browser's previous session ends; the user's expired ones are deleted."""
    now = clock.now()
    if peer.token:
        await session.execute(delete(Session).where(Session.token_hash == token_hash(peer.token)))
    await session.execute(delete(Session).where(Session.user_id == user_id, Session.expires_at <= now))
    token = new_token()
    row = Session(
        user_id=user_id,
        token_hash=token_hash(token),
        created_at=now,
        last_seen_at=now,
        auth_at=now,
        expires_at=now + timedelta(days=config.accounts.session_days),
        method=method,
        ip=peer.ip,
        user_agent=peer.user_agent,
        issuer_session=issuer_session,
    )
    session.add(row)
    await session.flush()
    return token


async def end_sessions(session: AsyncSession, user_id: int, *, keep: int | None = None) -> int:
    """End a user's sessions, except the one to keep, and what waits for a second factor; return how many there were."""
    await drop_held_sign_ins(session, user_id)
    where = [Session.user_id == user_id] + ([Session.id != keep] if keep is not None else [])
    result = await session.execute(delete(Session).where(*where))
    return result.rowcount if isinstance(result, CursorResult) else 0


class FoundSession(msgspec.Struct, frozen=True, kw_only=True):
    """A live session: its user, and whether `last used` is due for an update."""

    user: CurrentUser
    stale: bool


_CURRENT: Final = (
    select(
        User.id,
        User.email,
        User.email_verified,
        User.first_name,
        User.last_name,
        User.is_admin,
        User.pro_override.label("is_pro_override"),
        User.pro_until,
        User.language,
        User.email_marketing,
        User.payment_customer,
        User.created_at,
        User.password_hash.is_not(None).label("has_password"),
        Session.id.label("session_id"),
        Session.auth_at,
        Session.method,
        has_second_factor().label("has_second_factor"),
        lacks_required_factor().label("lacks_required_factor"),
        Session.created_at.label("started_at"),
        Session.last_seen_at,
        Session.expires_at,
    )
    .join(Session, Session.user_id == User.id)
    .where(User.disabled.is_(False), Session.token_hash == bindparam("token_hash"))
)
"""Built once: compiling the statement costs more than running it."""


async def find_session(database: Database, config: Config, token: str) -> FoundSession | None:
    """Return the live session of a token; None when it is unknown, idle too long, too old, or of a disabled user."""
    async with database.read() as connection:
        row = (await connection.execute(_CURRENT, {"token_hash": token_hash(token)})).one_or_none()
    if row is None:
        return None
    values = dict(row._mapping)
    values["is_pro_override"] = override_now(values["is_pro_override"], values.pop("pro_until"))
    started, seen, expires = (values.pop(name) for name in ("started_at", "last_seen_at", "expires_at"))
    now = clock.now()
    if now >= expires or not _within_limits(config, now, started, seen, is_admin=values["is_admin"]):
        return None
    return FoundSession(user=CurrentUser(**values), stale=now - seen >= SEEN_EVERY)


def _within_limits(config: Config, now: datetime, started: datetime, seen: datetime, *, is_admin: bool) -> bool:
    """Apply the limits of idleness and age. They follow the current role, so a promotion shortens a session."""
    limits = config.accounts
    if is_admin:
        idle, age = timedelta(hours=limits.admin_session_idle_hours), timedelta(hours=limits.admin_session_hours)
    else:
        idle, age = timedelta(days=limits.session_idle_days), timedelta(days=limits.session_days)
    return now < seen + idle and now < started + age


async def touch_session(database: Database, user: CurrentUser) -> None:
    """Record that a session was used. A session that has ended meanwhile stays ended: this never inserts."""
    now = clock.now()
    async with database.write() as session:
        result = await session.execute(
            update(Session)
            .where(Session.id == user.session_id, Session.last_seen_at <= now - SEEN_EVERY)
            .values(last_seen_at=now)
        )
        if isinstance(result, CursorResult) and result.rowcount:
            await session.execute(update(User).where(User.id == user.id).values(last_seen_at=now))
