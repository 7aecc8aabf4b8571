"""Every table that holds jobs, and how its rows are read as jobs: one way for all, by the columns that they share."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import (
    Boolean,
    ColumnElement,
    Float,
    Integer,
    Select,
    String,
    Uuid,
    and_,
    case,
    cast,
    false,
    func,
    literal,
    null,
    or_,
    select,
)

from kernel.accounts.models import User
from kernel.accounts.profile.deletion import ACCOUNT_DELETION
from kernel.backups.models import Backup
from kernel.billing.models import PaymentBackfill, PaymentChange, PaymentRemoval
from kernel.billing.price_move_models import MovedSubscriber, PriceMove
from kernel.billing.repricing.due import PENDING
from kernel.books.models import EditionPack
from kernel.core.data.database import BigInt
from kernel.core.data.moments import Moment
from kernel.core.outbox import OutboxEmail
from kernel.core.schemas import MAX_ID
from kernel.covers.archives.models import Archive
from kernel.covers.models import Generation
from kernel.mail.models import EmailCampaign
from kernel.operation.schemas import JobKind, JobState
from kernel.providers.models import WebhookEvent

OPEN: Final[tuple[JobState, ...]] = ("waiting", "running")
USUAL: Final[dict[JobState, tuple[Any, ...]]] = {
    "waiting": ("queued",),
    "running": ("running",),
    "completed": ("completed",),
    "failed": ("failed",),
    "canceled": ("canceled",),
}
"""What the states of jobs are called in tables that keep those that have ended."""


class JobSource(msgspec.Struct, frozen=True, kw_only=True):
    """A table of jobs. `columns` names those that are called otherwise than in most; `states` are the values of its
    column `state`, empty where a row is a job that waits until somebody holds it. Of a `running` one all rows are held.
    A job in a state of `planned` begins at its `run_after`, and does not wait before. `done` is how much of a job is
    done, from 0 to 1, where no column says so.
    """

    kind: JobKind
    table: Any
    columns: Mapping[str, str] = {}
    states: Mapping[JobState, tuple[Any, ...]] = {}
    planned: tuple[str, ...] = ()
    only: ColumnElement[bool] | None = None
    running: bool = False
    done: ColumnElement[Any] | None = None

    def column(self, name: str) -> Any:
        """Return the column of this meaning, or None where the table has none."""
        return getattr(self.table, self.columns.get(name, name), None)

    @property
    def key(self) -> Any:
        """Return the column of the key."""
        return self.column("id")

    def is_in(self, *states: JobState) -> ColumnElement[bool]:
        """Match the jobs in one of these states."""
        found: ColumnElement[bool]
        if self.states:
            found = self.column("state").in_([value for state in states for value in self.states.get(state, ())])
        elif self.running:
            found = literal(True, Boolean) if "running" in states else false()
        elif (lease := self.column("lease_until")) is None:
            found = literal(True, Boolean) if "waiting" in states else false()
        else:
            held = [lease.is_(None)] if "waiting" in states else []
            found = or_(false(), *held, *([lease.is_not(None)] if "running" in states else []))
        return found if self.only is None else and_(self.only, found)

    def state(self) -> ColumnElement[str]:
        """Return the state of a job."""
        if self.states:
            whens = [(self.column("state").in_(values), literal(state)) for state, values in self.states.items()]
            return case(*whens, else_=literal("completed"))
        if self.running:
            return literal("running")
        lease = self.column("lease_until")
        return literal("waiting") if lease is None else case((lease.is_(None), literal("waiting")), else_="running")

    def waits_since(self) -> ColumnElement[datetime]:
        """Return since when a job has waited, or ran: in the future for one that is planned for later."""
        created: ColumnElement[datetime] = self.column("created_at")
        if not self.planned:
            return created
        return case((self.column("state").in_(self.planned), self.column("run_after")), else_=created)

    def progress(self) -> ColumnElement[Any]:
        """Return how much of a job is done, from 0 to 1, or null."""
        if self.done is not None:
            return cast(self.done, Float)
        if (told := self.column("progress")) is not None:
            return cast(told, Float)
        done, total = self.column("done"), self.column("total")
        if done is None:
            return cast(null(), Float)
        return case((total > 0, cast(done, Float) / cast(total, Float)), else_=null())

    def rows(self) -> Select[Any]:
        """Return the select of its jobs, the same columns for each table."""
        return select(
            literal(self.kind).label("kind"),
            cast(self.key, String).label("key"),
            self.state().label("state"),
            self.progress().label("progress"),
            *(self._as(type_, name).label(name) for name, type_ in COLUMNS.items()),
        )

    def _as(self, type_: Any, name: str) -> ColumnElement[Any]:
        column: ColumnElement[Any] | None = self.column(name)
        return cast(null(), type_) if column is None else column

    def read_key(self, text: str) -> Any:
        """Return the key in an id. Raises ValueError."""
        if isinstance(self.key.type, Uuid):
            return UUID(text)
        if isinstance(self.key.type, String):
            return text
        if not text.isascii() or not text.isdigit() or int(text) > MAX_ID:
            raise ValueError(text)
        return int(text)

    def show_key(self, text: str) -> str:
        """Return a key as ids have it: each database writes them otherwise."""
        return str(UUID(text)) if isinstance(self.key.type, Uuid) else text


COLUMNS: Final[Mapping[str, Any]] = {
    "created_at": Moment,
    "run_after": Moment,
    "lease_until": Moment,
    "finished_at": Moment,
    "attempts": Integer,
    "worker": String,
    "phase": String,
    "about": String,
    "owner_id": BigInt,
    "instance_id": String,
    "error": String,
}
"""What is read of every job."""
_OWNER: Final = {"owner_id": "user_id"}
_CODE: Final = {"error": "error_code"}

SOURCES: Final[Mapping[JobKind, JobSource]] = {
    source.kind: source
    for source in (
        JobSource(kind="generation", table=Generation, columns=_OWNER | _CODE, states=USUAL),
        JobSource(kind="archive", table=Archive, columns=_OWNER | _CODE, states=USUAL),
        JobSource(kind="edition_pack", table=EditionPack, columns=_OWNER | _CODE, states=USUAL),
        JobSource(kind="account_email", table=OutboxEmail, columns=_OWNER | {"about": "kind"}),
        JobSource(
            kind="campaign",
            table=EmailCampaign,
            columns={"owner_id": "created_by", "about": "subject", "error": "reason"},
            states={
                "waiting": ("scheduled", "paused"),
                "running": ("sending",),
                "completed": ("done",),
                "canceled": ("canceled",),
            },
            planned=("scheduled",),
        ),
        JobSource(
            kind="webhook",
            table=WebhookEvent,
            columns={"about": "topic", "finished_at": "applied_at"},
            states={"waiting": ("pending",), "completed": ("applied", "ignored"), "failed": ("failed",)},
        ),
        JobSource(kind="payment_resync", table=PaymentChange, columns={"about": "kind"}),
        JobSource(kind="customer_deletion", table=PaymentRemoval),
        JobSource(
            kind="customer_backfill",
            table=PaymentBackfill,
            columns={"id": "instance_id", "created_at": "run_after", "run_after": "", "lease_until": "run_after"},
            only=PaymentBackfill.running.is_(True),
            running=True,
        ),
        JobSource(
            kind="price_move",
            table=PriceMove,
            columns={"about": "new_price", "finished_at": "ended_at"},
            states={"running": ("running",), "completed": ("finished",), "canceled": ("stopped",)},
            done=select(func.avg(case((PENDING, 0.0), else_=1.0)))
            .where(MovedSubscriber.move_id == PriceMove.id)
            .correlate(PriceMove)
            .scalar_subquery(),
        ),
        JobSource(
            kind=ACCOUNT_DELETION,
            table=User,
            columns={"created_at": "leaving_at", "owner_id": "id"},
            only=User.leaving_at.is_not(None),
        ),
        JobSource(
            kind="backup",
            table=Backup,
            columns={"about": "name"},
            states=USUAL | {"running": ("running", "restoring"), "completed": ("completed", "restored")},
        ),
    )
}


def age_s(since: datetime | None, now: datetime) -> float:
    """Return for how many seconds something waits."""
    return 0.0 if since is None else max(0.0, (now - since).total_seconds())
