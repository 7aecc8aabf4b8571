"""The steps of "test connection" at Stripe: nothing that costs or changes anything."""

from collections.abc import Awaitable, Callable
from typing import Final

from kernel.spi import AuthFailed, CheckReport, CheckSteps, InvalidRequest, ProviderError, StepStatus
from plugins.stripe_payments import wire
from plugins.stripe_payments.client import Api
from plugins.stripe_payments.errors import within
from plugins.stripe_payments.settings import StripeSettings
from plugins.stripe_payments.webhooks import API_VERSION, TOPICS

CHECK_LIMIT_S: Final = 13.0
"""The contract allows a check 15 s; this leaves time to report."""

ALL: Final = "*"


class Examination:
    """One check."""

    def __init__(self, settings: StripeSettings, api: Api, *, live: bool, webhook_url: str) -> None:
        self._settings = settings
        self._api = api
        self._live = live
        self._webhook_url = webhook_url
        self._steps = CheckSteps()

    async def run(self) -> CheckReport:
        """Run the steps; without a working key there are no further ones."""
        try:
            await within(CHECK_LIMIT_S, self._run_steps())
        except ProviderError as error:
            self._steps.add("reach", "fail", error.detail, field=error.field or "api_url")
        return self._steps.report()

    async def _run_steps(self) -> None:
        if not await self._key():
            return
        self._mode()
        await self._step("prices", "fail", self._prices)
        await self._step("webhook", "warn", self._webhook)
        await self._step("refunds", "warn", self._refunds)
        if self._settings.automatic_tax:
            await self._step("tax", "fail", self._tax)
        if self._settings.portal:
            await self._step("portal", "warn", self._portal)

    async def _step(self, name: str, otherwise: StepStatus, call: Callable[[], Awaitable[None]]) -> None:
        """Run a step; a restricted key may not have the permission, which is no failure of the other permissions."""
        try:
            await call()
        except (AuthFailed, InvalidRequest) as error:
            self._steps.add(name, otherwise, error.detail, field=error.field if otherwise == "fail" else None)

    async def _key(self) -> bool:
        try:
            account = await self._api.read(wire.Account, self._api.v1.accounts.retrieve_current_async())
        except AuthFailed as error:
            self._steps.add("reach", "ok")
            if error.upstream_status != 403:
                self._steps.add("key", "fail", error.detail, field="secret_key")
                return False
            self._steps.add("key", "warn", "The key may not read the account, so not all of it could be tested.")
            return True
        self._steps.add("reach", "ok")
        if self._live and not account.charges_enabled:
            self._steps.add("key", "fail", f"{account.id} may not take payments yet", field="secret_key")
            return False
        self._steps.add("key", "ok", account.id)
        return True

    def _mode(self) -> None:
        if self._settings.publishable.startswith("pk_live_") is not self._live:
            detail = "one key is of test mode, the other one is live"
            self._steps.add("mode", "fail", detail, field="publishable")
        else:
            self._steps.add("mode", "ok", "live: real money moves" if self._live else "test mode: no money moves")

    async def _prices(self) -> None:
        call = self._api.v1.prices.list_async({"active": True, "type": "recurring", "limit": 1})
        page = await self._api.read(wire.Page[wire.Price], call)
        if page.data:
            self._steps.add("prices", "ok")
        else:
            self._steps.add("prices", "warn", "There is no recurring price yet: add a product at Stripe.")

    async def _webhook(self) -> None:
        secret = self._settings.webhook_secret
        if secret is not None and not secret.reveal().startswith("whsec_"):
            detail = "A signing secret begins with whsec_; this is another one."
            return self._steps.add("webhook", "fail", detail, field="webhook_secret")
        if secret is None:
            detail = "No signing secret: set up the webhook once this instance is saved."
            return self._steps.add("webhook", "warn", detail)
        found = await self._api.pages(wire.Endpoint, self._api.v1.webhook_endpoints.list_async)
        ours = next((one for one in found if one.url == self._webhook_url), None)
        self._steps.add("webhook", *self._judge(ours))

    def _judge(self, ours: wire.Endpoint | None) -> tuple[StepStatus, str]:
        if ours is None:
            return "warn", f"no endpoint at Stripe has the address {self._webhook_url}"
        if ours.status != "enabled":
            return "warn", "the endpoint is disabled at Stripe"
        if ours.api_version != API_VERSION:
            return "warn", f"the endpoint's version is {ours.api_version or 'that of the account'}, not {API_VERSION}"
        missing = sorted(set(TOPICS) - set(ours.enabled_events))
        if missing and ALL not in ours.enabled_events:
            return "warn", f"the endpoint is not sent {', '.join(missing)}"
        return "ok", API_VERSION

    async def _refunds(self) -> None:
        """A restricted key from before refunds were shown may not read charges."""
        await self._api.read(wire.Page[wire.Reference], self._api.v1.charges.list_async({"limit": 1}))
        self._steps.add("refunds", "ok")

    async def _tax(self) -> None:
        tax = await self._api.read(wire.TaxSettings, self._api.v1.tax.settings.retrieve_async())
        detail = "" if tax.status == "active" else "Stripe Tax is not active at Stripe"
        self._steps.add("tax", "fail" if detail else "ok", detail, field="automatic_tax")

    async def _portal(self) -> None:
        call = self._api.v1.billing_portal.configurations.list_async({"active": True, "is_default": True, "limit": 1})
        page = await self._api.read(wire.Page[wire.Reference], call)
        detail = "" if page.data else "the portal's configuration has not been saved at Stripe"
        self._steps.add("portal", "warn" if detail else "ok", detail)
