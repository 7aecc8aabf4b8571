"""Rules for payment providers whose vendor has promotion codes."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec
import pytest

from .. import (
    InvalidRequest,
    NoClient,
    NotFound,
    PaymentProvider,
    PromotionDuration,
    PromotionFault,
    PromotionPreview,
    PromotionRefusal,
    StartResult,
    misfit,
)
from .buyers import buyer, new_key, order
from .waivers import waived

Codes = Mapping[PromotionDuration | PromotionFault, str]
"""Promotion codes at the vendor of the tests, by what they do or why they are refused."""


class PromotionRules:
    """Part of the group PAY. Rules apply only where `promotion_codes` is claimed."""

    @pytest.fixture
    def codes(self, provider: PaymentProvider) -> Codes:
        """Return a code for each duration that fits the first of the prices, and codes by why they are refused."""
        if not provider.capabilities().promotion_codes:
            return {}
        raise NotImplementedError("override the fixture `codes`: promotion codes at the vendor of the tests")

    async def test_PAY_23_a_promotion_code_is_told_without_being_used(
        self, provider: Any, prices: tuple[str, str], codes: Codes
    ) -> None:
        if not provider.capabilities().promotion_codes:
            return waived("promotion_codes is not claimed")
        customer = await buyer(provider)
        for meaning, code in codes.items():
            for _ in range(2):
                told = await provider.preview_promotion(customer, price=prices[0], code=code)
                assert misfit(told, PromotionPreview | PromotionRefusal) is None
                if isinstance(told, PromotionRefusal):
                    assert told.fault == meaning
                    continue
                assert told.lasts == meaning and (told.months is not None) == (told.lasts == "months")
                assert len({money.currency for money in (told.due, told.reduced, told.full)}) == 1
                assert 0 <= told.due.amount <= told.reduced.amount < told.full.amount
        strange = await provider.preview_promotion(customer, price=prices[0], code="NOBODYS-CODE")
        assert strange == PromotionRefusal(fault="unknown")
        assert not await provider.subscriptions(customer), "to look at a code is no start"
        assert not await provider.invoices(customer)
        for who, price in (("cus_nobody", prices[0]), (customer, "price_nobody")):
            with pytest.raises(NotFound):
                await provider.preview_promotion(who, price=price, code=next(iter(codes.values())))

    async def test_PAY_24_a_code_takes_off_once_what_was_told(
        self,
        provider: Any,
        prices: tuple[str, str],
        codes: Codes,
        confirm: Callable[[StartResult], Awaitable[None]],
    ) -> None:
        if not provider.capabilities().promotion_codes:
            return waived("promotion_codes is not claimed")
        for meaning, code in codes.items():
            customer = await buyer(provider)
            told = await provider.preview_promotion(customer, price=prices[0], code=code)
            wish = msgspec.structs.replace(order(customer, prices[0]), promotion_code=code)
            if isinstance(told, PromotionRefusal):
                with pytest.raises(InvalidRequest) as refused:
                    await provider.start_subscription(wish)
                assert refused.value.field == "promotion_code"
                assert not await provider.subscriptions(customer), f"started with a code that is {meaning}"
                continue
            first, again = [await provider.start_subscription(wish) for _ in range(2)]
            assert first.subscription.ref == again.subscription.ref, "a repeated start must not subscribe twice"
            assert first.subscription.promotion_code == code
            if not isinstance(first.client, NoClient):
                await confirm(first)
            paid = [invoice.paid for invoice in await provider.invoices(customer)]
            assert paid == [told.due], "another amount than the one that was told"
            truth = await provider.subscription(first.subscription.ref)
            assert truth.promotion_code == code
            assert truth.next_charge == (None if told.lasts == "once" else told.reduced)
        plain = await buyer(provider)
        begun = await provider.start_subscription(order(plain, prices[0]))
        assert begun.subscription.promotion_code is None and begun.subscription.next_charge is None
        with pytest.raises(InvalidRequest):
            stranger = msgspec.structs.replace(order(plain, prices[0]), promotion_code="NOBODYS-CODE")
            await provider.start_subscription(msgspec.structs.replace(stranger, idempotency_key=new_key()))
