"""Campaigns that are being written: kept with a version, made from a sent one, and sent once."""

import asyncio
from uuid import uuid4

import msgspec
import pytest

from kernel.core.data.database import Database
from kernel.core.errors import Absent, Conflict, InvalidFields
from kernel.mail.campaigns import drafts as drafts_module
from kernel.mail.schemas import (
    CampaignIn,
    EmailDraftChange,
    EmailDraftIn,
    EmailDraftOut,
    EmailDraftRef,
    LetterVersion,
    Segment,
)
from tests.mail.audience import ADMIN, NEWS, begin, got, people, send_all
from tests.mail.conftest import OpenCampaigns

pytestmark = pytest.mark.anyio

WRITTEN = EmailDraftIn(
    kind="broadcast",
    subject="{{nobody}}",  # a draft may be wrong
    versions={"de": LetterVersion(subject="Neues", html_body="<p>Neues</p>")},
    reply_to="no address yet",
    segment=Segment(plan="pro"),
)


def change(draft: EmailDraftOut, **fields: object) -> EmailDraftChange:
    """Return what is typed into a draft next."""
    names = set(EmailDraftChange.__struct_fields__) & set(EmailDraftOut.__struct_fields__)
    return EmailDraftChange(**{name: getattr(draft, name) for name in names} | fields)  # type: ignore[arg-type]


def ready(draft: EmailDraftOut) -> CampaignIn:
    """Return the campaign that a draft becomes."""
    return msgspec.structs.replace(NEWS, draft=EmailDraftRef(id=draft.id, version=draft.version))


async def test_a_draft_is_kept_as_it_was_typed_and_counts_its_versions(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    drafts = open_campaigns(one="batches").drafts
    first = await drafts.create(WRITTEN, ADMIN)
    assert (first.version, first.subject, first.reply_to) == (1, "{{nobody}}", "no address yet")
    assert (first.versions, first.segment) == (WRITTEN.versions, WRITTEN.segment)
    second = await drafts.save(first.id, change(first, subject="News", body_format="markdown"))
    assert (second.version, second.subject, second.body_format) == (2, "News", "markdown")
    assert await drafts.get(first.id) == second
    other = await drafts.create(EmailDraftIn(kind="marketing", language="fr"), ADMIN)
    newest, following = await drafts.page(None, 1)
    assert [(line.id, line.kind, line.languages) for line in newest] == [(other.id, "marketing", ["fr"])]
    older, end = await drafts.page(following, 1)
    assert [(line.id, line.languages) for line in older] == [(first.id, ["en", "de"])] and end is None
    await drafts.remove(first.id, ADMIN)
    for call in (drafts.get(first.id), drafts.remove(first.id, ADMIN), drafts.save(first.id, change(second))):
        with pytest.raises(Absent):
            await call


async def test_of_two_tabs_the_second_one_is_told(open_campaigns: OpenCampaigns, database: Database) -> None:
    drafts = open_campaigns(one="batches").drafts
    opened = await drafts.create(WRITTEN, ADMIN)
    await drafts.save(opened.id, change(opened, subject="Mine"))
    with pytest.raises(Conflict) as late:
        await drafts.save(opened.id, change(opened, subject="Yours"))
    assert late.value.code == "draft_moved_on"
    kept = await drafts.get(opened.id)
    assert (kept.subject, kept.version) == ("Mine", 2)
    saves = (drafts.save(opened.id, change(kept, subject=name)) for name in ("left", "right"))
    ended = await asyncio.gather(*saves, return_exceptions=True)
    assert [isinstance(one, Conflict) for one in ended].count(True) == 1


async def test_a_draft_has_languages_of_the_site_only(open_campaigns: OpenCampaigns, database: Database) -> None:
    drafts = open_campaigns(one="batches").drafts
    with pytest.raises(InvalidFields) as refused:
        await drafts.create(EmailDraftIn(kind="broadcast", language="tlh", versions={"xx": LetterVersion()}), ADMIN)
    assert set(refused.value.fields) == {"language", "versions.xx"}


async def test_there_is_an_end_to_drafts(
    open_campaigns: OpenCampaigns, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafts_module, "MOST", 1)
    drafts = open_campaigns(one="batches").drafts
    await drafts.create(WRITTEN, ADMIN)
    with pytest.raises(Conflict) as full:
        await drafts.create(WRITTEN, ADMIN)
    assert full.value.code == "drafts_full"


async def test_sending_a_draft_ends_it_and_happens_once(open_campaigns: OpenCampaigns, database: Database) -> None:
    harness = open_campaigns(one="batches")
    await people(database, "ada")
    draft = await harness.drafts.create(WRITTEN, ADMIN)
    with pytest.raises(InvalidFields):
        await begin(harness, database, given=msgspec.structs.replace(ready(draft), subject="{{nobody}}"))
    assert await harness.drafts.get(draft.id) == draft
    sent = ready(draft)
    both = await asyncio.gather(*(harness.campaigns.start("broadcast", sent, ADMIN, key="k") for _ in range(2)))
    assert both[0].campaign.id == both[1].campaign.id and sorted(one.replayed for one in both) == [False, True]
    for key in (None, "another tab"):
        with pytest.raises(Conflict) as gone:
            await harness.campaigns.start("broadcast", sent, ADMIN, key=key)
        assert gone.value.code == "draft_gone"
    with pytest.raises(Absent):
        await harness.drafts.get(draft.id)
    await send_all(harness, database)
    assert got("one") == {"ada": 1}


async def test_what_was_changed_in_another_tab_is_not_sent(open_campaigns: OpenCampaigns, database: Database) -> None:
    harness = open_campaigns(one="batches")
    await people(database, "ada")
    draft = await harness.drafts.create(WRITTEN, ADMIN)
    await harness.drafts.save(draft.id, change(draft, subject="Corrected"))
    with pytest.raises(Conflict) as late:
        await begin(harness, database, given=ready(draft))
    assert late.value.code == "draft_moved_on"
    assert await harness.campaigns.page(None, 10) == ([], None)


async def test_a_campaign_that_cannot_begin_leaves_its_draft(open_campaigns: OpenCampaigns, database: Database) -> None:
    harness = open_campaigns(one="batches")
    draft = await harness.drafts.create(WRITTEN, ADMIN)
    with pytest.raises(Conflict, match="Nobody"):
        await begin(harness, database, given=ready(draft))
    assert await harness.drafts.get(draft.id) == draft


@pytest.mark.parametrize("body_format", ["html", "markdown"])
async def test_a_sent_campaign_is_used_as_a_new_draft(
    open_campaigns: OpenCampaigns, database: Database, body_format: str
) -> None:
    harness = open_campaigns(one="batches")
    await people(database, "ada", pro_override=True)
    given = CampaignIn(
        subject="News",
        html_body="**News**" if body_format == "markdown" else "<b>News</b>",
        body_format=body_format,  # type: ignore[arg-type]
        language="fr",
        versions={"en": LetterVersion(subject="More", html_body="*More*" if body_format == "markdown" else "<i>M</i>")},
        reply_to="desk@example.org",
        segment=Segment(plan="pro"),
    )
    campaign = await begin(harness, database, "marketing", given)
    draft = await harness.drafts.copy(campaign.id, ADMIN)
    assert draft.kind == "marketing"
    for name in ("subject", "html_body", "body_format", "language", "versions", "reply_to", "segment", "send_at"):
        assert getattr(draft, name) == getattr(given, name), name
    with pytest.raises(Absent):
        await harness.drafts.copy(uuid4(), ADMIN)
