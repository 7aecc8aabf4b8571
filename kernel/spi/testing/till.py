"""Rules for optional parts of a payment provider: previews of changes, a form, documents of invoices, a test clock."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import pytest

from .. import (
    CardChanges,
    CatalogPrice,
    ChangePreview,
    ChangePreviews,
    ClientData,
    FormResult,
    FormStatus,
    InvalidRequest,
    InvoiceDocuments,
    NoClient,
    NotFound,
    Pauses,
    PaymentCard,
    PaymentForm,
    PaymentProvider,
    PromotionCodes,
    ProviderError,
    SandboxClient,
    ScriptClient,
    StartResult,
    Taxes,
    TestClock,
    TestRefunds,
    misfit,
)
from .buyers import new_key, started
from .probes import all_logs
from .waivers import waived

Cards = Mapping[FormStatus, PaymentCard]
"""Test cards, by what becomes of a payment with them."""

DAY_S: Final = 86_400
LONGEST_PERIOD_DAYS: Final = 366
CLOCK_GRACE_S: Final = 60
STRANGE: Final = PaymentCard(number="5105 1051 0510 5100", expiry="12/99", cvc="739")
"""A card that is no known test card: perhaps a real one."""


def has_form(provider: Any) -> bool:
    """Return whether it is paid through the kernel's call: in the kernel's own form, or in an element of its own."""
    client = provider.capabilities().client
    return client == "sandbox" or (client == "script" and isinstance(provider, PaymentForm))


class TillRules:
    """Part of the groups CAP and PAY. Rules apply only to what is claimed."""

    @pytest.fixture
    def cards(self, provider: PaymentProvider) -> Cards:
        """Return a test card for each result that a payment in the form may have, at the first attempt."""
        if not has_form(provider):
            return {}
        raise NotImplementedError("override the fixture `cards`: a test card for each status of a FormResult")

    # CAP: capabilities

    async def test_CAP_04_what_is_claimed_is_there(self, provider: PaymentProvider) -> None:
        known = provider.capabilities()
        assert known.client != "sandbox" or isinstance(provider, PaymentForm)
        assert not known.documents or isinstance(provider, InvoiceDocuments)
        assert not known.test_clock or isinstance(provider, TestClock)
        assert not known.preview_change or (known.change_price and isinstance(provider, ChangePreviews))
        assert not known.change_at_renewal or known.change_price
        assert not known.change_card or isinstance(provider, CardChanges)
        assert not known.promotion_codes or isinstance(provider, PromotionCodes)
        assert not known.pause or isinstance(provider, Pauses)
        assert not known.taxes or isinstance(provider, Taxes)
        assert not known.test_refunds or (known.refunds and isinstance(provider, TestRefunds))

    # PAY: another price

    async def test_PAY_19_a_preview_charges_nothing(
        self, provider: Any, prices: tuple[str, str], confirm: Callable[[StartResult], Awaitable[None]]
    ) -> None:
        if not provider.capabilities().preview_change:
            return waived("preview_change is not claimed")
        begun = await started(provider, prices[0])
        await confirm(begun)
        before = await provider.subscription(begun.subscription.ref)
        paid = await provider.invoices(before.customer)
        for _ in range(2):
            told = await provider.preview_change(before.ref, price=prices[1])
            assert misfit(told, ChangePreview) is None
            assert len({money.currency for money in (told.due, told.credit, told.next_charge)}) == 1
            assert all(money.amount >= 0 for money in (told.due, told.credit, told.next_charge))
            assert told.next_at > told.as_of, "unix seconds, and to come"
        assert await provider.subscription(before.ref) == before, "to look at a price is no change"
        assert await provider.invoices(before.customer) == paid
        with pytest.raises(NotFound):
            await provider.preview_change("sub_nobody", price=prices[1])

    async def test_PAY_20_a_change_charges_once_what_was_shown(
        self, provider: Any, prices: tuple[str, str], confirm: Callable[[StartResult], Awaitable[None]]
    ) -> None:
        if not provider.capabilities().preview_change:
            return waived("preview_change is not claimed")
        begun = await started(provider, prices[0])
        await confirm(begun)
        ref, customer, key = begun.subscription.ref, begun.subscription.customer, new_key()
        known = {invoice.id for invoice in await provider.invoices(customer)}
        told = await provider.preview_change(ref, price=prices[1])
        with pytest.raises(InvalidRequest):
            await provider.change_price(ref, price=prices[1], idempotency_key=new_key(), as_of=told.as_of - DAY_S)
        for _ in range(2):
            changed = await provider.change_price(ref, price=prices[1], idempotency_key=key, as_of=told.as_of)
            assert changed.price == prices[1]
        charged = sum(invoice.paid.amount for invoice in await provider.invoices(customer) if invoice.id not in known)
        assert charged == told.due.amount, "another amount than the one that was shown"
        assert abs((changed.period_end or 0) - told.next_at) < CLOCK_GRACE_S

    async def test_PAY_22_a_change_at_renewal_charges_nothing_before(
        self, provider: Any, prices: tuple[str, str], confirm: Callable[[StartResult], Awaitable[None]]
    ) -> None:
        if not provider.capabilities().change_at_renewal:
            return waived("change_at_renewal is not claimed")
        known = {price.id: price for product in await provider.products() for price in product.prices}
        first = known[prices[0]]
        begun = await started(provider, first.id)
        await confirm(begun)
        before = await provider.subscription(begun.subscription.ref)
        paid = await provider.invoices(before.customer)
        fitting = (price for price in known.values() if _renews_alike(first, price))
        if (second := next(fitting, None)) is not None:
            key = new_key()
            for _ in range(2):
                changed = await provider.change_price(before.ref, price=second.id, idempotency_key=key, at_renewal=True)
                assert (changed.price, changed.period_end) == (second.id, before.period_end)
            assert await provider.invoices(before.customer) == paid, "the current period is charged again"
            before = await provider.subscription(before.ref)
        unlike = [
            one for one in known.values() if one.interval and one.id != first.id and not _renews_alike(first, one)
        ]
        for other in unlike:
            with pytest.raises(InvalidRequest):
                await provider.change_price(before.ref, price=other.id, idempotency_key=new_key(), at_renewal=True)
        assert await provider.subscription(before.ref) == before
        with pytest.raises(NotFound):
            await provider.change_price("sub_nobody", price=first.id, idempotency_key=new_key(), at_renewal=True)

    # PAY: another card

    async def test_PAY_21_another_card_is_taken_and_nothing_charged(
        self,
        provider: Any,
        prices: tuple[str, str],
        cards: Cards,
        confirm: Callable[[StartResult], Awaitable[None]],
    ) -> None:
        if not provider.capabilities().change_card:
            return waived("change_card is not claimed")
        begun = await started(provider, prices[0])
        ref = begun.subscription.ref
        with pytest.raises(InvalidRequest):
            await provider.card_form(ref)
        await confirm(begun)
        before = await provider.subscription(ref)
        paid = await provider.invoices(before.customer)
        form = await provider.card_form(ref)
        assert misfit(form, ClientData) is None and form == await provider.card_form(ref)
        assert not isinstance(form, NoClient)
        assert await provider.subscription(ref) == before, "a form is no change"
        if isinstance(form, SandboxClient) or has_form(provider):
            assert isinstance(form, SandboxClient | ScriptClient) and form.client_secret
            assert form.intent == "setup" and form.first_payment == before.period_end
            assert (await provider.pay(form.client_secret, cards["declined"])).status == "declined"
            assert await provider.subscription(ref) == before
            assert (await provider.pay(form.client_secret, cards["succeeded"])).status == "succeeded"
            after = await provider.subscription(ref)
            assert (after.state, after.period_end) == (before.state, before.period_end)
        assert await provider.invoices(before.customer) == paid
        with pytest.raises(NotFound):
            await provider.card_form("sub_nobody")

    # PAY: the form

    async def test_PAY_13_only_a_good_card_pays(self, provider: Any, prices: tuple[str, str], cards: Cards) -> None:
        if not has_form(provider):
            return waived("no form")
        with pytest.raises(NotFound):
            await provider.pay("secret_of_nobody", cards["succeeded"])
        begun = await started(provider, prices[0])
        ref, secret = begun.subscription.ref, _secret(begun)
        for status in ("declined", "requires_confirmation"):
            for confirmed in (False, True) if status == "declined" else (True,):
                result = await provider.pay(secret, cards[status], confirmed=confirmed)
                assert misfit(result, FormResult) is None and result.status == status
                assert (await provider.subscription(ref)).state == "incomplete", f"active after `{status}`"
            assert result.message.strip(), "say to the person what is the matter"
        assert not isinstance(await provider.confirmation(ref), NoClient), "a declined payment can be tried again"
        confirmed_card = cards["requires_confirmation"]
        assert (await provider.pay(secret, confirmed_card)).status == "requires_confirmation"
        assert (await provider.pay(secret, confirmed_card, confirmed=True)).status == "succeeded"
        assert (await provider.subscription(ref)).state in ("active", "trialing")

    async def test_PAY_14_a_form_that_is_sent_twice_pays_once(
        self, provider: Any, prices: tuple[str, str], cards: Cards
    ) -> None:
        if not has_form(provider):
            return waived("no form")
        begun = await started(provider, prices[0])
        secret, card = _secret(begun), cards["succeeded"]
        results = await asyncio.gather(*(provider.pay(secret, card) for _ in range(3)))
        results.append(await provider.pay(secret, card))
        assert {result.status for result in results} == {"succeeded"}
        invoices = await provider.invoices(begun.subscription.customer)
        assert [invoice.state for invoice in invoices] == ["paid"], "paid once, and nothing is open"

    async def test_PAY_15_a_card_leaves_no_trace(self, provider: Any, prices: tuple[str, str], cards: Cards) -> None:
        if not has_form(provider):
            return waived("no form")
        seen: list[str] = []
        with all_logs() as lines:
            for card in (*cards.values(), STRANGE):
                begun = await started(provider, prices[0])
                for secret in (_secret(begun), "secret_of_nobody"):
                    try:
                        seen.append(repr(await provider.pay(secret, card)))
                    except ProviderError as error:
                        seen += [str(error), repr(error)]
                seen += [repr(await provider.invoices(begun.subscription.customer)), repr(provider)]
        for card in (*cards.values(), STRANGE):
            for text in (card.number, "".join(card.number.split())):
                assert not any(text in line for line in (*seen, *lines)), "a card's number was logged or returned"

    # PAY: documents

    async def test_PAY_16_an_invoice_has_its_document(
        self, provider: Any, prices: tuple[str, str], confirm: Callable[[StartResult], Awaitable[None]]
    ) -> None:
        if not provider.capabilities().documents:
            return waived("documents are not claimed")
        begun = await started(provider, prices[0])
        await confirm(begun)  # some vendors write the invoice only then
        (invoice, *_) = await provider.invoices(begun.subscription.customer)
        document = await provider.invoice_pdf(invoice.id)
        assert isinstance(document, bytes)
        assert document.startswith(b"%PDF-") and document.rstrip().endswith(b"%%EOF"), "a whole PDF"
        for other in ("in_nobody", "../kit", ""):
            with pytest.raises(NotFound):
                await provider.invoice_pdf(other)

    # PAY: the clock

    async def test_PAY_17_time_only_moves_forward(self, provider: Any) -> None:
        if not provider.capabilities().test_clock:
            return waived("test_clock is not claimed")
        before = await provider.now()
        for days in (0, -1, LONGEST_PERIOD_DAYS + 1):
            with pytest.raises(InvalidRequest):
                await provider.advance(days)
        assert 0 <= await provider.now() - before < CLOCK_GRACE_S, "what is refused moves nothing"
        moved = await provider.advance(2)
        assert 0 <= moved - before - 2 * DAY_S < CLOCK_GRACE_S
        assert 0 <= await provider.now() - moved < CLOCK_GRACE_S

    async def test_PAY_18_time_that_passes_renews(
        self, provider: Any, prices: tuple[str, str], confirm: Callable[[StartResult], Awaitable[None]]
    ) -> None:
        if not provider.capabilities().test_clock:
            return waived("test_clock is not claimed")
        begun = await started(provider, prices[0])
        await confirm(begun)
        first = await provider.subscription(begun.subscription.ref)
        paid = len(await provider.invoices(first.customer))
        await provider.advance(LONGEST_PERIOD_DAYS)
        renewed = await provider.subscription(first.ref)
        assert renewed.state == "active" and (renewed.period_end or 0) > await provider.now()
        invoices = await provider.invoices(first.customer)
        assert len(invoices) > paid, "a period that begins has its invoice"
        assert {invoice.state for invoice in invoices} == {"paid"}


def _renews_alike(first: CatalogPrice, other: CatalogPrice) -> bool:
    """Return whether a subscription can go from one price to the other at its renewal."""
    same = (first.interval, first.interval_count, first.money.currency)
    return other.id != first.id and (other.interval, other.interval_count, other.money.currency) == same


def _secret(begun: StartResult) -> str:
    assert isinstance(begun.client, SandboxClient | ScriptClient) and begun.client.client_secret
    return begun.client.client_secret
