"""Account emails: at most once each, not lost, and complete in every language."""

import asyncio
import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import get_args

import msgspec
import pytest
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.auth.account_emails import AccountEmail, AccountEmailKind
from kernel.accounts.models import AccountToken, User
from kernel.core import clock
from kernel.core.config import load_config
from kernel.core.data.database import Database
from kernel.core.outbox import OutboxEmail, queue_email, withdraw_emails
from kernel.core.text.languages import LANGUAGES
from kernel.mail.email_layout import Wording, render_account_email, texts_of
from kernel.mail.mailer import Mailer
from kernel.mail.suppression.models import EmailSuppression
from kernel.mail.suppression.service import apply_email_event
from kernel.mail.transactional.delivery import EmailDelivery
from kernel.providers.webhooks.inbox import InboxEvent
from kernel.spi import EmailMessage, SendResult
from tests.mail.conftest import OpenMailer, templates_of
from tests.mail.stub_email import SENT, Documents

pytestmark = pytest.mark.anyio

CONFIG = load_config({"COVERWRIGHT_ENV": "test", "COVERWRIGHT_PUBLIC_URL": "https://covers.example"})
ADA = "ada@example.org"
DETAILS = {"time": "2026-02-03 04:05 UTC", "browser": "Firefox", "system": "Linux", "ip": "192.0.2.7"}
JAN_5 = str(int(datetime(2027, 1, 5, 12, tzinfo=UTC).timestamp()))
CARD = {"card": "Visa •••• 4242", "expires": "12/26"}
PAYMENT = {
    "amount": "900",
    "old_amount": "700",
    "currency": "usd",
    "number": "CW-0007",
    "date": JAN_5,
    "until": JAN_5,
} | CARD
KINDS: tuple[AccountEmailKind, ...] = get_args(AccountEmailKind)


def delivery_of(mailer: Mailer, database: Database, documents: Documents | None = None) -> EmailDelivery:
    return EmailDelivery(CONFIG, database, mailer, templates_of(CONFIG, database, mailer), documents or Documents())


async def wanted(database: Database, kind: str = "reset", language: str = "en") -> None:
    """Make Ada, and queue an email to her."""
    async with database.write() as session:
        session.add(User(email=ADA, email_norm=ADA, language=language))
        await session.flush()
        queue_email(session, kind, address=ADA, language="en", user_id=1)


async def waiting(database: Database) -> list[tuple[int, bool]]:
    """Return the attempts, and whether it is claimed, of every email."""
    async with database.read() as connection:
        rows = await connection.execute(select(OutboxEmail.attempts, OutboxEmail.lease_until))
        return [(row.attempts, row.lease_until is not None) for row in rows]


async def time_passes(database: Database) -> None:
    async with database.write() as session:
        past = clock.now() - timedelta(seconds=1)
        await session.execute(update(OutboxEmail).values(run_after=past))
        await session.execute(update(OutboxEmail).where(OutboxEmail.lease_until.is_not(None)).values(lease_until=past))


async def test_an_email_is_sent_once_in_the_users_language(open_mailer: OpenMailer, database: Database) -> None:
    await wanted(database, language="fr")
    delivery = delivery_of(open_mailer(one="ok"), database)
    await delivery.send_due()
    await delivery.send_due()
    (message,) = SENT["one"]
    assert (message.to, message.subject) == (ADA, "Choisissez un nouveau mot de passe")
    assert "https://covers.example/reset#token=" in message.text
    assert await waiting(database) == []


async def test_what_was_certainly_not_taken_is_sent_later_with_a_link_of_its_own(
    open_mailer: OpenMailer, database: Database
) -> None:
    await wanted(database)
    await delivery_of(open_mailer(one="refused_connection"), database).send_due()
    assert await waiting(database) == [(1, False)]
    await delivery_of(open_mailer(two="ok"), database).send_due()
    assert SENT["two"] == []
    await time_passes(database)
    await delivery_of(open_mailer(two="ok"), database).send_due()
    assert len(SENT["two"]) == 1
    async with database.read() as connection:
        assert len((await connection.execute(select(AccountToken.id))).all()) == 1


async def test_what_may_have_gone_out_is_not_sent_again(open_mailer: OpenMailer, database: Database) -> None:
    await wanted(database)
    await delivery_of(open_mailer(one="lost_answer"), database).send_due()
    assert (len(SENT["one"]), await waiting(database)) == (1, [])


async def test_an_email_of_a_dead_worker_is_given_up_and_not_repeated(
    open_mailer: OpenMailer, database: Database
) -> None:
    await wanted(database)
    async with database.write() as session:
        later = clock.now() + timedelta(minutes=5)
        await session.execute(update(OutboxEmail).values(lease_until=later, run_after=later))
    delivery = delivery_of(open_mailer(one="ok"), database)
    await delivery.send_due()
    assert await waiting(database) == [(0, True)]
    await time_passes(database)
    await delivery.send_due()
    assert (await waiting(database), SENT["one"]) == ([], [])


