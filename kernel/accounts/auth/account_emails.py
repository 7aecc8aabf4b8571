"""The emails of accounts: what is decided only when one is sent.

A reset is requested for an address: whether there is an account is looked up here, by the worker, so that the answer to
the request takes the same time either way. Links are made here, too: no table ever stores one.
"""

from collections.abc import Mapping
from typing import Final, Literal, get_args

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.auth.email_tokens import issue_token
from kernel.accounts.models import User
from kernel.accounts.second_step import needs_issuer
from kernel.accounts.validation import normal_email

PaymentEmailKind = Literal[
    "receipt",
    "refunded",
    "renewal_failed",
    "confirm_payment",
    "subscription_canceled",
    "subscription_ended",
    "subscription_paused",
    "subscription_resumed",
    "trial_ending",
    "card_expiring",
    "price_changing",
]
LinkEmailKind = Literal["reset", "sign_in_link"]
"""Emails that anybody can request for an address."""
AccountEmailKind = Literal[
    LinkEmailKind,
    "verify",
    "change",
    "address_in_use",
    "email_changed",
    "password_changed",
    "account_deleted",
    "new_device",
    "second_factor_added",
    "second_factor_removed",
    "recovery_code_used",
    PaymentEmailKind,
]

RESET: Final[LinkEmailKind] = "reset"
SIGN_IN_LINK: Final[LinkEmailKind] = "sign_in_link"
VERIFY: Final[AccountEmailKind] = "verify"
CHANGE: Final[AccountEmailKind] = "change"
ADDRESS_IN_USE: Final[AccountEmailKind] = "address_in_use"
EMAIL_CHANGED: Final[AccountEmailKind] = "email_changed"
PASSWORD_CHANGED: Final[AccountEmailKind] = "password_changed"
ACCOUNT_DELETED: Final[AccountEmailKind] = "account_deleted"
NEW_DEVICE: Final[AccountEmailKind] = "new_device"
SECOND_FACTOR_ADDED: Final[AccountEmailKind] = "second_factor_added"
SECOND_FACTOR_REMOVED: Final[AccountEmailKind] = "second_factor_removed"
RECOVERY_CODE_USED: Final[AccountEmailKind] = "recovery_code_used"
RECEIPT: Final[PaymentEmailKind] = "receipt"
REFUNDED: Final[PaymentEmailKind] = "refunded"
RENEWAL_FAILED: Final[PaymentEmailKind] = "renewal_failed"
CONFIRM_PAYMENT: Final[PaymentEmailKind] = "confirm_payment"
SUBSCRIPTION_CANCELED: Final[PaymentEmailKind] = "subscription_canceled"
SUBSCRIPTION_ENDED: Final[PaymentEmailKind] = "subscription_ended"
SUBSCRIPTION_PAUSED: Final[PaymentEmailKind] = "subscription_paused"
SUBSCRIPTION_RESUMED: Final[PaymentEmailKind] = "subscription_resumed"
TRIAL_ENDING: Final[PaymentEmailKind] = "trial_ending"
CARD_EXPIRING: Final[PaymentEmailKind] = "card_expiring"
PRICE_CHANGING: Final[PaymentEmailKind] = "price_changing"

SIGNUP: Final = "signup"
"""The greeting after an address was confirmed. Administrators edit its text, see kernel/mail."""

WITH_LINKS: Final = (RESET, SIGN_IN_LINK, VERIFY, CHANGE)
"""Emails that are withdrawn when the password changes: the owner may not be the one who requested them."""


class AccountEmail(msgspec.Struct, frozen=True, kw_only=True):
    """An email ready to be written: its kind, its address, the path of the page it links to, the reader's language.

    `path` may be an address elsewhere. `details` of a new device: `time`, `browser`, `system` (both empty when unknown)
    and `ip`; of a payment: `amount` in minor units with its `currency`, `number` of the invoice, `date`, and `until`
    when Pro stays, in unix seconds; of a pause the `date` on which it goes on; of a new price also the `old_amount`; of
    a card its name, `card`, and `expires`, as it is printed on it.
    """

    kind: AccountEmailKind
    to: str
    path: str
    language: str
    details: Mapping[str, str] = {}


