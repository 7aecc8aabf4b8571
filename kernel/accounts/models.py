"""Tables of users, their sessions and sign-ins."""

from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import JSON, ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, declared_attr, mapped_column

from kernel.core.data.database import Base, BigInt, Row
from kernel.core.data.moments import Moment
from kernel.core.data.search_index import SearchIndex
from kernel.core.text.casefold_search import fold


def person_name_key(first_name: str | None, last_name: str | None) -> str:
    """Return what a person's name is searched by."""
    return fold(f"{first_name or ''} {last_name or ''}")


def _new_email_key(context: Any) -> str:
    return fold(context.get_current_parameters()["email"])


def _new_name_key(context: Any) -> str:
    given = context.get_current_parameters()
    return person_name_key(given.get("first_name"), given.get("last_name"))


class User(Row):
    """An account. `email_norm` is the address in the form in which it is compared; `email` as it was typed.

    `email_key` and `name_key` are address and name, folded: who changes these changes the keys.
    `email_verified_at` is when the first address was verified here; None for one that a provider had already verified.
    `pro_override` is an administrator's word on Pro, until `pro_until` if that is set (see pro_override.py).
    `leaving_at` is when the account was deleted: its row stays, disabled and without a name, until all that belongs
    to it has been removed.
    """

    __tablename__ = "user"

    email: Mapped[str] = mapped_column(String(254))
    email_norm: Mapped[str] = mapped_column(String(320), unique=True)
    email_verified: Mapped[bool] = mapped_column(default=False)
    email_verified_at: Mapped[datetime | None] = mapped_column(Moment, default=None)
    first_name: Mapped[str | None] = mapped_column(String(100), default=None)
    last_name: Mapped[str | None] = mapped_column(String(100), default=None)
    password_hash: Mapped[str | None] = mapped_column(String(500), default=None)
    is_admin: Mapped[bool] = mapped_column(default=False, index=True)
    pro_override: Mapped[bool | None] = mapped_column(default=None)
    pro_until: Mapped[datetime | None] = mapped_column(Moment, default=None)
    language: Mapped[str | None] = mapped_column(String(8), default=None)
    email_marketing: Mapped[bool | None] = mapped_column(default=None)
    payment_customer: Mapped[str | None] = mapped_column(String(255), default=None, index=True)
    disabled: Mapped[bool] = mapped_column(default=False)
    leaving_at: Mapped[datetime | None] = mapped_column(Moment, default=None, index=True)
    last_seen_at: Mapped[datetime | None] = mapped_column(Moment, default=None)
    email_key: Mapped[str] = mapped_column(Text, default=_new_email_key, server_default=text("''"))
    name_key: Mapped[str] = mapped_column(Text, default=_new_name_key, server_default=text("''"))


Index("ix_user_created_at", User.created_at)

USER_SEARCH: Final = SearchIndex(name="user_search", key=User.id, columns=(User.email_key, User.name_key))


class Session(Row):
    """One sign-in on one device. Only the hash of its token is stored; a deleted row is never restored.

    `issuer_session` is the issuer's name for its own session, by which it may end this one.
    """

    __tablename__ = "session"

    user_id: Mapped[int] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), index=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    last_seen_at: Mapped[datetime] = mapped_column(Moment)
    auth_at: Mapped[datetime] = mapped_column(Moment)
    expires_at: Mapped[datetime] = mapped_column(Moment, index=True)
    method: Mapped[str] = mapped_column(String(64))
    ip: Mapped[str] = mapped_column(String(64))
    user_agent: Mapped[str] = mapped_column(String(300))
    issuer_session: Mapped[str | None] = mapped_column(String(255), default=None, index=True)


class UserIdentity(Row):
    """A person as a sign-in provider identifies them: `(issuer, subject)` is permanent.

    `instance_id` is the instance of the last sign-in.
    """

    __tablename__ = "identity"

    @declared_attr.directive
    @classmethod
    def __table_args__(cls) -> Any:
        return (UniqueConstraint("issuer", "subject"), {"sqlite_autoincrement": True})

    user_id: Mapped[int] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), index=True)
    issuer: Mapped[str] = mapped_column(String(255))
    subject: Mapped[str] = mapped_column(String(255))
    instance_id: Mapped[str] = mapped_column(String(64), server_default="", index=True)


class AccountToken(Row):
    """A link that was mailed. Only the hash of its token is stored; using the link deletes the row.

    `purpose`: `reset` lets its holder choose a password, `email` makes `address` the verified one of the account,
    `sign_in` starts a session.
    """

    __tablename__ = "account_token"

    user_id: Mapped[int] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), index=True)
    purpose: Mapped[str] = mapped_column(String(8))
    address: Mapped[str] = mapped_column(String(254))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    expires_at: Mapped[datetime] = mapped_column(Moment, index=True)


