"""What administrators do with old prices: see who pays them, and move these people to a new one."""

from typing import Final

from sqlalchemy import case, insert, literal, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.auth.account_emails import PRICE_CHANGING
from kernel.accounts.models import User
from kernel.billing.entitlement import DAY_S
from kernel.billing.models import Subscription
from kernel.billing.price_move_models import MovedSubscriber, PriceMove
from kernel.billing.pricing.prices import Prices
from kernel.billing.repricing.due import PENDING
from kernel.billing.repricing.progress import with_progress
from kernel.billing.repricing.schemas import (
    LEAST_NOTICE_DAYS,
    MOST_NOTICE_DAYS,
    NOTICE_DAYS,
    MoveIn,
    MovePreviewOut,
    MovePriceOut,
    PriceMoveOut,
    SubscriberPriceOut,
    SubscriberPricesOut,
)
from kernel.billing.repricing.subscribers import (
    REASON,
    PriceTerms,
    count_reasons,
    known_terms,
    offered_names,
    on_price,
    subscribers_by_price,
    targets,
)
from kernel.billing.vendor.gateway import PaymentGateway, PaymentInstance
from kernel.core import clock
from kernel.core.audit import Actor, audit
from kernel.core.data.database import Database, ReadConnection, changed_rows, insert_into
from kernel.core.data.moments import Moment
from kernel.core.errors import Absent, Conflict, InvalidFields
from kernel.core.fault_points import faultpoint
from kernel.core.field_errors import FieldError
from kernel.core.outbox import OutboxEmail, withdraw_emails

SHOWN: Final = 20
"""Moves that the page shows, the latest first."""

UNSUPPORTED: Final = "This payment provider cannot change a price at the next renewal."
RUNNING: Final = "The subscribers of this price are being moved already."
NOBODY: Final = "There is nobody to be moved."
NOT_OLD: Final = FieldError("not_an_old_price", "This price is still on sale, or nobody pays it.")
UNFIT: Final = FieldError("not_a_target", "Subscribers of the old price cannot be moved to this one.")


class PriceMoves:
    """Moves at the instance that sells now. Every method raises NoProvider where there is none."""

    def __init__(self, database: Database, gateway: PaymentGateway, prices: Prices) -> None:
        self._database = database
        self._gateway = gateway
        self._prices = prices

    async def subscribers(self) -> SubscriberPricesOut:
        """Return who pays what."""
        instance = self._gateway.active()
        async with self._database.scan() as connection:
            groups = await subscribers_by_price(connection, instance.id)
            known = await known_terms(connection, instance.id)
            offered = await offered_names(connection, self._prices, instance)
        movable = instance.capabilities.change_at_renewal
        prices = [_group(price, count, known, offered, movable=movable) for price, count in groups]
        return SubscriberPricesOut(
            prices=prices,
            movable=movable,
            least_notice_days=LEAST_NOTICE_DAYS,
            notice_days=NOTICE_DAYS,
            most_notice_days=MOST_NOTICE_DAYS,
        )

    async def preview(self, wish: MoveIn) -> MovePreviewOut:
        """Return whom a move would concern. Raises Conflict and InvalidFields."""
        instance = self._gateway.active()
        async with self._database.scan() as connection:
            old, new = await self._terms(connection, instance, wish)
            counts = await count_reasons(connection, instance.id, old.price)
        return MovePreviewOut(
            people=counts.get(None, 0),
            ending=counts.get("ending", 0),
            unpaid=counts.get("unpaid", 0),
            old_amount=old.amount,
            new_amount=new.amount,
            currency=old.currency,
            interval=old.interval or "",
            notice_ends=int(clock.now_unix()) + wish.notice_days * DAY_S,
        )

    async def begin(self, wish: MoveIn, actor: Actor) -> PriceMoveOut:
        """Begin a move: note everybody who pays the old price, those who are left out as well. A worker does the rest.

        Raises InvalidFields, and Conflict (`move_running`, `nobody_to_move`, `move_unsupported`).
        """
        instance = self._gateway.active()
        async with self._database.scan() as connection:
            old, new = await self._terms(connection, instance, wish)
        async with self._database.write() as session:
            move_id = await _add_move(session, instance.id, old, new, wish.notice_days)
            if not await _add_subscribers(session, move_id, instance.id, old.price):
                raise Conflict(NOBODY, code="nobody_to_move")
            audit(
                session,
                "payment.move_subscribers",
                actor_id=actor.id,
                ip=actor.ip,
                object=f"price:{old.price}",
                keys=("newPriceId", "noticeDays"),
            )
            faultpoint("price_move_begun")
        return await self.one(move_id)

    async def stop(self, move_id: int, actor: Actor) -> PriceMoveOut:
        """Leave whoever has not been moved yet on the old price. Raises Absent, and Conflict for one that has ended."""
        async with self._database.write() as session:
            if not await self.stop_in(session, move_id):
                known = (await session.execute(select(PriceMove.id).where(PriceMove.id == move_id))).first()
                raise Conflict("This has ended already.", code="move_ended") if known else Absent
            audit(session, "payment.stop_move", actor_id=actor.id, ip=actor.ip, object=f"move:{move_id}")
        return await self.one(move_id)

    async def stop_in(self, session: AsyncSession, move_id: int) -> bool:
        """Stop a move in a transaction; say whether it was running."""
        this = update(PriceMove).where(PriceMove.id == move_id, PriceMove.state == "running")
        if not await changed_rows(session, this.values(state="stopped", ended_at=clock.now())):
            return False
        # whoever the vendor was asked about is left to the worker: it may have been done
        mine = (MovedSubscriber.move_id == move_id, PENDING, MovedSubscriber.asked_at.is_(None))
        told = select(MovedSubscriber.user_id).where(*mine)
        unsent = select(OutboxEmail.user_id).where(OutboxEmail.kind == PRICE_CHANGING, OutboxEmail.user_id.in_(told))
        for user_id in (await session.execute(unsent)).scalars().all():
            await withdraw_emails(session, user_id or 0, (PRICE_CHANGING,))
        await session.execute(update(MovedSubscriber).where(*mine).values(state="stopped"))
        return True

    async def moves(self) -> list[PriceMoveOut]:
        """Return the latest moves with their progress."""
        instance = self._gateway.active()
        async with self._database.scan() as connection:
            latest = select(PriceMove).where(PriceMove.instance_id == instance.id)
            return await with_progress(connection, latest.order_by(PriceMove.id.desc()).limit(SHOWN))

    async def one(self, move_id: int) -> PriceMoveOut:
        """Return one move with its progress. Raises Absent."""
        async with self._database.scan() as connection:
            for move in await with_progress(connection, select(PriceMove).where(PriceMove.id == move_id)):
                return move
        raise Absent

    async def _terms(
        self, connection: ReadConnection, instance: PaymentInstance, wish: MoveIn
    ) -> tuple[PriceTerms, PriceTerms]:
        """Return the two prices of a move that is possible. Raises Conflict and InvalidFields."""
        if not instance.capabilities.change_at_renewal:
            raise Conflict(UNSUPPORTED, code="move_unsupported")
        known = await known_terms(connection, instance.id)
        offered = await offered_names(connection, self._prices, instance)
        old = known.get(wish.price_id)
        wrong: dict[str, FieldError] = {}
        if old is None or wish.price_id in offered:
            wrong["priceId"] = NOT_OLD
        fitting = targets(old, known, offered) if old else []
        new = next((one for one in fitting if one.price == wish.new_price_id), None)
        if new is None and (old or wish.new_price_id not in known):
            wrong["newPriceId"] = UNFIT
        if wrong or old is None or new is None:
            raise InvalidFields(wrong)
        return old, new


