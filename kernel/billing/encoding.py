"""The contract's data as they go over the wire."""

from collections.abc import Iterable

from kernel.billing.schemas import (
    ClientOut,
    ProductOut,
    ProductPriceOut,
    RecurringOut,
    SampleCardOut,
    StartOut,
)
from kernel.billing.service import Opened
from kernel.spi import CatalogPrice, CatalogProduct, ElementsClient, RedirectClient, SandboxClient


def start_out(opened: Opened) -> StartOut:
    """Return what the browser needs, of whatever kind it is."""
    provider = opened.instance.provider_id
    match opened.client:
        case ElementsClient(publishable_key=key, client_secret=secret, intent=intent):
            client = ClientOut(kind="elements", publishable_key=key, client_secret=secret, intent=intent)
            return StartOut(client_secret=secret, provider=provider, publishable_key=key, client=client)
        case SandboxClient(client_secret=secret, cards=cards):
            shown = [SampleCardOut(number=card.number, outcome=card.outcome) for card in cards]
            client = ClientOut(kind="sandbox", client_secret=secret, cards=shown)
            return StartOut(client_secret=secret, provider=provider, client=client)
        case RedirectClient(url=url):
            client = ClientOut(kind="redirect", url=url)
            return StartOut(client_secret=None, provider=provider, redirect_url=url, client=client)
    return StartOut(client_secret=None, provider=provider, client=ClientOut(kind="none"))


def products_out(products: Iterable[CatalogProduct]) -> list[ProductOut]:
    """Return a catalogue in the words of the specification."""
    return [
        ProductOut(
            id=product.id,
            name=product.name,
            description=product.description,
            active=product.active,
            prices=[_price_out(price) for price in product.prices],
        )
        for product in products
    ]


def _price_out(price: CatalogPrice) -> ProductPriceOut:
    return ProductPriceOut(
        id=price.id,
        type="recurring" if price.interval else "one_time",
        unit_amount=price.money.amount,
        currency=price.money.currency,
        recurring=RecurringOut(interval=price.interval) if price.interval else None,
    )
