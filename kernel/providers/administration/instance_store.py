"""Instances and the failover order from file and database, combined. Secrets are in clear only in memory."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

import msgspec
from sqlalchemy import RowMapping, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.core.data.database import ReadConnection, changed_rows, insert_into
from kernel.core.vault import Vault, VaultError
from kernel.providers.administration.model_prices import Prices, read_prices
from kernel.providers.administration.settings_upgrade import upgrade
from kernel.providers.instances.instance import Declaration
from kernel.providers.instances.registry import Registry, declared_in, failover_orders_in
from kernel.providers.instances.settings import secret_fields
from kernel.providers.kinds import KINDS
from kernel.providers.models import (
    FailoverOrder,
    ProviderCheck,
    ProviderInstance,
    ProviderPin,
    ProviderRevision,
    ProviderSecret,
)
from kernel.spi import Kind

Reader = ReadConnection | AsyncSession
Pins = Mapping[tuple[str, str, str], str]
"""Instance, kind and provider → the distribution."""

HINT_CHARS: Final = 4
HINTED_FROM_CHARS: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretSummary:
    """What may be shown of a stored secret."""

    hint: str | None
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredInstance:
    """One instance: its declaration, and which parts come from the file (`base`) and from the database.

    `row` is None for one that is only in the file. `sealed` names the secrets in the database. `upgraded`: its settings
    were migrated to the plugin's version and are not saved yet. `prices` are those that administrators have set.
    """

    declaration: Declaration
    in_file: bool
    base: Mapping[str, Any] = field(repr=False)
    row: RowMapping | None = field(default=None, repr=False)
    plain: Mapping[str, Any] = field(default_factory=dict, repr=False)
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    notes: Mapping[str, SecretSummary] = field(default_factory=dict)
    sealed: frozenset[str] = frozenset()
    upgraded: bool = False
    prices: Prices = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFailoverOrder:
    """The failover order of one kind; revision 0 is that of the file."""

    instances: tuple[str, ...]
    user_choice: bool = False
    revision: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredProviders:
    """Everything of one revision; instances in the order of the file, then by creation."""

    revision: int
    instances: Mapping[str, StoredInstance]
    failover_orders: Mapping[Kind, StoredFailoverOrder]

    def is_first(self, instance_id: str, kind: Kind, provider: str) -> bool:
        """Return whether an instance is, or would be, the first of its provider; only that may use the vendor's
        variables.
        """
        same = (
            held.declaration.id
            for held in self.instances.values()
            if (held.declaration.kind, held.declaration.provider) == (kind, provider)
        )
        return next(same, instance_id) == instance_id


def place_of(instance_id: str, field_name: str) -> str:
    """Return the place to which a stored secret is bound."""
    return f"provider_secret:{instance_id}:{field_name}"


def hint_of(secret: str) -> str | None:
    """Return the last characters of a secret that is long enough for that, or None."""
    return f"…{secret[-HINT_CHARS:]}" if len(secret) >= HINTED_FROM_CHARS else None


def is_mask(text: str) -> bool:
    """Return whether a text is what is shown in place of a secret: its hint, or asterisks and bullets only."""
    return (text.startswith("…") and len(text) <= 1 + HINT_CHARS) or (text != "" and not text.strip("*•●"))


async def save_check(session: AsyncSession, instance_id: str, ok: bool) -> None:
    """Store the result of a check of an instance's saved settings."""
    values = {"checked_at": clock.now(), "ok": ok}
    row = insert_into(session, ProviderCheck).values(instance_id=instance_id, **values)
    await session.execute(row.on_conflict_do_update(index_elements=["instance_id"], set_=values))


