"""The card with which a subscription is renewed: what is stored and shown of it, and when it is too old to pay."""

import re
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Row

from kernel.accounts.user_summary import CardOut
from kernel.billing.models import CARD_BRAND_CHARS, Subscription
from kernel.core.text.storable import storable
from kernel.spi import CardOnFile

BRANDS: Final = {
    "visa": "Visa",
    "mastercard": "Mastercard",
    "amex": "American Express",
    "discover": "Discover",
    "diners": "Diners Club",
    "jcb": "JCB",
    "unionpay": "UnionPay",
}

CARD_COLUMNS: Final = (
    Subscription.card_brand,
    Subscription.card_last4,
    Subscription.card_exp_month,
    Subscription.card_exp_year,
)


def plausible(card: CardOnFile | None) -> CardOnFile | None:
    """Return a card as a vendor reports it; None for one that cannot be."""
    if card is None or not re.fullmatch(r"[0-9]{4}", card.last4):
        return None
    return card if 1 <= card.exp_month <= 12 and 2000 <= card.exp_year <= 2999 else None


def stored_card(card: CardOnFile | None) -> dict[str, Any]:
    """Return the columns of a card, all empty for none."""
    if card is None:
        return dict.fromkeys(column.key for column in CARD_COLUMNS)
    return {
        "card_brand": storable(BRANDS.get(card.brand, ""), CARD_BRAND_CHARS),
        "card_last4": card.last4,
        "card_exp_month": card.exp_month,
        "card_exp_year": card.exp_year,
    }


def printed(card: CardOnFile) -> dict[str, str]:
    """Return how a card is named in an email, `Visa •••• 4242`, and its expiry as it is printed on it, `12/26`."""
    name = f"{BRANDS.get(card.brand, '')} •••• {card.last4}".strip()
    return {"card": name, "expires": f"{card.exp_month:02}/{card.exp_year % 100:02}"}


def shown_card(row: Row[Any]) -> CardOut | None:
    """Return the card of a row that has its columns, `period_end` and `cancel_at`."""
    if row.card_last4 is None:
        return None
    return CardOut(
        brand=row.card_brand,
        last4=row.card_last4,
        exp_month=row.card_exp_month,
        exp_year=row.card_exp_year,
        expires_first=row.cancel_at is None
        and expired_before(row.period_end, row.card_exp_year, row.card_exp_month) is not None,
    )


def expired_before(period_end: int | None, year: int, month: int) -> int | None:
    """Return when a card has expired, in unix seconds, if that is before the next payment.

    It is good for all of its last month, wherever its bank is.
    """
    following = datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)
    expired = int(following.timestamp())
    return expired if period_end is not None and expired <= period_end else None
