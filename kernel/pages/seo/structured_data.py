"""Structured data of public pages: schema.org in JSON-LD, with nothing that is not on the page.

What is sold is a Product. Google takes that with offers alone, and a SoftwareApplication only with ratings, which a
site does not have that nobody has rated (rules as of 2025).
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from kernel.billing.pricing.prices import ListedPrice
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
    """Return the JSON of the site and of what it sells, safe inside a script element.

    `image` is the picture for shared links; without a price only the free plan is offered.
    """
    site = {
        "@type": "WebSite",
        "@id": f"{base}/#site",
        "url": f"{base}/",
        "name": name,
        "inLanguage": list(LANGUAGES),
    }
    product = _product(base, name, said.description, price)
    product |= {"url": page_address(base, language), "image": image}
    if said.subjects:
        product["keywords"] = said.subjects
    return _written({"@context": "https://schema.org", "@graph": [site, product]})


def product_data(*, base: str, name: str, description: str, price: ListedPrice | None) -> str:
    """Return the JSON of what is sold, for the page of prices, safe inside a script element."""
    return _written({"@context": "https://schema.org"} | _product(base, name, description, price))


def example_data(*, base: str, name: str, trail: Sequence[tuple[str, str]], image: str, description: str) -> str:
    """Return the JSON of a picture and of the way to its page, safe inside a script element.

    `trail` are (words, address) of the pages from the first to this one, `name` the site, which is credited.
    """
    steps = [
        {"@type": "ListItem", "position": place, "name": words, "item": address}
        for place, (words, address) in enumerate(trail, 1)
    ]
    picture = {
        "@type": "ImageObject",
        "@id": f"{image}#picture",
        "contentUrl": image,
        "name": trail[-1][0],
        "description": description,
        "creditText": name,
        "isPartOf": {"@id": f"{base}/#site"},
    }
    way = {"@type": "BreadcrumbList", "itemListElement": steps}
    return _written({"@context": "https://schema.org", "@graph": [picture, way]})


def _product(base: str, name: str, description: str, price: ListedPrice | None) -> dict[str, Any]:
    return {
        "@type": "Product",
        "@id": f"{base}/#product",
        "name": name,
        "description": description,
        "brand": {"@type": "Brand", "name": name},
        "offers": [_free(base, price.currency if price else "usd"), *([_pro(base, price)] if price else [])],
    }


def _written(data: dict[str, Any]) -> str:
    return msgspec.json.encode(data).decode().translate(_HARMLESS)


def _free(base: str, currency: str) -> dict[str, Any]:
    return _offer(base, "Free", "0", currency.upper())


def _offer(base: str, name: str, price: str, currency: str) -> dict[str, Any]:
    return {
        "@type": "Offer",
        "name": name,
        "price": price,
        "priceCurrency": currency,
        "availability": "https://schema.org/InStock",
        "url": f"{base}/pricing",
    }


def _pro(base: str, price: ListedPrice) -> dict[str, Any]:
    amount, currency = decimal_amount(price.amount, price.currency), price.currency.upper()
    offer = _offer(base, "Pro", amount, currency)
    if unit := UNITS.get(price.interval or ""):
        every = {"@type": "QuantitativeValue", "value": 1, "unitCode": unit}
        offer["priceSpecification"] = {
            "@type": "UnitPriceSpecification",
            "price": amount,
            "priceCurrency": currency,
            "referenceQuantity": every,
        }
    return offer
