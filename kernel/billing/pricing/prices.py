"""What Pro costs: the administrator's choice among the vendor's prices, and copies of these for everyone to see."""

import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import msgspec
from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.billing.models import REF_CHARS, PaymentPrice
from kernel.billing.pricing.choice import GONE, PriceChoice, PriceHistory, chosen, store_choice
from kernel.billing.vendor.gateway import PaymentGateway, PaymentInstance
from kernel.core import clock
from kernel.core.audit import Actor, audit
from kernel.core.config import PlansConfig
from kernel.core.data.database import Database, ReadConnection, insert_into
from kernel.core.errors import InvalidFields, NoProvider
from kernel.core.field_errors import FieldError
from kernel.core.text.storable import storable
from kernel.providers import NoProviderAvailable
from kernel.spi import CatalogPrice, CatalogProduct, ProviderError

log = logging.getLogger(__name__)

NOT_CHOSEN: Final = "Pro cannot be bought at the moment."
BOTH: Final = "Please select both a product and a price"
UNKNOWN_PRODUCT: Final = "The payment provider has no such product."
UNKNOWN_PRICE: Final = "This product has no such price."
ONE_TIME: Final = "Please select a price that recurs."
SAME_PERIOD: Final = "Please select at most one price for each period."
ONE_CURRENCY: Final = "Please select prices in one currency."
ODD: Final = "Please select a price for one day, week, month or year: people are told no other period."

COPY_HOURS: Final = 24
LEGACY_HOURS: Final = 1
"""The minimum interval between lookups of a price that is not on sale any more."""


class ListedPrice(msgspec.Struct, frozen=True, kw_only=True):
    """A stored copy of a price; `interval` None for one that does not recur."""

    price: str
    product: str
    amount: int
    currency: str
    interval: str | None
    listed: bool


_COLUMNS: Final = tuple(getattr(PaymentPrice, name) for name in ListedPrice.__struct_fields__)


