"""Rules for webhooks of every kind: genuine ones are read, forged ones rejected, noise does no harm."""

import random
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final

import msgspec
import pytest

from .. import (
    ProviderEvent,
    ProviderSpec,
    Secret,
    Settings,
    WebhookRejected,
    WebhookRequest,
    WebhookSetup,
    misfit,
    settings_fields,
)
from .fakes import PUBLIC_URL, FakeContext
from .fields import is_secret
from .waivers import waived

HARMLESS_HEADERS: Final = frozenset({"content-type", "content-length", "user-agent", "host", "accept"})
NOISE_SEEDS: Final = 20


class WebhookRules:
    """The group HOOK, for kinds with webhooks."""

    topics: ClassVar[frozenset[str]]

    # What authors override

    @pytest.fixture
    def webhooks(self, provider: Any) -> Mapping[str, WebhookRequest]:
        """Return one genuine webhook per topic of the contract that the vendor has, and an irrelevant `other`.

        One webhook may hold several events; that of its topic is among them.
        """
        if not provider.capabilities().webhooks:
            return {}
        raise NotImplementedError("override the fixture `webhooks`: genuine examples by topic, and `other`")

    def forge(self, request: WebhookRequest) -> Iterator[tuple[str, WebhookRequest]]:
        """Return a genuine webhook with wrong proofs, each with a word for it, and without any.

        Override it where the proof stands in the body. By default it is in headers or query.
        """
        return forgeries(request)

    # HOOK: webhooks

    async def test_HOOK_01_unclaimed_webhooks_are_rejected(self, provider: Any) -> None:
        if provider.capabilities().webhooks:
            return waived("webhooks are claimed")
        for body in (b"", b"{}", b'{"type": "x"}'):
            with pytest.raises(WebhookRejected):
                await provider.read_webhook(WebhookRequest(body=body, headers={}, query={}, received_unix=0.0))

    async def test_HOOK_02_genuine_webhooks_are_read(
        self, provider: Any, webhooks: Mapping[str, WebhookRequest]
    ) -> None:
        if not webhooks:
            return waived("no webhooks")
        assert "other" in webhooks and len(webhooks) > 1, "give an example of one topic at least, and `other`"
        assert set(webhooks) <= {*self.topics, "other"}, f"topics of the contract: {', '.join(sorted(self.topics))}"
        for topic, request in webhooks.items():
            events = await provider.read_webhook(request)
            assert misfit(events, tuple[ProviderEvent, ...]) is None
            topics = {event.topic for event in events}
            assert topics <= self.topics, f"topics of the contract: {', '.join(sorted(self.topics))}"
            assert (topic in topics) if topic != "other" else not topics, f"{topic} was read as {sorted(topics)}"
            assert all(event.event_id and event.ref for event in events)

    async def test_HOOK_03_an_event_keeps_its_id(self, provider: Any, webhooks: Mapping[str, WebhookRequest]) -> None:
        if not webhooks:
            return waived("no webhooks")
        first, second = [
            [event.event_id for request in webhooks.values() for event in await provider.read_webhook(request)]
            for _ in range(2)
        ]
        assert first == second, "the same event, delivered twice, has two ids"
        assert len(set(first)) == len(first), "different events have one id"

    async def test_HOOK_04_forged_webhooks_are_rejected(
        self, provider: Any, webhooks: Mapping[str, WebhookRequest]
    ) -> None:
        if not webhooks:
            return waived("no webhooks")
        for request in webhooks.values():
            forged_ones = list(self.forge(request))
            assert forged_ones, "name what a forger would try"
            for what, forged in forged_ones:
                await reject(provider, what, forged)

    async def test_HOOK_05_noise_is_rejected_or_of_no_interest(
        self, provider: Any, webhooks: Mapping[str, WebhookRequest]
    ) -> None:
        if not webhooks:
            return waived("no webhooks")
        genuine = next(iter(webhooks.values()))
        for seed in range(NOISE_SEEDS):
            dice = random.Random(seed)
            body = dice.choice((dice.randbytes(300), b"", b"null", b"[]", b'{"x": ', b'"text"', b"[" * 9999, b"{}"))
            try:
                assert await provider.read_webhook(msgspec.structs.replace(genuine, body=body)) in ((), [])
            except WebhookRejected:
                continue

    async def test_HOOK_08_a_webhook_that_was_set_up_can_be_proven(
        self, spec: ProviderSpec[Any, Any], settings: Settings, context: FakeContext, provider: Any
    ) -> None:
        if not isinstance(provider, WebhookSetup):
            return waived("sets up no webhook")
        marked = [name for name, field in settings_fields(spec.settings).items() if field.get("x-webhook-secret")]
        assert len(marked) == 1 and is_secret(spec.settings, marked[0]), "one Secret is marked with x-webhook-secret"
        url = f"{PUBLIC_URL}/api/webhooks/{spec.kind}/kit"
        first, second = await provider.create_webhook(url), await provider.create_webhook(url)
        assert isinstance(first, Secret) and isinstance(second, Secret), "it can be set up anew"
        again = spec.build(msgspec.structs.replace(settings, **{marked[0]: second}), context)
        try:
            assert again.capabilities().webhooks, "with its secret, webhooks are claimed"
        finally:
            await again.aclose()


async def reject(provider: Any, what: str, forged: WebhookRequest) -> None:
    """Fail unless the provider rejects the webhook."""
    try:
        events = await provider.read_webhook(forged)
    except WebhookRejected:
        return
    pytest.fail(f"{what}: believed, and read as {len(events)} events")


def forgeries(request: WebhookRequest) -> Iterator[tuple[str, WebhookRequest]]:
    """Return the webhook without its signature, and with wrong ones. The signature is in headers or query."""
    replace = msgspec.structs.replace
    proof = {name: value for name, value in request.headers.items() if name not in HARMLESS_HEADERS}
    plain = {name: value for name, value in request.headers.items() if name in HARMLESS_HEADERS}
    assert proof or request.query, "a webhook that proves nothing can be forged by anybody"
    yield "without any proof", replace(request, headers=plain, query={})
    for what, make in (("an altered proof", _altered), ("an empty proof", _empty), ("a strange proof", _forged)):
        headers = plain | {name: make(value) for name, value in proof.items()}
        yield what, replace(request, headers=headers, query={name: make(v) for name, v in request.query.items()})


def _altered(value: str) -> str:
    return value[:-1] + ("A" if value[-1:] != "A" else "B")


def _empty(value: str) -> str:
    return ""


def _forged(value: str) -> str:
    return "ü" * len(value)
