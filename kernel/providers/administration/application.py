"""The administration's use cases: each saves in one transaction, applies the result and notifies other processes."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import msgspec

from kernel.core.audit import Actor, audit
from kernel.core.data.database import Database
from kernel.core.errors import Conflict, InvalidFields, NoProvider
from kernel.core.vault import Vault
from kernel.providers.administration.connection_check import Checked, Checker
from kernel.providers.administration.instance_store import InstanceStore
from kernel.providers.administration.instance_summaries import InstanceSummaries
from kernel.providers.administration.kit_reports import kit_report
from kernel.providers.administration.provider_usage import ProviderUsage
from kernel.providers.administration.revision_follower import RevisionFollower
from kernel.providers.administration.schemas import (
    CheckOut,
    DraftIn,
    InstanceChange,
    InstanceIn,
    InstanceOut,
    PluginOut,
    PricesIn,
    RouteIn,
    RouteOut,
    StepOut,
)
from kernel.providers.administration.service import InstanceService
from kernel.providers.calls.guard import guarded
from kernel.providers.instances.instance import Declaration
from kernel.providers.instances.registry import Registry
from kernel.providers.instances.settings import webhook_field
from kernel.spi import CheckStep, Kind, ProviderError, Secret, WebhookSetup

WEBHOOK_LIMIT_S: Final = 60.0

OnStep = Callable[[StepOut], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRun:
    """Settings that are to be checked: the saved ones, or a draft.

    `keys` names what the draft changes; `mark` identifies the settings for the check token, None without a draft.
    """

    declaration: Declaration
    first: bool
    saved: bool
    fresh: bool
    keys: tuple[str, ...]
    problems: dict[str, str]
    mark: bytes | None = field(default=None, repr=False)


class Administration:
    """What administrators do with plugins, instances and the failover order. Close it with `aclose`."""

    def __init__(
        self,
        database: Database,
        registry: Registry,
        store: InstanceStore,
        vault: Vault,
        following: RevisionFollower,
        usage: ProviderUsage,
    ) -> None:
        self._database = database
        self._registry = registry
        self._following = following
        self._service = InstanceService(registry, store, vault, usage)
        self._checker = Checker(registry)
        self.views: Final = InstanceSummaries(registry, usage)

    async def plugins(self) -> list[PluginOut]:
        """Return the state of every plugin."""
        folder = self._registry.config.data_dir
        records = self._registry.plugins.records
        reports = await asyncio.to_thread(lambda: [kit_report(folder, record.distribution) for record in records])
        return [
            PluginOut(
                name=record.name,
                distribution=record.distribution,
                version=record.version,
                state=record.state,
                reason=record.reason,
                providers=list(record.providers),
                load_ms=record.load_ms,
                kit=report,
            )
            for record, report in zip(records, reports, strict=True)
        ]

    async def instances(self) -> list[InstanceOut]:
        """Return all instances."""
        stored = await self._following.now()
        async with self._database.scan() as connection:
            return await self.views.instances(connection, stored)

    async def instance(self, instance_id: str) -> InstanceOut:
        """Return one instance. Raises Absent."""
        stored = await self._following.now()
        self._service.find(stored, instance_id)
        async with self._database.scan() as connection:
            return (await self.views.instances(connection, stored, instance_id))[0]

    async def create(self, wanted: InstanceIn, actor: Actor) -> InstanceOut:
        """Create an instance and start using it."""
        async with self._database.write() as session:
            instance_id = await self._service.create(session, wanted, actor)
        await self._following.announce()
        return await self.instance(instance_id)

    async def change(self, instance_id: str, wanted: InstanceChange, actor: Actor) -> InstanceOut:
        """Change an instance and apply the change. One that was rebuilt starts in good health, in all processes."""
        before = self._registry.instance(instance_id)
        async with self._database.write() as session:
            await self._service.change(session, instance_id, wanted, actor)
        await self._following.announce()
        after = self._registry.instance(instance_id)
        if after is not None and after is not before:
            after.health.reset()
        return await self.instance(instance_id)

    async def set_prices(self, instance_id: str, wanted: PricesIn, actor: Actor) -> InstanceOut:
        """Set what pictures cost at an instance. Raises Absent and InvalidFields."""
        await self._following.now()  # a model may be new
        async with self._database.write() as session:
            await self._service.set_prices(session, instance_id, wanted, actor)
        await self._following.announce()
        return await self.instance(instance_id)

    async def delete(self, instance_id: str, actor: Actor) -> None:
        """Delete an instance."""
        async with self._database.write() as session:
            await self._service.delete(session, instance_id, actor)
        await self._following.announce()

    async def routes(self) -> list[RouteOut]:
        """Return the failover order of all kinds."""
        return self.views.failover_orders(await self._following.now())

    async def route(self, kind: Kind) -> RouteOut:
        """Return the failover order of one kind."""
        return self.views.failover_order(await self._following.now(), kind)

    async def order(self, kind: Kind, wanted: RouteIn, actor: Actor) -> RouteOut:
        """Save the failover order of a kind and apply it."""
        choice = None if isinstance(wanted.user_choice, msgspec.UnsetType) else wanted.user_choice
        async with self._database.write() as session:
            await self._service.order(session, kind, wanted.instances, choice, actor)
        return self.views.failover_order(await self._following.announce(), kind)

    async def trial(self, wanted: DraftIn) -> CheckRun:
        """Prepare the check of a draft. Raises InvalidFields for an unknown provider."""
        stored = await self._following.now()
        draft = self._service.draft(stored, wanted)
        return CheckRun(
            declaration=draft.declaration,
            first=draft.first,
            saved=False,
            fresh=wanted.id not in stored.instances,
            keys=draft.keys,
            problems=draft.problems,
            mark=draft.mark,
        )

    async def trial_of(self, instance_id: str) -> CheckRun:
        """Prepare the check of the saved settings. Raises Absent, and InvalidFields when its plugin is missing."""
        stored = await self._following.now()
        declaration = self._service.find(stored, instance_id).declaration
        if self._registry.plugins.offer(declaration.kind, declaration.provider) is None:
            raise InvalidFields({"provider": f"No plugin offers the provider `{declaration.provider}`."})
        first = stored.is_first(instance_id, declaration.kind, declaration.provider)
        return CheckRun(declaration=declaration, first=first, saved=True, fresh=False, keys=(), problems={})

    async def check_quietly(self, instance_id: str) -> CheckOut:
        """Check the saved settings for a shell command, without audit. Raises Absent."""
        return await self.check(await self.trial_of(instance_id), None)

    async def check(self, run: CheckRun, actor: Actor | None, on_step: OnStep | None = None) -> CheckOut:
        """Run the check, report every step as it ends, and record that it was run."""

        def listen(step: CheckStep) -> None:
            if on_step is not None:
                on_step(_step(step))

        checked = None
        if not run.problems:
            checked = await self._checker.check(
                run.declaration, first=run.first, fresh=run.fresh, listen=listen if on_step else None
            )
        ok = checked is not None and checked.ok
        declaration = run.declaration
        about = (
            f"instance:{declaration.id}" if declaration.id else f"provider:{declaration.kind}:{declaration.provider}"
        )
        async with self._database.write() as session:
            if run.saved:
                await self._service.record_check(session, declaration.id, ok)
            outcome = "ok" if ok else "failed"
            audit(
                session,
                "instance.check",
                actor_id=actor.id if actor else None,
                ip=actor.ip if actor else "",
                object=about,
                outcome=outcome,
                keys=run.keys,
            )
        if run.saved and ok and (running := self._registry.instance(declaration.id)) is not None:
            running.health.reset()
        token = self._service.tokens.make(run.mark) if ok and run.mark is not None else None
        return _report(checked, run.problems, token)

    async def set_up_webhook(self, instance_id: str, actor: Actor) -> InstanceOut:
        """Register this instance's webhook at the vendor, and store its signing secret.

        Raises Absent, Conflict where this cannot be done here or the vendor refuses, InvalidFields where the operator
        has set the secret, and NoProvider while the vendor does not answer.
        """
        stored = await self._following.now()
        declared = self._service.find(stored, instance_id).declaration
        offer = self._registry.plugins.offer(declared.kind, declared.provider)
        name = webhook_field(offer.spec.settings) if offer is not None else None
        instance = self._registry.instance(instance_id)
        if name is None or instance is None or not instance.usable or not isinstance(instance.provider, WebhookSetup):
            raise Conflict("The webhook of this instance cannot be set up from here.", code="no_webhook_setup")
        trying = DraftIn(kind=declared.kind, provider=declared.provider, id=instance_id, settings={name: "pending"})
        if name in (problems := self._service.draft(stored, trying).problems):
            raise InvalidFields({name: problems[name]})
        provider, address = instance.provider, self.views.webhook_address(declared.kind, instance_id)
        instance.acquire()
        try:
            secret = await guarded(
                instance, lambda: provider.create_webhook(address), result_type=Secret, limit_s=WEBHOOK_LIMIT_S
            )
        except ProviderError as error:
            if error.retry:
                raise NoProvider(f"{instance.label} does not answer: {error.detail}", retry_after=30.0) from error
            raise Conflict(f"{instance.label} refused: {error.detail}", code="webhook_refused") from error
        return await self.change(instance_id, InstanceChange(settings={name: secret.reveal()}, force=True), actor)

    async def aclose(self) -> None:
        """Wait for checked instances that are still closing."""
        await self._checker.aclose()


def _step(step: CheckStep) -> StepOut:
    return StepOut(name=step.name, status=step.status, detail=step.detail, field=step.field)


def _report(checked: Checked | None, problems: dict[str, str], token: str | None) -> CheckOut:
    if checked is None:
        return CheckOut(ok=False, steps=[], problems=problems, suggestions={}, check_token=None, took_ms=0)
    return CheckOut(
        ok=checked.ok,
        steps=[_step(step) for step in checked.steps],
        problems=checked.problems,
        suggestions={name: list(values) for name, values in checked.suggestions.items()},
        check_token=token,
        took_ms=round(checked.elapsed_s * 1000),
    )
