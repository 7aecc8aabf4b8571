"""Reviews notices: opens those that follow from the current state, and resolves those whose cause has ended."""

import logging
import shutil
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final, cast

from sqlalchemy import func, select

from kernel.core import clock
from kernel.core.data.database import Database, ReadConnection
from kernel.providers.instances.instance import Instance
from kernel.providers.instances.registry import Registry
from kernel.providers.models import Attempt, ProviderCheck, Spend
from kernel.providers.notices.service import Key, NewNotice, NoticeKind, Notices, OpenNotice, open_notices, resolve
from kernel.providers.plugins.loader import Plugins
from kernel.providers.spending.budgets import read_limits
from kernel.spi import ImageCapabilities

log = logging.getLogger(__name__)

Found = Iterator[tuple[Key, NewNotice]]

SETTLING: Final = timedelta(seconds=5)
"""A newer notice is left alone: this process may not know its cause yet."""

QUIET: Final = timedelta(minutes=10)
"""A notice about single calls is resolved when the latest succeeded and none has failed for this long."""

UNTROUBLED: Final = timedelta(days=1)

DISPUTED: Final = timedelta(days=21)
"""Banks require the answer to a dispute sooner than that."""

RETIRING_DAYS: Final = (
    (0, "retired"),
    (7, "retires_in_7_days"),
    (30, "retires_in_30_days"),
    (60, "retires_in_60_days"),
)
NEAR_SHARE: Final = 0.8

CHECK_FAILED: Final = "check_failed"
"""Code of a notice that a background check opened."""

_WORSENING: Final = (
    ("near", "reached"),
    tuple(code for _, code in reversed(RETIRING_DAYS)),
)
"""Codes of one kind of notice, from bad to worst."""


