"""Wire of second factors."""

from datetime import datetime
from typing import Annotated

import msgspec

from kernel.accounts.schemas import MAX_PASSKEY
from kernel.core.schemas import In, Out


class AuthenticatorAppOut(Out, frozen=True, kw_only=True):
    """The authenticator app."""

    confirmed_at: datetime
    last_used_at: datetime | None


class PasskeyOut(Out, frozen=True, kw_only=True):
    """A passkey."""

    id: int
    name: str
    created_at: datetime
    last_used_at: datetime | None


class SecondFactorsOut(Out, frozen=True, kw_only=True):
    """What the account has. `passkeys_possible`: browsers can use passkeys at this address of the site."""

    app: AuthenticatorAppOut | None
    passkeys: list[PasskeyOut]
    passkeys_possible: bool
    recovery_codes_left: int


class TotpSetupOut(Out, frozen=True, kw_only=True):
    """What an app needs: the secret as text, and the same as a QR code, the `data:` address of an SVG picture."""

    secret: str
    qr_code: str


class CodeBody(In, frozen=True, kw_only=True):
    """A code of the app that is being set up."""

    code: Annotated[str, msgspec.Meta(max_length=100)]


class PasskeyOptionsOut(Out, frozen=True, kw_only=True):
    """Options of the browser's WebAuthn functions, as JSON."""

    options: str


class PasskeyBody(In, frozen=True, kw_only=True):
    """A new passkey: a name, and what the browser has made from the options, as JSON."""

    name: str
    passkey: Annotated[str, msgspec.Meta(max_length=MAX_PASSKEY)]


class PasskeyAnswerBody(In, frozen=True, kw_only=True):
    """What a passkey has signed: the browser's answer to the options, as JSON."""

    passkey: Annotated[str, msgspec.Meta(max_length=MAX_PASSKEY)]


class PasskeyNameBody(In, frozen=True, kw_only=True):
    """Another name for a passkey."""

    name: str


class RecoveryCodesOut(Out, frozen=True, kw_only=True):
    """Recovery codes, shown this once; empty where the account has kept those that it had."""

    recovery_codes: list[str]


class SignInPolicyOut(Out, frozen=True, kw_only=True):
    """What the site asks of administrators: a second factor; to sign in at an issuer and nowhere else.

    `emailLinks`: whether people can sign in with a mailed link.
    """

    admins_need_second_factor: bool
    admins_only_issuer: bool
    email_links: bool


class SignInPolicyBody(In, frozen=True, kw_only=True):
    """What is to hold for signing in; what is left out stays."""

    admins_need_second_factor: bool | msgspec.UnsetType = msgspec.UNSET
    admins_only_issuer: bool | msgspec.UnsetType = msgspec.UNSET
    email_links: bool | msgspec.UnsetType = msgspec.UNSET
