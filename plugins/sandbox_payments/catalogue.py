"""The bank's prices. A price never changes: its id contains its data, and another amount is another price."""

from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from kernel.spi import CatalogPrice, CatalogProduct, Money
from plugins.sandbox_payments.settings import SandboxSettings

PRODUCT: Final = "prod_pro"
YEN: Final = 500

PriceInterval = Literal["month", "year"]


class Price(msgspec.Struct, frozen=True, kw_only=True):
    """A price; the first `trial_days` are free."""

    id: str
    amount: int
    currency: str
    interval: PriceInterval
    trial_days: int

    @property
    def months(self) -> int:
        """Return the length of a period."""
        return 12 if self.interval == "year" else 1


def prices(settings: SandboxSettings) -> tuple[Price, ...]:
    """Return the prices on sale, the default one first."""
    offers: list[Price] = [
        _price(settings.monthly, settings.currency, "month"),
        _price(settings.yearly, settings.currency, "year"),
    ]
    if settings.trial_days:
        offers.append(_price(settings.monthly, settings.currency, "month", settings.trial_days))
    offers.append(_price(YEN, "jpy", "month"))
    return tuple({price.id: price for price in offers}.values())


def _price(amount: int, currency: str, interval: PriceInterval, trial_days: int = 0) -> Price:
    trial = f"trial{trial_days}_" if trial_days else ""
    name = f"price_{trial}{interval}_{amount}_{currency}"
    return Price(id=name, amount=amount, currency=currency, interval=interval, trial_days=trial_days)


def catalogue(offers: Sequence[Price]) -> tuple[CatalogProduct, ...]:
    """Return the one product with its prices."""
    return (
        CatalogProduct(
            id=PRODUCT,
            name="Pro",
            description="Pro at the sandbox: test cards only, no money moves.",
            active=True,
            prices=tuple(
                CatalogPrice(
                    id=price.id,
                    money=Money(amount=price.amount, currency=price.currency),
                    interval=price.interval,
                    trial_days=price.trial_days,
                )
                for price in offers
            ),
        ),
    )
