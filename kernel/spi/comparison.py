"""What administrators compare before they choose a provider, as data: the page says it in their language."""

from typing import Literal

import msgspec

Purpose = Literal[
    "try_out",
    "best_pictures",
    "many_models",
    "own_hardware",
    "real_payments",
    "reliable_delivery",
    "own_server",
    "one_machine",
    "many_machines",
    "no_service",
    "company_accounts",
]
"""What a provider is chosen for."""

Cost = Literal["free", "paid", "depends"]
"""Whether the vendor takes money; `depends` on the service that administrators name in the settings."""

Reach = Literal["machine", "chosen", "vendor"]
"""How far data go: no further than this machine, to a server that administrators name, or to the vendor."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """A provider beside others of its kind.

    `price_micros` (of a USD) is what one cover costs with the default settings, as read on the day `price_asof`
    (`2026-11-21`); `seconds` is how long one usually takes. Both are left out where they are not known, or mean nothing
    for the kind. `vendor` is the company that data go to.
    """

    purposes: tuple[Purpose, ...]
    cost: Cost
    reach: Reach
    vendor: str = ""
    price_micros: int | None = None
    price_asof: str = ""
    seconds: float | None = None
