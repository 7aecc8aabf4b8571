"""Test of the connection: everything that can be checked without a user at the issuer's page."""

import secrets
from collections.abc import Awaitable, Callable
from typing import Final

import httpx

from kernel.spi import CheckReport, CheckSteps, ProviderContext, ProviderError
from plugins.oidc_signin.discovery import Description, Discovery
from plugins.oidc_signin.fetching import Answer, read_object
from plugins.oidc_signin.keys import FITTING, KeySource
from plugins.oidc_signin.settings import OidcSettings

ASK_ISSUER: Final = "Ask the issuer"
Offer = Callable[[Description, str, str, str], Awaitable[Answer]]


async def check(
    settings: OidcSettings, context: ProviderContext, discovery: Discovery, keys: KeySource, offer: Offer
) -> CheckReport:
    """Return the report; each step names the setting at fault."""
    steps = CheckSteps()
    return_url = f"{context.public_url}/api/auth/{context.instance_id}/return"
    try:
        description = await discovery.read()
    except ProviderError as error:
        steps.add(ASK_ISSUER, "fail", error.detail, field="issuer")
        return steps.report()
    steps.add(ASK_ISSUER, "ok", f"{description.issuer} answers and is who it says")
    await _keys(steps, keys, description)
    if "S256" in description.code_challenge_methods_supported:
        steps.add("PKCE", "ok", "S256")
    else:
        steps.add("PKCE", "warn", "the issuer does not say that it checks S256; it is used all the same")
    await _client(steps, settings, description, offer, return_url)
    steps.add("Redirect address", "skip", f"the issuer must know {return_url} as a redirect address of this client")
    return steps.report()


async def _keys(steps: CheckSteps, keys: KeySource, description: Description) -> None:
    try:
        found = await keys.all(description.jwks_uri)
    except ProviderError as error:
        steps.add("Read its signing keys", "fail", error.detail, field="issuer")
        return
    usable = sorted({name for name in FITTING for key in found if key.fits(name)})
    if usable:
        steps.add("Read its signing keys", "ok", f"{len(found)} for {', '.join(usable)}")
    else:
        steps.add("Read its signing keys", "fail", f"none for {', '.join(FITTING)}", field="issuer")


async def _client(
    steps: CheckSteps, settings: OidcSettings, description: Description, offer: Offer, return_url: str
) -> None:
    """Offer an invalid code: an issuer that knows this client refuses the code, any other refuses the client."""
    field = "client_id" if settings.client_secret is None else "client_secret"
    try:
        answer = await offer(description, secrets.token_urlsafe(16), secrets.token_urlsafe(48), return_url)
        error = read_object(answer.body).get("error")
    except ProviderError as trouble:
        steps.add("Show it our client", "fail", trouble.detail, field="issuer")
        return
    if error == "invalid_grant":
        steps.add("Show it our client", "ok", "the issuer knows this client")
    elif error in ("invalid_client", "unauthorized_client") or answer.status == httpx.codes.UNAUTHORIZED:
        steps.add("Show it our client", "fail", "the issuer does not accept this client", field=field)
    else:
        steps.add(
            "Show it our client", "warn", f"the issuer answered {answer.status}, which tells nothing of the client"
        )