class InstanceStore:
    """Reads and writes the tables of instances and failover orders."""

    def __init__(self, registry: Registry, vault: Vault) -> None:
        self._plugins = registry.plugins
        self._vault = vault
        self._filed = {entry.id: entry for entry in declared_in(registry.config)}
        self._filed_orders = failover_orders_in(registry.config)

    async def revision(self, reader: Reader) -> int:
        """Return the newest revision; 0 when nothing was ever saved."""
        query = select(ProviderRevision.revision).where(ProviderRevision.id == 1)
        return (await reader.execute(query)).scalar_one_or_none() or 0

    async def next_revision(self, session: AsyncSession) -> int:
        """Begin a change: increment the revision, which blocks all other changes until the transaction has ended."""
        raised = (
            update(ProviderRevision)
            .where(ProviderRevision.id == 1)
            .values(revision=ProviderRevision.revision + 1)
            .returning(ProviderRevision.revision)
        )
        revision = (await session.execute(raised)).scalar_one_or_none()
        if revision is None:
            revision = 1
            await session.execute(insert(ProviderRevision).values(id=1, revision=revision))
        return revision

    async def load(self, reader: Reader) -> StoredProviders:
        """Read everything."""
        revision = await self.revision(reader)
        pins = {
            (pin.instance_id, pin.kind, pin.provider): pin.distribution
            for pin in await reader.execute(select(*ProviderPin.__table__.columns))
        }
        found = {entry.id: self._from_file(entry, pins) for entry in self._filed.values()}
        failover_orders = {kind: StoredFailoverOrder(instances=ids) for kind, ids in self._filed_orders.items()}
        if revision:
            sealed: defaultdict[str, list[RowMapping]] = defaultdict(list)
            for row in (await reader.execute(select(ProviderSecret.__table__))).mappings():
                sealed[row["instance_id"]].append(row)
            query = select(ProviderInstance.__table__).order_by(ProviderInstance.created_at, ProviderInstance.id)
            for row in (await reader.execute(query)).mappings():
                found[row["id"]] = self._from_row(row, sealed[row["id"]], pins)
            for row in (await reader.execute(select(FailoverOrder.__table__))).mappings():
                failover_orders[row["kind"]] = StoredFailoverOrder(
                    instances=tuple(row["instances"]), user_choice=row["user_choice"], revision=row["revision"]
                )
            for instance_id, prices in (await read_prices(reader)).items():
                if instance_id in found:
                    found[instance_id] = _with_prices(found[instance_id], prices)
        return StoredProviders(
            revision=revision, instances=found, failover_orders={kind: failover_orders[kind] for kind in KINDS}
        )

    def _from_file(self, declaration: Declaration, pins: Pins) -> StoredInstance:
        pin = pins.get((declaration.id, declaration.kind, declaration.provider))
        pinned = msgspec.structs.replace(declaration, distribution=pin)
        return StoredInstance(declaration=pinned, in_file=True, base=declaration.settings)

    def _from_row(self, row: RowMapping, sealed: list[RowMapping], pins: Pins) -> StoredInstance:
        filed = self._filed.get(row["id"])
        same = filed is not None and (filed.kind, filed.provider) == (row["kind"], row["provider"])
        base = filed.settings if filed is not None and same else {}
        plain, secrets, faults = dict(row["settings"]), {}, {}
        for entry in sealed:
            try:
                secrets[entry["field"]] = self._vault.open(entry["sealed"], place=place_of(row["id"], entry["field"]))
            except VaultError as error:
                faults[entry["field"]] = f"The stored secret cannot be opened ({error}). Enter it again."
        notice, upgraded = "", False
        offer = self._plugins.offer(row["kind"], row["provider"])
        pin = pins.get((row["id"], row["kind"], row["provider"]))
        if offer is not None and pin in (None, offer.distribution):
            now = upgrade(offer.spec, row["settings_version"], plain | secrets)
            hidden = secret_fields(offer.spec.settings)
            secrets = {name: text for name, text in now.values.items() if name in hidden and isinstance(text, str)}
            plain = {name: value for name, value in now.values.items() if name not in secrets}
            notice, upgraded = now.notice, now.changed and not faults
            if now.fault:
                faults[""] = now.fault
        stored = plain | secrets
        return StoredInstance(
            declaration=Declaration(
                id=row["id"],
                kind=row["kind"],
                provider=row["provider"],
                label=row["label"],
                settings={**base, **stored},
                enabled=row["enabled"],
                draining=row["draining"],
                filed=frozenset(base.keys() - stored.keys()),
                faults=faults,
                notice=notice,
                revision=row["revision"],
                distribution=pin,
            ),
            in_file=filed is not None,
            base=base,
            row=row,
            plain=plain,
            secrets=secrets,
            notes={
                entry["field"]: SecretSummary(hint=entry["hint"], updated_at=entry["updated_at"])
                for entry in sealed
                if entry["field"] in secrets or entry["field"] in faults
            },
            sealed=frozenset(entry["field"] for entry in sealed),
            upgraded=upgraded,
        )

    def unpinned(self, stored: StoredProviders) -> list[dict[str, str]]:
        """Return the rows that pin instances without a pin to the distribution that offers their provider now."""
        declared = [held.declaration for held in stored.instances.values() if held.declaration.distribution is None]
        return [
            {"instance_id": one.id, "kind": one.kind, "provider": one.provider, "distribution": offer.distribution}
            for one in declared
            if (offer := self._plugins.offer(one.kind, one.provider)) is not None
        ]

    async def pin(self, session: AsyncSession, rows: list[dict[str, str]]) -> None:
        """Store pins; one that another process has stored first stays."""
        await session.execute(insert_into(session, ProviderPin).values(rows).on_conflict_do_nothing())

    async def unpin(self, session: AsyncSession, instance_id: str) -> None:
        """Let an instance be provided by the distribution that offers its provider now."""
        await session.execute(delete(ProviderPin).where(ProviderPin.instance_id == instance_id))

    async def save_upgrades(self, session: AsyncSession, saved: StoredProviders) -> None:
        """Save settings that were migrated to their plugin's version, unless they were changed meanwhile."""
        for held in saved.instances.values():
            if not held.upgraded or held.row is None:
                continue
            offer = self._plugins.offer(held.declaration.kind, held.declaration.provider)
            statement = (
                update(ProviderInstance)
                .where(
                    ProviderInstance.id == held.declaration.id,
                    ProviderInstance.settings_version == held.row["settings_version"],
                    ProviderInstance.revision == held.row["revision"],
                )
                .values(settings=dict(held.plain), settings_version=offer.spec.settings_version if offer else 1)
            )
            if await changed_rows(session, statement):
                gone = dict.fromkeys(held.sealed - held.secrets.keys())
                await self.save_secrets(session, held.declaration.id, {**held.secrets, **gone})

    async def save_secrets(self, session: AsyncSession, instance_id: str, secrets: Mapping[str, str | None]) -> None:
        """Encrypt and store secrets; None removes one."""
        if not secrets:
            return
        await session.execute(
            delete(ProviderSecret).where(
                ProviderSecret.instance_id == instance_id, ProviderSecret.field.in_(list(secrets))
            )
        )
        rows = [
            {
                "instance_id": instance_id,
                "field": name,
                "sealed": self._vault.seal(text, place=place_of(instance_id, name)),
                "hint": hint_of(text),
                "updated_at": clock.now(),
            }
            for name, text in secrets.items()
            if text is not None
        ]
        if rows:
            await session.execute(insert(ProviderSecret), rows)

    async def save_failover_order(self, session: AsyncSession, kind: Kind, order: StoredFailoverOrder) -> None:
        """Store the failover order of a kind."""
        values = {"instances": list(order.instances), "user_choice": order.user_choice, "revision": order.revision}
        if not await changed_rows(session, update(FailoverOrder).where(FailoverOrder.kind == kind).values(**values)):
            await session.execute(insert(FailoverOrder).values(kind=kind, **values))


def _with_prices(held: StoredInstance, prices: Prices) -> StoredInstance:
    micros = {model: price.micros for model, price in prices.items()}
    return replace(held, prices=prices, declaration=msgspec.structs.replace(held.declaration, prices=micros))
