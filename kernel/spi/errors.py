"""All errors that a provider may raise, in one flat list.

    class              blame     retry same   failover        health of the instance
    InvalidRequest     user      no           no              unchanged
    ContentRefused     user      no           no              unchanged
    PaymentDeclined    user      no           no              unchanged
    ProofTooWeak       user      no           no              unchanged
    Unsupported        nobody    no           yes             unchanged
    NotFound           nobody    no           no              unchanged
    RateLimited        provider  yes, after   yes             closed until then
    Unavailable        provider  yes          yes             three in a row open the circuit
    DeadlineExceeded   provider  yes          yes             three in a row open the circuit
    QuotaExhausted     admin     no           yes             notice to administrators
    AuthFailed         admin     no           yes             needs attention
    SettingsInvalid    admin     no           yes             needs attention
    WebhookRejected    sender    no           no              counted
    ProviderBug        plugin    no           yes             three in a row open the circuit

Flat on purpose: no policy can match a parent class by accident. A plugin raises only these; any other exception becomes
`ProviderBug`, which only the kernel raises.
"""

from enum import StrEnum
from typing import ClassVar


class Blame(StrEnum):
    """Who can resolve the failure."""

    USER = "user"
    ADMIN = "admin"
    PROVIDER = "provider"
    PLUGIN = "plugin"
    SENDER = "sender"
    NOBODY = "nobody"


class Effect(StrEnum):
    """Whether the failed call may have been carried out nevertheless."""

    NONE = "none"
    UNKNOWN = "unknown"


class ProviderError(Exception):
    """A provider's failure, in the kernel's terms.

    `detail` is for administrators and must hold no secret; users read a sentence that the kernel chooses by `code`.
    `retry_after` is in seconds. `effect` is UNKNOWN when the request may have been carried out (a lost answer).
    """

    code: ClassVar[str] = "provider_error"
    blame: ClassVar[Blame] = Blame.PROVIDER
    retry: ClassVar[bool] = False
    fallback: ClassVar[bool] = False

    def __init__(
        self,
        detail: str = "",
        *,
        field: str | None = None,
        retry_after: float | None = None,
        effect: Effect = Effect.NONE,
        upstream_status: int | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.field = field
        self.retry_after = retry_after
        self.effect = effect
        self.upstream_status = upstream_status


class InvalidRequest(ProviderError):
    """The request itself is wrong, whichever instance gets it."""

    code = "invalid_request"
    blame = Blame.USER


class ContentRefused(ProviderError):
    """The vendor declined the content. Never passed to another instance, never charged."""

    code = "content_refused"
    blame = Blame.USER


class PaymentDeclined(ProviderError):
    """The bank declined the payment."""

    code = "payment_declined"
    blame = Blame.USER


class ProofTooWeak(ProviderError):
    """The person is who they say, but has not proved it as lately or as strongly as the settings demand."""

    code = "proof_too_weak"
    blame = Blame.USER


class Unsupported(ProviderError):
    """This instance cannot do it; another may."""

    code = "unsupported"
    blame = Blame.NOBODY
    fallback = True


class NotFound(ProviderError):
    """The named object does not exist at the provider."""

    code = "not_found"
    blame = Blame.NOBODY


class RateLimited(ProviderError):
    """Too many requests; `retry_after` is the time until a retry, in seconds."""

    code = "rate_limited"
    retry = True
    fallback = True


class Unavailable(ProviderError):
    """The vendor is down, unreachable or gave an invalid answer."""

    code = "unavailable"
    retry = True
    fallback = True


class DeadlineExceeded(ProviderError):
    """The call took longer than allowed."""

    code = "deadline_exceeded"
    retry = True
    fallback = True


class QuotaExhausted(ProviderError):
    """The operator's account at the vendor has no funds or allowance left."""

    code = "quota_exhausted"
    blame = Blame.ADMIN
    fallback = True


class AuthFailed(ProviderError):
    """The vendor does not accept our key."""

    code = "auth_failed"
    blame = Blame.ADMIN
    fallback = True


class SettingsInvalid(ProviderError):
    """A setting is wrong; `field` names it."""

    code = "settings_invalid"
    blame = Blame.ADMIN
    fallback = True


class WebhookRejected(ProviderError):
    """The call is not authentic."""

    code = "webhook_rejected"
    blame = Blame.SENDER


class ProviderBug(ProviderError):
    """A plugin broke its contract. Raised by the kernel only; the original is its `__cause__`."""

    code = "provider_bug"
    blame = Blame.PLUGIN
    fallback = True
