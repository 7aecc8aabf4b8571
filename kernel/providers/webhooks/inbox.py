"""The inbox of vendors' webhooks: verified and stored during the vendor's request, applied by a worker afterwards.

pending -> applied, with its effect, in one transaction
pending -> pending again after a failure, later each time -> failed
pending -> ignored, when no handler takes the kind
"""

import hashlib
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

import msgspec
from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.core.audit import Actor, audit
from kernel.core.data.database import Database, changed_rows, insert_into
from kernel.core.data.ids import new_uuid_text
from kernel.core.data.job_pause import is_paused
from kernel.core.data.job_table import Backoff
from kernel.core.errors import Absent, Malformed, NoProvider
from kernel.core.process.job_scope import working_on
from kernel.core.process.metrics import JOBS_ENDED, WEBHOOKS
from kernel.core.queue.job_loop import Waiting, repeat
from kernel.core.text.storable import storable
from kernel.core.vault import Vault
from kernel.core.web.paging import cursor_id, decode_cursor, encode_cursor
from kernel.providers.calls.guard import guarded
from kernel.providers.instances.instance import Instance
from kernel.providers.instances.registry import Registry
from kernel.providers.models import WebhookDelivery, WebhookEvent, WebhookRejection
from kernel.providers.notices.service import Notices
from kernel.providers.webhooks.schemas import LastWebhook, WebhookOut
from kernel.spi import Kind, ProviderError, ProviderEvent, WebhookRejected, WebhookRequest

log = logging.getLogger(__name__)

READ_LIMIT_S: Final = 5.0
KEPT_FOR: Final = timedelta(days=30)
BACKOFF: Final = Backoff(base_s=10.0, max_s=3600.0)
MAX_TRIES: Final = 12
"""With the waits between them about two and a half hours."""

BATCH: Final = 50
EVENT_ID_CHARS: Final = 255
PURGE_EVERY_S: Final = 3600.0
REJECTED_OFTEN: Final = 10
"""This many unauthentic calls in one day are a misconfiguration or an attack, not an accident."""


def place_of_delivery(instance_id: str, delivery: str) -> str:
    """Return the place to which the stored body of a webhook call is bound."""
    return f"webhook:{instance_id}:{delivery}"


class InboxEvent(msgspec.Struct, frozen=True, kw_only=True):
    """A pointer to something that changed at the vendor; the handler fetches the current state."""

    instance_id: str
    event_id: str
    topic: str
    ref: str


EventHandler = Callable[[AsyncSession, InboxEvent], Awaitable[None]]
EventHandlers = Mapping[Kind, EventHandler]
"""Applies the events of a kind, in the transaction that marks them as applied. May see an event again."""


