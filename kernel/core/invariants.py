"""The checks that `coverwright doctor` runs: named queries of each domain, in its `invariants.py`."""

from collections.abc import Awaitable, Callable, Mapping

import msgspec

from kernel.core.data.database import ReadConnection

Check = Callable[[ReadConnection], Awaitable[list[str]]]
"""Returns the violations of an invariant; empty when it holds."""
Invariants = Mapping[str, Check]
"""Checks by the statement that must hold."""


class PromiseFinding(msgspec.Struct, frozen=True, kw_only=True):
    """One invariant and its violations; `broken` is empty when it holds. `notes` are for information only."""

    promise: str
    broken: tuple[str, ...]
    notes: tuple[str, ...] = ()
