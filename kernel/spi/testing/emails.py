"""Rules for email providers."""

import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, ClassVar, Final, get_args

import msgspec
import pytest

from .. import (
    EmailCapabilities,
    EmailMessage,
    EmailProvider,
    InvalidRequest,
    KeptMessage,
    KeptMessagePage,
    MessageKeeper,
    NotFound,
    ProviderError,
    ProviderSpec,
    SendResult,
    Stream,
    Unsupported,
    misfit,
)
from .contract import ProviderContract
from .strategies import drawn, messages, told
from .waivers import waived
from .webhooks import WebhookRules

Delivered = Callable[[], Awaitable[Sequence[EmailMessage]]]
"""Lists what reached the vendor, oldest first."""

TAKEN: Final = ("sent", "queued")
TURNED_DOWN: Final = ("invalid", "rejected", "failed")
DETAIL_CHARS: Final = 300
LARGEST_TRIED: Final = 64_000_000
BREAKS: Final = ("\r\n", "\n", "\r")
SMUGGLED: Final = "Bcc: everybody@example.net"
TEXTS: Final = (
    "Ihr Umschlag ist fertig: Größe 6×9",
    "غلافك جاهز",
    "表紙ができました 🌙",
    "A " + "very " * 60 + "long subject",
    "={{x}} %s <b>&amp;</b> .",
)
BAD_IDS: Final = ("", "nobody-has-this", "../../etc/passwd", "/etc/passwd", "a\0b", "x" * 5000, "*", "ü")