class NoticeReview:
    """Compares open notices with the current state. Any process may do it, at any time."""

    def __init__(self, registry: Registry, database: Database, notices: Notices) -> None:
        self._registry = registry
        self._database = database
        self._notices = notices
        self._disk_low = False

    async def run(self) -> None:
        """Open missing notices, resolve those whose cause has ended."""
        instances = list(self._registry.snapshot.instances.values())
        async with self._database.scan() as connection:
            standing = await open_notices(connection)
            now_true = (
                dict(_of_instances(instances))
                | dict(_of_plugins(self._registry.plugins))
                | dict(await self._of_budgets(connection))
                | dict(self._of_disk())
            )
            well = await _last_success(connection, {entry.instance_id for entry in standing if _of_calls(entry)})
            failing = await _failed_checks(connection, {instance.id for instance in instances if instance.usable})
        known = {entry.key: entry for entry in standing}
        for key, notice in now_true.items():
            if key not in known or _worse(notice.code, known[key].code):
                kind, instance_id = key
                self._notices.add(cast(NoticeKind, kind), instance_id, notice.code, **notice.params)
        held = now_true.keys() | {
            entry.key for entry in standing if entry.code == CHECK_FAILED and entry.instance_id in failing
        }
        held |= {(kind, instance.id) for instance in instances for kind in _kinds_of_circuit(instance)}
        over = [
            entry.id
            for entry in standing
            if entry.key not in held and (_is_over(entry, well) or self._is_orphaned(entry))
        ]
        if over:
            async with self._database.write() as session:
                await resolve(session, over)

    def _is_orphaned(self, entry: OpenNotice) -> bool:
        """Return whether a notice is about an instance that was removed."""
        gone = entry.instance_id != "" and self._registry.instance(entry.instance_id) is None
        return gone and clock.now() - entry.last_at > SETTLING

    def _of_disk(self) -> Found:
        """Return a notice while the data folder has too little room; say it in the log too, which needs no database."""
        config = self._registry.config
        if not config.data_dir.exists():  # nothing is kept on this machine
            return
        free = shutil.disk_usage(config.data_dir).free
        low = free < config.pictures.min_free_bytes
        if low and not self._disk_low:
            log.error("only %d MB are free in %s: no cover is made until there is room", free // 1e6, config.data_dir)
        elif self._disk_low and not low:
            log.info("there is room in %s again", config.data_dir)
        self._disk_low = low
        if low:
            yield (
                ("disk_full", ""),
                NewNotice(code="low", params={"detail": f"{free // 1e6:.0f} MB, {config.data_dir}"}),
            )

    async def _of_budgets(self, connection: ReadConnection) -> Found:
        """Return notices for monthly budgets that are nearly or wholly spent."""
        limits = {key: limit for key, limit in (await read_limits(connection)).items() if key[0] != "user_day"}
        if not limits:
            return iter(())
        month = clock.month_of(clock.now())
        query = select(Spend.scope, Spend.subject, Spend.spent_micros).where(
            Spend.period == month, Spend.scope.in_(("site_month", "instance_month"))
        )
        spent = {(scope, subject): micros for scope, subject, micros in await connection.execute(query)}
        return self._budget_notices(limits, spent)

    def _budget_notices(self, limits: Mapping[tuple[str, str], int], spent: Mapping[tuple[str, str], int]) -> Found:
        for (scope, subject), limit in limits.items():
            micros = spent.get((scope, subject), 0)
            instance = self._registry.instance(subject)
            if micros < NEAR_SHARE * limit or (scope == "instance_month" and instance is None):
                continue
            params = {
                "label": instance.label if instance else "",
                "spentMicros": str(micros),
                "limitMicros": str(limit),
            }
            yield ("budget_reached", subject), NewNotice(code="reached" if micros >= limit else "near", params=params)


def _of_instances(instances: Sequence[Instance[Any, Any]]) -> Found:
    """Return notices for instances that need no call to be found."""
    today = clock.now().date()
    for instance in instances:
        about = {"label": instance.label, "provider": instance.provider_id}
        if instance.state in ("needs_attention", "missing"):
            yield (
                ("needs_attention", instance.id),
                NewNotice(code=instance.state, params=about | {"detail": instance.reason}),
            )
        elif instance.notice:
            yield (
                ("update_failed", instance.id),
                NewNotice(code="settings_not_in_use", params=about | {"detail": instance.notice}),
            )
        if instance.usable and isinstance(instance.capabilities, ImageCapabilities):
            yield from _retiring(instance, today)


def _of_plugins(plugins: Plugins) -> Found:
    """Return one notice for the first plugin that claims what another one has; the list of plugins shows all."""
    for clash in plugins.clashes[:1]:
        params = {"label": clash.distribution or clash.plugin, "claimed": clash.claimed, "holder": clash.holder}
        yield ("plugin_clash", ""), NewNotice(code="taken", params=params)


def _retiring(instance: Instance[Any, Any], today: date) -> Found:
    """Return a notice for the model of an instance that ends next, once that is near."""
    coming = []
    for entry in instance.capabilities.retirements:
        try:
            coming.append((date.fromisoformat(entry.day), entry))
        except ValueError:
            continue
    if not coming:
        return
    day, entry = min(coming, key=lambda pair: pair[0])
    left = (day - today).days
    code = next((code for days, code in RETIRING_DAYS if left <= days), None)
    if code is not None:
        params = {"label": instance.label, "model": entry.model, "day": entry.day, "replacement": entry.replacement}
        yield ("model_retiring", instance.id), NewNotice(code=code, params=params)


def _kinds_of_circuit(instance: Instance[Any, Any]) -> tuple[str, ...]:
    """Return the kinds of notice that stay open while the circuit is as it is."""
    if not instance.usable:
        return ()
    match instance.health.state:
        case "down" | "limited":  # a probe that was rate limited does not prove that the service works
            return ("instance_down",)
        case "attention":
            return ("needs_attention", "quota_exhausted", "instance_down")
        case "up":
            return ()


def _worse(code: str, known: str) -> bool:
    """Return whether a condition is worse than its open notice says."""
    return any(code in codes and known in codes and codes.index(code) > codes.index(known) for codes in _WORSENING)


def _of_calls(entry: OpenNotice) -> bool:
    return entry.kind in ("fallback_used", "provider_bug")


def _is_over(entry: OpenNotice, well: Mapping[str, datetime]) -> bool:
    age = clock.now() - entry.last_at
    if entry.kind in ("webhook_rejected", "signing_failed"):
        return age > UNTROUBLED
    if entry.kind == "certificate_ending":  # whoever knows the certificate resolves it
        return False
    if entry.kind == "payment_disputed":
        return age > DISPUTED
    if entry.kind == "budget_reached":  # large calls may not fit long before the whole budget is spent
        return age > QUIET
    if _of_calls(entry):
        return age > QUIET and well.get(entry.instance_id, entry.last_at) > entry.last_at
    return age > SETTLING


async def _last_success(connection: ReadConnection, ids: set[str]) -> dict[str, datetime]:
    if not ids:
        return {}
    query = (
        select(Attempt.instance_id, func.max(Attempt.started_at))
        .where(Attempt.instance_id.in_(ids), Attempt.outcome == "ok")
        .group_by(Attempt.instance_id)
    )
    return dict((await connection.execute(query)).tuples().all())


async def _failed_checks(connection: ReadConnection, ids: set[str]) -> set[str]:
    """Return those of the instances whose last check failed."""
    query = select(ProviderCheck.instance_id).where(ProviderCheck.ok.is_(False))
    return ids.intersection((await connection.execute(query)).scalars())
