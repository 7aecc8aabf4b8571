"""Unsubscribing by the link in an email, and undoing it; and what is left of a deleted account."""

import json
from typing import Literal

import pytest
from sqlalchemy import delete, select

from kernel.accounts.models import User
from kernel.core.audit import Audit
from kernel.core.data.database import Database
from kernel.core.errors import Absent
from kernel.core.vault import Vault
from kernel.mail.models import EmailRecipient
from kernel.mail.owned_data import MailData
from kernel.mail.suppression.models import EmailSuppression
from kernel.mail.suppression.unsubscribe import UnsubscribeService
from tests.mail.audience import begin, ledger, people, send_all
from tests.mail.conftest import OpenCampaigns

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("kind", ["broadcast", "marketing"])
async def test_one_click_ends_it_and_another_brings_it_back(
    open_campaigns: OpenCampaigns, database: Database, kind: Literal["broadcast", "marketing"]
) -> None:
    harness = open_campaigns(one="batches")
    await people(database, "ada", "eve")
    token = harness.unsubscribing.token(1, kind)
    told = await harness.unsubscribing.about(token)
    assert (told.email, told.kind, told.unsubscribed) == ("a•••@example.org", kind, False)
    for _ in range(2):
        assert (await harness.unsubscribing.unsubscribe(token)).unsubscribed
    audience = await harness.campaigns.audience()
    assert (audience.broadcast, audience.marketing) == ((1, 1) if kind == "broadcast" else (2, 1))
    for _ in range(2):
        assert not (await harness.unsubscribing.undo(token)).unsubscribed
    audience = await harness.campaigns.audience()
    assert (audience.broadcast, audience.marketing) == (2, 2)
    async with database.read() as connection:
        trail = (await connection.execute(select(Audit.action).order_by(Audit.id))).scalars().all()
    assert trail == ["user.unsubscribe", "user.resubscribe"], "what changes nothing is no news"


async def test_what_a_service_was_told_is_not_taken_back_by_a_link(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harness = open_campaigns(one="batches")
    await people(database, "ada")
    async with database.write() as session:
        row = {"address": "ada@example.org", "scope": "bulk", "reason": "unsubscribed", "source": "postmark"}
        session.add(EmailSuppression(**row))
    assert (await harness.unsubscribing.undo(harness.unsubscribing.token(1, "broadcast"))).unsubscribed


@pytest.mark.parametrize("token", ["", "b1", "b1-" + "A" * 32, "x1-" + "A" * 32, "b0-" + "A" * 32, "ü" * 40])
async def test_a_link_that_we_did_not_make_does_nothing(open_campaigns: OpenCampaigns, token: str) -> None:
    harness = open_campaigns(one="batches")
    for call in (harness.unsubscribing.about, harness.unsubscribing.unsubscribe, harness.unsubscribing.undo):
        with pytest.raises(Absent):
            await call(token)


async def test_a_link_for_one_person_and_kind_is_none_for_another(open_campaigns: OpenCampaigns) -> None:
    harness = open_campaigns(one="batches")
    token = harness.unsubscribing.token(1, "broadcast")
    for forged in (token.replace("b1-", "b2-"), token.replace("b1-", "m1-"), token.replace("b1-", "b11-")):
        with pytest.raises(Absent):
            await harness.unsubscribing.unsubscribe(forged)


async def test_the_link_of_somebody_who_is_gone_still_answers(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harness = open_campaigns(one="batches")
    token = harness.unsubscribing.token(7, "marketing")
    assert (await harness.unsubscribing.unsubscribe(token)).unsubscribed
    with pytest.raises(Absent):
        await harness.unsubscribing.about(token)


async def test_a_person_takes_their_e_mails_along_and_leaves_rows_without_a_name(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harness = open_campaigns(one="batches")
    await people(database, "ada", "eve")
    sent = await begin(harness, database)
    await send_all(harness, database)
    waiting = await begin(harness, database)
    await harness.unsubscribing.unsubscribe(harness.unsubscribing.token(1, "broadcast"))
    own = MailData(database)
    (file,) = [file async for file in own.export(1)]
    told = json.loads(b"".join([chunk async for chunk in file.chunks]))
    assert [entry["state"] for entry in told["received"]] == ["sent", "pending"]
    assert told["received"][0]["address"] == "ada@example.org" and told["suppressed"][0]["reason"] == "unsubscribed"
    await own.remove(1)
    async with database.write() as session:
        assert not await own.left(session, 1)
        await session.execute(delete(User).where(User.id == 1))
    assert set(await ledger(database)) == {"", "eve"}
    await send_all(harness, database)
    ended = await harness.campaigns.get(waiting.id)
    assert (ended.recipients, ended.sent, ended.skipped) == (2, 1, 1)
    assert (await harness.campaigns.get(sent.id)).sent == 2


async def test_an_account_waits_for_the_e_mail_that_is_being_handed_over(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harness = open_campaigns(one="lists")
    await people(database, "ada")
    await begin(harness, database)
    own = MailData(database)
    seen: list[bool] = []

    async def hand_over(*arguments: object) -> None:
        await own.remove(1)
        async with database.write() as session:
            seen.append(await own.left(session, 1))
        await original(*arguments)  # type: ignore[arg-type]

    original = harness.sender._hand_over
    harness.sender._hand_over = hand_over  # type: ignore[method-assign]
    await harness.sender.send_due()
    await own.remove(1)
    async with database.write() as session:
        assert seen == [True] and not await own.left(session, 1)
    async with database.read() as connection:
        rows = (await connection.execute(select(EmailRecipient.state, EmailRecipient.address))).all()
    assert [tuple(row) for row in rows] == [("sent", "")]


async def test_a_link_works_after_the_key_was_replaced(open_campaigns: OpenCampaigns, database: Database) -> None:
    open_campaigns(one="batches")
    await people(database, "ada")
    token = UnsubscribeService(database, Vault(b"o" * 32)).token(1, "marketing")
    replaced = UnsubscribeService(database, Vault(b"n" * 32, b"o" * 32))
    assert (await replaced.about(token)).kind == "marketing"
    assert replaced.token(1, "marketing") == UnsubscribeService(database, Vault(b"n" * 32)).token(1, "marketing")
    with pytest.raises(Absent):
        await UnsubscribeService(database, Vault(b"n" * 32)).about(token)
