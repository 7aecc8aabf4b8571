"""The bank's database: one SQLite file that several processes may have open."""

import hashlib
import hmac
import os
import secrets
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from kernel.spi import NotFound
from plugins.sandbox_payments.catalogue import Price
from plugins.sandbox_payments.rows import Customer, Event, Invoice, InvoiceLine, Subscription

R = TypeVar("R", bound=msgspec.Struct)

BUSY_S: Final = 10.0
KEPT_S: Final = 30 * 86_400
"""How long events are kept after their delivery."""

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS price (
    id TEXT PRIMARY KEY, amount INTEGER NOT NULL, currency TEXT NOT NULL, interval TEXT NOT NULL,
    trial_days INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS customer (
    id TEXT PRIMARY KEY, user_ref TEXT NOT NULL, email TEXT NOT NULL, name TEXT NOT NULL, deleted INTEGER NOT NULL,
    billing TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE IF NOT EXISTS subscription (
    seq INTEGER PRIMARY KEY, ref TEXT NOT NULL UNIQUE, customer TEXT NOT NULL, price TEXT NOT NULL,
    amount INTEGER NOT NULL, currency TEXT NOT NULL, months INTEGER NOT NULL, trial_days INTEGER NOT NULL,
    created INTEGER NOT NULL, anchor INTEGER NOT NULL, period_start INTEGER NOT NULL, period_end INTEGER NOT NULL,
    state TEXT NOT NULL, cycle INTEGER NOT NULL, trial_end INTEGER, ends INTEGER NOT NULL, canceled_at INTEGER,
    ended_at INTEGER, next_try INTEGER, tries INTEGER NOT NULL, credit INTEGER NOT NULL, card TEXT NOT NULL,
    outcome TEXT NOT NULL, due INTEGER, expiry TEXT NOT NULL DEFAULT '', promotion TEXT NOT NULL DEFAULT '',
    discount_end INTEGER, paused_until INTEGER, tax_rate INTEGER, tax_name TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX IF NOT EXISTS subscription_due ON subscription (due) WHERE due IS NOT NULL;
CREATE INDEX IF NOT EXISTS subscription_customer ON subscription (customer);
CREATE TABLE IF NOT EXISTS invoice (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, customer TEXT NOT NULL, subscription TEXT NOT NULL,
    state TEXT NOT NULL, total INTEGER NOT NULL, currency TEXT NOT NULL, created INTEGER NOT NULL,
    period_start INTEGER NOT NULL, period_end INTEGER NOT NULL, lines TEXT NOT NULL, secret TEXT NOT NULL UNIQUE,
    paid_at INTEGER, card TEXT NOT NULL, challenge TEXT NOT NULL, refunded INTEGER NOT NULL DEFAULT 0,
    refunded_at INTEGER, tax INTEGER, buyer TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX IF NOT EXISTS invoice_customer ON invoice (customer, seq);
CREATE INDEX IF NOT EXISTS invoice_subscription ON invoice (subscription, seq);
CREATE TABLE IF NOT EXISTS event (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, type TEXT NOT NULL, customer TEXT NOT NULL,
    subscription TEXT NOT NULL, created INTEGER NOT NULL, next_try REAL, tries INTEGER NOT NULL DEFAULT 0,
    delivered_at REAL
) STRICT;
CREATE INDEX IF NOT EXISTS event_next ON event (next_try) WHERE next_try IS NOT NULL;
"""
ADDED: Final[Mapping[str, Mapping[str, str]]] = {
    "subscription": {
        "expiry": "TEXT NOT NULL DEFAULT ''",
        "promotion": "TEXT NOT NULL DEFAULT ''",
        "discount_end": "INTEGER",
        "paused_until": "INTEGER",
        "tax_rate": "INTEGER",
        "tax_name": "TEXT NOT NULL DEFAULT ''",
    },
    "invoice": {
        "refunded": "INTEGER NOT NULL DEFAULT 0",
        "refunded_at": "INTEGER",
        "tax": "INTEGER",
        "buyer": "TEXT NOT NULL DEFAULT ''",
    },
    "customer": {"billing": "TEXT NOT NULL DEFAULT ''"},
}
"""Columns that older banks do not have."""


class Books:
    """The open database, in one transaction. `now` is the bank's time."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        meta = {row["name"]: row["value"] for row in self.execute("SELECT name, value FROM meta")}
        self.secret = bytes.fromhex(meta["secret"])
        self._offset = int(meta["offset"])
        self.now = int(time.time()) + self._offset

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        """Run one statement."""
        return self._connection.execute(statement, values)

    def digest(self, *parts: str) -> str:
        """Return an id that is always the same for these parts, different at every other bank, and not guessable."""
        return hmac.new(self.secret, "\n".join(parts).encode(), hashlib.sha256).hexdigest()[:24]

    def move_clock(self, seconds: int) -> None:
        """Advance the bank's clock."""
        self._offset += seconds
        self.now += seconds
        self.execute("UPDATE meta SET value = ? WHERE name = 'offset'", str(self._offset))

    @property
    def moved(self) -> int:
        """Return by how many seconds the bank is ahead."""
        return self._offset

    def price(self, price: str) -> Price:
        """Return a price that is or was on sale. Raises NotFound."""
        return self._one(Price, "SELECT * FROM price WHERE id = ?", price)

    def customer(self, customer: str) -> Customer:
        """Return a customer. Raises NotFound, also for a deleted one."""
        return self._one(Customer, "SELECT * FROM customer WHERE id = ? AND deleted = 0", customer)

    def save_customer(self, row: Customer) -> None:
        """Store a customer."""
        self._write("customer", msgspec.structs.asdict(row), "id")

    def subscription(self, ref: str) -> Subscription:
        """Return a subscription. Raises NotFound."""
        return self._one(Subscription, "SELECT * FROM subscription WHERE ref = ?", ref)

    def save_subscription(self, row: Subscription) -> None:
        """Store a subscription, with the time of its next due event."""
        self._write("subscription", {**msgspec.structs.asdict(row), "due": row.due}, "ref")

    def subscriptions(self, customer: str) -> list[Subscription]:
        """Return the subscriptions of a customer that have not ended, newest first."""
        query = "SELECT * FROM subscription WHERE customer = ? AND state <> 'canceled' ORDER BY seq DESC"
        return [_row(row, Subscription) for row in self.execute(query, customer)]

    def next_due(self) -> Subscription | None:
        """Return the subscription that is overdue for longest."""
        query = "SELECT * FROM subscription WHERE due <= ? ORDER BY due, seq LIMIT 1"
        row = self.execute(query, self.now).fetchone()
        return None if row is None else _row(row, Subscription)

    def invoice(self, invoice: str) -> Invoice:
        """Return an invoice. Raises NotFound."""
        return self._one(Invoice, "SELECT * FROM invoice WHERE id = ?", invoice)

    def invoice_of(self, secret: str) -> Invoice:
        """Return the invoice of a secret. Raises NotFound."""
        return self._one(Invoice, "SELECT * FROM invoice WHERE secret = ?", secret)

    def open_invoice(self, ref: str) -> Invoice | None:
        """Return the latest invoice of a subscription that is to be paid."""
        query = "SELECT * FROM invoice WHERE subscription = ? AND state = 'open' ORDER BY seq DESC LIMIT 1"
        row = self.execute(query, ref).fetchone()
        return None if row is None else _row(row, Invoice)

    def invoices(self, customer: str, limit: int) -> list[Invoice]:
        """Return a customer's latest invoices, newest first."""
        query = "SELECT * FROM invoice WHERE customer = ? ORDER BY seq DESC LIMIT ?"
        return [_row(row, Invoice) for row in self.execute(query, customer, limit)]

    def has_paid(self, customer: str) -> bool:
        """Return whether a customer has ever paid something."""
        query = "SELECT 1 FROM invoice WHERE customer = ? AND state = 'paid' AND total > 0"
        return self.execute(query, customer).fetchone() is not None

    def add_invoice(
        self, subscription: Subscription, lines: Sequence[InvoiceLine], at: int, tax: int | None = None
    ) -> Invoice:
        """Add an invoice for the subscription's period; `tax` is one of its lines."""
        seq = int(self.execute("SELECT coalesce(max(seq), 0) + 1 FROM invoice").fetchone()[0])
        row = Invoice(
            id=f"in_{self.digest('invoice', str(seq))}",
            seq=seq,
            customer=subscription.customer,
            subscription=subscription.ref,
            state="open",
            total=sum(line.amount for line in lines),
            currency=subscription.currency,
            created=at,
            period_start=subscription.period_start,
            period_end=subscription.period_end,
            lines=msgspec.json.encode(lines).decode(),
            secret=f"sbx_secret_{self.digest('secret', str(seq))}",
            tax=tax,
            buyer=self.customer(subscription.customer).billing,
        )
        self.save_invoice(row)
        return row

    def save_invoice(self, row: Invoice) -> None:
        """Store an invoice."""
        self._write("invoice", msgspec.structs.asdict(row), "id")

    def add_event(self, kind: str, customer: str, subscription: str = "") -> None:
        """Queue an event for the site, to be sent after this transaction."""
        columns = "(id, type, customer, subscription, created, next_try)"
        values = ("", kind, customer, subscription, self.now, time.time())
        seq = self.execute(f"INSERT INTO event {columns} VALUES (?, ?, ?, ?, ?, ?)", *values).lastrowid
        self.execute("UPDATE event SET id = ? WHERE seq = ?", f"evt_{self.digest('event', str(seq))}", seq)

    def claim_event(self, wait_s: float, most_tries: int) -> Event | None:
        """Take the next event that is to be delivered and requeue it, each time for longer, and finally give it up."""
        moment = time.time()
        query = "SELECT * FROM event WHERE next_try <= ? ORDER BY next_try, seq LIMIT 1"
        row = self.execute(query, moment).fetchone()
        if row is None:
            return None
        tries = int(row["tries"])
        following = None if tries + 1 >= most_tries else moment + wait_s * 2.0**tries
        self.execute("UPDATE event SET tries = tries + 1, next_try = ? WHERE seq = ?", following, row["seq"])
        return _row(row, Event)

    def next_event_s(self) -> float | None:
        """Return in how many seconds an event is to be delivered; None when there is none."""
        following = self.execute("SELECT min(next_try) FROM event").fetchone()[0]
        return None if following is None else max(0.0, float(following) - time.time())

    def event_delivered(self, event: str) -> None:
        """Record the delivery of an event, and delete old delivered ones."""
        moment = time.time()
        self.execute("UPDATE event SET delivered_at = ?, next_try = NULL WHERE id = ?", moment, event)
        self.execute("DELETE FROM event WHERE delivered_at < ?", moment - KEPT_S)

    def _one(self, kind: type[R], query: str, key: str) -> R:
        row = self.execute(query, key).fetchone()
        if row is None:
            raise NotFound("the sandbox does not have it")
        return _row(row, kind)

    def _write(self, table: str, values: dict[str, Any], key: str) -> None:
        columns = ", ".join(values)
        marks = ", ".join("?" * len(values))
        changes = ", ".join(f"{name} = excluded.{name}" for name in values if name != key)
        statement = f"INSERT INTO {table} ({columns}) VALUES ({marks}) ON CONFLICT ({key}) DO UPDATE SET {changes}"
        self.execute(statement, *values.values())


class BookFile:
    """The file. One thread at a time may use it; other processes have connections of their own."""

    def __init__(self, folder: Path, prices: Sequence[Price]) -> None:
        self._path = folder / "bank.db"
        self._prices = prices
        self._connection: sqlite3.Connection | None = None

    @contextmanager
    def open(self, *, change: bool) -> Iterator[Books]:
        """Open the database in one transaction; it is rolled back when the block raises."""
        if self._connection is None:
            self._connection = self._connect()
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE" if change else "BEGIN")
        try:
            yield Books(connection)
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")

    def close(self) -> None:
        """Close the file, if it is open."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connect(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
        connection = sqlite3.connect(self._path, timeout=BUSY_S, isolation_level=None)
        connection.row_factory = sqlite3.Row
        try:
            _use_wal(connection)
            connection.execute("BEGIN IMMEDIATE")
            for statement in SCHEMA.split(";\n"):
                connection.execute(statement)
            for table, added in ADDED.items():
                columns = {row["name"] for row in connection.execute(f"PRAGMA table_info({table})")}
                for name in added.keys() - columns:
                    connection.execute(f"ALTER TABLE {table} ADD COLUMN {name} {added[name]}")
            first = (("secret", secrets.token_hex(32)), ("offset", "0"))
            connection.executemany("INSERT OR IGNORE INTO meta VALUES (?, ?)", first)
            offers = [
                (price.id, price.amount, price.currency, price.interval, price.trial_days) for price in self._prices
            ]
            connection.executemany("INSERT OR IGNORE INTO price VALUES (?, ?, ?, ?, ?)", offers)
            connection.execute("COMMIT")
        except BaseException:
            connection.close()
            raise
        return connection


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch to the write-ahead log. Two processes that do so at once get an error at once, whatever the time-out."""
    until = time.monotonic() + BUSY_S
    while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        with suppress(sqlite3.OperationalError):
            connection.execute("PRAGMA journal_mode = WAL")
            continue
        if time.monotonic() > until:
            raise sqlite3.OperationalError("database is locked")
        time.sleep(0.02)


def _row(row: sqlite3.Row, kind: type[R]) -> R:
    return msgspec.convert(dict(row), kind)
