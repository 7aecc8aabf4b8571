"""ISBNs: read as people write them, checked, and as the thirteen digits of a barcode (ISO 2108; GS1 EAN-13)."""

from typing import Final, Literal

import msgspec

IsbnCode = Literal["length", "characters", "prefix", "check_digit"]

_DASHES: Final = str.maketrans("", "", "-‐‑‒–— \u00a0\u202f")
_DIGITS: Final = {**{str(n): str(n) for n in range(10)}, "X": "X", "x": "X"}
_PREFIXES: Final = ("978", "979")
_PARTS: Final = 5
"""Prefix, group, registrant, publication and check digit."""


class IsbnFault(ValueError):
    """A text that is no ISBN: why, and the digit that it should end with where only that is wrong."""

    def __init__(self, code: IsbnCode, expected: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.expected = expected


class Isbn(msgspec.Struct, frozen=True, kw_only=True):
    """An ISBN: its thirteen digits, and as people read it: with hyphens where they were given."""

    digits: str
    written: str


def checked_isbn(text: str) -> Isbn:
    """Return the ISBN that a text is: thirteen digits, or ten as before 2007. Raises IsbnFault.

    `ISBN` before it, hyphens and spaces do not matter; any script's digits are read.
    """
    said = text.strip()
    if said[:4].upper() == "ISBN":
        said = said[4:].lstrip("-103: \u00a0") if said[4:8] in ("-13:", "-10:") else said[4:].lstrip(": \u00a0")
    bare = "".join(_digit(char) for char in said.translate(_DASHES))
    if "?" in bare or "X" in bare[:-1]:
        raise IsbnFault("characters")
    if len(bare) == 10:
        return _from_ten(bare)
    if len(bare) != 13:
        raise IsbnFault("length")
    if bare[:3] not in _PREFIXES:
        raise IsbnFault("prefix")
    if bare[-1] != (wanted := check_digit(bare[:12])):
        raise IsbnFault("check_digit", wanted)
    return Isbn(digits=bare, written=_written(said, bare))


def check_digit(twelve: str) -> str:
    """Return the thirteenth digit: every second digit counts three times."""
    total = sum(int(digit) * (3 if index % 2 else 1) for index, digit in enumerate(twelve))
    return str(-total % 10)


def _digit(char: str) -> str:
    return _DIGITS.get(char) or (str(int(char)) if char.isdecimal() else "?")


def _from_ten(ten: str) -> Isbn:
    total = sum((10 - index) * (10 if digit == "X" else int(digit)) for index, digit in enumerate(ten))
    if total % 11:
        nine = sum((10 - index) * int(digit) for index, digit in enumerate(ten[:9]))
        last = -nine % 11
        raise IsbnFault("check_digit", "X" if last == 10 else str(last))
    twelve = f"978{ten[:9]}"
    digits = twelve + check_digit(twelve)
    return Isbn(digits=digits, written=digits)


def _written(said: str, digits: str) -> str:
    """Return the digits in the parts they were written in; where the parts end only the agencies' tables say."""
    parts = "".join("-" if char in "-‐‑‒–— \u00a0\u202f" else char for char in said).split("-")
    if len(parts) != _PARTS or not all(parts):
        return digits
    ends = [sum(len(part) for part in parts[: index + 1]) for index in range(_PARTS)]
    return "-".join(digits[end - len(part) : end] for part, end in zip(parts, ends, strict=True))
