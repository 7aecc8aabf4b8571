"""Webhook data for a provider."""

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

import msgspec

from .settings import Secret


class WebhookRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One call as it came in: the raw bytes, header names in lower case, the time of receipt in unix seconds."""

    body: bytes
    headers: Mapping[str, str]
    query: Mapping[str, str]
    received_unix: float


class ProviderEvent(msgspec.Struct, frozen=True, kw_only=True):
    """A pointer to something that changed at the vendor; the kernel then reads the current state.

    `event_id` is the vendor's own id and makes the event unique per instance. `topic` is one of the words of the kind's
    contract; `ref` names the object it is about.
    """

    event_id: str
    topic: str
    ref: str


@runtime_checkable
class WebhookSetup(Protocol):
    """A provider that can register its own webhook at the vendor. Optional, for every kind with webhooks.

    Its settings mark the secret that signs the calls with `extra_json_schema={"x-webhook-secret": True}`.
    """

    async def create_webhook(self, url: str) -> Secret:
        """Register this address for the vendor's webhooks, replacing an earlier registration of it; return the secret.

        Called when an administrator requests it; the secret is then stored in the marked setting. Must not change
        webhooks to other addresses. Raises InvalidRequest for an address that the vendor does not accept.
        """
        ...
