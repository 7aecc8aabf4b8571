"""Templates: the built-in ones until an administrator replaces them, and the greeting that everybody gets once."""

from typing import Any

import pytest
from sqlalchemy import select, update

from kernel.accounts.auth.account_emails import SIGNUP
from kernel.accounts.models import User
from kernel.core.audit import Actor
from kernel.core.config import load_config
from kernel.core.data.database import Database
from kernel.core.errors import InvalidFields
from kernel.core.outbox import OutboxEmail, queue_email
from kernel.mail.schemas import EmailPreviewIn, EmailTemplateIn, EmailTestIn, TemplateType
from kernel.mail.templates.template_text import faults_of
from kernel.mail.transactional.delivery import EmailDelivery
from tests.mail.audience import boss, people
from tests.mail.conftest import OpenCampaigns, OpenMailer, templates_of
from tests.mail.stub_email import SENT, Documents

pytestmark = pytest.mark.anyio

CONFIG = load_config({"COVERWRIGHT_ENV": "test", "COVERWRIGHT_PUBLIC_URL": "https://covers.example"})
ADA = "ada@example.org"
BOSS = Actor(id=1, ip="")


def wanted(**fields: Any) -> EmailTemplateIn:
    good = {"subject": "Hi", "reply_to": "", "html_body": "<p>Hi</p>", "message_stream": "broadcast", "is_active": True}
    return EmailTemplateIn(**good | fields)


async def test_our_templates_are_complete_and_without_faults(open_campaigns: OpenCampaigns, database: Database) -> None:
    harness = open_campaigns(one="ok")
    found = await harness.templates.all()
    streams = {template.template_type: template.message_stream for template in found}
    assert streams == {"signup": "outbound", "broadcast": "broadcast", "marketing": "broadcast"}
    for template in found:
        assert template.is_active and template.reply_to == "noreply@covers.example"
        assert faults_of(template.template_type, template.subject, template.html_body) == {}
        assert ("unsubscribeUrl" in template.variables) == (template.template_type != "signup")


async def test_a_template_is_kept_as_it_was_written(open_campaigns: OpenCampaigns, database: Database) -> None:
    harness = open_campaigns(one="ok")
    given = wanted(subject=" Hi {{firstName}} ", reply_to="desk@example.org", html_body="<p>Hi</p><script>1</script>")
    for _ in range(2):
        kept = await harness.templates.save("marketing", given, BOSS)
    assert (kept.subject, kept.reply_to, kept.html_body) == ("Hi {{firstName}}", "desk@example.org", given.html_body)
    other = await harness.templates.save("marketing", wanted(reply_to="noreply@covers.example"), BOSS)
    assert other.reply_to == "noreply@covers.example"


@pytest.mark.parametrize(
    ("kind", "fields", "faults"),
    [
        ("marketing", {"subject": " ", "html_body": "\n"}, {"subject", "htmlBody"}),
        ("marketing", {"reply_to": "nowhere", "message_stream": "outbound"}, {"replyTo", "messageStream"}),
        ("signup", {"message_stream": "broadcast"}, {"messageStream"}),
        ("signup", {"message_stream": "outbound", "html_body": "{{unsubscribeUrl}}"}, {"htmlBody"}),
    ],
)
async def test_all_that_is_wrong_is_said_at_once(
    open_campaigns: OpenCampaigns, database: Database, kind: TemplateType, fields: dict[str, Any], faults: set[str]
) -> None:
    harness = open_campaigns(one="ok")
    with pytest.raises(InvalidFields) as refused:
        await harness.templates.save(kind, wanted(**fields), BOSS)
    assert set(refused.value.fields) == faults


