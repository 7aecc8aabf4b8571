"""Structured data of the landing page: schema.org in JSON-LD, with nothing in it that is not on the page."""

from typing import Any, Final

import msgspec

from kernel.billing.prices import ListedPrice
from kernel.core.text.currencies import decimal_amount
from kernel.core.text.languages import LANGUAGES
from kernel.pages.seo.crawl_files import page_address
from kernel.site.seo.words import HeadWords

UNITS: Final = {"day": "DAY", "week": "WEE", "month": "MON", "year": "ANN"}
"""Interval → UN/CEFACT code of the unit, as schema.org requires."""
_HARMLESS: Final = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)


def structured_data(
    *, base: str, name: str, language: str, said: HeadWords, price: ListedPrice | None, image: str
) -> str:
    """Return the JSON of the site and of the application, safe inside a script element.

    `image` is the picture for shared links; without a price only the free plan is offered.
    """
    site = {
        "@type": "WebSite",
        "@id": f"{base}/#site",
        "url": f"{base}/",
        "name": name,
        "inLanguage": list(LANGUAGES),
    }
    application = {
        "@type": "SoftwareApplication",
        "@id": f"{base}/#application",
        "url": page_address(base, language),
        "name": name,
        "description": said.description,
        "inLanguage": language,
        "applicationCategory": "DesignApplication",
        "operatingSystem": "Any",
        "image": image,
        "isPartOf": {"@id": f"{base}/#site"},
        "offers": [_free(price.currency if price else "usd"), *([_pro(price)] if price else [])],
    }
    if said.subjects:
        application["keywords"] = said.subjects
    graph = {"@context": "https://schema.org", "@graph": [site, application]}
    return msgspec.json.encode(graph).decode().translate(_HARMLESS)


def _free(currency: str) -> dict[str, Any]:
    return {"@type": "Offer", "name": "Free", "price": "0", "priceCurrency": currency.upper()}


def _pro(price: ListedPrice) -> dict[str, Any]:
    amount, currency = decimal_amount(price.amount, price.currency), price.currency.upper()
    offer: dict[str, Any] = {"@type": "Offer", "name": "Pro", "price": amount, "priceCurrency": currency}
    if unit := UNITS.get(price.interval or ""):
        every = {"@type": "QuantitativeValue", "value": 1, "unitCode": unit}
        offer["priceSpecification"] = {
            "@type": "UnitPriceSpecification",
            "price": amount,
            "priceCurrency": currency,
            "referenceQuantity": every,
        }
    return offer