async def test_without_any_service_letters_wait_until_they_say_nothing_new(
    open_mailer: OpenMailer, database: Database
) -> None:
    await wanted(database)
    delivery = delivery_of(open_mailer(), database)
    await delivery.send_due()
    assert await waiting(database) == [(1, False)]
    async with database.write() as session:
        await session.execute(update(OutboxEmail).values(give_up_at=clock.now(), run_after=clock.now()))
    await delivery.send_due()
    assert await waiting(database) == []


async def test_two_workers_send_an_email_once(open_mailer: OpenMailer, database: Database) -> None:
    await wanted(database)
    mailer = open_mailer(one="ok")
    await asyncio.gather(*(delivery_of(mailer, database).send_due() for _ in range(2)))
    assert len(SENT["one"]) == 1


async def test_stopping_waits_for_the_email_being_sent(open_mailer: OpenMailer, database: Database) -> None:
    await wanted(database)
    mailer, handed_over = open_mailer(one="ok"), asyncio.Event()

    class Slow:
        async def send(self, message: EmailMessage, *, asked_for: bool = False) -> SendResult:
            handed_over.set()
            return await mailer.send(message, asked_for=asked_for)

    working = asyncio.create_task(delivery_of(Slow(), database).run())  # type: ignore[arg-type]
    async with asyncio.timeout(10):
        await handed_over.wait()
    working.cancel()
    await asyncio.wait([working], timeout=10)
    assert (len(SENT["one"]), await waiting(database)) == (1, [])


async def test_queued_emails_are_withdrawn_by_kind(open_mailer: OpenMailer, database: Database) -> None:
    await wanted(database, "password_changed")
    async with database.write() as session:
        queue_email(session, "change", address="eve@example.org", language="en", user_id=1)
        await withdraw_emails(session, 1, ("change", "reset"))
    await delivery_of(open_mailer(one="ok"), database).send_due()
    assert [message.to for message in SENT["one"]] == [ADA]


async def test_who_leaves_while_an_email_is_being_taken_waits_for_nothing(database: Database) -> None:
    """The sender locks the email and then its user, a deletion the user and then the emails."""
    await wanted(database)
    taken, leaving = asyncio.Event(), asyncio.Event()

    async def change_user(session: AsyncSession, email: str) -> None:
        await session.execute(update(User).where(User.id == 1).values(email_norm=email))

    async def send() -> None:
        async with database.write() as session:
            await session.execute(update(OutboxEmail).values(lease_until=clock.now()))
            taken.set()
            with suppress(TimeoutError):  # SQLite has one writer at a time: there the other begins afterwards
                async with asyncio.timeout(0.5):
                    await leaving.wait()
            await change_user(session, ADA)

    async def leave() -> None:
        await taken.wait()
        async with database.write() as session:
            await change_user(session, "gone:1")
            leaving.set()
            await withdraw_emails(session, 1)

    await asyncio.gather(send(), leave())
    assert [claimed for _, claimed in await waiting(database)] == [True]


async def test_a_kind_nobody_knows_is_dropped(open_mailer: OpenMailer, database: Database) -> None:
    await wanted(database, "invitation")
    await delivery_of(open_mailer(one="ok"), database).send_due()
    assert (SENT["one"], await waiting(database)) == ([], [])


def _parts(wording: Wording) -> dict[str, list[str]]:
    return {"subject": [wording.subject], "lead": wording.lead, "button": [wording.button], "tail": wording.tail}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_letter(language: str) -> None:
    texts, english = texts_of(language), texts_of("en")
    assert all(part.strip() for part in (texts.greeting, texts.hint, texts.foot))
    for kind in KINDS:
        ours, theirs = _parts(getattr(texts, kind)), _parts(getattr(english, kind))
        for name, lines in ours.items():
            assert len(lines) == len(theirs[name]), (kind, name)
            for line, model in zip(lines, theirs[name], strict=True):
                for what in (r"{{\w+}}", r"\d+"):
                    assert sorted(re.findall(what, line)) == sorted(re.findall(what, model)), (kind, line)
                assert bool(line) == bool(model), (kind, name)
                assert language == "en" or not line or line != model, (kind, line)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_account_email_can_be_sent_in_every_language(kind: AccountEmailKind, language: str) -> None:
    due = AccountEmail(kind=kind, to=ADA, path="/reset#token=abc", language=language, details=DETAILS | PAYMENT)
    message = render_account_email(due, name="<b>Ink & Co</b>", url="https://covers.example")
    html = message.html or ""
    assert f'<html lang="{language}" dir="{"rtl" if language == "ar" else "ltr"}">' in html
    assert "<b>" not in html and "{" not in message.text and "{{" not in html
    has_button = bool(_parts(getattr(texts_of(language), kind))["button"][0])
    assert ("https://covers.example/reset#token=abc" in message.text) is has_button
    assert ("https://covers.example/reset#token=abc" in html) is has_button
    assert msgspec.structs.asdict(message)["to"] == ADA


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_names_the_device_of_a_sign_in(language: str) -> None:
    def text(**details: str) -> str:
        due = AccountEmail(kind="new_device", to=ADA, path="/account", language=language, details=DETAILS | details)
        return render_account_email(due, name="Covers", url="https://covers.example").text

    assert all(part in text() for part in DETAILS.values())
    assert "Firefox" in text(system="") and "Linux" in text(browser="")
    wording = texts_of(language).device
    assert wording.unknown in text(browser="", system="")
    assert language == "en" or wording.unknown != texts_of("en").device.unknown


