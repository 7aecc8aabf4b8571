"""Shapes of the wire: signing in and the user object."""

from datetime import datetime
from typing import Annotated, Literal

import msgspec

from kernel.accounts.current import CurrentUser
from kernel.accounts.facts import UserFacts
from kernel.core.wire import In, Out

Email = Annotated[str, msgspec.Meta(extra_json_schema={"format": "email", "maxLength": 254})]
NewPassword = Annotated[
    str, msgspec.Meta(extra_json_schema={"format": "password", "minLength": 8, "maxLength": 128, "writeOnly": True})
]
Password = Annotated[str, msgspec.Meta(extra_json_schema={"format": "password", "minLength": 1, "writeOnly": True})]
Name = Annotated[str, msgspec.Meta(extra_json_schema={"maxLength": 100})]
"""Their rules are checked by the service, which knows more of them, so that all bad fields are named at once."""


class SignInBody(In, frozen=True, kw_only=True):
    """E-mail and password."""

    email: Email
    password: Password


class RegisterBody(In, frozen=True, kw_only=True):
    """A new account."""

    email: Email
    password: NewPassword
    first_name: Name | None = None
    last_name: Name | None = None


class SetupBody(In, frozen=True, kw_only=True):
    """Claim of the first administrator."""

    token: Annotated[str, msgspec.Meta(max_length=200)]
    email: Email
    password: NewPassword


class LanguageBody(In, frozen=True, kw_only=True):
    """A chosen language; a code the interface does not speak is ignored."""

    language: Annotated[str, msgspec.Meta(max_length=100)]


class MethodOut(Out, frozen=True, kw_only=True):
    """A way to sign in. `registration`: visitors may make an account this way."""

    id: str
    provider: str
    label: str
    kind: Literal["form", "redirect"]
    registration: bool


class InvoiceRef(Out, frozen=True, kw_only=True):
    """An invoice of the user; the list itself comes from billing."""

    id: str


class UserOut(Out, frozen=True, kw_only=True):
    """The user object. `subscription` and `invoices` have calls of their own and are empty here."""

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
    language: str | None
    has_password: bool
    subscription: None
    invoices: list[InvoiceRef]


def user_out(user: CurrentUser, facts: UserFacts) -> UserOut:
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
        language=user.language,
        has_password=user.has_password,
        subscription=None,
        invoices=[],
    )
