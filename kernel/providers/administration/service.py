"""The rules for changing instances and the failover order. Takes a session; knows no HTTP and no vendor."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import delete, insert, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.core.audit import Actor, audit
from kernel.core.errors import Absent, Conflict, InvalidFields
from kernel.core.vault import Vault
from kernel.providers.administration.drafts import CheckTokens, Draft, make_draft
from kernel.providers.administration.instance_store import (
    InstanceStore,
    StoredFailoverOrder,
    StoredInstance,
    StoredProviders,
    save_check,
)
from kernel.providers.administration.price_settings import set_prices
from kernel.providers.administration.provider_usage import ProviderUsage
from kernel.providers.administration.schemas import DraftIn, InstanceChange, InstanceIn, PricesIn
from kernel.providers.instances.instance import Declaration
from kernel.providers.instances.registry import Registry
from kernel.providers.models import Budget, ModelPrice, ProviderCheck, ProviderInstance
from kernel.providers.plugins.loader import ID_PATTERN, Offer
from kernel.spi import Kind

RESERVED: Final = frozenset({"check", "passkey", "reauthenticate", "second-factor"})
"""Ids that would collide with an address of the API."""

MAX_SLUG: Final = 32

UNCHECKED: Final = "Please check these settings first, or save them unchecked."
LAST_WAY_IN: Final = "Administrators could no longer sign in. Set up another way to sign in first."


class InstanceService:
    """Creates, changes and removes instances, and orders them."""

    def __init__(self, registry: Registry, store: InstanceStore, vault: Vault, usage: ProviderUsage) -> None:
        self._registry = registry
        self._store = store
        self._usage = usage
        self.tokens: Final = CheckTokens(vault)

    def draft(self, stored: StoredProviders, wanted: DraftIn) -> Draft:
        """Return the draft to check. Raises InvalidFields for an unknown provider, or another than the instance's."""
        held = stored.instances.get(wanted.id or "")
        if held is not None and (held.declaration.kind, held.declaration.provider) != (wanted.kind, wanted.provider):
            raise InvalidFields({"provider": f"`{wanted.id}` is an instance of another provider."})
        return self._draft(stored, held, wanted.id or "", wanted.kind, wanted.provider, wanted.settings)

    def find(self, stored: StoredProviders, instance_id: str) -> StoredInstance:
        """Return an instance. Raises Absent."""
        held = stored.instances.get(instance_id)
        if held is None:
            raise Absent
        return held

    async def create(self, session: AsyncSession, wanted: InstanceIn, actor: Actor) -> str:
        """Store a new instance, last in its failover order or first; return its id.

        Raises InvalidFields, and Conflict unless its settings were checked.
        """
        revision, stored = await self._begin(session)
        instance_id = wanted.id or _free_id(wanted.label, wanted.provider, stored)
        if instance_id in stored.instances or instance_id in RESERVED:
            raise InvalidFields({"id": "This id is taken."})
        draft = self._draft(stored, None, instance_id, wanted.kind, wanted.provider, wanted.settings)
        forced = not self._accept(draft, wanted.check_token, wanted.force)
        label = _label(wanted.label)
        declaration = msgspec.structs.replace(draft.declaration, label=label, enabled=wanted.enabled)
        await self._write(session, None, declaration, draft, revision, actor)
        if wanted.add_to_route:
            order = stored.failover_orders[wanted.kind]
            first, last = ((instance_id,), ()) if wanted.first_in_route else ((), (instance_id,))
            longer = StoredFailoverOrder(
                instances=(*first, *order.instances, *last), user_choice=order.user_choice, revision=revision
            )
            await self._store.save_failover_order(session, wanted.kind, longer)
        await self.record_check(session, instance_id, None if forced else True)
        self._audit(session, actor, "instance.create", f"instance:{instance_id}", forced, draft.keys)
        return instance_id

    async def change(self, session: AsyncSession, instance_id: str, wanted: InstanceChange, actor: Actor) -> None:
        """Change an instance. Raises Absent, InvalidFields, and Conflict unless changed settings were checked."""
        revision, stored = await self._begin(session)
        held = self.find(stored, instance_id)
        before = held.declaration
        given = {} if isinstance(wanted.settings, msgspec.UnsetType) else wanted.settings
        draft = self._draft(stored, held, before.id, before.kind, before.provider, given) if given else None
        forced = False
        if draft is not None:
            if draft.changed:
                forced = not self._accept(draft, wanted.check_token, wanted.force)
            elif draft.problems:
                raise InvalidFields(draft.problems)
        label, enabled, draining = before.label, before.enabled, before.draining
        if not isinstance(wanted.label, msgspec.UnsetType):
            label = _label(wanted.label)
        if not isinstance(wanted.enabled, msgspec.UnsetType):
            enabled = wanted.enabled
        if not isinstance(wanted.draining, msgspec.UnsetType):
            draining = wanted.draining
        after = msgspec.structs.replace(
            draft.declaration if draft else before, label=label, enabled=enabled, draining=draining
        )
        if after == before:
            return
        if (before.enabled and not enabled) or (draining and not before.draining):
            await self._ensure_admin_signin(session, stored, before.kind, without=instance_id)
        await self._write(session, held, after, draft, revision, actor)
        if after.distribution is None:
            await self._store.unpin(session, instance_id)
        if draft is not None and draft.changed:
            await self.record_check(session, instance_id, None if forced else True)
        named = [name for name in ("label", "enabled", "draining") if getattr(wanted, name) is not msgspec.UNSET]
        keys = (*named, *(draft.keys if draft else ()))
        self._audit(session, actor, "instance.change", f"instance:{instance_id}", forced, keys)

    async def set_prices(self, session: AsyncSession, instance_id: str, wanted: PricesIn, actor: Actor) -> None:
        """Set what pictures cost at an instance. Raises Absent and InvalidFields."""
        _, stored = await self._begin(session)
        held = self.find(stored, instance_id)
        await set_prices(session, self._registry, instance_id, held.prices, wanted.prices, actor)

    async def delete(self, session: AsyncSession, instance_id: str, actor: Actor) -> None:
        """Remove an instance that nothing names, also from its failover order. Raises Absent and Conflict."""
        revision, stored = await self._begin(session)
        held = self.find(stored, instance_id)
        kind = held.declaration.kind
        if held.in_file:
            raise Conflict("This instance is declared in the configuration file. Disable it.", code="declared_in_file")
        count = await self._usage.count(await session.connection(), kind, instance_id)
        if count:
            what = self._usage.what(kind)
            raise Conflict(f"This instance is still in use ({what}: {count:,}).", code="in_use")
        order = stored.failover_orders[kind]
        await self._ensure_admin_signin(session, stored, kind, without=instance_id)
        if instance_id in order.instances:
            left = tuple(other for other in order.instances if other != instance_id)
            shorter = StoredFailoverOrder(instances=left, user_choice=order.user_choice, revision=revision)
            await self._store.save_failover_order(session, kind, shorter)
        await self._store.save_secrets(session, instance_id, dict.fromkeys(held.sealed))
        await self._store.unpin(session, instance_id)
        await session.execute(delete(ProviderCheck).where(ProviderCheck.instance_id == instance_id))
        await session.execute(delete(Budget).where(Budget.scope == "instance_month", Budget.subject == instance_id))
        await session.execute(delete(ModelPrice).where(ModelPrice.instance_id == instance_id))
        await session.execute(delete(ProviderInstance).where(ProviderInstance.id == instance_id))
        self._audit(session, actor, "instance.delete", f"instance:{instance_id}", False, ())

    async def order(
        self, session: AsyncSession, kind: Kind, ids: Sequence[str], user_choice: bool | None, actor: Actor
    ) -> None:
        """Store the failover order of a kind; `user_choice` None keeps it. Raises InvalidFields and Conflict."""
        revision, stored = await self._begin(session)
        if wrong := _wrong_ids(stored, kind, ids):
            raise InvalidFields({"instances": wrong})
        await self._ensure_admin_signin(session, stored, kind, ids)
        before = stored.failover_orders[kind]
        choice = before.user_choice if user_choice is None else user_choice
        await self._store.save_failover_order(
            session, kind, StoredFailoverOrder(instances=tuple(ids), user_choice=choice, revision=revision)
        )
        keys = ["instances"] * (tuple(ids) != before.instances) + ["userChoice"] * (choice != before.user_choice)
        self._audit(session, actor, "route.change", f"route:{kind}", False, keys)

    async def record_check(self, session: AsyncSession, instance_id: str, ok: bool | None) -> None:
        """Store the result of a check of the saved settings; None deletes it, because they have changed since."""
        if ok is None:
            await session.execute(delete(ProviderCheck).where(ProviderCheck.instance_id == instance_id))
            return
        await save_check(session, instance_id, ok)

    async def _begin(self, session: AsyncSession) -> tuple[int, StoredProviders]:
        """Wait for other changes to end, and read the current state."""
        revision = await self._store.next_revision(session)
        stored = await self._store.load(session)
        await self._store.save_upgrades(session, stored)
        return revision, stored

    def _draft(
        self,
        stored: StoredProviders,
        held: StoredInstance | None,
        instance_id: str,
        kind: Kind,
        provider: str,
        changes: Mapping[str, Any],
    ) -> Draft:
        offer: Offer | None = self._registry.plugins.offer(kind, provider)
        if offer is None:
            raise InvalidFields({"provider": f"No plugin offers the {kind} provider `{provider[:40]}`."})
        base = (
            held.declaration
            if held
            else Declaration(id=instance_id, kind=kind, provider=provider, label="", settings={})
        )
        return make_draft(
            offer,
            held,
            base,
            changes,
            env=self._registry.env,
            first=stored.is_first(instance_id, kind, provider),
        )

    def _accept(self, draft: Draft, token: str | None, force: bool) -> bool:
        """Return whether the draft has passed a check; without one it is accepted only by force."""
        if draft.problems:
            raise InvalidFields(draft.problems)
        proven = self.tokens.proves(token, draft.mark)
        if not proven and not force:
            raise Conflict(UNCHECKED, code="check_required")
        return proven

    async def _write(
        self,
        session: AsyncSession,
        held: StoredInstance | None,
        after: Declaration,
        draft: Draft | None,
        revision: int,
        actor: Actor,
    ) -> None:
        """Store the row, and its settings and secrets where they were given."""
        values: dict[str, Any] = {
            "label": after.label,
            "enabled": after.enabled,
            "draining": after.draining,
            "revision": revision,
            "updated_at": clock.now(),
            "updated_by": actor.id,
        }
        offer = self._registry.plugins.offer(after.kind, after.provider)
        if draft is not None:
            values |= {"settings": draft.plain, "settings_version": offer.spec.settings_version if offer else 1}
        if held is not None and held.row is not None:
            await session.execute(update(ProviderInstance).where(ProviderInstance.id == after.id).values(**values))
        else:
            more = {"id": after.id, "kind": after.kind, "provider": after.provider, "created_at": clock.now()}
            plain = {"settings": {}, "settings_version": offer.spec.settings_version if offer else 1}
            await session.execute(insert(ProviderInstance).values(**{**plain, **values, **more}))
        if draft is not None:
            await self._store.save_secrets(session, after.id, draft.secrets)

    async def _ensure_admin_signin(
        self,
        session: AsyncSession,
        stored: StoredProviders,
        kind: Kind,
        order: Sequence[str] | None = None,
        *,
        without: str = "",
    ) -> None:
        """Raise Conflict when no administrator could sign in any more, with the stored failover order or the given one.

        Instances that do not work now do not count, nor those just switched off by another process, which this one may
        not know yet.
        """
        if kind != "signin":
            return
        for instance_id in stored.failover_orders[kind].instances if order is None else order:
            instance, held = self._registry.instance(instance_id), stored.instances.get(instance_id)
            if instance_id == without or instance is None or instance.state != "ready":
                continue
            if held is None or not held.declaration.enabled or held.declaration.draining:
                continue
            if await self._usage.is_admin_signin(await session.connection(), instance):
                return
        raise Conflict(LAST_WAY_IN, code="last_sign_in")

    def _audit(
        self, session: AsyncSession, actor: Actor, action: str, about: str, forced: bool, keys: Sequence[str]
    ) -> None:
        outcome = "forced" if forced else "ok"
        audit(session, action, actor_id=actor.id, ip=actor.ip, object=about, outcome=outcome, keys=keys)


def _label(text: str) -> str:
    """Return a label without surrounding whitespace. Raises InvalidFields for an empty one."""
    label = text.strip()
    if not label:
        raise InvalidFields({"label": "This field must not be empty."})
    return label


def _wrong_ids(stored: StoredProviders, kind: Kind, ids: Sequence[str]) -> str:
    """Return a sentence about ids that cannot be in this failover order, or nothing."""
    for index, instance_id in enumerate(ids):
        held = stored.instances.get(instance_id)
        if held is None:
            return f"There is no instance `{instance_id}`."
        if held.declaration.kind != kind:
            return f"`{instance_id}` is of the kind {held.declaration.kind}."
        if instance_id in ids[:index]:
            return f"`{instance_id}` is there twice."
    return ""


def _free_id(label: str, provider: str, stored: StoredProviders) -> str:
    """Make an id from the label, or from the provider's where the label has no Latin letters."""
    plain = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:MAX_SLUG].rstrip("-")
    if not ID_PATTERN.fullmatch(slug):
        slug = provider[:MAX_SLUG].rstrip("-")
    number, found = 1, slug
    while found in stored.instances or found in RESERVED:
        number += 1
        found = f"{slug}-{number}"
    return found
