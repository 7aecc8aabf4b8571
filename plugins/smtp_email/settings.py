"""Settings of the SMTP provider."""

from typing import Annotated, Literal

from msgspec import Meta

from kernel.spi import Secret, Settings


class SmtpSettings(Settings, frozen=True, kw_only=True):
    """Where the mail server is, and how to sign in to it."""

    host: Annotated[
        str,
        Meta(
            title="Server",
            description="Name of the mail server, such as smtp.example.com.",
            min_length=1,
            max_length=253,
            pattern=r"^\S+$",
            extra_json_schema={"x-destination": True},
        ),
    ]
    port: Annotated[
        int,
        Meta(
            title="Port",
            description="587 with STARTTLS, 465 with TLS from the start, 25 between servers.",
            ge=1,
            le=65535,
            extra_json_schema={"x-destination": True},
        ),
    ] = 587
    security: Annotated[
        Literal["starttls", "tls", "none"],
        Meta(
            title="Encryption",
            description="starttls and tls require encryption; none encrypts nothing, not even passwords.",
            extra_json_schema={"x-destination": True},
        ),
    ] = "starttls"
    username: Annotated[
        str,
        Meta(title="User name", description="Empty: the server is used without signing in.", max_length=320),
    ] = ""
    password: Annotated[
        Secret | None,
        Meta(title="Password", description="Password of the user, or the key that stands for it."),
    ] = None
    sender: Annotated[
        str,
        Meta(
            title="Sender",
            description="Address that all emails come from, if not the site's own: a@b.example or Name <a@b.example>.",
            max_length=320,
        ),
    ] = ""
    timeout_s: Annotated[
        float,
        Meta(
            title="Time-out",
            description="Seconds to wait for each answer of the server.",
            gt=0,
            le=120,
            extra_json_schema={"x-group": "advanced"},
        ),
    ] = 20.0