async def test_a_preview_is_what_would_go_out_to_the_administrator(
    open_campaigns: OpenCampaigns, database: Database
) -> None:
    harness = open_campaigns(one="ok")
    await harness.templates.save_postal_address("  Ink & Co \n\n1  Harbour Road ", BOSS)
    given = EmailPreviewIn(template_type="broadcast", subject="Hi {{firstName}}", html_body="<p>{{email}}</p><script>1")
    shown = await harness.templates.preview(boss(), given)
    assert shown.subject == "Hi Ada" and "Ink & Co\n1 Harbour Road" in shown.text and "Abmelden" in shown.html
    assert f"<p>{ADA}</p>" in shown.html and "script" not in shown.html
    with pytest.raises(InvalidFields):
        bad = EmailPreviewIn(template_type="signup", subject="{{x}}", html_body="")
        await harness.templates.preview(boss(), bad)


async def test_a_test_is_sent_as_the_template_would_be(open_campaigns: OpenCampaigns, database: Database) -> None:
    harness = open_campaigns(one="ok")
    for kind in ("signup", "marketing"):
        result = await harness.templates.send_test(
            boss(), EmailTestIn(template_type=kind, to_email="eve@example.org"), ip=""
        )
        assert result.state == "sent"
        assert (result.message_id or "").startswith("transactional" if kind == "signup" else "bulk")
    assert [message.to for message in SENT["one"]] == ["eve@example.org"] * 2
    assert all(message.reply_to == "noreply@covers.example" for message in SENT["one"])


@pytest.mark.parametrize(("mode", "state"), [("refused_connection", "failed"), ("lost_answer", "unknown")])
async def test_a_test_that_fails_says_so(
    open_campaigns: OpenCampaigns, database: Database, mode: str, state: str
) -> None:
    harness = open_campaigns(one=mode)
    result = await harness.templates.send_test(boss(), EmailTestIn(template_type="signup", to_email=ADA), ip="")
    assert result.state == state and result.detail
    nobody = open_campaigns()
    assert (
        await nobody.templates.send_test(boss(), EmailTestIn(template_type="signup", to_email=ADA), ip="")
    ).state == "failed"
    with pytest.raises(InvalidFields) as refused:
        await nobody.templates.send_test(boss(), EmailTestIn(template_type="signup", to_email="nowhere"), ip="")
    assert set(refused.value.fields) == {"toEmail"}


async def greet(open_mailer: OpenMailer, database: Database, active: bool = True) -> None:
    """Queue the greeting of Ada, and send what is due."""
    mailer = open_mailer(one="ok")
    templates = templates_of(CONFIG, database, mailer)
    given = wanted(
        subject="Welcome {{firstName}}", html_body="<p>{{email}}</p>", message_stream="outbound", is_active=active
    )
    await templates.save("signup", given, BOSS)
    async with database.write() as session:
        queue_email(session, SIGNUP, address=ADA, language="en", user_id=1)
    delivery = EmailDelivery(CONFIG, database, mailer, templates, Documents())
    await delivery.send_due()
    await delivery.send_due()
    async with database.read() as connection:
        assert (await connection.execute(select(OutboxEmail.id))).all() == []


async def test_who_confirmed_an_address_is_greeted_once(open_mailer: OpenMailer, database: Database) -> None:
    await people(database, "ada", first_name="Ada", language="fr")
    await greet(open_mailer, database)
    (message,) = SENT["one"]
    assert (message.subject, message.to) == ("Welcome Ada", ADA)
    assert f"<p>{ADA}</p>" in (message.html or "") and 'lang="fr"' in (message.html or "")
    assert "unsubscribe" not in message.text


@pytest.mark.parametrize("change", [{"email_verified": False}, {"email": "other@example.org"}, {"disabled": True}])
async def test_unconfirmed_changed_and_disabled_accounts_get_no_welcome_email(
    open_mailer: OpenMailer, database: Database, change: dict[str, Any]
) -> None:
    await people(database, "ada")
    async with database.write() as session:
        await session.execute(update(User).values(**change))
    await greet(open_mailer, database)
    assert SENT["one"] == []


async def test_a_greeting_that_is_switched_off_is_not_sent(open_mailer: OpenMailer, database: Database) -> None:
    await people(database, "ada")
    await greet(open_mailer, database, active=False)
    assert SENT["one"] == []
