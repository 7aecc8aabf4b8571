"""Tests of what is being written: to several addresses, in one language or in all."""

from typing import Any

import msgspec
import pytest

from kernel.core.data.database import Database
from kernel.core.errors import InvalidFields
from kernel.mail.schemas import LetterTestIn, LetterVersion
from kernel.mail.suppression.models import EmailSuppression
from tests.mail.audience import boss
from tests.mail.conftest import OpenCampaigns
from tests.mail.stub_email import SENT

pytestmark = pytest.mark.anyio

GIVEN = LetterTestIn(
    kind="broadcast",
    subject="News for {{firstName}}",
    html_body="**News** for {{email}} [leave]({{unsubscribeUrl}})",
    body_format="markdown",
    versions={"de": LetterVersion(subject="Neues", html_body="- Neues")},
    reply_to="desk@example.org",
    to=["ada@example.org", " Bo@example.org ", "ADA@example.org"],
)


async def test_each_address_gets_each_version_once(open_campaigns: OpenCampaigns, database: Database) -> None:
    harness = open_campaigns(one="batches")
    sent = await harness.trial.send(boss(), GIVEN, "192.0.2.1")
    assert {(one.to.lower(), one.language, one.state) for one in sent} == {
        (to, language, "sent") for to in ("ada@example.org", "bo@example.org") for language in ("en", "de")
    }
    assert len(sent) == len(SENT["one"]) == 4
    english = next(message for message in SENT["one"] if "News" in message.text)
    assert "<strong>News</strong>" in (english.html or "") and english.reply_to == "desk@example.org"
    assert "https://covers.example/unsubscribe?token=" in english.text and "Unsubscribe" in english.text
    german = next(message for message in SENT["one"] if "Neues" in message.text)
    assert "- Neues" in german.text and "Abmelden" in german.text


async def test_one_version_is_sent_when_one_is_asked_for(open_campaigns: OpenCampaigns, database: Database) -> None:
    harness = open_campaigns(one="batches")
    async with database.write() as session:
        session.add(EmailSuppression(address="bo@example.org", scope="all", reason="bounced", source="one"))
    sent = await harness.trial.send(boss(), msgspec.structs.replace(GIVEN, only="de"), "")
    assert [(one.to, one.language, one.state) for one in sent] == [
        ("ADA@example.org", "de", "sent"),
        ("Bo@example.org", "de", "rejected"),
    ]


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        ({"to": ["nobody", "ada@example.org", "@"], "subject": "{{x}}"}, {"to.0", "to.2", "subject"}),
        ({"only": "fr"}, {"only"}),
        ({"versions": {"de": LetterVersion()}}, {"versions.de.subject", "versions.de.htmlBody"}),
        ({"html_body": "[x](http://x.example)"}, {"htmlBody"}),
        ({"html_body": "[x](https://x.example/{{email}})"}, {"htmlBody"}),
        ({"html_body": "a " * 30_000}, {"htmlBody"}),
    ],
)
async def test_all_that_is_wrong_is_said_and_nothing_is_sent(
    open_campaigns: OpenCampaigns, database: Database, change: dict[str, Any], faults: set[str]
) -> None:
    harness = open_campaigns(one="batches")
    with pytest.raises(InvalidFields) as refused:
        await harness.trial.send(boss(), msgspec.structs.replace(GIVEN, **change), "")
    assert set(refused.value.fields) == faults and not SENT.get("one")
