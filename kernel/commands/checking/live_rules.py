"""Which rules of the kit are run against a real vendor, why others are not, and how many pictures each may make."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from kernel.spi import ImageCapabilities, Kind

_EVERY_KIND: Final = (
    "SET_01 SET_02 SET_03 SET_04 SET_05 SET_07 LIFE_01 LIFE_02 CHK_01 CHK_02 CHK_03 SEC_01 SEC_02 SEC_03 CAP_01 CAP_02"
)
_OF_KIND: Final[Mapping[Kind, str]] = {
    "image": "CAP_03 CAP_04 CAP_05 CAP_06 CAP_07"
    " IMG_01 IMG_02 IMG_03 IMG_04 IMG_05 IMG_06 IMG_08 IMG_09 IMG_10 IMG_11 IMG_12",
    "payment": "PAY_01 PAY_03",
    "email": "CAP_03 MAIL_03 MAIL_07 MAIL_08",
    "storage": "STO_01 STO_03 STO_04 STO_05 STO_06 STO_07 STO_08 STO_09 STO_10 STO_11 STO_12 STO_13",
    "signin": "SIGN_06 SIGN_07 SIGN_08",
}

_REASONS: Final = (
    ("ERR_|SEC_04|CHK_04", "a real vendor cannot be made to fail"),
    ("HOOK_", "webhooks go to a public address"),
    ("SET_06", "needs the author's examples of earlier settings"),
    ("CAP_08|CAP_09", "is for programs that draw, which have no vendor"),
    ("PAY_|CAP_", "needs somebody who pays, or test data at the vendor"),
    ("MAIL_|KEEP_|SEC_01", "would send messages to addresses of the kit"),
    ("", "says nothing of the vendor: proven with a stand-in"),
)

_Pictures = Callable[[ImageCapabilities], int]

PICTURES: Final[Mapping[str, _Pictures]] = {
    "SEC_01": lambda can: 1,  # a wrong key makes none; a vendor without keys does
    "CAP_05": lambda can: 2 if can.reference_images else 0,
    "CAP_06": lambda can: 2 if can.masks else 0,
    "IMG_01": lambda can: sum({1, can.max_images}),
    "IMG_02": lambda can: len(can.formats),
    "IMG_03": lambda can: 3 if can.seed else 0,
    "IMG_04": lambda can: 3 * len({1, can.reference_images}) if can.reference_images else 0,
    "IMG_05": lambda can: 1,
    "IMG_06": lambda can: 1,
    "IMG_08": lambda can: 1 if can.resumable else 0,
    "IMG_09": lambda can: 1 if can.resumable else 0,
    "IMG_10": lambda can: 1,
    "IMG_11": lambda can: 2 if can.lettering or can.seed else 0,
    "IMG_12": lambda can: 1 if can.previews else 0,
}
"""How many pictures of the smallest size a rule makes at most; the others make none."""


def live_rules(kind: Kind) -> frozenset[str]:
    """Return the rules that are run against a real vendor of this kind."""
    rules = frozenset(f"{_EVERY_KIND} {_OF_KIND[kind]}".split())
    return rules - {"SEC_01"} if kind == "email" else rules


def why_left_out(rule: str, kind: Kind) -> str:
    """Return why a rule is not run against a real vendor; empty for one that is."""
    if rule in live_rules(kind):
        return ""
    return next(why for pattern, why in _REASONS if re.match(pattern, rule) is not None)


def pictures(can: ImageCapabilities) -> int:
    """Return how many pictures a live run makes at most."""
    return sum(count(can) for count in PICTURES.values())
