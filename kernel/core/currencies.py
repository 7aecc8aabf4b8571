"""How many digits of a currency stand behind the point."""

from typing import Final

WHOLE: Final = frozenset(
    ("bif", "clp", "djf", "gnf", "jpy", "kmf", "krw", "pyg", "rwf", "ugx", "vnd", "vuv", "xaf", "xof", "xpf")
)
THOUSANDTHS: Final = frozenset(("bhd", "iqd", "jod", "kwd", "lyd", "omr", "tnd"))
"""Currencies whose smallest unit is not a hundredth (ISO 4217, 2024)."""


def decimal_amount(minor: int, currency: str) -> str:
    """Return an amount of minor units as a plain decimal number: `19.00`, for yen `500`."""
    code = currency.lower()
    places = 0 if code in WHOLE else 3 if code in THOUSANDTHS else 2
    whole, part = divmod(minor, 10**places)
    return f"{whole}.{part:0{places}}" if places else str(whole)