class PendingSignIn(Row):
    """A sign-in at a provider's page. The key is a hash of the browser's cookie and the state; a row is used once."""

    __tablename__ = "pending_sign_in"

    key_hash: Mapped[str] = mapped_column(String(64), unique=True)
    sealed: Mapped[str] = mapped_column(Text)
    expires_at: Mapped[datetime] = mapped_column(Moment, index=True)


class UsedLogout(Base):
    """An issuer's logout token that has been used, kept for as long as it would be valid. Its hash is the key."""

    __tablename__ = "used_logout"

    token_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    expires_at: Mapped[datetime] = mapped_column(Moment, index=True)


class Totp(Row):
    """The authenticator app of a user: at most one. `sealed` is its secret, encrypted for this user.

    It counts from `confirmed_at` on, when the app has shown a code. `last_step` is the time step of the last code that
    was used: no code of it or of an earlier one is taken again.
    """

    __tablename__ = "totp"

    user_id: Mapped[int] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), unique=True)
    sealed: Mapped[str] = mapped_column(Text)
    confirmed_at: Mapped[datetime | None] = mapped_column(Moment, default=None)
    last_step: Mapped[int | None] = mapped_column(BigInt, default=None)
    last_used_at: Mapped[datetime | None] = mapped_column(Moment, default=None)


class Passkey(Row):
    """A WebAuthn credential of a user. Its id and public key are base64url, `sign_count` the last count it reported."""

    __tablename__ = "passkey"

    user_id: Mapped[int] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), index=True)
    credential_id: Mapped[str] = mapped_column(String(1400), unique=True)
    public_key: Mapped[str] = mapped_column(Text)
    sign_count: Mapped[int] = mapped_column(BigInt)
    transports: Mapped[list[str]] = mapped_column(JSON, default=list)
    name: Mapped[str] = mapped_column(String(100))
    last_used_at: Mapped[datetime | None] = mapped_column(Moment, default=None)


class RecoveryCode(Row):
    """A code that stands in once for a lost second factor. Only its hash is stored."""

    __tablename__ = "recovery_code"

    user_id: Mapped[int] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), index=True)
    code_hash: Mapped[str] = mapped_column(String(64), unique=True)
    used_at: Mapped[datetime | None] = mapped_column(Moment, default=None)


class HeldSignIn(Row):
    """A sign-in whose first step is done and whose second factor is still to come. The browser's cookie is its key."""

    __tablename__ = "held_sign_in"

    user_id: Mapped[int] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), index=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    method: Mapped[str] = mapped_column(String(64))
    issuer_session: Mapped[str | None] = mapped_column(String(255), default=None)
    expires_at: Mapped[datetime] = mapped_column(Moment, index=True)


class PasskeyChallenge(Row):
    """What a passkey has to sign, used once. `purpose` names the session, sign-in or browser for which it was made.

    `user_id` is None where the passkey is to tell who it is.
    """

    __tablename__ = "passkey_challenge"

    user_id: Mapped[int | None] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"), index=True)
    purpose: Mapped[str] = mapped_column(String(100), unique=True)
    challenge: Mapped[str] = mapped_column(String(128))
    expires_at: Mapped[datetime] = mapped_column(Moment, index=True)


class SavedUserFilter(Row):
    """A filter of the list of users that an administrator has named; `name_key` is the name, folded."""

    __tablename__ = "saved_user_filter"

    @declared_attr.directive
    @classmethod
    def __table_args__(cls) -> Any:
        return (UniqueConstraint("user_id", "name_key"), {"sqlite_autoincrement": True})

    user_id: Mapped[int] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(60))
    name_key: Mapped[str] = mapped_column(String(240))
    search: Mapped[str] = mapped_column(String(100))
    role: Mapped[str] = mapped_column(String(16))
    since: Mapped[date | None] = mapped_column(default=None)
    until: Mapped[date | None] = mapped_column(default=None)
    sort: Mapped[str] = mapped_column(String(16))


class SignInPolicy(Base):
    """What the site asks of the sign-in of administrators, and whether a mailed link signs people in.

    At most one row, id 1; without it, nothing more is asked, and no link does.
    """

    __tablename__ = "sign_in_policy"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    admins_need_second_factor: Mapped[bool] = mapped_column(default=False)
    admins_only_issuer: Mapped[bool] = mapped_column(default=False)
    email_links: Mapped[bool] = mapped_column(default=False)


class SetupState(Base):
    """The one-time token that makes the first administrator. One row, id 1."""

    __tablename__ = "setup_state"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    token_hash: Mapped[str] = mapped_column(String(64))
    expires_at: Mapped[datetime] = mapped_column(Moment)
    claimed_at: Mapped[datetime | None] = mapped_column(Moment, default=None)
