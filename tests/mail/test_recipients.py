"""Who was to get a campaign, what became of that, and what mailboxes said of it afterwards."""

from datetime import timedelta
from uuid import uuid4

import pytest
from sqlalchemy import update

from kernel.core import clock
from kernel.core.data.database import Database
from kernel.core.errors import Absent
from kernel.mail.campaigns import recipients as recipients_module
from kernel.mail.models import EmailRecipient
from kernel.mail.suppression.service import apply_email_event
from kernel.providers.webhooks.inbox import InboxEvent
from tests.mail.audience import begin, people, send_all
from tests.mail.conftest import CampaignHarness, OpenCampaigns

pytestmark = pytest.mark.anyio


async def report(database: Database, topic: str, address: str) -> None:
    """Tell what a mailbox said."""
    async with database.write() as session:
        await apply_email_event(session, InboxEvent(instance_id="one", event_id="e", topic=topic, ref=address))


async def listed(harness: CampaignHarness, campaign_id: object, only: str) -> list[tuple[str, str | None]]:
    """Return who is on a list, and what was reported."""
    rows, _ = await harness.recipients.page(campaign_id, only, None, 10)  # type: ignore[arg-type]
    return [(row.email.partition("@")[0], row.reported) for row in rows]


async def test_bounces_and_complaints_are_listed_with_the_last_campaign(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harness = open_campaigns(one="batches")
    await people(database, "ada", "bo", "cy")
    first = await begin(harness, database)
    await send_all(harness, database)
    second = await begin(harness, database)
    await send_all(harness, database)
    await report(database, "bounced", "Ada@example.org")
    await report(database, "bounced", "bo@example.org")
    await report(database, "complained", "bo@example.org")
    await report(database, "bounced", "bo@example.org")  # the complaint says more
    await report(database, "delivered", "cy@example.org")
    await report(database, "bounced", "stranger@example.org")
    assert await listed(harness, second.id, "bounced") == [("ada", "bounced")]
    assert await listed(harness, second.id, "complained") == [("bo", "complained")]
    assert await listed(harness, second.id, "sent") == [("ada", "bounced"), ("bo", "complained"), ("cy", None)]
    shown = await harness.campaigns.get(second.id)
    assert (shown.sent, shown.bounced, shown.complained) == (3, 1, 1)
    earlier = await harness.campaigns.get(first.id)
    assert (earlier.sent, earlier.bounced, earlier.complained) == (3, 0, 0)


async def test_an_old_campaign_is_not_blamed(open_campaigns: OpenCampaigns, database: Database) -> None:
    harness = open_campaigns(one="batches")
    await people(database, "ada")
    campaign = await begin(harness, database)
    await send_all(harness, database)
    async with database.write() as session:
        await session.execute(update(EmailRecipient).values(updated_at=clock.now() - timedelta(days=30)))
    await report(database, "bounced", "ada@example.org")
    assert await listed(harness, campaign.id, "bounced") == []


async def test_the_list_is_read_in_pages_and_as_a_file(
    open_campaigns: OpenCampaigns, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recipients_module, "BATCH", 2)
    harness = open_campaigns(one="batches")
    await people(database, "ada", "bo", "cy")
    campaign = await begin(harness, database)
    await send_all(harness, database)
    await report(database, "bounced", "cy@example.org")
    page, following = await harness.recipients.page(campaign.id, None, None, 2)
    rest, end = await harness.recipients.page(campaign.id, None, following, 2)
    assert [row.email for row in (*page, *rest)] == [f"{name}@example.org" for name in ("ada", "bo", "cy")]
    assert end is None and rest[0].user_id is not None
    lines = "".join([line async for line in await harness.recipients.lines(campaign.id, None)]).splitlines()
    assert lines[0].lstrip("\ufeff") == "id,email,user_id,state,code,reported,reported_at,updated_at"
    assert [line.split(",")[1] for line in lines[1:]] == ["ada@example.org", "bo@example.org", "cy@example.org"]
    assert ",sent,,bounced," in lines[3]
    bounced = "".join([line async for line in await harness.recipients.lines(campaign.id, "bounced")]).splitlines()
    assert len(bounced) == 2
    for missing in (harness.recipients.page(uuid4(), None, None, 1), harness.recipients.lines(uuid4(), None)):
        with pytest.raises(Absent):
            await missing
