"""Settings of the Stripe provider."""

from typing import Annotated, Final

from msgspec import Meta

from kernel.spi import Secret, Settings

API_URL: Final = "https://api.stripe.com"

ADVANCED: Final = {"x-group": "advanced"}
KEYS: Final = {"x-help-url": "https://dashboard.stripe.com/apikeys"}


class StripeSettings(Settings, frozen=True, kw_only=True):
    """The account at Stripe that sells."""

    secret_key: Annotated[
        Secret,
        Meta(
            title="Secret key",
            description="From Stripe: Developers, API keys. Begins with sk_ or rk_; with sk_test_ no money moves.",
            extra_json_schema={"x-env": "STRIPE_SECRET_KEY"} | KEYS,
        ),
    ]
    publishable: Annotated[
        str,
        Meta(
            title="Publishable key",
            description="Of the same account and mode, begins with pk_. It is sent to the browser.",
            pattern=r"^pk_(test|live)_[A-Za-z0-9_]+$",
            max_length=300,
            extra_json_schema={"x-env": "STRIPE_PUBLISHABLE_KEY"} | KEYS,
        ),
    ]
    webhook_secret: Annotated[
        Secret | None,
        Meta(
            title="Webhook signing secret",
            description="Begins with whsec_. Set up by a click once the instance is saved, or copied from the endpoint "
            "at Stripe. Empty: webhooks are refused, and changes at Stripe show after a sync or the night.",
            extra_json_schema={
                "x-env": "STRIPE_WEBHOOK_SECRET",
                "x-webhook-secret": True,
                "x-help-url": "https://dashboard.stripe.com/webhooks",
            },
        ),
    ] = None
    automatic_tax: Annotated[
        bool,
        Meta(
            title="Stripe Tax",
            description="Let Stripe compute taxes. It must be active at Stripe. Buyers are asked for their billing "
            "address before they pay, and companies for their tax id.",
        ),
    ] = False
    portal: Annotated[
        bool,
        Meta(
            title="Customer portal",
            description="Send people to Stripe's own page for cards and invoices. Save its configuration at Stripe "
            "first.",
            extra_json_schema={"x-help-url": "https://dashboard.stripe.com/settings/billing/portal"},
        ),
    ] = True
    own_receipts: Annotated[
        bool,
        Meta(
            title="Stripe sends receipts",
            description="On: this site sends none. Off: this site sends a receipt for each payment, in the reader's "
            "language. Set the same at Stripe, under Customer emails: Successful payments.",
            extra_json_schema={"x-help-url": "https://dashboard.stripe.com/settings/emails"},
        ),
    ] = True
    own_trial_notices: Annotated[
        bool,
        Meta(
            title="Stripe writes before a trial ends",
            description="On: this site does not. Off: this site writes three days before, with the amount and the day, "
            "in the reader's language. Set the same at Stripe, under Billing: Emails about ending trials.",
            extra_json_schema={"x-help-url": "https://dashboard.stripe.com/settings/billing/automatic"},
        ),
    ] = False
    own_card_notices: Annotated[
        bool,
        Meta(
            title="Stripe writes before a card expires",
            description="On: this site does not. Off: this site writes a month before, when the card would not pay "
            "the next renewal, in the reader's language. Set the same at Stripe, under Billing: Emails about "
            "expiring cards.",
            extra_json_schema={"x-help-url": "https://dashboard.stripe.com/settings/billing/automatic"},
        ),
    ] = False
    own_refund_notices: Annotated[
        bool,
        Meta(
            title="Stripe writes about refunds",
            description="On: this site does not. Off: this site writes when a payment was refunded, in the reader's "
            "language. Set the same at Stripe, under Customer emails: Refunds.",
            extra_json_schema={"x-help-url": "https://dashboard.stripe.com/settings/emails"},
        ),
    ] = False
    api_url: Annotated[
        str,
        Meta(
            title="API address",
            description="Stripe's API. Change it only for a gateway of your own.",
            pattern=r"^https?://[^/\s?#@]+/?$",
            max_length=300,
            extra_json_schema={"x-destination": True} | ADVANCED,
        ),
    ] = API_URL