class EmailContract(WebhookRules, ProviderContract):
    """Inherit it, override `spec`, `broken` and `refused_address`, and what else the vendor needs."""

    capabilities_type = EmailCapabilities
    topics: ClassVar[frozenset[str]] = frozenset({"bounced", "complained", "unsubscribed", "delivered"})

    @pytest.fixture
    def message(self) -> EmailMessage:
        """Return the message that the rules vary; the vendor must accept its addresses."""
        return MESSAGE

    @pytest.fixture
    def refused_address(self, spec: ProviderSpec[Any, Any]) -> str | None:
        """Return an address that the vendor refuses while it accepts others. None: it accepts every address."""
        if spec.offline:
            return None
        raise NotImplementedError("override the fixture `refused_address`: an address that the vendor refuses, or None")

    @pytest.fixture
    def delivered(self, provider: Any) -> Delivered | None:
        """Return a function that lists what reached the vendor, oldest first. The default suits providers that keep
        messages.
        """
        if not provider.capabilities().keeps_messages:
            return None

        async def look() -> Sequence[EmailMessage]:
            return [_as_sent(await provider.kept_message(entry.id)) for entry in reversed(await _all_kept(provider))]

        return look

    async def exercise(self, provider: Any) -> Sequence[SendResult]:
        """Send one message."""
        stream = provider.capabilities().streams[0]
        results: Sequence[SendResult] = await provider.send([MESSAGE], stream=stream, batch_id="kit-exercise")
        return results

    # CAP: capabilities

    async def test_CAP_03_claims_make_sense(self, provider: EmailProvider) -> None:
        known = provider.capabilities()
        assert known.max_batch >= 1 and known.max_batch_bytes >= 1_000_000
        assert known.streams and len(set(known.streams)) == len(known.streams)
        assert known.keeps_messages == isinstance(provider, MessageKeeper), "keeps_messages and `kept` go together"

    # MAIL: messages

    async def test_MAIL_01_there_is_one_result_per_message(
        self, provider: EmailProvider, message: EmailMessage
    ) -> None:
        for count in sorted({0, 1, min(provider.capabilities().max_batch, 20)}):
            batch = [_to(message, f"reader{index}@example.org") for index in range(count)]
            results = await _send(provider, batch)
            assert [result.state in TAKEN for result in results] == [True] * count, results

    async def test_MAIL_02_a_line_break_in_a_header_is_refused(
        self, provider: EmailProvider, message: EmailMessage, delivered: Delivered | None
    ) -> None:
        for spoilt in _with_breaks(message):
            assert await _refused(provider, [spoilt]), f"taken: {spoilt!r:.300}"
        if delivered is not None:
            assert await delivered() == []

    async def test_MAIL_03_any_script_arrives_as_it_was_written(
        self, provider: EmailProvider, message: EmailMessage, delivered: Delivered | None
    ) -> None:
        for number, text in enumerate(TEXTS):
            html = f"<p>{text}</p>"
            written = msgspec.structs.replace(message, subject=text.strip(), text=text, html=html, to_name=text[:60])
            (result,) = await _send(provider, [written], batch_id=f"kit-script-{number}")
            assert result.state in TAKEN, f"{text[:40]!r}: {result}"
            if delivered is not None:
                arrived = (await delivered())[-1]
                assert (arrived.subject, arrived.text.strip()) == (written.subject, text.strip())
                assert arrived.html is None or arrived.html.strip() == html

    async def test_MAIL_04_an_address_in_another_script_is_a_result(
        self, provider: EmailProvider, message: EmailMessage
    ) -> None:
        for address in ("ada@bücher.example", "ädä@example.org", "用户@例子.example"):
            (result,) = await _send(provider, [_to(message, address)])
            assert result.state in (*TAKEN, *TURNED_DOWN), f"{address}: {result}"

    async def test_MAIL_05_one_refused_recipient_is_a_result_in_its_place(
        self, provider: EmailProvider, message: EmailMessage, refused_address: str | None
    ) -> None:
        if refused_address is None:
            return waived("the vendor takes every address")
        (alone,) = await _send(provider, [_to(message, refused_address)])
        assert alone.state in TURNED_DOWN, alone
        if provider.capabilities().max_batch < 3:
            return
        batch = [_to(message, address) for address in ("one@example.org", refused_address, "three@example.org")]
        results = await _send(provider, batch)
        assert [result.state in TAKEN for result in results] == [True, False, True], results
        assert results[1].state in TURNED_DOWN

    async def test_MAIL_06_a_batch_above_the_limits_is_refused_whole(
        self, provider: EmailProvider, message: EmailMessage, delivered: Delivered | None
    ) -> None:
        known = provider.capabilities()
        batches = [[_to(message, f"reader{index}@example.org") for index in range(known.max_batch + 1)]]
        if known.max_batch_bytes <= LARGEST_TRIED:
            batches.append([msgspec.structs.replace(message, text="x" * (known.max_batch_bytes + 1))])
        for batch in batches:
            assert await _refused(provider, batch), "more than the capabilities claim was taken"
        if delivered is not None:
            assert await delivered() == []

    async def test_MAIL_07_an_unclaimed_stream_is_refused(self, provider: EmailProvider, message: EmailMessage) -> None:
        for stream in get_args(Stream):
            if stream not in provider.capabilities().streams:
                with pytest.raises((Unsupported, InvalidRequest)):
                    await provider.send([message], stream=stream, batch_id="kit-stream")

    async def test_MAIL_08_lookup_tells_what_it_knows_and_only_that(
        self, provider: EmailProvider, message: EmailMessage
    ) -> None:
        await _send(provider, [message], batch_id="kit-lookup")
        found = await provider.lookup("kit-lookup")
        assert misfit(found, dict[str, SendResult] | None) is None
        if provider.capabilities().lookup:
            assert found is not None, "lookup is claimed"
        else:
            assert found is None, "an empty answer says that nothing was sent; None says that there is no record"

    async def test_MAIL_09_the_check_sends_nothing(self, provider: EmailProvider, delivered: Delivered | None) -> None:
        if delivered is None:
            return waived("what reaches the vendor cannot be seen")
        await provider.check()
        assert await delivered() == []

    async def test_MAIL_10_any_words_that_fit_are_sent(self, provider: EmailProvider, message: EmailMessage) -> None:
        for number, written in enumerate(drawn(messages(message))):
            try:
                (result,) = await _send(provider, [written], batch_id=f"kit-any-{number}")
            except ProviderError as error:
                pytest.fail(f"{type(error).__name__} for {told(written)}")
            assert result.state in TAKEN, f"{result} for {told(written)}"

    # KEEP: kept messages

    async def test_KEEP_01_what_was_sent_can_be_read(self, provider: Any, message: EmailMessage) -> None:
        if not provider.capabilities().keeps_messages:
            return waived("messages are not kept")
        for number in range(5):
            await _send(provider, [_to(message, f"reader{number}@example.org")], batch_id=f"kit-keep-{number}")
        listed = await _all_kept(provider, limit=2)
        assert [entry.to for entry in listed] == [f"reader{number}@example.org" for number in reversed(range(5))]
        assert len({entry.id for entry in listed}) == 5
        whole = await provider.kept_message(listed[0].id)
        assert misfit(whole, KeptMessage) is None
        assert (whole.subject, whole.text.strip(), whole.to) == (message.subject, message.text, "reader4@example.org")
        assert whole.html is not None and whole.html.strip() == message.html

    async def test_KEEP_02_an_id_nobody_has_is_not_found(self, provider: Any, message: EmailMessage) -> None:
        if not provider.capabilities().keeps_messages:
            return waived("messages are not kept")
        await _send(provider, [message])
        for message_id in BAD_IDS:
            with pytest.raises(NotFound):
                await provider.kept_message(message_id)