class Prices:
    """The choice and the copies."""

    def __init__(self, config: PlansConfig, database: Database, gateway: PaymentGateway) -> None:
        self._config = config
        self._database = database
        self._gateway = gateway

    async def shown(self) -> ListedPrice:
        """Return the price of Pro from what is stored: the chosen one, or what the configuration says."""
        async with self._database.read() as connection:
            return await self.shown_in(connection)

    async def shown_in(self, connection: ReadConnection) -> ListedPrice:
        """Return the price of Pro from what is stored: the chosen one, or what the configuration says."""
        try:
            instance = self._gateway.active()
        except NoProvider:
            return self._configured()
        choice = await chosen(connection, instance.provider_id)
        price = await find(connection, instance.id, choice.price) if choice else None
        return price if price and price.interval else self._configured()

    def _configured(self) -> ListedPrice:
        plans = self._config
        return ListedPrice(
            price="",
            product="",
            amount=plans.pro_price_minor,
            currency=plans.pro_price_currency,
            interval=plans.pro_price_interval,
            listed=True,
        )

    async def choice(self, connection: ReadConnection) -> PriceChoice | None:
        """Return what was chosen among the prices of the instance that sells. Raises NoProvider."""
        return await chosen(connection, self._gateway.active().provider_id)

    async def on_sale(self, instance: PaymentInstance, wanted: str | None = None) -> ListedPrice:
        """Return the price to be paid: the wanted one, else the chosen one or what is shown while nothing is chosen.

        Raises ProviderError, InvalidFields for a price that is not offered, and NoProvider where there is no price.
        """
        if wanted is not None:
            async with self._database.read() as connection:
                offered = await self.offered_in(connection, instance)
            for price in offered:
                if price.price == wanted:
                    return price
            raise InvalidFields({"priceId": FieldError("not_on_sale", GONE)})
        async with self._database.read() as connection:
            found = await self._on_sale(connection, instance)
        if found is None:
            await self.copy(instance.id)
            async with self._database.read() as connection:
                found = await self._on_sale(connection, instance)
        if found is None:
            log.error("payments: instance %s has no price to sell Pro at", instance.id)
            raise NoProvider(NOT_CHOSEN, code="not_for_sale", retry_after=60.0)
        return found

    async def offered_in(self, connection: ReadConnection, instance: PaymentInstance) -> list[ListedPrice]:
        """Return the prices that users may choose among, the one that is shown first; none where none is stored."""
        main = await self._on_sale(connection, instance)
        if main is None:
            return []
        choice = await chosen(connection, instance.provider_id)
        names = choice.others if choice else ()
        query = select(*_COLUMNS).where(PaymentPrice.instance_id == instance.id, PaymentPrice.price.in_(names))
        rows = [ListedPrice(**row._asdict()) for row in await connection.execute(query)] if names else []
        others = [price for price in rows if price.listed and price.interval and price.currency == main.currency]
        return [main, *sorted(others, key=lambda price: names.index(price.price))]

    async def _on_sale(self, connection: ReadConnection, instance: PaymentInstance) -> ListedPrice | None:
        if choice := await chosen(connection, instance.provider_id):
            price = await find(connection, instance.id, choice.price)
            return price if price and price.listed and price.interval else None
        plans = self._config
        query = select(*_COLUMNS).where(
            PaymentPrice.instance_id == instance.id,
            PaymentPrice.listed,
            PaymentPrice.amount == plans.pro_price_minor,
            PaymentPrice.currency == plans.pro_price_currency,
            PaymentPrice.interval == plans.pro_price_interval,
            PaymentPrice.interval_count == 1,
        )
        row = (await connection.execute(query.order_by(PaymentPrice.price).limit(1))).one_or_none()
        return ListedPrice(**row._asdict()) if row else None

    async def copy(self, instance_id: str) -> Sequence[CatalogProduct]:
        """Read the catalogue from the vendor and store all prices. Raises ProviderError and NoProviderAvailable."""
        products = await self._gateway.products(instance_id)
        moment = clock.now()
        async with self._database.write() as session:
            unlisted = update(PaymentPrice).where(PaymentPrice.instance_id == instance_id)
            await session.execute(unlisted.values(listed=False, seen_at=moment))
            for product in products:
                for price in product.prices:
                    values = {
                        "product": storable(product.id, REF_CHARS),
                        "amount": price.money.amount,
                        "currency": price.money.currency.lower()[:8],
                        "interval": price.interval,
                        "interval_count": price.interval_count,
                        "listed": product.active,
                        "seen_at": moment,
                    }
                    row = insert_into(session, PaymentPrice).values(
                        instance_id=instance_id, price=storable(price.id, REF_CHARS), **values
                    )
                    await session.execute(
                        row.on_conflict_do_update(index_elements=["instance_id", "price"], set_=values)
                    )
        return products

    async def refresh_copies(self) -> None:
        """Copy the prices of the instance that sells once a day, so that changes at the vendor are shown."""
        try:
            instance = self._gateway.active()
        except NoProvider:
            return
        if await self._older_than(instance.id, timedelta(hours=COPY_HOURS)):
            await self.copy(instance.id)

    async def ensure_copied(self, instance_id: str, price: str) -> None:
        """Store a copy of a subscription's price if there is none yet; a failure is only logged."""
        async with self._database.read() as connection:
            if await find(connection, instance_id, price):
                return
        if not await self._older_than(instance_id, timedelta(hours=LEGACY_HOURS)):
            return
        try:
            await self.copy(instance_id)
        except (ProviderError, NoProviderAvailable) as error:
            log.warning("prices of %s not copied: %s", instance_id, type(error).__name__)

    async def _older_than(self, instance_id: str, age: timedelta) -> bool:
        query = select(func.max(PaymentPrice.seen_at)).where(PaymentPrice.instance_id == instance_id)
        async with self._database.read() as connection:
            seen = (await connection.execute(query)).scalar_one_or_none()
        return seen is None or not seen > clock.now() - age

    async def choose(
        self,
        instance: PaymentInstance,
        product: str | None,
        price: str | None,
        actor: Actor,
        others: Sequence[str] = (),
    ) -> PriceChoice:
        """Store what Pro costs from now on, and which other prices it may be paid at.

        Raises InvalidFields, ProviderError and NoProviderAvailable.
        """
        if not product or not price:
            raise InvalidFields(
                {name: BOTH for name, given in (("productId", product), ("priceId", price)) if not given}
            )
        _sellable(await self.copy(instance.id), product, price, others)
        choice = PriceChoice(product=product, price=price, others=tuple(others))
        about, history = f"price:{instance.provider_id}", PriceHistory()
        async with self._database.write() as session:
            before = await history.read(session, about)
            await store_choice(session, instance.provider_id, choice)
            audit(
                session,
                "payment.choose_price",
                actor_id=actor.id,
                ip=actor.ip,
                object=about,
                keys=("productId", "priceId"),
                before=before,
                after=await history.read(session, about),
            )
        return choice


def _sellable(products: Sequence[CatalogProduct], product: str, price: str, others: Sequence[str]) -> None:
    """Check that all prices can be subscribed to, and are told apart by their period. Raises InvalidFields."""
    found = next((entry for entry in products if entry.id == product and entry.active), None)
    if found is None:
        raise InvalidFields({"productId": UNKNOWN_PRODUCT})
    known = {entry.id: entry for entry in found.prices}
    main = known.get(price)
    wrong = {"priceId": fault} if (fault := _fault(main)) else {}
    rest = [known.get(other) for other in others]
    fault = next((fault for other in rest if (fault := _fault(other))), None)
    periods = [entry.interval for entry in (main, *rest) if entry]
    if fault is None and len(set(periods)) < len(periods):
        fault = SAME_PERIOD
    if fault is None and main and any(entry and entry.money.currency != main.money.currency for entry in rest):
        fault = ONE_CURRENCY
    if fault:
        wrong["otherPriceIds"] = fault
    if wrong:
        raise InvalidFields(wrong)


def _fault(price: CatalogPrice | None) -> str | None:
    """Return why a price cannot be sold."""
    if price is None:
        return UNKNOWN_PRICE
    if price.interval is None:
        return ONE_TIME
    return ODD if price.interval_count != 1 else None


async def find(reader: ReadConnection | AsyncSession, instance_id: str, price: str) -> ListedPrice | None:
    """Return the copy of one price."""
    query = select(*_COLUMNS).where(PaymentPrice.instance_id == instance_id, PaymentPrice.price == price)
    row = (await reader.execute(query)).one_or_none()
    return ListedPrice(**row._asdict()) if row else None
