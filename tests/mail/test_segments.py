"""Campaigns to a part of the audience, at a later moment, and once more to those for whom they failed."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import update

from kernel.accounts.models import User
from kernel.core import clock
from kernel.core.data.database import Database
from kernel.core.errors import Conflict, InvalidFields
from kernel.mail.models import EmailRecipient
from kernel.mail.schemas import CampaignIn, Segment
from tests.mail.audience import ADMIN, CROWD, NEWS, begin, got, ledger, people, send_all
from tests.mail.conftest import OpenCampaigns
from tests.mail.stub_email import SENT

pytestmark = pytest.mark.anyio
NOW = clock.now()


async def readers(database: Database) -> None:
    """Make people who differ in what segments ask about."""
    await people(database, "pro", pro_override=True, language="de", last_seen_at=NOW)
    await people(database, "french", language="fr", last_seen_at=NOW - timedelta(days=40))
    await people(database, "fay", first_name="Fay", language="en", last_seen_at=NOW - timedelta(days=5))
    await people(database, "old", created_at=datetime(2024, 5, 31, 23, 59, 59, tzinfo=UTC))
    await people(database, "older", created_at=datetime(2024, 5, 30, 23, 59, 59, tzinfo=UTC))


@pytest.mark.parametrize(
    ("conditions", "reached"),
    [
        ({}, {"pro", "french", "fay", "old", "older"}),
        ({"plan": "pro"}, {"pro"}),
        ({"plan": "free"}, {"french", "fay", "old", "older"}),
        ({"languages": ["de", "fr"]}, {"pro", "french"}),
        ({"languages": ["en"]}, {"fay", "old", "older"}),  # who never chose one reads English
        ({"seen_within_days": 30}, {"pro", "fay"}),
        ({"unseen_for_days": 30}, {"french", "old", "older"}),
        ({"signed_up_from": date(2024, 5, 31), "signed_up_to": date(2024, 5, 31)}, {"old"}),
        ({"signed_up_to": date(2024, 5, 30)}, {"older"}),
        ({"genre": "Fantasy"}, {"fay"}),
        ({"genre": "Crime"}, set()),
        ({"covers": "none"}, {"pro", "french", "old", "older"}),
        ({"covers": "some", "plan": "free"}, {"fay"}),
    ],
)
async def test_a_segment_is_whoever_meets_all_its_conditions(
    open_campaigns: OpenCampaigns, database: Database, conditions: dict[str, Any], reached: set[str]
) -> None:
    harness = open_campaigns(one="batches")
    await readers(database)
    segment = Segment(**conditions)
    assert (await harness.campaigns.count("broadcast", segment)).people == len(reached)
    given = CampaignIn(subject="News", html_body="<p>News</p>", segment=segment)
    if not reached:
        with pytest.raises(Conflict, match="Nobody meets these conditions"):
            await begin(harness, database, given=given)
        return
    campaign = await begin(harness, database, given=given)
    assert (campaign.recipients, campaign.segment) == (len(reached), segment)
    await send_all(harness, database)
    assert set(got("one")) == reached


async def test_conditions_that_cannot_be_met_are_refused_by_name(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harness = open_campaigns(one="batches")
    bad = Segment(languages=["tlh"], signed_up_from=date(2024, 5, 2), signed_up_to=date(2024, 5, 1))
    with pytest.raises(InvalidFields) as refused:
        await harness.campaigns.count("marketing", bad)
    assert set(refused.value.fields) == {"segment.languages", "segment.signedUpTo"}
    for moment in (NOW - timedelta(hours=1), NOW + timedelta(days=500)):
        with pytest.raises(InvalidFields) as refused:
            await begin(harness, database, given=CampaignIn(subject="a", html_body="a", send_at=moment, segment=bad))
        assert set(refused.value.fields) == {"segment.languages", "segment.signedUpTo", "sendAt"}


async def test_a_scheduled_one_goes_to_who_is_there_when_its_moment_comes(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harness = open_campaigns(one="batches")
    await people(database, "ada")
    later = clock.now() + timedelta(hours=2)
    given = CampaignIn(subject="News", html_body="<p>News</p>", segment=Segment(plan="free"), send_at=later)
    campaign = await begin(harness, database, given=given)
    assert (campaign.state, campaign.recipients, campaign.starts_at) == ("scheduled", 0, later)
    await harness.sender.send_due()
    assert not SENT.get("one")
    await people(database, "bob")
    await people(database, "pro", pro_override=True)
    await send_all(harness, database)  # which makes it due
    assert got("one") == {"ada": 1, "bob": 1}
    ended = await harness.campaigns.get(campaign.id)
    assert (ended.state, ended.recipients, ended.sent, ended.starts_at) == ("done", 2, 2, None)


async def test_a_scheduled_one_is_begun_early_or_canceled(open_campaigns: OpenCampaigns, database: Database) -> None:
    harness = open_campaigns(one="batches")
    await people(database, "ada")
    given = CampaignIn(subject="News", html_body="<p>News</p>", send_at=clock.now() + timedelta(days=3))
    canceled, begun = await begin(harness, database, given=given), await begin(harness, database, given=given)
    assert (await harness.campaigns.cancel(canceled.id, ADMIN)).state == "canceled"
    with pytest.raises(Conflict):
        await harness.campaigns.send_now(canceled.id, ADMIN)
    await harness.campaigns.send_now(begun.id, ADMIN)
    await send_all(harness, database)
    assert got("one") == {"ada": 1}
    assert (await harness.campaigns.get(begun.id)).state == "done"


async def test_a_scheduled_one_that_reaches_nobody_ends_and_says_so(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harness = open_campaigns(one="batches")
    given = CampaignIn(subject="News", html_body="<p>News</p>", send_at=clock.now() + timedelta(days=3))
    campaign = await begin(harness, database, given=given)
    await send_all(harness, database)
    ended = await harness.campaigns.get(campaign.id)
    assert (ended.state, ended.reason, ended.recipients) == ("done", "no_recipients", 0) and ended.finished_at


async def test_it_is_sent_again_to_those_only_for_whom_it_failed(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harness = open_campaigns(one="batches")
    await people(database, "ada", "eve", "gone")
    campaign = await begin(harness, database)
    with pytest.raises(Conflict):
        await harness.campaigns.retry(campaign.id, ADMIN)
    await send_all(harness, database)
    with pytest.raises(Conflict):  # nothing has failed
        await harness.campaigns.retry(campaign.id, ADMIN)
    async with database.write() as session:
        failing = EmailRecipient.address.in_(("eve@example.org", "gone@example.org"))
        await session.execute(update(EmailRecipient).where(failing).values(state="failed", code="refused"))
        await session.execute(update(User).where(User.email_norm == "gone@example.org").values(disabled=True))
    again = await harness.campaigns.retry(campaign.id, ADMIN)
    assert (again.state, again.pending, again.failed, again.finished_at) == ("sending", 2, 0, None)
    await send_all(harness, database)
    assert got("one") == {"ada": 1, "eve": 2, "gone": 1}
    assert await ledger(database) == {"ada": ("sent", None), "eve": ("sent", None), "gone": ("skipped", "gone")}
    assert (await harness.campaigns.get(campaign.id)).state == "done"


async def test_speed_and_time_left_are_told_while_it_is_sent(open_campaigns: OpenCampaigns, database: Database) -> None:
    harness = open_campaigns(one="batches")  # eight at a time
    await people(database, *CROWD)
    campaign = await begin(harness, database, given=NEWS)
    assert (campaign.per_second, campaign.seconds_left) == (None, None)
    await harness.sender.send_due()
    async with database.write() as session:  # as if that batch had been handed over four seconds ago
        sent = update(EmailRecipient).where(EmailRecipient.state == "sent")
        await session.execute(sent.values(updated_at=clock.now() - timedelta(seconds=4)))
    going = await harness.campaigns.get(campaign.id)
    assert going.per_second is not None and 1.5 <= going.per_second <= 2.0
    assert going.seconds_left is not None and 6 <= going.seconds_left <= 8  # twelve are left
    async with database.write() as session:
        await session.execute(sent.values(updated_at=clock.now() - timedelta(hours=1)))
    assert (await harness.campaigns.get(campaign.id)).per_second is None
    await harness.campaigns.cancel(campaign.id, ADMIN)
    assert (await harness.campaigns.get(campaign.id)).seconds_left is None
