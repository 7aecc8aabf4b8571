"""The SMTP provider passes the kit, with a mail server on this machine."""

import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from email.message import EmailMessage as MimeMessage
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kernel.core.config import load_config
from kernel.providers.instances.context import ProviderBuildContext
from kernel.spi import (
    AuthFailed,
    DeadlineExceeded,
    Effect,
    EmailMessage,
    ProviderSpec,
    RateLimited,
    Secret,
    Settings,
    SettingsInvalid,
    Unavailable,
)
from kernel.spi.testing import EmailContract, FakeContext
from plugins.smtp_email import SMTP
from plugins.smtp_email.provider import SmtpEmail
from plugins.smtp_email.settings import SmtpSettings
from tests.plugins.mail_server import HOST, PASSWORD, USER, MailServer, mail_server, make_certificate
from tests.support.processes import free_port

NOWHERE = "nowhere@example.org"
FAULTS: Mapping[str, str] = {
    "rate_limit": "421 4.7.0 Too many messages, try again later",
    "server_error": "451 4.3.0 local error",
}


class TestConformance(EmailContract):
    @pytest.fixture
    async def server(self) -> AsyncIterator[MailServer]:
        async with mail_server(sign_in=True, utf8=True) as server:
            server.rcpt_reply[NOWHERE] = "550 5.1.1 no such mailbox"
            yield server

    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return SMTP

    @pytest.fixture
    def settings(self, server: MailServer) -> SmtpSettings:
        return SmtpSettings(
            host=HOST, port=server.port, security="none", username=USER, password=Secret(PASSWORD), timeout_s=1.0
        )

    @pytest.fixture
    def broken(self, settings: SmtpSettings) -> Mapping[str, Settings]:
        replace = msgspec.structs.replace
        return {
            "host": replace(settings, port=free_port()),
            "security": replace(settings, security="starttls"),
            "username": replace(settings, username=""),
            "password": replace(settings, password=Secret("wrong")),
            "sender": replace(settings, sender="nobody"),
        }

    @pytest.fixture
    def refused_address(self) -> str:
        return NOWHERE

    @pytest.fixture
    def delivered(self, server: MailServer) -> Callable[[], Awaitable[Sequence[EmailMessage]]]:
        async def look() -> Sequence[EmailMessage]:
            return [as_sent(entry) for entry in server.messages()]

        return look

    @pytest.fixture
    def faults(self) -> Mapping[str, Any]:
        return {"bad_key": "wrong", **FAULTS, "garbage": "noise"}

    @pytest.fixture
    def retry_after_s(self) -> float | None:
        return None  # mail servers do not say

    @pytest.fixture
    def fails_with(
        self, server: MailServer, settings: SmtpSettings, context: FakeContext
    ) -> Callable[..., AbstractAsyncContextManager[Any]]:
        @asynccontextmanager
        async def fail(name: str, variant: int = 0) -> AsyncIterator[Any]:
            ill = settings
            if name == "bad_key":
                ill = msgspec.structs.replace(settings, password=Secret("wrong"))
            elif name == "unreachable":
                ill = msgspec.structs.replace(settings, port=free_port())
            elif name in ("noise", "garbage"):
                server.noise = 7 if name == "garbage" else variant
            elif name == "answer_lost":
                server.every_data = ("hang", "drop")[variant % 2]
            else:
                server.every_mail = FAULTS[name]
            provider = SMTP.build(ill, context)
            try:
                yield provider
            finally:
                server.noise, server.every_data, server.every_mail = None, "", ""
                await provider.aclose()

        return fail


def as_sent(mime: MimeMessage) -> EmailMessage:
    text, html = mime.get_body(("plain",)), mime.get_body(("html",))
    assert text is not None
    return EmailMessage(
        to=mime["To"].addresses[0].addr_spec,
        sender=mime["From"].addresses[0].addr_spec,
        subject=str(mime["Subject"]),
        text=text.get_content(),
        html=None if html is None else html.get_content(),
    )


def message(to: str = "ada@example.org", **fields: Any) -> EmailMessage:
    return EmailMessage(**({"to": to, "sender": "covers@example.com", "subject": "Ready", "text": "Hello"} | fields))


def provider(server: MailServer, folder: Path, **settings: Any) -> SmtpEmail:
    chosen = {"host": HOST, "port": server.port, "security": "none", "timeout_s": 1.0} | settings
    return SMTP.build(SmtpSettings(**chosen), FakeContext(folder))


async def states(it: SmtpEmail, *messages: EmailMessage) -> list[str]:
    return [result.state for result in await it.send(messages, stream="bulk", batch_id="b")]