class WebhookInbox:
    """Receives events and applies them."""

    def __init__(
        self, database: Database, registry: Registry, vault: Vault, notices: Notices, handlers: EventHandlers
    ) -> None:
        self._database = database
        self._registry = registry
        self._vault = vault
        self._notices = notices
        self._handlers = handlers
        self._rejected: dict[str, int] = {}
        self._purged = 0.0

    def receiver(self, kind: str, instance_id: str) -> Instance[Any, Any]:
        """Return the instance that receives webhooks at this address, also while it is draining. Raises Absent."""
        instance = self._registry.instance(instance_id)
        if instance is None or instance.kind != kind or not instance.usable:
            raise Absent
        if not getattr(instance.capabilities, "webhooks", False) or not hasattr(instance.provider, "read_webhook"):
            raise Absent
        return instance

    async def receive(self, kind: str, instance_id: str, request: WebhookRequest) -> int:
        """Verify one call and store its events; return how many were new.

        Raises Absent, Malformed for a call that is not authentic, and NoProvider when it could not be read or stored:
        the vendor then sends it again.
        """
        instance = self.receiver(kind, instance_id)
        instance.acquire()
        try:
            events: Sequence[ProviderEvent] = await guarded(
                instance,
                lambda: instance.provider.read_webhook(request),
                result_type=list[ProviderEvent],
                limit_s=READ_LIMIT_S,
            )
        except WebhookRejected as error:
            log.info("webhook of %s rejected: %s", instance.id, error.detail)
            WEBHOOKS.labels(instance.kind, instance.id, "rejected").inc()
            self._rejected[instance.id] = self._rejected.get(instance.id, 0) + 1
            raise Malformed("This call is not authentic.", code="webhook_rejected") from error
        except ProviderError as error:
            WEBHOOKS.labels(instance.kind, instance.id, "unreadable").inc()
            log.error("webhook of %s could not be read: %s", instance.id, error.detail, exc_info=error)
            raise NoProvider("The call could not be read. Please send it again.", retry_after=60.0) from error
        new = await self._store(instance, request.body, events) if events else 0
        WEBHOOKS.labels(instance.kind, instance.id, "accepted" if new else "nothing_new").inc()
        return new

    async def _store(self, instance: Instance[Any, Any], body: bytes, events: Sequence[ProviderEvent]) -> int:
        delivery, moment = new_uuid_text(), clock.now()
        sealed = self._vault.seal(body.decode("latin-1"), place=place_of_delivery(instance.id, delivery))
        known = {_event_id(event): event for event in reversed(events)}
        rows = [
            {
                "kind": instance.kind,
                "instance_id": instance.id,
                "event_id": event_id,
                "topic": storable(event.topic, 64),
                "ref": storable(event.ref, 320),
                "state": "pending",
                "attempts": 0,
                "error": "",
                "run_after": moment,
                "received_at": moment,
                "delivery": delivery,
                "created_at": moment,
            }
            for event_id, event in sorted(known.items())
        ]
        async with self._database.write() as session:
            fresh = insert_into(session, WebhookEvent).on_conflict_do_nothing(
                index_elements=["instance_id", "event_id"]
            )
            new = len((await session.execute(fresh.returning(WebhookEvent.id), rows)).all())
            if new:
                kept = insert(WebhookDelivery)
                await session.execute(
                    kept.values(id=delivery, instance_id=instance.id, received_at=moment, body=sealed)
                )
        return new

    async def flush(self) -> None:
        """Store how many calls were rejected since the last time, and open a notice when they are many."""
        if not self._rejected:
            return
        counted, self._rejected = self._rejected, {}
        moment = clock.now()
        day = moment.strftime("%Y-%m-%d")
        async with self._database.write() as session:
            for instance_id, count in sorted(counted.items()):
                row = insert_into(session, WebhookRejection).values(
                    instance_id=instance_id, day=day, count=count, last_at=moment
                )
                change = row.on_conflict_do_update(
                    index_elements=["instance_id", "day"],
                    set_={"count": WebhookRejection.count + count, "last_at": moment},
                )
                today = (await session.execute(change.returning(WebhookRejection.count))).scalar_one()
                if today >= REJECTED_OFTEN:
                    self._notices.add(
                        "webhook_rejected",
                        instance_id,
                        WebhookRejected.code,
                        label=self._registry.label_of(instance_id),
                        today=str(today),
                    )

    async def run(self) -> None:
        """Apply events until cancelled; one failure does not end the loop."""
        pending = select(WebhookEvent.id).where(WebhookEvent.state == "pending")
        await repeat("inbox", self._step, waiting=Waiting(self._database, pending))

    async def _step(self) -> bool:
        if more := await self.apply_due():
            return more
        if abs(clock.now_unix() - self._purged) >= PURGE_EVERY_S:
            self._purged = clock.now_unix()
            await self.purge()
        return False

    async def apply_due(self) -> bool:
        """Apply the events that are due; return whether there may be more."""
        columns = (WebhookEvent.id, WebhookEvent.kind, *(_EVENT_COLUMNS))
        query = (
            select(*columns)
            .where(WebhookEvent.state == "pending", WebhookEvent.run_after <= clock.now())
            .where(~is_paused(WebhookEvent.job_kind))
            .order_by(WebhookEvent.run_after, WebhookEvent.id)
            .limit(BATCH)
        )
        async with self._database.read() as connection:
            due = (await connection.execute(query)).all()
        for row in due:
            event = InboxEvent(**{name: getattr(row, name) for name in InboxEvent.__struct_fields__})
            with working_on(WebhookEvent.job_kind, row.id):
                await self._apply(row.id, row.kind, event)
        return len(due) == BATCH

    async def _apply(self, row_id: int, kind: Kind, event: InboxEvent) -> None:
        """Pass one event to its handler. If several workers try, one applies it: the others find it taken."""
        handler = self._handlers.get(kind)
        ending = {"state": "applied" if handler else "ignored", "applied_at": clock.now() if handler else None}
        taken = update(WebhookEvent).where(WebhookEvent.id == row_id, WebhookEvent.state == "pending")
        try:
            async with self._database.write() as session:
                ours = await changed_rows(session, taken.values(error="", attempts=WebhookEvent.attempts + 1, **ending))
                if ours and handler is not None:
                    await handler(session, event)
            if ours:
                JOBS_ENDED.labels(WebhookEvent.job_kind, "completed").inc()
        except Exception as error:
            JOBS_ENDED.labels(WebhookEvent.job_kind, "retried").inc()
            log.warning("event %s of %s failed", event.event_id, event.instance_id, exc_info=error)
            await self._postpone(row_id, event, error)

    async def _postpone(self, row_id: int, event: InboxEvent, error: Exception) -> None:
        instance = self._registry.instance(event.instance_id)
        text = f"{type(error).__name__}: {error}"
        async with self._database.write() as session:
            query = select(WebhookEvent.attempts).where(WebhookEvent.id == row_id, WebhookEvent.state == "pending")
            tries = (await session.execute(query)).scalar_one_or_none()
            if tries is None:
                return
            tries += 1
            values = {
                "attempts": tries,
                "state": "failed" if tries >= MAX_TRIES else "pending",
                "error": storable(instance.redact(text) if instance else text, 300),
                "run_after": clock.now() + timedelta(seconds=BACKOFF.wait_s(tries)),
            }
            pending = update(WebhookEvent).where(WebhookEvent.id == row_id, WebhookEvent.state == "pending")
            await session.execute(pending.values(**values))

    async def purge(self) -> None:
        """Remove what is older than KEPT_FOR, except events that have not ended."""
        horizon = clock.now() - KEPT_FOR
        async with self._database.write() as session:
            old = WebhookEvent.received_at < horizon
            await session.execute(delete(WebhookEvent).where(old, WebhookEvent.state != "pending"))
            await session.execute(delete(WebhookDelivery).where(WebhookDelivery.received_at < horizon))
            await session.execute(delete(WebhookRejection).where(WebhookRejection.last_at < horizon))

    async def replay(self, event_id: int, actor: Actor) -> WebhookOut:
        """Apply an event once more, from the first try. Raises Absent."""
        again = update(WebhookEvent).where(WebhookEvent.id == event_id)
        fresh = {"state": "pending", "attempts": 0, "error": "", "run_after": clock.now(), "applied_at": None}
        async with self._database.write() as session:
            row = (await session.execute(again.values(**fresh).returning(*_OUT_COLUMNS))).one_or_none()
            if row is None:
                raise Absent("This event does not exist.")
            audit(session, "webhook.replay", actor_id=actor.id, ip=actor.ip, object=f"webhook:{row.id}")
        return WebhookOut(**row._asdict())

    async def page(
        self, *, instance: str | None, cursor: str | None, limit: int
    ) -> tuple[list[WebhookOut], str | None]:
        """Return one page, newest first, and the cursor of the next. Raises InvalidFields for a foreign cursor."""
        query = select(*_OUT_COLUMNS).order_by(WebhookEvent.id.desc()).limit(limit + 1)
        if instance is not None:
            query = query.where(WebhookEvent.instance_id == instance)
        if parts := decode_cursor(cursor, 1):
            query = query.where(WebhookEvent.id < cursor_id(parts[0]))
        async with self._database.scan() as connection:
            rows = (await connection.execute(query)).all()
        following = encode_cursor(rows[limit - 1].id) if len(rows) > limit else None
        return [WebhookOut(**row._asdict()) for row in rows[:limit]], following

    async def last(self) -> list[LastWebhook]:
        """Return when each instance that takes webhooks was last heard."""
        day = clock.now().strftime("%Y-%m-%d")
        heard_query = select(WebhookEvent.instance_id, func.max(WebhookEvent.received_at))
        heard_query = heard_query.group_by(WebhookEvent.instance_id)
        rejected_query = select(WebhookRejection.instance_id, WebhookRejection.count).where(WebhookRejection.day == day)
        async with self._database.scan() as connection:
            heard = dict((await connection.execute(heard_query)).tuples().all())
            rejected = dict((await connection.execute(rejected_query)).tuples().all())
        listed = {
            instance.id
            for instance in self._registry.snapshot.instances.values()
            if instance.usable and getattr(instance.capabilities, "webhooks", False)
        }
        return [
            LastWebhook(instance_id=name, last_at=heard.get(name), rejected_today=rejected.get(name, 0))
            for name in sorted(listed | heard.keys() | rejected.keys())
        ]


_EVENT_COLUMNS: Final = tuple(getattr(WebhookEvent, name) for name in InboxEvent.__struct_fields__)
_OUT_COLUMNS: Final = tuple(getattr(WebhookEvent, name) for name in WebhookOut.__struct_fields__)


def _event_id(event: ProviderEvent) -> str:
    """Return an event's id as it is stored. One that is too long is replaced by its digest, so ids stay distinct."""
    text = storable(event.event_id, EVENT_ID_CHARS)
    if text == event.event_id:
        return text
    digest = hashlib.sha256(event.event_id.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{text[: EVENT_ID_CHARS - len(digest) - 1]}-{digest}"
