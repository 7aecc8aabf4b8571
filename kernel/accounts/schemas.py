"""Shapes of the wire: signing in and the user object.

Addresses, passwords and names are plain texts here: the service checks their rules, so that all bad fields are named at
once.
"""

from datetime import datetime
from typing import Annotated, Any, Final, Literal

import msgspec

from kernel.accounts.current_user import CurrentUser
from kernel.accounts.second_step import FactorKind
from kernel.accounts.user_summary import (
    Downloads,
    EmailTrouble,
    InvoiceOut,
    SubscriptionOut,
    SuppressionNote,
    UserSummary,
)
from kernel.core.schemas import In, Out

MAX_PASSKEY: Final = 20_000
"""Characters of what a browser says about a passkey; an attestation with certificates has a few thousand."""


class SignInBody(In, frozen=True, kw_only=True):
    """Email and password."""

    email: str
    password: str


class RegisterBody(In, frozen=True, kw_only=True):
    """A new account."""

    email: str
    password: str
    first_name: str | None = None
    last_name: str | None = None


class SetupBody(In, frozen=True, kw_only=True):
    """Claim of the first administrator."""

    token: Annotated[str, msgspec.Meta(max_length=200)]
    email: str
    password: str


class PasswordBody(In, frozen=True, kw_only=True):
    """A new password. The current one is needed where there is one."""

    current_password: str | None = None
    new_password: str


class FactorProof(In, frozen=True, kw_only=True):
    """One of: a code of the authenticator app, a recovery code, or what a passkey has signed.

    `passkey` is the browser's answer to the options of the same step, as JSON.
    """

    code: Annotated[str, msgspec.Meta(max_length=100)] | None = None
    recovery_code: Annotated[str, msgspec.Meta(max_length=100)] | None = None
    passkey: Annotated[str, msgspec.Meta(max_length=MAX_PASSKEY)] | None = None


class ReauthenticateBody(FactorProof, frozen=True, kw_only=True):
    """The proof of the signed-in user, once more: the second factor of who has one, else the password."""

    password: str | None = None


class ForgotBody(In, frozen=True, kw_only=True):
    """Wish for a link to a forgotten password."""

    email: str


class ResetBody(In, frozen=True, kw_only=True):
    """A new password, by the holder of a mailed link."""

    token: Annotated[str, msgspec.Meta(max_length=200)]
    password: str


class ConfirmBody(In, frozen=True, kw_only=True):
    """Use of a mailed link."""

    token: Annotated[str, msgspec.Meta(max_length=200)]


class NamesBody(In, frozen=True, kw_only=True):
    """New names; what is left out stays, null or nothing but spaces takes a name away."""

    first_name: str | msgspec.UnsetType | None = msgspec.UNSET
    last_name: str | msgspec.UnsetType | None = msgspec.UNSET


class EmailBody(In, frozen=True, kw_only=True):
    """A new address. The current password is needed where there is one."""

    email: str
    current_password: str | None = None


class LeaveBody(In, frozen=True, kw_only=True):
    """The end of an account. `confirm` is its address, typed once more."""

    confirm: str
    current_password: str | None = None


class EmailPreferencesBody(In, frozen=True, kw_only=True):
    """Whether somebody wants news by mail."""

    email_marketing_enabled: bool


class LanguageBody(In, frozen=True, kw_only=True):
    """A chosen language; a code the interface does not speak is ignored."""

    language: Annotated[str, msgspec.Meta(max_length=100)]


class MethodOut(Out, frozen=True, kw_only=True):
    """A way to sign in. `registration`: visitors may make an account this way."""

    id: str
    provider: str
    label: str
    kind: Literal["form", "redirect", "email_link"]
    registration: bool


class SessionOut(Out, frozen=True, kw_only=True):
    """A device on which the user is signed in. `method` is the sign-in instance, `setup` or `passkey`."""

    id: int
    current: bool
    created_at: datetime
    last_seen_at: datetime
    method: str
    ip: str
    user_agent: str


class SignInOut(Out, frozen=True, kw_only=True):
    """A sign-in elsewhere that is connected with the account. `label` is None when its instance is gone."""

    id: int
    instance_id: str
    label: str | None
    created_at: datetime


class AuditOut(Out, frozen=True, kw_only=True):
    """One deed. `keys` names the fields that changed; the actor's address is gone when the account is.

    `hasValues`: what was there before and after is kept.
    """

    id: int
    at: datetime
    actor_id: int | None
    actor_email: str | None
    ip: str
    action: str
    object: str
    outcome: str
    keys: list[str]
    has_values: bool


