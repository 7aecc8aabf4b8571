"""The vendor: one JSON file under a lock, which tests read and change while the product uses it."""

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

MONTH_S: Final = 30 * 86_400
ENDED: Final = "canceled"
EMPTY: Final[dict[str, Any]] = {
    "count": 0,
    "customers": {},
    "subscriptions": {},
    "invoices": {},
    "keys": {},
    "clock": 0,
}


class Bank:
    """Customers, subscriptions and invoices. Every change is one locked read and write of the file."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._file = folder / "bank.json"

    @contextmanager
    def open(self) -> Iterator[dict[str, Any]]:
        """Read everything, and write it back when the block has ended without an error."""
        with (self.folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            state = json.loads(self._file.read_text()) if self._file.exists() else json.loads(json.dumps(EMPTY))
            yield state
            fresh = self._file.with_suffix(".new")
            fresh.write_text(json.dumps(state))
            os.replace(fresh, self._file)

    # modes

    def does(self, *modes: str) -> None:
        """Set the coming modes, see provider.py; without any it works."""
        with self.open():
            (self.folder / "mode").write_text(" ".join(modes))

    def next_mode(self, operation: str) -> str:
        """Take the mode of one call: the first word that is about this operation or about all."""
        with self.open():
            path = self.folder / "mode"
            words = path.read_text().split() if path.exists() else []
            for index, word in enumerate(words):
                about, _, mode = word.rpartition("=")
                if about in ("", operation):
                    if not mode.endswith("*"):
                        path.write_text(" ".join(words[:index] + words[index + 1 :]))
                    return mode.removesuffix("*")
            return "ok"

    def note(self, operation: str, **about: Any) -> None:
        """Record a call."""
        with (self.folder / "calls").open("a") as file:
            file.write(json.dumps({"operation": operation, **about}) + "\n")

    def calls(self, operation: str) -> list[dict[str, Any]]:
        """Return the calls of one operation so far."""
        path = self.folder / "calls"
        lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        return [line for line in lines if line["operation"] == operation]

    # contents

    def customers(self, user_id: int | None = None) -> list[str]:
        """Return the existing customers, or those of one user."""
        with self.open() as state:
            return [
                name
                for name, entry in state["customers"].items()
                if user_id is None or entry["user_ref"] == str(user_id)
            ]

    def subscriptions(self, user_id: int, *, ended: bool = False) -> list[dict[str, Any]]:
        """Return a user's subscriptions, oldest first, by default without those that have ended."""
        with self.open() as state:
            mine = [name for name, entry in state["customers"].items() if entry["user_ref"] == str(user_id)]
            return [
                {"ref": ref, **entry}
                for ref, entry in state["subscriptions"].items()
                if entry["customer"] in mine and (ended or entry["state"] != ENDED)
            ]

    # events at the vendor

    def add(self, customer: str, price: str, *, state: str = "incomplete", trial: bool = False) -> str:
        """Make a subscription as if it was made at the vendor."""
        with self.open() as bank:
            return add_subscription(bank, customer, price, "trialing" if trial else state)

    def change(self, ref: str, **values: Any) -> None:
        """Change a subscription at the vendor."""
        with self.open() as state:
            state["subscriptions"][ref].update(values)

    def pay(self, ref: str) -> None:
        """Pay what is open, as the user."""
        with self.open() as state:
            pay(state, ref)

    def renew(self, ref: str) -> None:
        """Begin a new period and charge its price at the vendor."""
        with self.open() as state:
            entry = state["subscriptions"][ref]
            entry.update(period_end=entry["period_end"] + MONTH_S)
            bill = {"customer": entry["customer"], "created": int(time.time()), "amount": 0, "price": entry["price"]}
            state["invoices"][number(state, "in")] = bill

    def fail_renewal(self, ref: str, *, asks: bool = False) -> None:
        """Begin a new period that is not paid: its invoice stays open. `asks`: the bank wants a confirmation."""
        with self.open() as state:
            entry = state["subscriptions"][ref]
            entry.update(state="past_due", period_end=entry["period_end"] + MONTH_S, needs_confirmation=asks)
            bill = {"customer": entry["customer"], "created": int(time.time()), "amount": 1900, "open": True}
            state["invoices"][number(state, "in")] = bill

    def settle(self, ref: str) -> None:
        """Pay the open invoices of a failed renewal."""
        with self.open() as state:
            entry = state["subscriptions"][ref]
            entry.update(state="active", needs_confirmation=False)
            for bill in state["invoices"].values():
                if bill["customer"] == entry["customer"]:
                    bill["open"] = False

    def bill(self, **values: Any) -> None:
        """Change the latest invoice at the vendor."""
        with self.open() as state:
            state["invoices"][next(reversed(state["invoices"]))].update(values)

    def refund(self, total: int, *, at: int | None = None) -> None:
        """Refund the latest invoice until this much is refunded in all."""
        with self.open() as state:
            refund(state, next(reversed(state["invoices"])), total, at)

    def drop_customer(self, customer: str) -> None:
        """Delete a customer at the vendor."""
        with self.open() as state:
            drop_customer(state, customer)


def number(state: dict[str, Any], prefix: str) -> str:
    """Return a new id."""
    state["count"] += 1
    return f"{prefix}_{state['count']}"


def add_subscription(state: dict[str, Any], customer: str, price: str, how: str) -> str:
    """Make a subscription."""
    ref = number(state, "sub")
    now = int(time.time())
    state["subscriptions"][ref] = {
        "customer": customer,
        "price": price,
        "state": how,
        "period_end": None if how == "incomplete" else now + MONTH_S,
        "cancel_at": None,
        "canceled_at": None,
        "ended_at": None,
        "trial_end": None,
    }
    return ref


def pay(state: dict[str, Any], ref: str) -> None:
    """Pay what is open for a subscription, and add an invoice."""
    entry = state["subscriptions"][ref]
    if entry["state"] == "active":
        return
    entry.update(state="active", period_end=int(time.time()) + MONTH_S)
    invoice = number(state, "in")
    state["invoices"][invoice] = {"customer": entry["customer"], "created": int(time.time()), "amount": 1900}


def refund(state: dict[str, Any], invoice: str, total: int, at: int | None = None) -> None:
    """Refund an invoice until this much is refunded in all."""
    state["invoices"][invoice].update(refunded=total, refunded_at=at or int(time.time()))


def drop_customer(state: dict[str, Any], customer: str) -> None:
    """End everything of a customer and delete them."""
    state["customers"].pop(customer, None)
    for entry in state["subscriptions"].values():
        if entry["customer"] == customer and entry["state"] != ENDED:
            entry.update(state=ENDED, ended_at=int(time.time()))
