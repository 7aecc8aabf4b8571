"""How processes ask their launcher to start them all anew, over files in the data folder, and what it tells of that."""

import os
import secrets
import time
from pathlib import Path
from typing import Final, Literal, TypeVar

import msgspec

from kernel.core.process.parent_watch import LAUNCHER

ORDER: Final = "restart-order.json"
STATE: Final = "restart-state.json"

ContentT = TypeVar("ContentT", bound=msgspec.Struct)


class RestartOrder(msgspec.Struct, frozen=True, kw_only=True):
    """Start everything anew, once for each `id`. `asked_at` is in seconds since 1970. `broken` names plugins that did
    not load before either.
    """

    id: str
    asked_at: float
    broken: tuple[str, ...] = ()


class RestartState(msgspec.Struct, frozen=True, kw_only=True):
    """What became of an order on one machine: `done` of `of` programs run anew. `error` says why it failed."""

    id: str
    state: Literal["running", "done", "failed"]
    done: int
    of: int
    error: str = ""
    at: float = msgspec.field(default_factory=time.time)


def new_order(broken: tuple[str, ...]) -> RestartOrder:
    """Return an order that was never given before."""
    return RestartOrder(id=secrets.token_hex(8), asked_at=time.time(), broken=broken)


def has_launcher() -> bool:
    """Return whether this process was started by a launcher."""
    return bool(os.environ.get(LAUNCHER))


def hand_over(data_dir: Path, order: RestartOrder) -> None:
    """Give the launcher of this process an order, unless it has that one, or a newer one."""
    known = read_order(data_dir)
    if known is None or known.asked_at < order.asked_at:
        _write(data_dir / ORDER, order)


def read_order(data_dir: Path) -> RestartOrder | None:
    """Return the last order, if there is a readable one."""
    return _read(data_dir / ORDER, RestartOrder)


def write_state(data_dir: Path, state: RestartState) -> None:
    """Tell what becomes of an order."""
    _write(data_dir / STATE, state)


def read_state(data_dir: Path) -> RestartState | None:
    """Return what became of the last order, if there is a readable one."""
    return _read(data_dir / STATE, RestartState)


def _write(path: Path, content: msgspec.Struct) -> None:
    draft = path.with_name(f".{path.name}-{os.getpid()}-{secrets.token_hex(4)}")
    draft.write_bytes(msgspec.json.encode(content))
    draft.replace(path)


def _read(path: Path, kind: type[ContentT]) -> ContentT | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError):
        return None
