"""Sign-in with any OpenID Connect issuer."""

from collections.abc import Sequence
from typing import Any

from kernel.spi import Comparison, ProviderContext, ProviderSpec, SigninProvider, hookimpl
from plugins.oidc_signin.settings import OidcSettings


def _build(settings: OidcSettings, context: ProviderContext) -> SigninProvider:
    from plugins.oidc_signin.provider import build  # its library is slow to import, and most sites do not need it

    return build(settings, context)


@hookimpl
def register_signin_providers() -> Sequence[ProviderSpec[Any, SigninProvider]]:
    """Offer the provider `oidc`."""
    return [
        ProviderSpec[OidcSettings, SigninProvider](
            kind="signin",
            id="oidc",
            label="OpenID Connect",
            summary="People sign in at an issuer such as Keycloak, Authentik, Google or Okta, and come back signed in.",
            contract=(1, 0),
            settings=OidcSettings,
            build=_build,
            docs_url="https://openid.net/developers/how-connect-works/",
            comparison=Comparison(purposes=("company_accounts",), cost="depends", reach="chosen"),
        )
    ]
