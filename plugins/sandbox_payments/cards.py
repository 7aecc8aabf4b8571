"""The test cards: the numbers that are well known from payment services."""

import re
from datetime import UTC, datetime
from typing import Final

from kernel.spi import CardOutcome, FormResult, PaymentCard, SampleCard

CARDS: Final[tuple[SampleCard, ...]] = (
    SampleCard(number="4242424242424242", outcome="succeeds"),
    SampleCard(number="4000000000000002", outcome="declined"),
    SampleCard(number="4000000000009995", outcome="insufficient_funds"),
    SampleCard(number="4000002500003155", outcome="confirmation"),
    SampleCard(number="4000000000000341", outcome="fails_at_renewal"),
    SampleCard(number="4000002760003184", outcome="confirmation_at_renewal"),
)
_OUTCOMES: Final = {card.number: card.outcome for card in CARDS}
_EXPIRY: Final = re.compile(r"\s*(0[1-9]|1[0-2])\s*[/-]?\s*(\d{2})\s*", re.ASCII)
_CVC: Final = re.compile(r"\d{3,4}", re.ASCII)

DECLINED: Final = FormResult(status="declined", code="card_declined", message="The card was declined.")
NO_FUNDS: Final = FormResult(
    status="declined", code="insufficient_funds", message="The card has not enough funds for this payment."
)
STRANGE: Final = FormResult(
    status="declined",
    code="not_a_test_card",
    message="This is not one of the test cards. Real cards are never taken here.",
)
EXPIRED: Final = FormResult(status="declined", code="expired_card", message="The card has expired.")
BAD_EXPIRY: Final = FormResult(
    status="declined", code="incorrect_expiry", message="Write the expiry date as month and year, such as 04/30."
)
BAD_CVC: Final = FormResult(
    status="declined", code="incorrect_cvc", message="The security code has three or four digits."
)
CONFIRM: Final = FormResult(
    status="requires_confirmation", code="confirmation", message="Please confirm the payment at your bank."
)
PAID: Final = FormResult(status="succeeded")


def digits(number: str) -> str:
    """Return a number without its spaces and hyphens."""
    return re.sub(r"[\s-]", "", number)


def outcome(card: PaymentCard) -> CardOutcome | None:
    """Return what a card does; None for one that is no test card."""
    return _OUTCOMES.get(digits(card.number))


def refusal(card: PaymentCard, now: float) -> FormResult | None:
    """Return why a card cannot pay at this time, or None."""
    kind = outcome(card)
    if kind is None:
        return STRANGE
    expiry = _EXPIRY.fullmatch(card.expiry)
    if expiry is None:
        return BAD_EXPIRY
    if expired(f"{expiry[1]}/{expiry[2]}", now):
        return EXPIRED
    if not _CVC.fullmatch(card.cvc.strip()):
        return BAD_CVC
    return {"declined": DECLINED, "insufficient_funds": NO_FUNDS}.get(kind)


def expired(expiry: str, now: float) -> bool:
    """Return whether the last month of a card, `MM/YY`, has passed."""
    today = datetime.fromtimestamp(now, UTC)
    return (2000 + int(expiry[3:]), int(expiry[:2])) < (today.year, today.month)


def expiry(card: PaymentCard) -> str:
    """Return the last month of a card that is good, as `MM/YY`."""
    month, year = _EXPIRY.fullmatch(card.expiry.strip()).groups()  # type: ignore[union-attr]
    return f"{month}/{year}"


def asks(kind: str) -> bool:
    """Return whether a card requires its owner's confirmation for a payment that the owner makes."""
    return kind in ("confirmation", "confirmation_at_renewal")