def _group(
    price: str, count: int, known: dict[str, PriceTerms], offered: list[str], *, movable: bool
) -> SubscriberPriceOut:
    terms = known.get(price)
    fitting = targets(terms, known, offered) if terms and movable else []
    return SubscriberPriceOut(
        price_id=price,
        amount=terms.amount if terms else None,
        currency=terms.currency if terms else None,
        interval=terms.interval if terms else None,
        interval_count=terms.interval_count if terms else None,
        subscribers=count,
        on_sale=price in offered,
        targets=[MovePriceOut(price_id=one.price, amount=one.amount) for one in fitting],
    )


async def _add_move(session: AsyncSession, instance_id: str, old: PriceTerms, new: PriceTerms, notice_days: int) -> int:
    """Add a running move. Raises Conflict where one of this price runs."""
    row = insert_into(session, PriceMove).values(
        instance_id=instance_id,
        old_price=old.price,
        new_price=new.price,
        old_amount=old.amount,
        new_amount=new.amount,
        currency=old.currency,
        interval=old.interval or "",
        notice_days=notice_days,
        state="running",
        created_at=clock.now(),
    )
    added = (await session.execute(row.on_conflict_do_nothing().returning(PriceMove.id))).scalar_one_or_none()
    if added is None:
        raise Conflict(RUNNING, code="move_running")
    return int(added)


async def _add_subscribers(session: AsyncSession, move_id: int, instance_id: str, price: str) -> bool:
    """Note everybody who pays the price; say whether anybody is to be moved."""
    moment = literal(clock.now(), Moment)
    values = {
        "move_id": literal(move_id),
        "user_id": Subscription.user_id,
        "subscription_id": Subscription.id,
        "state": case((REASON.is_(None), "waiting"), else_="left_out"),
        "reason": REASON,
        "run_after": moment,
        "created_at": moment,
    }
    found = select(*(column.label(name) for name, column in values.items())).join(User, User.id == Subscription.user_id)
    rows = insert(MovedSubscriber).from_select(list(values), found.where(on_price(instance_id, price)))
    await session.execute(rows)
    waiting = (MovedSubscriber.move_id == move_id, MovedSubscriber.state == "waiting")
    return (await session.execute(select(MovedSubscriber.id).where(*waiting).limit(1))).first() is not None
