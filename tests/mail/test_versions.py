"""Campaigns in several languages: who gets which version, and how many."""

import pytest

from kernel.core.data.database import Database
from kernel.core.errors import InvalidFields
from kernel.mail.schemas import CampaignIn, LetterVersion, Segment
from tests.mail.audience import begin, people, send_all
from tests.mail.conftest import OpenCampaigns
from tests.mail.stub_email import SENT
from tests.support.statements import statements

pytestmark = pytest.mark.anyio

LETTER = CampaignIn(
    subject="Neues für {{firstName}}",
    html_body="<p>Neues</p>",
    language="de",
    versions={
        "fr": LetterVersion(subject="Du nouveau", html_body="<p>Du nouveau</p>"),
        "en": LetterVersion(subject="News", html_body="<p>News</p>"),
    },
)


async def test_everybody_gets_the_version_of_their_language_or_the_fall_back(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harness = open_campaigns(one="batches")
    for name, language in (("ada", "fr"), ("bo", "ja"), ("cy", "de"), ("dee", "en"), ("eve", None)):
        await people(database, name, first_name=name, language=language)
    counted = await harness.campaigns.count("broadcast", Segment())
    assert (counted.people, counted.languages) == (5, {"de": 1, "en": 2, "fr": 1, "ja": 1})
    await begin(harness, database, given=LETTER)
    await send_all(harness, database)
    assert {message.to.partition("@")[0]: message.subject for message in SENT["one"]} == {
        "ada": "Du nouveau",
        "bo": "Neues für bo",
        "cy": "Neues für cy",
        "dee": "News",
        "eve": "News",  # who never chose a language reads English
    }
    (ada,) = (message for message in SENT["one"] if message.to.startswith("ada"))
    assert ada.text.startswith("Du nouveau\n") and "<p>Du nouveau</p>" in (ada.html or "")
    assert "Se désabonner" in ada.text


async def test_versions_cost_no_query_more(open_campaigns: OpenCampaigns, database: Database) -> None:
    harness = open_campaigns(one="batches")
    made = []
    for name, given in (("ada", CampaignIn(subject="News", html_body="<p>News</p>")), ("bo", LETTER)):
        for language in ("de", "fr", "en"):
            await people(database, f"{name}-{language}", language=language)
        await begin(harness, database, given=given)
        with statements() as sent:
            await harness.sender.send_due()
        made.append(len(sent))
    assert made[0] == made[1]
    assert [len(SENT["one"][:3]), len(SENT["one"][3:])] == [3, 6]


async def test_all_that_is_wrong_in_all_languages_is_said_at_once(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harness = open_campaigns(one="batches")
    given = CampaignIn(
        subject="{{nobody}}",
        html_body="<p>Hello</p>",
        language="en",
        versions={
            "en": LetterVersion(subject="a", html_body="a"),
            "fr": LetterVersion(subject="", html_body='<a href="http://x.example">x</a>'),
            "tlh": LetterVersion(subject="a", html_body="a"),
        },
    )
    with pytest.raises(InvalidFields) as refused:
        await begin(harness, database, given=given)
    codes = {name: getattr(fault, "code", fault) for name, fault in refused.value.fields.items()}
    assert codes == {
        "subject": "unknown_variable",
        "versions.en": "language_twice",
        "versions.fr.subject": "empty",
        "versions.fr.htmlBody": "link_not_https",
        "versions.tlh": "not_a_choice",
    }
    script = "<script>alert(1)</script>"  # nothing of it would be sent
    empty = CampaignIn(subject="a", html_body=script, versions={"fr": LetterVersion(subject="a", html_body=script)})
    with pytest.raises(InvalidFields) as refused:
        await begin(harness, database, given=empty)
    codes = {name: getattr(fault, "code", fault) for name, fault in refused.value.fields.items()}
    assert codes == {"htmlBody": "empty", "versions.fr.htmlBody": "empty"}
    with pytest.raises(InvalidFields) as refused:
        await begin(harness, database, given=CampaignIn(subject="a", html_body="a", language="tlh"))
    assert set(refused.value.fields) == {"language"}
