"""Numbers as the languages of the interface write them: the same as browsers do, with Latin digits (CLDR 44, 2023)."""

from decimal import ROUND_HALF_UP, Decimal
from typing import Final, Literal

from kernel.core.text.languages import RIGHT_TO_LEFT
from kernel.spi import decimal_places

PluralForm = Literal["zero", "one", "two", "few", "many", "other"]

_SEPARATORS: Final = {
    "es": (".", ","),
    "fr": ("\u202f", ","),
    "de": (".", ","),
    "it": (".", ","),
    "pt": (".", ","),
    "ru": ("\u00a0", ","),
}
"""Language → between groups of digits, and before decimals; the others write 1,234.5."""
_UNGROUPED_FOUR: Final = frozenset({"es", "it"})
"""They begin to group at five digits."""
MILLION: Final = 1_000_000


def plural_form(count: int, language: str) -> PluralForm:
    """Return the grammatical form that goes with a whole number, which is not negative."""
    if language in ("ja", "zh", "ko"):
        return "other"
    if language == "ar":
        return _arabic(count)
    if language == "ru":
        if count % 10 == 1 and count % 100 != 11:
            return "one"
        return "few" if count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14) else "many"
    if count == 1 or (count == 0 and language in ("fr", "pt", "hi")):
        return "one"
    return "many" if language in ("es", "fr", "it", "pt") and count and count % MILLION == 0 else "other"


def _arabic(count: int) -> PluralForm:
    first: dict[int, PluralForm] = {0: "zero", 1: "one", 2: "two"}
    if count in first:
        return first[count]
    rest = count % 100
    return "few" if 3 <= rest <= 10 else "many" if rest >= 11 else "other"


def written_number(value: int, language: str) -> str:
    """Return a whole number with its digits in groups."""
    digits = str(value)
    between, _ = _SEPARATORS.get(language, (",", "."))
    if len(digits) <= 3 or (len(digits) == 4 and language in _UNGROUPED_FOUR):
        return digits
    size, groups, rest = 2 if language == "hi" else 3, [digits[-3:]], digits[:-3]
    while rest:
        groups.append(rest[-size:])
        rest = rest[:-size]
    return between.join(reversed(groups))


def written_decimal(value: float, language: str, places: int = 2) -> str:
    """Return a measure with up to so many decimals: `6`, `8.25`. It is not negative."""
    rounded = Decimal(str(value)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    whole, _, part = f"{rounded:f}".partition(".")
    _, point = _SEPARATORS.get(language, (",", "."))
    decimals = part.rstrip("0")
    return written_number(int(whole), language) + (point + decimals if decimals else "")


def written_price(minor: int, currency: str, language: str) -> str:
    """Return an amount of minor units as a price: `$19` for dollars, any other with its code: `19,50 EUR`."""
    places = decimal_places(currency)
    whole, part = divmod(minor, 10**places)
    _, point = _SEPARATORS.get(language, (",", "."))
    amount = written_number(whole, language) + (f"{point}{part:0{places}}" if part else "")
    price = f"${amount}" if currency.upper() == "USD" else f"{amount} {currency.upper()}"
    return f"\u2066{price}\u2069" if language in RIGHT_TO_LEFT else price
