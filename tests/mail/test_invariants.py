"""What `coverwright doctor` notices of emails to many: each invariant is broken once, by hand."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import msgspec
import pytest
from sqlalchemy import update

from kernel.core import clock
from kernel.core.data.database import Database
from kernel.mail.invariants import INVARIANTS
from kernel.mail.models import EmailCampaign, EmailDraft
from kernel.mail.schemas import EmailDraftIn, LetterVersion, Segment
from tests.mail.audience import ADMIN, NEWS, begin, people, send_all
from tests.mail.conftest import OpenCampaigns

pytestmark = pytest.mark.anyio

DRAFTS = "every draft of an email to many can be opened, and is listed with its languages"
WORDS = "every email to many that is to go out has its words, in known languages, and its readers"
BEGIN = "an email to many chooses its people when its moment comes, and no sooner"
WRITTEN = EmailDraftIn(
    kind="marketing",
    subject="",  # it may lack anything
    language="fr",
    versions={"de": LetterVersion(subject="Neues", html_body="")},
    segment=Segment(plan="pro", languages=["de"]),
)


async def broken(database: Database) -> dict[str, list[str]]:
    """Return what the checks of emails find, by invariant."""
    async with database.read() as connection:
        found = {promise: await check(connection) for promise, check in INVARIANTS.items()}
    return {promise: faults for promise, faults in found.items() if faults}


async def tampered(database: Database, table: type[Any], row_id: UUID, **values: Any) -> dict[str, list[str]]:
    """Return what the checks find while a row has other values than the code writes; then it has its own again."""
    async with database.write() as session:
        row = await session.get_one(table, row_id)
        kept = {name: getattr(row, name) for name in values}
        await session.execute(update(table).where(table.id == row_id).values(**values))
    found = await broken(database)
    async with database.write() as session:
        await session.execute(update(table).where(table.id == row_id).values(**kept))
    assert await broken(database) == {}
    return found


async def test_a_draft_that_no_form_can_open_is_named(open_campaigns: OpenCampaigns, database: Database) -> None:
    draft = await open_campaigns(one="batches").drafts.create(WRITTEN, ADMIN)
    for values, words in (
        ({"kind": "carrier pigeon"}, "carrier pigeon"),
        ({"body_format": "rtf"}, "rtf"),
        ({"language": "tlh", "languages": ["tlh", "de"]}, "a language that the site has not"),
        ({"versions": {"de": {"subject": 7}}}, "Expected `str`"),
        ({"versions": ["de"]}, "Expected `object`"),
        ({"languages": ["fr"]}, "listed with other languages"),
        ({"segment": {"plan": "gold"}}, "gold"),
        ({"segment": {"template": 3}}, "template"),
    ):
        found = await tampered(database, EmailDraft, draft.id, **values)
        assert list(found) == [DRAFTS]
        (fault,) = found[DRAFTS]
        assert str(draft.id) in fault and words in fault


async def test_a_scheduled_email_without_words_or_readers_is_named(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harness = open_campaigns(one="batches")
    later = msgspec.structs.replace(
        NEWS, send_at=clock.now() + timedelta(days=1), versions={"de": LetterVersion(subject="Neu", html_body="Neu")}
    )
    campaign = await begin(harness, database, "marketing", later)
    assert campaign.state == "scheduled" and await broken(database) == {}
    text = {"subject": "Neu", "html_body": "Neu"}
    for values, words in (
        ({"subject": "  "}, "no subject"),
        ({"html_body": ""}, "no text"),
        ({"postal_address": ""}, "no postal address"),
        ({"kind": "pigeon"}, "pigeon"),
        ({"language": "tlh"}, "a language that the site has not"),
        ({"language": "de"}, "one language twice"),
        ({"versions": {"tlh": text}}, "a language that the site has not"),
        ({"versions": {"de": {"subject": "Neu"}}}, "html_body"),
        ({"versions": {"de": text | {"html_body": " "}}}, "no text in de"),
        ({"segment": {"languages": ["tlh"]}}, "people who cannot be found"),
        ({"segment": {"plan": "gold"}}, "gold"),
    ):
        found = await tampered(database, EmailCampaign, campaign.id, **values)
        assert list(found) == [WORDS], values
        (fault,) = found[WORDS]
        assert str(campaign.id) in fault and words in fault


async def test_a_scheduled_email_begins_in_time_and_no_sooner(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harness = open_campaigns(one="batches")
    await people(database, "ada")
    campaign = await begin(harness, database, given=msgspec.structs.replace(NEWS, send_at=clock.now()))
    late = await tampered(database, EmailCampaign, campaign.id, run_after=clock.now() - timedelta(hours=2))
    assert late == {BEGIN: [f"campaign {campaign.id} has not begun"]}
    hasty = await tampered(database, EmailCampaign, campaign.id, recipients=1)
    assert f"campaign {campaign.id} chose people early" in hasty[BEGIN]
    for_nobody = await tampered(database, EmailCampaign, campaign.id, state="sending")
    assert for_nobody == {BEGIN: [f"campaign {campaign.id} has begun for nobody"]}
    await send_all(harness, database)
    assert (await harness.campaigns.get(campaign.id)).state == "done"
    assert await broken(database) == {}
