"""The suppression list: vendors' events end email, in any order and however often they come."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from kernel.core import clock
from kernel.core.data.database import Database
from kernel.mail.suppression.models import EmailSuppression
from kernel.mail.suppression.service import apply_email_event, is_suppressed, may_try_again
from kernel.providers.webhooks.inbox import InboxEvent

pytestmark = pytest.mark.anyio

ADA = "ada@example.org"


async def apply(database: Database, topic: str, ref: str = ADA) -> None:
    async with database.write() as session:
        await apply_email_event(session, InboxEvent(instance_id="postmark", event_id="e", topic=topic, ref=ref))


async def rows(database: Database) -> list[tuple[str, str, str, str]]:
    query = select(EmailSuppression.address, EmailSuppression.scope, EmailSuppression.reason, EmailSuppression.source)
    async with database.read() as connection:
        return [tuple(row) for row in (await connection.execute(query.order_by(EmailSuppression.id))).all()]


async def suppressed(database: Database, address: str = ADA) -> tuple[bool, bool]:
    async with database.read() as connection:
        return (
            await is_suppressed(connection, address, "transactional"),
            await is_suppressed(connection, address, "bulk"),
        )


async def test_an_unsubscription_ends_bulk_mail_and_a_bounce_ends_all(database: Database) -> None:
    assert await suppressed(database) == (False, False)
    await apply(database, "unsubscribed")
    assert await suppressed(database) == (False, True)
    await apply(database, "bounced")
    assert await suppressed(database) == (True, True)
    await apply(database, "unsubscribed")
    assert await suppressed(database) == (True, True)
    assert await suppressed(database, "bob@example.org") == (False, False)


async def test_the_same_event_again_and_at_once_leaves_one_row(database: Database) -> None:
    await asyncio.gather(*(apply(database, "bounced") for _ in range(5)))
    assert await rows(database) == [(ADA, "all", "bounced", "postmark")]


async def test_the_address_is_kept_in_the_form_we_compare(database: Database) -> None:
    await apply(database, "complained", "Ada@BÜCHER.example")
    assert [row[0] for row in await rows(database)] == ["ada@xn--bcher-kva.example"]


@pytest.mark.parametrize(
    ("topic", "ref"),
    [("delivered", ADA), ("news", ADA), ("bounced", ""), ("bounced", "x\ny@z.org"), ("bounced", "x" * 400)],
)
async def test_what_says_nothing_about_an_address_is_no_row(database: Database, topic: str, ref: str) -> None:
    await apply(database, topic, ref)
    assert await rows(database) == []


async def aged(database: Database, **ages: timedelta) -> None:
    """Move moments of all rows into the past."""
    async with database.write() as session:
        past = {name: clock.now() - age for name, age in ages.items()}
        await session.execute(update(EmailSuppression).values(**past))


async def tried(database: Database) -> bool:
    async with database.write() as session:
        return await may_try_again(session, ADA)


async def test_what_was_asked_for_is_tried_once_a_day(database: Database) -> None:
    await apply(database, "bounced")
    assert await tried(database) is False
    await aged(database, created_at=timedelta(hours=25))
    assert [await tried(database), await tried(database)] == [True, False]
    await aged(database, created_at=timedelta(days=9), tried_at=timedelta(hours=25))
    assert sorted(await asyncio.gather(*(tried(database) for _ in range(4)))) == [False, False, False, True]
    assert await suppressed(database) == (True, True)


async def test_a_new_report_begins_the_day_anew_and_a_complaint_is_not_forgotten(database: Database) -> None:
    await apply(database, "complained")
    await aged(database, created_at=timedelta(days=3))
    await apply(database, "bounced")
    assert await tried(database) is False
    assert await rows(database) == [(ADA, "all", "complained", "postmark")]


async def test_only_an_email_that_was_tried_and_arrived_ends_a_bounce(database: Database) -> None:
    await apply(database, "bounced")
    await apply(database, "delivered")  # an earlier email: it says nothing about what bounced since
    assert await suppressed(database) == (True, True)
    await aged(database, created_at=timedelta(hours=25))
    assert await tried(database)
    await apply(database, "delivered")
    assert await suppressed(database) == (False, False)


async def test_an_email_that_arrives_ends_no_complaint(database: Database) -> None:
    await apply(database, "complained")
    await aged(database, created_at=timedelta(hours=25))
    assert await tried(database)
    await apply(database, "delivered")
    assert await suppressed(database) == (True, True)
