"""Settings of the sandbox."""

from typing import Annotated, Literal

from msgspec import Meta

from kernel.spi import Settings

MOST_MINOR = 99_999_999


class SandboxSettings(Settings, frozen=True, kw_only=True):
    """What the bank sells, and how strict it is."""

    currency: Annotated[
        str,
        Meta(title="Currency", description="Code of the currency of the prices, in lower case.", pattern="^[a-z]{3}$"),
    ] = "usd"
    monthly: Annotated[
        int,
        Meta(
            title="Price of a month",
            description=(
                "Pro for a month, in the currency's smallest unit: 1900 are 19.00 dollars, and 1900 yen. After a "
                "change, choose the new price under Product and price; existing subscribers keep paying the old one."
            ),
            ge=1,
            le=MOST_MINOR,
        ),
    ] = 1900
    yearly: Annotated[
        int,
        Meta(
            title="Price of a year",
            description="Pro for a year, in the currency's smallest unit.",
            ge=1,
            le=MOST_MINOR,
        ),
    ] = 19_000
    trial_days: Annotated[
        int,
        Meta(
            title="Free trial",
            description="Number of free days of the price with a trial; 0 offers no such price.",
            ge=0,
            le=365,
        ),
    ] = 14
    seller: Annotated[
        str,
        Meta(
            title="Seller",
            description="Who the invoices come from.",
            min_length=1,
            max_length=120,
        ),
    ] = "Coverwright"
    letterhead: Annotated[
        str,
        Meta(
            title="Seller's address",
            description="Printed on the invoices below the seller, at most six lines.",
            max_length=400,
            pattern=r"^(?:[^\n]*\n){0,5}[^\n]*$",
            extra_json_schema={"x-multiline": True},
        ),
    ] = ""
    taxes: Annotated[
        bool,
        Meta(
            title="Compute taxes",
            description=(
                "Ask buyers for their billing address, and add the tax of a small made-up table to the prices: for "
                "example 19 % VAT in Germany, 8 % sales tax in the United States, none for a company in the European "
                "Union with a tax id. A tax id of nothing but zeros is refused as unknown."
            ),
        ),
    ] = False
    form: Annotated[
        Literal["built_in", "script"],
        Meta(
            title="Payment form",
            description=(
                "How buyers enter a test card: in the form of this site, or in one that the plugin brings as a script, "
                "as payment services do whose checkout is a script. Both take the same cards."
            ),
        ),
    ] = "built_in"
    after_retries: Annotated[
        Literal["canceled", "unpaid"],
        Meta(
            title="When a renewal has finally failed",
            description=(
                "A renewal that fails is tried again after one, three and five days. After that the subscription ends, "
                "or stays unpaid until the user pays. Test cards: 4242 4242 4242 4242 pays, 4000 0000 0000 0002 is "
                "declined, 4000 0000 0000 9995 has no funds, 4000 0025 0000 3155 asks for a confirmation, "
                "4000 0000 0000 0341 fails at every renewal, 4000 0027 6000 3184 asks for a confirmation each time. "
                "Use any future date and any three digits with them."
            ),
        ),
    ] = "canceled"
    allow_on_https: Annotated[
        bool,
        Meta(
            title="Also on a public site",
            description=(
                "Anyone who knows a test card gets Pro for free. On a site with an https address the sandbox works "
                "only if you turn this on, for a demonstration."
            ),
        ),
    ] = False
