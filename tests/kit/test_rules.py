"""Rules of the kit leave correct providers alone: vendors differ in how they work."""

import json
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from kernel.spi import CustomerRequest, NotFound, ProviderEvent, Secret, Settings, WebhookRejected, WebhookRequest
from kernel.spi.testing import EmailContract, ImageContract, PaymentContract, till

PEM = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\n-----END PRIVATE KEY-----\n"


class Keyed(Settings, frozen=True, kw_only=True):
    """A secret with a structure, and one without."""

    account: Secret
    plain: Secret


class StructuredSecret(ImageContract):
    """What an author writes whose provider takes a key in a JSON document."""

    def canary(self, field: str) -> str:
        return json.dumps({"type": "account", "key": PEM}) if field == "account" else super().canary(field)


def test_a_canary_may_have_the_structure_of_the_secret_and_is_recognized_by_its_pieces() -> None:
    rules, settings = StructuredSecret(), Keyed(account=Secret("a"), plain=Secret("b"))
    account = rules.with_canaries(settings).account.reveal()  # type: ignore[attr-defined]
    assert json.loads(account)["key"] == PEM
    harmless = ["type account", "-----BEGIN PRIVATE KEY-----", "nothing"]
    telling = [
        "the key MIIEvQIBADANBgkqhkiG9w0BAQ is bad",
        account,
        f"sent {super(StructuredSecret, rules).canary('')}",
    ]
    assert rules.sung(settings, [*harmless, *telling]) == [text[:200] for text in telling]


class Archive:
    """A vendor that archives the customers it is told to delete, and brings them back under their id."""

    def __init__(self, *, ends: bool) -> None:
        self.ends = ends
        self.known: dict[str, str] = {}
        self.deleted = False

    async def ensure_customer(self, request: CustomerRequest) -> str:
        return self.known.setdefault(str(request.email), f"cus_{len(self.known)}")

    async def delete_customer(self, customer: str) -> None:
        self.deleted = True

    async def subscriptions(self, customer: str) -> Sequence[str]:
        return () if self.ends else ("sub_1",)


@pytest.mark.anyio
async def test_a_deleted_customer_may_come_back_but_not_with_what_was_paid() -> None:
    rule = PaymentContract().test_PAY_03_a_person_is_one_customer
    await rule(Archive(ends=True))  # type: ignore[arg-type]  # only what the rule asks for
    with pytest.raises(AssertionError):
        await rule(Archive(ends=False))  # type: ignore[arg-type]


class Batches:
    """A vendor that sends what has happened meanwhile along with an event."""

    async def read_webhook(self, request: WebhookRequest) -> Sequence[ProviderEvent]:
        return [ProviderEvent(event_id=topic, topic=topic, ref="r") for topic in request.body.decode().split()]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("body", "fine"),
    [
        ("subscription_changed", True),
        ("invoice_changed subscription_changed", True),
        ("invoice_changed", False),
        ("subscription_changed unheard_of", False),
    ],
)
async def test_a_webhook_may_hold_several_events_of_the_contract(body: str, fine: bool) -> None:
    def hook(text: str) -> WebhookRequest:
        return WebhookRequest(body=text.encode(), headers={}, query={}, received_unix=0.0)

    contract = PaymentContract()
    topic = "subscription_changed"
    rule = contract.test_HOOK_02_genuine_webhooks_are_read(Batches(), {topic: hook(body), "other": hook("")})
    if fine:
        await rule
        return
    with pytest.raises(AssertionError):
        await rule


@pytest.mark.anyio
async def test_an_invoice_may_be_written_only_when_it_is_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    paid: list[Any] = []

    class PaysFirst:
        def capabilities(self) -> Any:
            return SimpleNamespace(documents=True)

        async def invoices(self, customer: str) -> Sequence[Any]:
            return [SimpleNamespace(id="in_1") for _ in paid]

        async def invoice_pdf(self, ref: str) -> bytes:
            if ref != "in_1":
                raise NotFound("no such invoice")
            return b"%PDF-1.7\n%%EOF\n"

    async def begun(provider: Any, price: str) -> Any:
        return SimpleNamespace(subscription=SimpleNamespace(customer="cus_1"))

    async def confirm(started: Any) -> None:
        paid.append(started)

    monkeypatch.setattr(till, "started", begun)
    await PaymentContract().test_PAY_16_an_invoice_has_its_document(PaysFirst(), ("p1", "p2"), confirm)
    assert paid


class ProofInTheBody(EmailContract):
    """Tests of a provider whose webhooks carry their proof in the body."""

    def forge(self, request: WebhookRequest) -> Iterator[tuple[str, WebhookRequest]]:
        yield "a wrong word", msgspec.structs.replace(request, body=b"wrong bounced")


class Believer:
    """Reads a word and a topic; checks the word, or does not."""

    def __init__(self, *, checks: bool) -> None:
        self._checks = checks

    async def read_webhook(self, request: WebhookRequest) -> Sequence[ProviderEvent]:
        word, topic = request.body.decode().split()
        if self._checks and word != "genuine":
            raise WebhookRejected("the word is wrong")
        return [ProviderEvent(event_id="1", topic=topic, ref="ada@example.org")]


@pytest.mark.anyio
async def test_a_proof_in_the_body_is_forged_there() -> None:
    genuine = WebhookRequest(body=b"genuine bounced", headers={}, query={}, received_unix=0.0)
    rule = ProofInTheBody().test_HOOK_04_forged_webhooks_are_rejected
    await rule(Believer(checks=True), {"bounced": genuine})
    with pytest.raises(pytest.fail.Exception):
        await rule(Believer(checks=False), {"bounced": genuine})
