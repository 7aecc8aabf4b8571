"""The administrator's choice among a vendor's prices: what Pro costs, and which other prices are offered beside it."""

from typing import Any, Final

import msgspec
from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.billing.models import PaymentPrice
from kernel.core.data.database import ReadConnection, insert_into
from kernel.core.data.stored_rows import Values, name_behind_colon
from kernel.core.errors import Conflict
from kernel.site.models import Setting

GONE: Final = "This price is not on sale any more."


class PriceChoice(msgspec.Struct, frozen=True, kw_only=True):
    """What an administrator chose: the price that is shown, and `others` of the same product for other periods."""

    product: str
    price: str
    others: tuple[str, ...] = ()


class PriceHistory:
    """What was chosen among the prices of a provider, named behind the colon, to be shown and put back."""

    async def read(self, session: AsyncSession, about: str) -> Values:
        """Return product and prices, or nothing where none was chosen."""
        choice = await chosen(session, name_behind_colon(about))
        return msgspec.structs.asdict(choice) | {"others": list(choice.others)} if choice else {}

    async def put_back(self, session: AsyncSession, about: str, values: Values) -> None:
        """Choose an earlier price. Raises Conflict (`price_not_on_sale`) for one that is not sold any more."""
        provider = name_behind_colon(about)
        if not values:
            await session.execute(delete(Setting).where(Setting.setting_key == setting_key(provider)))
            return
        # an entry from before there were others has none
        choice = PriceChoice(product=values["product"], price=values["price"], others=tuple(values.get("others", ())))
        sold = select(PaymentPrice.price).where(PaymentPrice.listed)
        prices = (choice.price, *choice.others)
        listed = set((await session.execute(sold.where(PaymentPrice.price.in_(prices)))).scalars())
        if not listed.issuperset(prices):
            raise Conflict(GONE, code="price_not_on_sale")
        await store_choice(session, provider, choice)


async def store_choice(session: AsyncSession, provider: str, choice: PriceChoice) -> None:
    """Store a choice in place of an earlier one."""
    defaults: dict[str, Any] = {"priceId": choice.price}
    if choice.others:
        defaults["otherPriceIds"] = list(choice.others)
    values = {"prompt_template": choice.product, "default_values": defaults}
    row = insert_into(session, Setting).values(setting_key=setting_key(provider), show_genre_checkbox=False, **values)
    await session.execute(row.on_conflict_do_update(index_elements=["setting_key"], set_=values))


def setting_key(provider: str) -> str:
    """Return the key of the setting that holds the choice: the product as its template, the price as a default."""
    return f"{provider}_product_id"


async def chosen(reader: ReadConnection | AsyncSession, provider: str) -> PriceChoice | None:
    """Return what an administrator chose among a provider's prices."""
    query = select(Setting.prompt_template, Setting.default_values).where(Setting.setting_key == setting_key(provider))
    row = (await reader.execute(query)).one_or_none()
    if row is None or not row.prompt_template or not row.default_values.get("priceId"):
        return None
    others = tuple(str(price) for price in row.default_values.get("otherPriceIds", ()))
    return PriceChoice(product=row.prompt_template, price=str(row.default_values["priceId"]), others=others)
