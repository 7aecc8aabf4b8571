"""Amounts of money in machine-readable form."""

from kernel.spi import decimal_places


def decimal_amount(minor: int, currency: str) -> str:
    """Return an amount of minor units as a plain decimal number: `19.00`, for yen `500`."""
    places = decimal_places(currency)
    whole, part = divmod(minor, 10**places)
    return f"{whole}.{part:0{places}}" if places else str(whole)
