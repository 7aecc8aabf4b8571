"""Helpers of the payment contract."""

import msgspec

from kernel import spi


def test_a_card_number_is_not_in_its_repr() -> None:
    card = spi.PaymentCard(number="4242424242424242", expiry="04/30", cvc="123")
    shown = f"{card} {card!r} {[card]} {msgspec.structs.replace(card, cvc='987')} {ValueError(card)!r}"
    assert not any(part in shown for part in ("4242", "04/30", "123", "987"))


def test_what_a_provider_may_bring_besides_is_told_by_its_methods() -> None:
    class Till:
        async def pay(self, client_secret: str, card: spi.PaymentCard, *, confirmed: bool = False) -> spi.FormResult:
            return spi.FormResult(status="succeeded")

    assert isinstance(Till(), spi.PaymentForm)
    assert not isinstance(Till(), spi.InvoiceDocuments | spi.TestClock)


def test_nothing_is_claimed_that_was_not_named() -> None:
    plain = spi.PaymentCapabilities(client="redirect")
    assert not plain.documents and not plain.test_clock