async def prepare_account_email(
    session: AsyncSession, kind: str, *, user_id: int | None, address: str, language: str, details: Mapping[str, str]
) -> AccountEmail | None:
    """Decide on an email that is about to be sent; None when it has no recipient or is no longer needed.

    The user's own language takes precedence over that of the browser in which the email was requested. Where there is
    an account, the email goes to the address that it has, not to the spelling that was typed.
    """
    match kind:
        case "reset" | "sign_in_link":
            return await _requested(session, kind, address, language)
        case "verify" | "change":
            return await _confirmation(session, user_id, address, language)
        case (
            "email_changed"
            | "password_changed"
            | "new_device"
            | "second_factor_added"
            | "second_factor_removed"
            | "recovery_code_used"
        ):
            return AccountEmail(kind=kind, to=address, path="/account", language=language, details=details)
        case "account_deleted":
            return AccountEmail(kind=kind, to=address, path="/", language=language)
    payment: PaymentEmailKind | None = next((one for one in get_args(PaymentEmailKind) if one == kind), None)
    return await _to_payer(session, payment, user_id, language, details) if payment else None


async def _to_payer(
    session: AsyncSession, kind: PaymentEmailKind, user_id: int | None, language: str, details: Mapping[str, str]
) -> AccountEmail | None:
    """Write about money to the address that the account has now."""
    columns = select(User.email, User.language).where(User.id == user_id, User.leaving_at.is_(None))
    payer = (await session.execute(columns)).one_or_none()
    if payer is None:
        return None
    path, spoken = details.get("link", "/account"), payer.language or language
    return AccountEmail(kind=kind, to=payer.email, path=path, language=spoken, details=details)


async def _requested(session: AsyncSession, kind: LinkEmailKind, address: str, language: str) -> AccountEmail | None:
    """Make the link that was requested for an address.

    Whoever made the account may not own its address until that is verified, and knows its password: then the link to a
    session is one to a new password.
    """
    columns = select(User.id, User.email, User.language, User.email_verified).where(
        User.email_norm == (normal_email(address) or ""), User.disabled.is_(False), ~needs_issuer()
    )
    row = (await session.execute(columns)).one_or_none()
    if row is None:
        return None
    if kind == RESET or not row.email_verified:
        token = await issue_token(session, row.id, "reset", row.email)
        path = f"/reset#token={token}{'' if kind == RESET else '&unconfirmed'}"
    else:
        path = f"/email-link#token={await issue_token(session, row.id, 'sign_in', row.email)}"
    return AccountEmail(kind=kind, to=row.email, path=path, language=row.language or language)


async def _confirmation(session: AsyncSession, user_id: int | None, address: str, language: str) -> AccountEmail | None:
    """Confirm the account's own address, or a new one; an address that has another account gets another text."""
    email_norm = normal_email(address) or ""
    columns = select(User.email, User.email_norm, User.email_verified, User.language)
    user = (await session.execute(columns.where(User.id == user_id, User.disabled.is_(False)))).one_or_none()
    if user is None or (user.email_norm == email_norm and user.email_verified):
        return None
    spoken = user.language or language
    if user.email_norm != email_norm:
        taken = (await session.execute(select(User.id).where(User.email_norm == email_norm))).first()
        if taken is not None:
            return AccountEmail(kind=ADDRESS_IN_USE, to=address, path="/sign-in", language=spoken)
    kind, to = (VERIFY, user.email) if user.email_norm == email_norm else (CHANGE, address)
    token = await issue_token(session, user_id or 0, "email", to)
    return AccountEmail(kind=kind, to=to, path=f"/confirm-email#token={token}", language=spoken)
