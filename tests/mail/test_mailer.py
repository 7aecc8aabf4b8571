"""One email to one person: along the failover order, never twice, never to a suppressed address."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from kernel.core.config import ConfigError, load_config
from kernel.core.data.database import Database
from kernel.mail.suppression.service import apply_email_event
from kernel.providers.webhooks.inbox import InboxEvent
from kernel.spi import EmailMessage, ProviderBug, Secret, SettingsInvalid, Unavailable
from tests.mail.conftest import OpenMailer
from tests.mail.stub_email import SENT

pytestmark = pytest.mark.anyio


def message(**fields: Any) -> EmailMessage:
    return EmailMessage(**({"to": "ada@example.org", "sender": "", "subject": "Hello", "text": "Hello"} | fields))


async def happened(database: Database, topic: str, address: str) -> None:
    async with database.write() as session:
        event = InboxEvent(instance_id="postmark", event_id="e", topic=topic, ref=address)
        await apply_email_event(session, event)


async def test_the_first_instance_sends_and_the_site_is_the_sender(open_mailer: OpenMailer) -> None:
    mailer = open_mailer(env={"COVERWRIGHT_PUBLIC_URL": "https://covers.example:8443/x"}, one="ok", two="ok")
    result = await mailer.send(message())
    assert result.state == "sent" and (result.message_id or "").startswith("transactional ")
    assert [entry.sender for entry in SENT["one"]] == ["noreply@covers.example"]
    assert SENT["two"] == []


async def test_a_sender_of_its_own_is_left_alone(open_mailer: OpenMailer) -> None:
    await open_mailer(one="ok").send(message(sender="Shop <shop@example.com>"))
    assert SENT["one"][0].sender == "Shop <shop@example.com>"


@pytest.mark.parametrize(
    ("address", "sender"),
    [("http://127.0.0.1:8000", "noreply@localhost"), ("http://[::1]:8000", "noreply@localhost")],
)
async def test_an_ip_address_is_no_mail_domain(open_mailer: OpenMailer, address: str, sender: str) -> None:
    assert open_mailer(env={"COVERWRIGHT_PUBLIC_URL": address}, one="ok").sender == sender


async def test_the_configured_sender_wins_and_must_be_one(open_mailer: OpenMailer, tmp_path: Path) -> None:
    file = tmp_path / "site.toml"
    file.write_text('[mail]\nsender = "Covers <hello@covers.example>"\n')
    mailer = open_mailer(env={"COVERWRIGHT_CONFIG": str(file)}, one="ok")
    assert mailer.sender == "Covers <hello@covers.example>"
    file.write_text('[mail]\nsender = "somebody"\n')
    with pytest.raises(ConfigError, match=r"mail\.sender"):
        load_config({"COVERWRIGHT_CONFIG": str(file)})


@pytest.mark.parametrize("mode", ["refused_connection", "rate_limited", "unsigned"])
async def test_what_was_certainly_not_sent_is_passed_on(open_mailer: OpenMailer, mode: str) -> None:
    result = await open_mailer(one=mode, two="ok").send(message())
    assert result.state == "sent" and len(SENT["two"]) == 1


@pytest.mark.parametrize(("mode", "code"), [("lost_answer", Unavailable.code), ("too_many_results", ProviderBug.code)])
async def test_what_may_have_been_sent_is_never_sent_again(open_mailer: OpenMailer, mode: str, code: str) -> None:
    result = await open_mailer(one=mode, two="ok").send(message())
    assert (result.state, result.code) == ("unknown", code) and result.detail
    assert (len(SENT["one"]), SENT["two"]) == (1, [])


async def test_an_instance_without_transactional_mail_is_left_out(open_mailer: OpenMailer) -> None:
    await open_mailer(one="bulk_only", two="ok").send(message())
    assert (SENT["one"], len(SENT["two"])) == ([], 1)


async def test_what_the_provider_says_of_the_message_is_the_result(open_mailer: OpenMailer) -> None:
    result = await open_mailer(one="bounces", two="ok").send(message())
    assert (result.state, result.code) == ("rejected", "406") and SENT["two"] == []


async def test_what_the_provider_says_is_told_without_its_secrets(open_mailer: OpenMailer) -> None:
    mailer = open_mailer(one="bounces")
    instance = mailer._caller.registry.instance("one")
    assert instance is not None
    instance._secrets = (Secret("inactive"),)
    assert (await mailer.send(message())).detail == "***"


async def test_no_email_service_is_reported(open_mailer: OpenMailer) -> None:
    result = await open_mailer().send(message())
    assert (result.state, result.code) == ("failed", "unavailable")


@pytest.mark.parametrize(
    "fields",
    [
        {"to": "nobody"},
        {"to": "ada@example.org\r\nBcc: eve@example.org"},
        {"subject": "Hello\nBcc: eve@example.org"},
        {"to_name": "Ada\rBcc: eve@example.org"},
        {"headers": {"Bcc": "eve@example.org"}},
        {"headers": {"X-A\r\nBcc": "eve@example.org"}},
    ],
)
async def test_what_would_forge_a_header_reaches_no_provider(open_mailer: OpenMailer, fields: dict[str, Any]) -> None:
    assert (await open_mailer(one="ok").send(message(**fields))).state == "invalid"
    assert SENT["one"] == []


@pytest.mark.parametrize("topic", ["bounced", "complained"])
async def test_an_address_that_bounced_or_complained_gets_nothing_more(
    open_mailer: OpenMailer, database: Database, topic: str
) -> None:
    await happened(database, topic, "Ada@Example.org")
    result = await open_mailer(one="ok").send(message())
    assert (result.state, result.code, SENT["one"]) == ("rejected", "suppressed", [])


@pytest.mark.parametrize("topic", ["unsubscribed", "delivered", "opened"])
async def test_who_unsubscribed_still_gets_what_concerns_the_account(
    open_mailer: OpenMailer, database: Database, topic: str
) -> None:
    await happened(database, topic, "ada@example.org")
    assert (await open_mailer(one="ok").send(message())).state == "sent"


async def test_each_sending_is_written_down(open_mailer: OpenMailer, database: Database) -> None:
    await open_mailer(one="unsigned", two="ok").send(message())
    async with database.read() as connection:
        rows = (await connection.execute(text("SELECT kind, operation, outcome, code FROM attempt ORDER BY id"))).all()
    assert [tuple(row) for row in rows] == [
        ("email", "send", "error", SettingsInvalid.code),
        ("email", "send", "ok", None),
    ]
