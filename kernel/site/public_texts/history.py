"""What administrators changed of public texts and addresses, stored and put back."""

from typing import Final

import msgspec
from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.core.data.database import insert_into
from kernel.core.data.stored_rows import Values, name_behind_colon
from kernel.site.public_texts.models import PublicAddress, PublicText
from kernel.site.public_texts.schemas import AddressesOut

ADDRESSES: Final = tuple(field.name for field in msgspec.structs.fields(AddressesOut))
"""The names of the addresses in the footer."""


class TextHistory:
    """One text (`text:terms:de`); the time at which it is stored is that of the change."""

    async def read(self, session: AsyncSession, about: str) -> Values:
        """Return the text, or nothing where there is none."""
        query = select(PublicText.body).where(PublicText.name == name_behind_colon(about)).with_for_update()
        body = (await session.execute(query)).scalar_one_or_none()
        return {} if body is None else {"body": body}

    async def put_back(self, session: AsyncSession, about: str, values: Values) -> None:
        """Store a text, or remove it; one that stays the same keeps its time."""
        name = name_behind_colon(about)
        if values == await self.read(session, about):
            return
        if not values:
            await session.execute(delete(PublicText).where(PublicText.name == name))
            return
        new = {"body": values["body"], "updated_at": clock.now()}
        row = insert_into(session, PublicText).values(name=name, **new)
        await session.execute(row.on_conflict_do_update(index_elements=["name"], set_=new))


class AddressHistory:
    """All addresses in the footer at once."""

    async def read(self, session: AsyncSession, about: str) -> Values:
        """Return the addresses that are given, by name."""
        query = select(PublicAddress.name, PublicAddress.address).order_by(PublicAddress.name).with_for_update()
        return {row.name: row.address for row in await session.execute(query)}

    async def put_back(self, session: AsyncSession, about: str, values: Values) -> None:
        """Store these addresses and no others; those that stay the same keep their time."""
        stored = await self.read(session, about)
        if gone := stored.keys() - values.keys():
            await session.execute(delete(PublicAddress).where(PublicAddress.name.in_(gone)))
        for name, address in values.items():
            if stored.get(name) != address:
                new = {"address": address, "updated_at": clock.now()}
                row = insert_into(session, PublicAddress).values(name=name, **new)
                await session.execute(row.on_conflict_do_update(index_elements=["name"], set_=new))


TEXT_HISTORY: Final = TextHistory()
ADDRESS_HISTORY: Final = AddressHistory()