@pytest.mark.anyio
@pytest.mark.parametrize("security", ["starttls", "tls"])
async def test_encrypted_delivery_works_with_a_certificate_that_the_machine_trusts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, security: str
) -> None:
    certificate = make_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.file))
    where = {security: certificate.server}
    async with mail_server(sign_in=True, **where) as server:  # type: ignore[arg-type]
        it = provider(server, tmp_path, security=security, username=USER, password=Secret(PASSWORD))
        report = await it.check()
        assert [step.status for step in report.steps] == ["ok", "ok", "ok", "skip"], report
        assert await states(it, message()) == ["sent"]
        assert all(server.encrypted)


@pytest.mark.anyio
@pytest.mark.parametrize("security", ["starttls", "tls"])
async def test_a_certificate_that_nobody_trusts_is_refused_before_the_password_goes_out(
    tmp_path: Path, security: str
) -> None:
    where = {security: make_certificate(tmp_path).server}
    async with mail_server(sign_in=True, **where) as server:  # type: ignore[arg-type]
        it = provider(server, tmp_path, security=security, username=USER, password=Secret(PASSWORD))
        with pytest.raises(SettingsInvalid, match="certificate") as caught:
            await states(it, message())
        assert caught.value.field == "host"
        assert server.commands == []
        assert not (await it.check()).ok


@pytest.mark.anyio
async def test_a_certificate_for_another_address_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = make_certificate(tmp_path, "192.0.2.1")
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.file))
    async with mail_server(starttls=certificate.server) as server:
        with pytest.raises(SettingsInvalid, match="certificate"):
            await states(provider(server, tmp_path, security="starttls"), message())


@pytest.mark.anyio
async def test_a_server_without_encryption_gets_nothing_unless_that_is_set(tmp_path: Path) -> None:
    async with mail_server() as server:
        with pytest.raises(SettingsInvalid) as caught:
            await states(provider(server, tmp_path, security="starttls"), message())
        assert caught.value.field == "security" and server.commands == []
        with pytest.raises((Unavailable, DeadlineExceeded)):
            await states(provider(server, tmp_path, security="tls"), message())
        report = await provider(server, tmp_path).check()
        assert report.ok and "warn" in [step.status for step in report.steps]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("reply", "state"),
    [
        ("550 5.1.1 no such mailbox", "invalid"),
        ("553 not a mailbox name", "invalid"),
        ("550 5.7.1 not from you", "rejected"),
        ("552 5.2.2 mailbox full", "rejected"),
        ("451 4.7.1 greylisted", "failed"),
        ("450 4.2.1 busy", "failed"),
    ],
)
async def test_what_is_said_of_one_recipient_is_the_result_of_that_one(tmp_path: Path, reply: str, state: str) -> None:
    async with mail_server() as server:
        server.rcpt_reply["bob@example.org"] = reply
        batch = [message(), message("bob@example.org"), message("eve@example.org")]
        results = await provider(server, tmp_path).send(batch, stream="bulk", batch_id="b")
        assert [result.state for result in results] == ["sent", state, "sent"]
        assert (results[1].code, results[1].detail) == (reply[:3], reply)
        assert [entry.rcpt_tos for entry in server.taken] == [["ada@example.org"], ["eve@example.org"]]


@pytest.mark.anyio
async def test_a_message_refused_for_its_content_is_a_result(tmp_path: Path) -> None:
    async with mail_server() as server:
        server.data_reply |= {"bob@example.org": "554 5.7.1 spam", "eve@example.org": "452 4.3.1 no room"}
        batch = [message("bob@example.org"), message("eve@example.org"), message()]
        assert await states(provider(server, tmp_path), *batch) == ["rejected", "failed", "sent"]


@pytest.mark.anyio
async def test_a_lost_answer_leaves_one_message_in_doubt_and_the_rest_unsent(tmp_path: Path) -> None:
    async with mail_server() as server:
        server.data_reply["bob@example.org"] = "drop"
        batch = [message(), message("bob@example.org"), message("eve@example.org")]
        assert await states(provider(server, tmp_path), *batch) == ["sent", "unknown", "failed"]
        assert await states(provider(server, tmp_path), *batch[1:]) == ["unknown", "failed"]
        assert len(server.taken) == 3