Restorable = Literal["yes", "changed", "no"]
"""Whether what was there before can be put back: it was changed since, or is not kept."""


class AuditDetail(Out, frozen=True, kw_only=True):
    """An entry with what was there before and after, by the names that the API has for it; null where not kept."""

    entry: AuditOut
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    restorable: Restorable


class AuditRestored(Out, frozen=True, kw_only=True):
    """The number of the entry that putting back has made."""

    id: int


class PersonIn(In, frozen=True, kw_only=True):
    """What an administrator says of somebody; what is left out stays. `isPro` null leaves it to the subscription,
    true is for good or until `proUntil`.

    Who is `disabled` is signed out everywhere and cannot sign in.
    """

    is_admin: bool | msgspec.UnsetType = msgspec.UNSET
    disabled: bool | msgspec.UnsetType = msgspec.UNSET
    is_pro: bool | msgspec.UnsetType | None = msgspec.UNSET
    pro_until: Annotated[datetime, msgspec.Meta(tz=True)] | None = None


class PersonOut(Out, frozen=True, kw_only=True):
    """A user as administrators see them. `pro_override` is their own word on Pro, `is_pro` what holds.

    `credits` are the covers they have left beyond a month's limit.
    `subscription` is the state of the subscription, `covers` how many there are in the gallery; `suppression` says why
    they get no email at all.
    """

    id: int
    email: str
    email_verified: bool
    first_name: str | None
    last_name: str | None
    profile_image_url: str | None
    is_admin: bool
    disabled: bool
    has_second_factor: bool
    is_pro: bool
    pro_override: bool | None
    pro_until: datetime | None
    payment_customer_id: str | None
    subscription: str | None
    created_at: datetime
    last_seen_at: datetime | None
    generations_this_month: int
    covers: int
    credits: int
    email_marketing_enabled: bool
    suppression: SuppressionNote | None


class UserCount(Out, frozen=True, kw_only=True):
    """How many users match a filter."""

    count: int


class DeletedUser(Out, frozen=True, kw_only=True):
    """Whose account it was."""

    email: str


class DeletedOut(Out, frozen=True, kw_only=True):
    """An account that was deleted. What belongs to it goes soon after."""

    deleted_user: DeletedUser


class OverviewOut(Out, frozen=True, kw_only=True):
    """How many users there are, and how many of them are Pro, administrators, or have a payment-customer id."""

    users: int
    pro: int
    administrators: int
    payment_customers: int


class SecondStepOut(Out, frozen=True, kw_only=True):
    """The first step of a sign-in is done, and one of these has to be shown before there is a session."""

    second_step: list[FactorKind]


class UserOut(Out, frozen=True, kw_only=True):
    """The user object. `subscription` and `invoices` are the same as in their own call.

    `lacks_required_factor`: an administrator who has to set up a second factor before any administration.
    `email_trouble`: why their address gets no email. `credits`: covers they may make beyond the month's limit.
    """

    id: int
    email: str
    email_verified: bool
    first_name: str | None
    last_name: str | None
    profile_image_url: str | None
    is_admin: bool
    is_pro: bool
    payment_customer_id: str | None
    created_at: datetime
    generations_this_month: int
    email_marketing_enabled: bool
    credits: int
    email_trouble: EmailTrouble | None
    language: str | None
    has_password: bool
    has_second_factor: bool
    lacks_required_factor: bool
    downloads: Downloads
    subscription: SubscriptionOut | None
    invoices: list[InvoiceOut]


def user_out(user: CurrentUser, facts: UserSummary) -> UserOut:
    """Build the user object."""
    return UserOut(
        id=user.id,
        email=user.email,
        email_verified=user.email_verified,
        first_name=user.first_name,
        last_name=user.last_name,
        profile_image_url=None,
        is_admin=user.is_admin,
        is_pro=facts.is_pro,
        payment_customer_id=user.payment_customer,
        created_at=user.created_at,
        generations_this_month=facts.generations_this_month,
        email_marketing_enabled=user.email_marketing is not False,
        credits=facts.credits,
        email_trouble=facts.email_trouble,
        language=user.language,
        has_password=user.has_password,
        has_second_factor=user.has_second_factor,
        lacks_required_factor=user.lacks_required_factor,
        downloads=facts.downloads,
        subscription=facts.subscription,
        invoices=list(facts.invoices),
    )
