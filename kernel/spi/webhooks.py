"""What a vendor's webhook looks like to a provider."""

from collections.abc import Mapping

import msgspec


class WebhookRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One call as it came in: the raw bytes, header names in lower case, the time of receipt in unix seconds."""

    body: bytes
    headers: Mapping[str, str]
    query: Mapping[str, str]
    received_unix: float


class ProviderEvent(msgspec.Struct, frozen=True, kw_only=True):
    """A pointer to something that changed at the vendor; the kernel fetches the truth again.

    `event_id` is the vendor's own id and makes the event unique per instance. `topic` is one of the words of the kind's
    contract; `ref` names the object it is about.
    """

    event_id: str
    topic: str
    ref: str