@pytest.mark.anyio
async def test_a_server_that_says_nothing_after_the_message_leaves_it_in_doubt(tmp_path: Path) -> None:
    async with mail_server() as server:
        server.every_data = "hang"
        with pytest.raises(DeadlineExceeded) as caught:
            await states(provider(server, tmp_path, timeout_s=0.2), message())
        assert caught.value.effect is Effect.UNKNOWN


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("421 4.7.0 too many connections", RateLimited),
        ("421 4.3.2 shutting down", Unavailable),
        ("530 5.7.0 authentication required", AuthFailed),
        ("553 5.1.8 sender not owned by you", SettingsInvalid),
    ],
)
async def test_a_refusal_of_everything_is_an_error_while_nothing_was_taken(
    tmp_path: Path, reply: str, expected: type[Exception]
) -> None:
    async with mail_server() as server:
        server.every_mail = reply
        with pytest.raises(expected) as caught:
            await states(provider(server, tmp_path), message(), message())
        assert type(caught.value) is expected and server.taken == []
        assert getattr(caught.value, "effect", None) is Effect.NONE


@pytest.mark.anyio
async def test_a_server_that_closes_midway_ends_the_batch_with_results(tmp_path: Path) -> None:
    async with mail_server() as server:
        server.mail_reply["late@example.com"] = "421 4.3.2 shutting down"
        batch = [message(), message(sender="late@example.com"), message()]
        assert await states(provider(server, tmp_path), *batch) == ["sent", "failed", "failed"]


@pytest.mark.anyio
async def test_one_refused_sender_does_not_stop_the_others(tmp_path: Path) -> None:
    async with mail_server() as server:
        server.mail_reply["odd@example.com"] = "550 5.7.1 not yours"
        batch = [message(sender="odd@example.com"), message()]
        assert await states(provider(server, tmp_path), *batch) == ["rejected", "sent"]


@pytest.mark.anyio
async def test_the_senders_address_of_the_settings_wins(tmp_path: Path) -> None:
    async with mail_server() as server:
        it = provider(server, tmp_path, sender="Cover Shop <shop@bücher.example>")
        assert await states(it, message()) == ["sent"]
        assert server.taken[0].mail_from == "shop@xn--bcher-kva.example"
        assert server.messages()[0]["From"].addresses[0].display_name == "Cover Shop"


@pytest.mark.anyio
async def test_an_international_domain_goes_out_in_ascii_and_a_local_part_needs_the_server(tmp_path: Path) -> None:
    async with mail_server() as server:
        batch = [message("ada@bücher.example"), message("ädä@example.org")]
        assert await states(provider(server, tmp_path), *batch) == ["sent", "invalid"]
        assert server.taken[0].rcpt_tos == ["ada@xn--bcher-kva.example"]
    async with mail_server(utf8=True) as server:
        assert await states(provider(server, tmp_path), message("ädä@example.org")) == ["sent"]
        assert server.taken[0].rcpt_tos == ["ädä@example.org"]


@pytest.mark.anyio
async def test_a_long_unsubscribe_address_arrives_in_one_piece(tmp_path: Path) -> None:
    link = f"<https://covers.example/api/unsubscribe/{'x' * 300}>"
    async with mail_server() as server:
        await states(provider(server, tmp_path), message(headers={"List-Unsubscribe": link}))
        content = server.taken[0].content
        assert isinstance(content, bytes) and f"List-Unsubscribe: {link}\r\n".encode() in content


@pytest.mark.anyio
async def test_a_private_address_is_reached_only_when_the_operator_lists_it(tmp_path: Path) -> None:
    async with mail_server() as server:
        settings = SmtpSettings(host=HOST, port=server.port, security="none", timeout_s=1.0)
        it = SMTP.build(settings, ProviderBuildContext(load_config({"COVERWRIGHT_DATA": str(tmp_path)}), "mail"))
        with pytest.raises(SettingsInvalid, match="not a public address") as caught:
            await states(it, message())
        assert caught.value.field == "host" and server.taken == []
        (step,) = (await it.check()).steps
        assert (step.status, step.field) == ("fail", "host")
        listed = {"COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES": f"{HOST}:{server.port}"}
        it = SMTP.build(
            settings, ProviderBuildContext(load_config({"COVERWRIGHT_DATA": str(tmp_path)} | listed), "mail")
        )
        assert await states(it, message()) == ["sent"]


def test_half_a_sign_in_is_refused_when_the_instance_is_built(tmp_path: Path) -> None:
    for settings, field in (
        (SmtpSettings(host=HOST, username=USER), "password"),
        (SmtpSettings(host=HOST, password=Secret("x")), "username"),
    ):
        with pytest.raises(SettingsInvalid) as caught:
            SMTP.build(settings, FakeContext(tmp_path))
        assert caught.value.field == field


def test_the_fixtures_certificate_is_not_one_that_python_trusts_by_itself(tmp_path: Path) -> None:
    certificate = make_certificate(tmp_path)
    trusted = ssl.create_default_context().get_ca_certs(binary_form=True)
    assert ssl.PEM_cert_to_DER_cert(certificate.file.read_text()) not in trusted
