"""Sign-in with email and password, the embedded default."""

from collections.abc import Sequence
from typing import Any

from kernel.spi import Comparison, ProviderContext, ProviderSpec, SigninProvider, hookimpl
from plugins.password_signin.provider import PasswordSettings, PasswordSignin


def _build(_settings: PasswordSettings, context: ProviderContext) -> PasswordSignin:
    return PasswordSignin(context)


@hookimpl
def register_signin_providers() -> Sequence[ProviderSpec[Any, SigninProvider]]:
    """Offer the provider `password`."""
    return [
        ProviderSpec[PasswordSettings, SigninProvider](
            kind="signin",
            id="password",
            label="Email and password",
            summary="People create an account with their email address and a password. Needs no outside service.",
            contract=(1, 0),
            settings=PasswordSettings,
            build=_build,
            offline=True,
            comparison=Comparison(purposes=("no_service",), cost="free", reach="machine"),
        )
    ]
