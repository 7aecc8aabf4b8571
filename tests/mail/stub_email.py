"""An email provider with modes, for tests of email."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

from msgspec import Meta

from kernel.spi import (
    CheckReport,
    CheckStep,
    Effect,
    EmailCapabilities,
    EmailMessage,
    InvalidRequest,
    NotFound,
    ProviderContext,
    ProviderEvent,
    ProviderSpec,
    RateLimited,
    SendResult,
    Settings,
    SettingsInvalid,
    Stream,
    Unavailable,
    WebhookRejected,
    WebhookRequest,
    hookimpl,
)

SENT: Final[dict[str, list[EmailMessage]]] = {}
"""What each instance received."""

NEXT: Final[dict[str, list[str]]] = {}
"""The modes of each instance for the coming batches, before it returns to its own mode."""

POISON: Final = "poison@example.org"
"""A recipient for whom a whole batch is refused, in the mode `picky`."""


class Documents:
    """Invoices of a vendor that is away for the first calls."""

    def __init__(self, away: int = 0) -> None:
        self.away = away

    async def invoice_pdf(self, instance_id: str, invoice: str) -> bytes:
        """Return a document that tells whose it is."""
        if self.away > 0:
            self.away -= 1
            raise Unavailable("503")
        return f"%PDF-1.4 {instance_id} {invoice}".encode()


class StubSettings(Settings, frozen=True, kw_only=True):
    """How it behaves."""

    mode: Annotated[str, Meta(title="Mode", description="What it does with each message.")] = "ok"


class StubEmail:
    """Accepts messages, or fails according to its mode."""

    def __init__(self, mode: str, instance_id: str) -> None:
        self._mode = mode
        self._sent = SENT.setdefault(instance_id, [])
        self._next = NEXT.setdefault(instance_id, [])
        self._listed: dict[str, dict[str, SendResult]] = {}

    def capabilities(self) -> EmailCapabilities:
        """Return the capabilities; without account emails in the mode `bulk_only`, with a lookup with `lists`."""
        if "lists" in self._mode:
            return EmailCapabilities(max_batch=8, lookup=True, adds_unsubscribe=True)
        if "batches" in self._mode:
            return EmailCapabilities(max_batch=8)
        return EmailCapabilities(streams=("bulk",) if self._mode == "bulk_only" else ("transactional", "bulk"))

    async def check(self) -> CheckReport:
        """Report success."""
        return CheckReport(steps=(CheckStep(name="stub", status="ok"),))

    async def send(self, messages: Sequence[EmailMessage], *, stream: Stream, batch_id: str) -> Sequence[SendResult]:
        """Send according to the mode."""
        mode = self._next.pop(0) if self._next else self._mode
        if mode == "picky" and any(message.to == POISON for message in messages):
            raise InvalidRequest("one of these is not right")
        if mode == "vanishes":
            raise Unavailable("nothing arrived, but who knows", effect=Effect.UNKNOWN)
        self._sent += messages
        taken = messages[:-1] if mode == "lost_answer_of_most" else messages
        self._listed[batch_id] = {message.to: SendResult(state="sent", message_id="listed") for message in taken}
        match mode.removeprefix("lists ").removeprefix("batches "):
            case "refused_connection":
                raise Unavailable("nobody listens")
            case "lost_answer" | "lost_answer_of_most":
                raise Unavailable("the answer was lost", effect=Effect.UNKNOWN)
            case "rate_limited":
                raise RateLimited("later", retry_after=7)
            case "unsigned":
                raise SettingsInvalid("this sender is not yours", field="sender")
            case "too_many_results":
                return [SendResult(state="sent")] * 2
            case "not_now":
                return [SendResult(state="failed", code="busy")] * len(messages)
            case "odd":
                return [
                    SendResult(state="sent", message_id="half \ud83d\0"),
                    SendResult(state="rejected", code="no\ud83d"),
                ][: len(messages)]
            case "bounces":
                return [SendResult(state="rejected", code="406", detail="inactive")] * len(messages)
        return [SendResult(state="sent", message_id=f"{stream} {batch_id}")] * len(messages)

    async def lookup(self, batch_id: str) -> Mapping[str, SendResult] | None:
        """Return what was accepted; None in a mode without `lists`, and nothing yet in one with `late`."""
        if "late" in self._mode:
            raise NotFound("nothing is listed yet")
        return self._listed.get(batch_id, {}) if "lists" in self._mode else None

    async def read_webhook(self, request: WebhookRequest) -> Sequence[ProviderEvent]:
        """Not supported."""
        raise WebhookRejected("no webhooks")

    async def aclose(self) -> None:
        """Release nothing."""


def build(settings: StubSettings, context: ProviderContext) -> StubEmail:
    """Return the provider."""
    return StubEmail(settings.mode, context.instance_id)


STUB_EMAIL: ProviderSpec[StubSettings, StubEmail] = ProviderSpec(
    kind="email",
    id="stub-email",
    label="Stub",
    summary="For tests.",
    contract=(1, 0),
    settings=StubSettings,
    build=build,
    offline=True,
)


@hookimpl
def register_email_providers() -> Sequence[ProviderSpec[StubSettings, StubEmail]]:
    """Return the stub."""
    return (STUB_EMAIL,)