@pytest.mark.parametrize(
    ("language", "minor", "currency", "amount", "day"),
    [
        ("en", "900", "usd", "$9.00", "January 5, 2027"),
        ("de", "190050", "eur", "1900,50 EUR", "5. Januar 2027"),
        ("ja", "1900", "jpy", "1900 JPY", "2027年1月5日"),
        ("ru", "900", "usd", "$9,00", "5 января 2027 года"),
        ("ar", "9000", "kwd", "\u20669.000 KWD\u2069", "5 يناير 2027"),
    ],
)
def test_amounts_and_days_are_written_as_in_the_language(
    language: str, minor: str, currency: str, amount: str, day: str
) -> None:
    details = PAYMENT | {"amount": minor, "currency": currency}
    due = AccountEmail(kind="renewal_failed", to=ADA, path="/account", language=language, details=details)
    text = render_account_email(due, name="Covers", url="https://covers.example").text
    assert amount in text and day in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_twelve_months(language: str) -> None:
    wording = texts_of(language).format
    assert len(set(wording.months)) == 12
    assert all(f"{{{{{part}}}}}" in wording.date for part in ("day", "month", "year"))


async def about_money(database: Database, kind: str, **details: str) -> None:
    async with database.write() as session:
        session.add(User(email=ADA, email_norm=ADA, language="fr"))
        await session.flush()
        queue_email(session, kind, address="old@example.org", language="en", user_id=1, details=PAYMENT | details)


async def test_a_receipt_brings_the_invoice_to_the_present_address(open_mailer: OpenMailer, database: Database) -> None:
    await about_money(database, "receipt", instance="bank", invoice="in_1")
    documents = Documents(away=1)
    delivery = delivery_of(open_mailer(one="ok"), database, documents)
    await delivery.send_due()
    assert (SENT["one"], len(await waiting(database))) == ([], 1)
    await time_passes(database)
    await delivery.send_due()
    (message,) = SENT["one"]
    assert (message.to, message.subject) == (ADA, "Votre reçu de Coverwright")
    (pdf,) = message.attachments
    assert (pdf.name, pdf.media_type, pdf.content) == ("CW-0007.pdf", "application/pdf", b"%PDF-1.4 bank in_1")
    assert "https://covers.example/account" in message.text
    assert await waiting(database) == []


async def test_a_receipt_does_not_wait_for_ever_for_its_document(open_mailer: OpenMailer, database: Database) -> None:
    await about_money(database, "receipt", instance="bank", invoice="in_1")
    delivery = delivery_of(open_mailer(one="ok"), database, Documents(away=99))
    for _ in range(6):
        await delivery.send_due()
        await time_passes(database)
    (message,) = SENT["one"]
    assert message.attachments == ()


async def test_a_receipt_leads_to_the_vendors_invoice(open_mailer: OpenMailer, database: Database) -> None:
    await about_money(database, "receipt", link="https://invoice.stripe.com/i/in_1")
    await delivery_of(open_mailer(one="ok"), database).send_due()
    (message,) = SENT["one"]
    assert "\nhttps://invoice.stripe.com/i/in_1\n" in message.text and message.attachments == ()


async def test_nobody_writes_about_money_to_a_deleted_account(open_mailer: OpenMailer, database: Database) -> None:
    await about_money(database, "subscription_ended")
    async with database.write() as session:
        await session.execute(update(User).values(leaving_at=clock.now()))
    await delivery_of(open_mailer(one="ok"), database).send_due()
    assert (SENT["one"], await waiting(database)) == ([], [])


async def test_a_forgotten_password_is_answered_although_an_email_came_back_long_ago(
    open_mailer: OpenMailer, database: Database
) -> None:
    delivery = delivery_of(open_mailer(one="ok"), database)
    async with database.write() as session:
        bounce = InboxEvent(instance_id="one", event_id="b", topic="bounced", ref=ADA)
        await apply_email_event(session, bounce)
    await wanted(database)
    await delivery.send_due()
    assert SENT["one"] == []
    async with database.write() as session:
        await session.execute(update(EmailSuppression).values(created_at=clock.now() - timedelta(days=2)))
        queue_email(session, "password_changed", address=ADA, language="en", user_id=1)
        queue_email(session, "reset", address=ADA, language="en", user_id=1)
        queue_email(session, "reset", address=ADA, language="en", user_id=1)
    await delivery.send_due()
    assert [message.subject for message in SENT["one"]] == ["Choose a new password"]
