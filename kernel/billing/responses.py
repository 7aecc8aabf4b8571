"""The contract's data as response bodies."""

from collections.abc import Iterable

from msgspec import UNSET

from kernel.billing.pricing.prices import ListedPrice
from kernel.billing.schemas import (
    ChangePreviewOut,
    ClientOut,
    ProductOut,
    ProductPriceOut,
    PromotionOut,
    RecurringOut,
    SampleCardOut,
    StartOut,
)
from kernel.billing.vendor.gateway import OpenCheckout
from kernel.providers import static_file
from kernel.spi import (
    CatalogPrice,
    CatalogProduct,
    ChangePreview,
    ElementsClient,
    PromotionPreview,
    RedirectClient,
    SandboxClient,
    ScriptClient,
)


def start_out(opened: OpenCheckout) -> StartOut:
    """Return what the browser needs to pay, for each kind of start."""
    provider = opened.instance.provider_id
    match opened.client:
        case ElementsClient(publishable_key=key, client_secret=secret, intent=intent, first_payment=first):
            client = ClientOut(
                kind="elements",
                publishable_key=key,
                client_secret=secret,
                intent=intent,
                first_payment=UNSET if first is None else first,
            )
            return StartOut(client_secret=secret, provider=provider, publishable_key=key, client=client)
        case SandboxClient(client_secret=secret, cards=cards, intent=intent, first_payment=first):
            shown = [SampleCardOut(number=card.number, outcome=card.outcome) for card in cards]
            client = ClientOut(
                kind="sandbox",
                client_secret=secret,
                cards=shown,
                intent=intent,
                first_payment=UNSET if first is None else first,
            )
            return StartOut(client_secret=secret, provider=provider, client=client)
        case ScriptClient() as script:
            return _script_out(opened, script)
        case RedirectClient(url=url):
            client = ClientOut(kind="redirect", url=url)
            return StartOut(client_secret=None, provider=provider, redirect_url=url, client=client)
    return StartOut(client_secret=None, provider=provider, client=ClientOut(kind="none"))


def _script_out(opened: OpenCheckout, script: ScriptClient) -> StartOut:
    """Return a script with its address and the integrity of what is served there, whatever the plugin says."""
    instance = opened.instance
    url, file = static_file(instance.plugin, instance.spec.static if instance.spec else None, script.module)
    client = ClientOut(
        kind="script",
        url=url,
        integrity=file.integrity,
        element=script.element,
        data=dict(script.data),
        client_secret=UNSET if script.client_secret is None else script.client_secret,
        intent=script.intent,
        first_payment=UNSET if script.first_payment is None else script.first_payment,
    )
    return StartOut(client_secret=script.client_secret, provider=opened.instance.provider_id, client=client)


def preview_out(price: str, preview: ChangePreview) -> ChangePreviewOut:
    """Return what a change of price charges."""
    return ChangePreviewOut(
        price_id=price,
        currency=preview.due.currency,
        due=preview.due.amount,
        credit=preview.credit.amount,
        next_charge=preview.next_charge.amount,
        next_at=preview.next_at,
        as_of=preview.as_of,
    )


def promotion_out(code: str, price: ListedPrice, told: PromotionPreview) -> PromotionOut:
    """Return what a start with a promotion code charges."""
    return PromotionOut(
        promotion_code=code,
        price_id=price.price,
        currency=told.due.currency,
        interval=price.interval or "",
        due=told.due.amount,
        reduced=told.reduced.amount,
        full=told.full.amount,
        lasts=told.lasts,
        months=told.months or 0,
    )


def products_out(products: Iterable[CatalogProduct]) -> list[ProductOut]:
    """Return a catalogue as the specification names its fields."""
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
        recurring=_recurring(price),
    )


def _recurring(price: CatalogPrice) -> RecurringOut | None:
    if price.interval is None:
        return None
    return RecurringOut(
        interval=price.interval, interval_count=price.interval_count, trial_period_days=price.trial_days
    )
