"""What the stub sells."""

from typing import Final

from kernel.spi import CatalogPrice, CatalogProduct, Money

PRO, YEARLY, QUARTER, ONCE, TRIAL, YEN = (
    f"price_{name}" for name in ("pro", "year", "quarter", "once", "trial", "yen")
)
PRODUCTS: Final = (
    CatalogProduct(
        id="prod_pro",
        name="Pro",
        description="Many covers",
        active=True,
        prices=(
            CatalogPrice(id=PRO, money=Money(amount=1900, currency="usd"), interval="month"),
            CatalogPrice(id=YEARLY, money=Money(amount=19_000, currency="usd"), interval="year"),
            CatalogPrice(id=ONCE, money=Money(amount=500, currency="usd"), interval=None),
            CatalogPrice(id=TRIAL, money=Money(amount=0, currency="usd"), interval="month"),
            CatalogPrice(id=QUARTER, money=Money(amount=5000, currency="usd"), interval="month", interval_count=3),
            CatalogPrice(id=YEN, money=Money(amount=500, currency="jpy"), interval="month"),
        ),
    ),
    CatalogProduct(
        id="prod_old",
        name="Old",
        description="",
        active=False,
        prices=(CatalogPrice(id="price_old", money=Money(amount=900, currency="usd"), interval="month"),),
    ),
)


def amount_of(price: str) -> int:
    """Return what a price costs, in minor units."""
    return next(entry.money.amount for product in PRODUCTS for entry in product.prices if entry.id == price)
