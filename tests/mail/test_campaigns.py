"""Campaigns: recipients, contents, and how administrators manage them."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import delete, update

from kernel.accounts.models import User
from kernel.core.data.database import Database
from kernel.core.errors import Conflict, InvalidFields
from kernel.core.web.idempotency import IdempotencyConflict
from kernel.mail.schemas import CampaignIn
from kernel.mail.suppression.models import EmailSuppression
from tests.mail.audience import ADMIN, CROWD, NEWS, begin, got, ledger, people, send_all
from tests.mail.conftest import OpenCampaigns
from tests.mail.stub_email import NEXT, SENT

pytestmark = pytest.mark.anyio


async def test_every_recipient_gets_a_campaign_once_with_name_and_unsubscribe_link(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harness = open_campaigns(one="batches")
    await people(database, "ada", first_name="Ada", language="fr")
    await people(database, "eve")
    campaign = await begin(harness, database)
    assert (campaign.state, campaign.recipients, campaign.pending) == ("sending", 2, 2)
    await send_all(harness, database)
    ada, eve = sorted(SENT["one"], key=lambda message: message.to)
    assert (ada.subject, eve.subject) == ("News for Ada", "News for")
    assert "Hello, news." in eve.text and "<p>Hello Ada, <b>news</b>.</p>" in (ada.html or "")
    token = harness.unsubscribing.token(1, "broadcast")
    assert ada.headers == {
        "List-Id": "<broadcast.covers.example>",
        "List-Unsubscribe": f"<https://covers.example/api/unsubscribe/{token}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    for body in (ada.text, ada.html or ""):
        assert "Se désabonner" in body and "1 Harbour Road" in body
        assert f"https://covers.example/unsubscribe?token={token}" in body
    assert "Ink & Co\n1 Harbour Road" in ada.text and "Ink &amp; Co<br>" in (ada.html or "")
    done = await harness.campaigns.get(campaign.id)
    assert (done.state, done.sent, done.pending) == ("done", 2, 0) and done.finished_at


async def test_a_service_that_adds_the_headers_itself_is_not_given_any(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harness = open_campaigns(one="lists")
    await people(database, "ada")
    await begin(harness, database)
    await send_all(harness, database)
    (message,) = SENT["one"]
    assert (
        message.headers == {"List-Id": "<broadcast.covers.example>"}
        and "Unsubscribe: https://covers.example/unsubscribe?token=b1-" in message.text
    )


async def test_news_go_to_those_who_want_them_and_broadcasts_to_all_who_can_be_reached(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harness = open_campaigns(one="batches")
    await people(database, "ada")
    await people(database, "eve", email_marketing=False)
    await people(database, "wants", email_marketing=True)
    await people(database, "unverified", email_verified=False)
    await people(database, "disabled", disabled=True)
    await people(database, "bounced", "left")
    async with database.write() as session:
        for name, scope in (("bounced", "all"), ("left", "bulk")):
            address = f"{name}@example.org"
            session.add(EmailSuppression(address=address, scope=scope, reason="bounced", source="one"))
    audience = await harness.campaigns.audience()
    assert (audience.broadcast, audience.marketing, audience.reason) == (3, 2, "postal_address_missing")
    await begin(harness, database, "marketing")
    await send_all(harness, database)
    assert got("one") == {"ada": 1, "wants": 1}
    assert "m1-" in SENT["one"][0].headers["List-Unsubscribe"]
    await begin(harness, database)
    await send_all(harness, database)
    assert got("one") == {"ada": 2, "wants": 2, "eve": 1}
    assert (await harness.campaigns.audience()).can_send


async def test_without_an_address_or_without_anybody_nothing_is_sent(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harness = open_campaigns(one="batches")
    await people(database, "eve", email_marketing=False)
    with pytest.raises(Conflict) as refused:
        await harness.campaigns.start("broadcast", NEWS, ADMIN, key=None)
    assert refused.value.code == "postal_address_missing"
    with pytest.raises(Conflict) as nobody:
        await begin(harness, database, "marketing")
    assert (nobody.value.code, nobody.value.message) == ("no_recipients", "No users have opted in to marketing emails")
    assert await harness.campaigns.page(None, 10) == ([], None)


async def test_all_that_is_wrong_is_said_at_once(open_campaigns: OpenCampaigns, database: Database) -> None:
    harness = open_campaigns(one="batches")
    given = CampaignIn(subject=" ", html_body="", reply_to="nowhere", message_stream="outbound")
    with pytest.raises(InvalidFields) as refused:
        await harness.campaigns.start("broadcast", given, ADMIN, key=None)
    assert set(refused.value.fields) == {"subject", "htmlBody", "replyTo", "messageStream"}
    assert refused.value.message == "Please fill in all required fields"


async def test_a_repeated_request_is_the_same_e_mail(open_campaigns: OpenCampaigns, database: Database) -> None:
    harness = open_campaigns(one="batches")
    await people(database, "ada")
    await begin(harness, database)
    first = await harness.campaigns.start("broadcast", NEWS, ADMIN, key="k")
    again = await harness.campaigns.start("broadcast", NEWS, ADMIN, key="k")
    assert (first.replayed, again.replayed, again.campaign.id) == (False, True, first.campaign.id)
    with pytest.raises(IdempotencyConflict):
        await harness.campaigns.start("marketing", NEWS, ADMIN, key="k")
    both = await asyncio.gather(*(harness.campaigns.start("broadcast", NEWS, ADMIN, key="two") for _ in range(2)))
    assert both[0].campaign.id == both[1].campaign.id
    listed, following = await harness.campaigns.page(None, 2)
    assert listed[0].id == both[0].campaign.id and following
    older, end = await harness.campaigns.page(following, 2)
    assert len(older) == 1 and end is None


async def test_who_may_not_get_it_any_more_is_skipped(open_campaigns: OpenCampaigns, database: Database) -> None:
    harness = open_campaigns(one="batches")
    await people(database, "ada", "left", "deleted", "disabled", "stranger")
    await begin(harness, database, "marketing")
    await harness.unsubscribing.unsubscribe(harness.unsubscribing.token(2, "marketing"))
    async with database.write() as session:
        await session.execute(delete(User).where(User.id == 3))
        await session.execute(update(User).where(User.id == 4).values(disabled=True))
        await session.execute(update(User).where(User.id == 5).values(email_verified=False))
    await send_all(harness, database)
    codes = {name: code for name, (state, code) in (await ledger(database)).items() if state == "skipped"}
    assert codes == {"left": "unsubscribed", "deleted": "gone", "disabled": "gone", "stranger": "unverified"}
    assert got("one") == {"ada": 1}


async def test_it_can_be_paused_resumed_and_canceled(open_campaigns: OpenCampaigns, database: Database) -> None:
    harness = open_campaigns(one="batches")
    await people(database, *CROWD)
    campaign = await begin(harness, database)
    await harness.sender.send_due()
    assert (await harness.campaigns.pause(campaign.id, ADMIN)).state == "paused"
    await send_all(harness, database)
    assert len(SENT["one"]) == 8
    with pytest.raises(Conflict):
        await harness.campaigns.pause(campaign.id, ADMIN)
    await harness.campaigns.resume(campaign.id, ADMIN)
    await harness.sender.send_due()
    ended = await harness.campaigns.cancel(campaign.id, ADMIN)
    await send_all(harness, database)
    assert (ended.state, ended.sent, ended.skipped, len(SENT["one"])) == ("canceled", 16, 4, 16)
    with pytest.raises(Conflict):
        await harness.campaigns.resume(campaign.id, ADMIN)
    listed, _ = await harness.recipients.page(campaign.id, "skipped", None, 10)
    assert {row.code for row in listed} == {"canceled"}


async def test_what_comes_back_after_it_was_canceled_is_not_sent(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harness = open_campaigns(one="batches")
    await people(database, *CROWD[:3])
    campaign = await begin(harness, database)
    write = harness.sender._render

    async def cancel() -> None:
        await harness.campaigns.cancel(campaign.id, ADMIN)

    loop = asyncio.get_running_loop()

    def slow(*arguments: Any) -> Any:
        asyncio.run_coroutine_threadsafe(cancel(), loop).result(10)
        return write(*arguments)

    harness.sender._render = slow  # type: ignore[method-assign]
    NEXT["one"] += ["refused_connection"]
    await harness.sender.send_due()
    ended = await harness.campaigns.get(campaign.id)
    assert (ended.state, ended.skipped) == ("canceled", 3)
