"""Rules for payment providers that can put off payments."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from .. import InvalidRequest, NotFound, PaymentProvider, StartResult, SubscriptionTruth, misfit
from .buyers import new_key, started
from .waivers import waived

DAY_S = 86_400
Confirm = Callable[[StartResult], Awaitable[None]]


class PauseRules:
    """Part of the group PAY. Rules apply only where `pause` is claimed."""

    async def test_PAY_25_a_pause_takes_nothing_away_and_can_be_ended(self, provider: Any, confirm: Confirm) -> None:
        if not provider.capabilities().pause:
            return waived("pause is not claimed")
        begun = await started(provider, await _monthly(provider))
        ref = begun.subscription.ref
        with pytest.raises(InvalidRequest):
            await provider.pause(ref, months=1, idempotency_key=new_key())
        await confirm(begun)
        before = await provider.subscription(ref)
        paid = await provider.invoices(before.customer)
        paused = await provider.pause(ref, months=2, idempotency_key=new_key())
        assert misfit(paused, SubscriptionTruth) is None
        assert (paused.state, paused.period_end, paused.cancel_at) == (before.state, before.period_end, None)
        assert before.period_end is not None and paused.paused_until is not None
        assert 58 * DAY_S < paused.paused_until - before.period_end < 63 * DAY_S, "two months after what is paid"
        assert await provider.pause(ref, months=3, idempotency_key=new_key()) == paused, "it is paused already"
        assert await provider.subscription(ref) == paused
        for _ in range(2):
            back = await provider.resume(ref, idempotency_key=new_key())
            assert (back.state, back.period_end, back.paused_until) == (before.state, before.period_end, None)
        assert await provider.invoices(before.customer) == paid, "a pause charges and credits nothing"
        await provider.cancel(ref, at_period_end=True, idempotency_key=new_key())
        with pytest.raises(InvalidRequest):
            await provider.pause(ref, months=1, idempotency_key=new_key())
        for call in (provider.pause("sub_nobody", months=1, idempotency_key=new_key()), _resume(provider)):
            with pytest.raises(NotFound):
                await call

    async def test_PAY_26_a_pause_is_over_when_it_was_told(self, provider: Any, confirm: Confirm) -> None:
        if not (provider.capabilities().pause and provider.capabilities().test_clock):
            return waived("pause and test_clock are not both claimed")
        begun = await started(provider, await _monthly(provider))
        await confirm(begun)
        ref = begun.subscription.ref
        paused = await provider.pause(ref, months=1, idempotency_key=new_key())
        paid = await provider.invoices(paused.customer)
        await provider.advance(40)
        waiting = await provider.subscription(ref)
        assert (waiting.period_end, waiting.paused_until) == (paused.period_end, paused.paused_until)
        assert waiting.state == "paused", "what was paid is used up"
        assert await provider.invoices(paused.customer) == paid, "charged in a pause"
        await provider.advance(30)
        renewed = await provider.subscription(ref)
        assert renewed.state == "active" and renewed.paused_until is None
        assert (renewed.period_end or 0) > await provider.now()
        assert len(await provider.invoices(paused.customer)) == len(paid) + 1, "it goes on with one payment"


async def _monthly(provider: PaymentProvider) -> str:
    """Return a price that is paid each month."""
    return next(
        price.id
        for product in await provider.products()
        for price in product.prices
        if product.active and (price.interval, price.interval_count, price.trial_days) == ("month", 1, 0)
    )


def _resume(provider: Any) -> Awaitable[Any]:
    resumed: Awaitable[Any] = provider.resume("sub_nobody", idempotency_key=new_key())
    return resumed
