"""Check of the settings: the key, its environment, prices and the webhook; it changes nothing."""

from typing import Final

from kernel.spi import AuthFailed, CheckReport, CheckSteps, InvalidRequest, NotFound, ProviderError
from plugins.paddle_payments import wire
from plugins.paddle_payments.client import Api
from plugins.paddle_payments.settings import PaddleSettings
from plugins.paddle_payments.webhooks import TOPICS

SECRET: Final = "pdl_ntfset_"
KEYS: Final = {"pdl_sdbx_": "sandbox", "pdl_live_": "live"}
"""Keys of before May 2025 begin with neither."""


class Examination:
    """One check of one instance."""

    def __init__(self, settings: PaddleSettings, api: Api, *, webhook_url: str) -> None:
        self._settings = settings
        self._api = api
        self._webhook_url = webhook_url
        self._steps = CheckSteps()

    async def run(self) -> CheckReport:
        """Run the steps; without a working key there are no further ones."""
        try:
            if self._mode():
                await self._prices()
                await self._webhook()
        except ProviderError as error:
            self._steps.add("reach", "fail", error.detail, field=error.field or "base_url")
        return self._steps.report()

    def _mode(self) -> bool:
        environment = self._settings.environment
        token = "live" if self._settings.publishable.startswith("live_") else "sandbox"
        key = self._settings.api_key.reveal()
        kind = next((meant for prefix, meant in KEYS.items() if key.startswith(prefix)), environment)
        if kind != environment:
            self._steps.add("mode", "fail", f"The key is of the environment {kind}.", field="environment")
        elif token != environment:
            self._steps.add(
                "mode", "fail", f"The client-side token is of the environment {token}.", field="publishable"
            )
        else:
            live = environment == "live"
            self._steps.add("mode", "ok", "live: real money moves" if live else "sandbox: no money moves")
            return True
        return False

    async def _prices(self) -> None:
        try:
            found = await self._api.pages(wire.Product, "/products", {"status": "active", "include": "prices"})
        except AuthFailed as error:
            self._steps.add("reach", "ok")
            self._steps.add("key", "fail", error.detail, field="api_key")
            raise
        self._steps.add("reach", "ok")
        self._steps.add("key", "ok")
        if any(price.billing_cycle for product in found for price in product.prices):
            self._steps.add("prices", "ok")
        else:
            self._steps.add("prices", "warn", "There is no recurring price yet: add a product at Paddle.")

    async def _webhook(self) -> None:
        secret = self._settings.webhook_secret
        if secret is None:
            detail = "No webhook secret: set up the webhook once this instance is saved."
            return self._steps.add("webhook", "warn", detail)
        if not secret.reveal().startswith(SECRET):
            detail = f"A webhook secret begins with {SECRET}; this is another one."
            return self._steps.add("webhook", "fail", detail, field="webhook_secret")
        try:
            found = await self._api.pages(wire.Destination, "/notification-settings")
        except (AuthFailed, InvalidRequest, NotFound) as error:
            return self._steps.add("webhook", "warn", error.detail)
        ours = next((one for one in found if one.destination == self._webhook_url), None)
        missing = sorted(set(TOPICS) - {event.name for event in ours.subscribed_events}) if ours else []
        if ours is None:
            self._steps.add("webhook", "warn", f"no destination at Paddle has the address {self._webhook_url}")
        elif not ours.active:
            self._steps.add("webhook", "warn", "the destination is not active at Paddle")
        elif missing:
            self._steps.add("webhook", "warn", f"the destination is not sent {', '.join(missing)}")
        else:
            self._steps.add("webhook", "ok")