MESSAGE: Final = EmailMessage(
    to="ada@example.org",
    sender="covers@example.com",
    subject="Your cover is ready",
    text="It is in your gallery.",
    html="<p>It is in your gallery.</p>",
    to_name="Ada Reader",
    reply_to="help@example.com",
    headers={"X-Kit": "conformance"},
    metadata={"kit": "yes"},
)


def _to(message: EmailMessage, address: str) -> EmailMessage:
    return msgspec.structs.replace(message, to=address)


async def _send(
    provider: EmailProvider, batch: Sequence[EmailMessage], *, batch_id: str = "kit-batch"
) -> Sequence[SendResult]:
    results = await provider.send(batch, stream=provider.capabilities().streams[0], batch_id=batch_id)
    assert misfit(results, tuple[SendResult, ...]) is None
    assert len(results) == len(batch), f"{len(results)} results for {len(batch)} messages"
    assert all(len(result.detail) <= DETAIL_CHARS for result in results)
    return results


async def _refused(provider: EmailProvider, batch: Sequence[EmailMessage]) -> bool:
    """Return whether nothing of a batch was accepted: as a result, or as a whole."""
    try:
        results = await _send(provider, batch, batch_id="kit-refused")
    except InvalidRequest:
        return True
    return all(result.state in TURNED_DOWN for result in results)


def _with_breaks(message: EmailMessage) -> Iterator[EmailMessage]:
    replace = msgspec.structs.replace
    for line_break in BREAKS:
        evil = f"{line_break}{SMUGGLED}"
        for field in ("to", "sender", "subject", "to_name", "reply_to"):
            yield replace(message, **{field: f"{getattr(message, field)}{evil}"})
        yield replace(message, headers={"X-Kit": f"x{evil}"})
        yield replace(message, headers={f"X-Kit: x{evil}\r\nX-More": "x"})


async def _all_kept(provider: MessageKeeper, limit: int = 50) -> list[KeptMessage]:
    """Return every kept message, newest first, page by page."""
    found: list[KeptMessage] = []
    cursor: str | None = None
    while True:
        page = await provider.kept(cursor=cursor, limit=limit)
        assert misfit(page, KeptMessagePage) is None
        assert len(page.messages) <= limit
        found += page.messages
        if (cursor := page.cursor) is None:
            return found


def _as_sent(kept: KeptMessage) -> EmailMessage:
    sender = re.sub(r".*<(.+)>$", r"\1", kept.sender)
    return EmailMessage(to=kept.to, sender=sender, subject=kept.subject, text=kept.text, html=kept.html)
