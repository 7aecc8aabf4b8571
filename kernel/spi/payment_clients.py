"""How a payment is confirmed: what the browser needs for it, and the kernel's own form."""

from collections.abc import Mapping
from typing import Literal

import msgspec

ClientKind = Literal["elements", "sandbox", "redirect", "script", "none"]
"""How a person confirms a payment.

In Stripe's form, in the kernel's, on a page of the vendor's, in an element that a script of the plugin's defines, or
not at all.
"""
ClientIntent = Literal["payment", "setup"]
"""Whether a form pays at once, or only takes a card for later payments."""
FormStatus = Literal["succeeded", "requires_confirmation", "declined"]
"""What became of a payment in the kernel's own form."""
CardOutcome = Literal[
    "succeeds", "declined", "insufficient_funds", "confirmation", "fails_at_renewal", "confirmation_at_renewal"
]
"""What a test card does: from the first payment on, or only when the subscription is renewed."""


class ElementsClient(msgspec.Struct, frozen=True, kw_only=True, tag="elements", tag_field="kind"):
    """The browser confirms with Stripe's Payment Element: a payment, or the set-up of a card for later ones.

    `first_payment`: when these begin, in unix seconds, if known.
    """

    publishable_key: str
    client_secret: str
    intent: ClientIntent = "payment"
    first_payment: int | None = None


class SampleCard(msgspec.Struct, frozen=True, kw_only=True):
    """A test card that the form offers: its number, and what it does."""

    number: str
    outcome: CardOutcome


class SandboxClient(msgspec.Struct, frozen=True, kw_only=True, tag="sandbox", tag_field="kind"):
    """The browser shows the kernel's own form and its test cards; the rest as with Stripe's form."""

    client_secret: str
    cards: tuple[SampleCard, ...] = ()
    intent: ClientIntent = "payment"
    first_payment: int | None = None


class RedirectClient(msgspec.Struct, frozen=True, kw_only=True, tag="redirect", tag_field="kind"):
    """The browser goes to a page of the vendor and comes back to `return_url`."""

    url: str


class ScriptClient(msgspec.Struct, frozen=True, kw_only=True, tag="script", tag_field="kind"):
    """The browser runs a module of the plugin's, and shows the custom element that it defines: the vendor's form.

    `module` is one of the plugin's `PackagedFiles` and ends in `.js`; the kernel says where it is, and computes its
    integrity. `element` begins with the provider's id and a hyphen: `acme-checkout`. `data` are for the element, and
    public: at most 32 KiB as JSON, names like `sessionId`, no whole numbers beyond 2^53. `client_secret` is what the
    kernel's form call identifies, for a `PaymentForm` whose element makes that call. The rest as with Stripe's form.
    """

    module: str
    element: str
    data: Mapping[str, str | int | bool] = {}
    client_secret: str | None = None
    intent: ClientIntent = "payment"
    first_payment: int | None = None


class NoClient(msgspec.Struct, frozen=True, kw_only=True, tag="none", tag_field="kind"):
    """Nothing to confirm: it costs nothing, or is already paid."""


ClientData = ElementsClient | SandboxClient | RedirectClient | ScriptClient | NoClient
"""What the browser needs to confirm a payment."""


class PaymentCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card as it was typed; `expiry` is `MM/YY`. It is never printed, and at most its last digits are stored."""

    number: str
    expiry: str
    cvc: str

    def __repr__(self) -> str:
        return "PaymentCard(***)"


class FormResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a payment in the kernel's own form.

    `requires_confirmation`: the person has to agree once more, as in a banking app. `code` and `message` say why a card
    was declined: a word of the provider's, and an English sentence for the person.
    """

    status: FormStatus
    code: str = ""
    message: str = ""
