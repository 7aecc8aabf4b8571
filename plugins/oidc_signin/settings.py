"""Settings of one issuer."""

from typing import Annotated, Final, Literal
from urllib.parse import urlsplit

from msgspec import Meta

from kernel.spi import Secret, Settings, SettingsInvalid, web_address

Name = Annotated[str, Meta(pattern=r"^[\x21-\x7e]+$", max_length=255)]
"""A value that stands in a list separated by spaces."""

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class OidcSettings(Settings, frozen=True, kw_only=True):
    """Where the issuer is and who we are there."""

    issuer: Annotated[
        str,
        Meta(
            title="Issuer",
            description="Address of the issuer, exactly as it names itself, with or without the slash at the end.",
            pattern=r"^https?://[^\s?#]+$",
            extra_json_schema={"x-destination": True},
        ),
    ]
    client_id: Annotated[
        str,
        Meta(title="Client ID", description="The name the issuer gave this site.", min_length=1, max_length=255),
    ]
    client_secret: Annotated[
        Secret | None,
        Meta(title="Client secret", description="Empty for a public client, which proves itself by PKCE alone."),
    ] = None
    scopes: Annotated[
        tuple[Annotated[str, Meta(pattern=r"^[\x21\x23-\x5b\x5d-\x7e]+$")], ...],
        Meta(
            title="Scopes",
            description="What to ask for; `openid` is always asked for.",
            extra_json_schema={"x-group": "advanced"},
        ),
    ] = ("openid", "email", "profile")
    prompt: Annotated[
        Literal["default", "login", "select_account", "consent"],
        Meta(
            title="Prompt",
            description="What the issuer asks of users who are already signed in there.",
            extra_json_schema={"x-group": "advanced"},
        ),
    ] = "default"
    max_age: Annotated[
        Annotated[int, Meta(ge=0, le=31_536_000)] | None,
        Meta(
            title="Maximum age of the sign-in",
            description="Seconds since the user last signed in at the issuer; an older sign-in is refused. Empty: no "
            "limit.",
            extra_json_schema={"x-group": "advanced"},
        ),
    ] = None
    acr_values: Annotated[
        tuple[Name, ...],
        Meta(
            title="Authentication levels (acr)",
            description="What to ask the issuer for, the best one first; a sign-in with none of them is refused.",
            extra_json_schema={"x-group": "advanced"},
        ),
    ] = ()
    required_amr: Annotated[
        tuple[Name, ...],
        Meta(
            title="Required methods (amr)",
            description="Methods that the issuer must report, for example `mfa`; a sign-in without one of them is "
            "refused.",
            extra_json_schema={"x-group": "advanced"},
        ),
    ] = ()
    registration: Annotated[
        bool,
        Meta(title="New accounts", description="Whether people without an account get one by signing in this way."),
    ] = True
    sign_out_there: Annotated[
        bool,
        Meta(
            title="Sign out there, too",
            description="Send people who sign out to the issuer. It must know this site's home page as a place to "
            "return to after signing out.",
            extra_json_schema={"x-group": "advanced"},
        ),
    ] = False


def is_safe_address(url: str) -> bool:
    """Return whether what is sent to an address cannot be intercepted: https, or this machine."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return False
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and host in LOOPBACK))


def check_settings(settings: OidcSettings) -> None:
    """Check what the form's own rules do not cover. Raises SettingsInvalid."""
    if web_address(settings.issuer) is None or not is_safe_address(settings.issuer):
        raise SettingsInvalid("the issuer's address must begin with https://", field="issuer")
    if "/.well-known/" in settings.issuer:
        raise SettingsInvalid("enter the issuer itself, without /.well-known/…", field="issuer")
