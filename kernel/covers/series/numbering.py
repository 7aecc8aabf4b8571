"""The numbers of volumes: as they are read ("Book 2"), the order they give, and the next one."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

_DIGITS: Final = re.compile(r"\d{1,6}")
UNNUMBERED: Final = 10**7
"""After all that have a number."""


def volume_place(number: str) -> int:
    """Return the place of a volume that its number tells; UNNUMBERED where it has none."""
    found = _DIGITS.search(number)
    return int(found[0]) if found else UNNUMBERED


def next_number(numbers: Iterable[str]) -> str:
    """Return the number after the highest, written as that one is; blank where none has a number."""
    numbered = [number for number in numbers if _DIGITS.search(number)]
    if not numbered:
        return ""
    last = max(numbered, key=volume_place)
    return _DIGITS.sub(lambda found: _written(int(found[0]) + 1, found[0]), last, count=1)


def _written(number: int, like: str) -> str:
    """Return a number in the digits of another one's script, and as many of them."""
    zero = ord(like[0]) - unicodedata.digit(like[0])
    return "".join(chr(zero + int(digit)) for digit in str(number).rjust(len(like), "0"))
