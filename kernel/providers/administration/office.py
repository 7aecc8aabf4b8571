"""Behind the calls: each is one transaction, after which this process uses what was saved and the others are told."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import msgspec

from kernel.core.audit import Actor, audit
from kernel.core.database import Database
from kernel.core.errors import Conflict, InvalidFields, NoProvider
from kernel.core.vault import Vault
from kernel.providers.administration.checking import Checked, Checker
from kernel.providers.administration.following import Following
from kernel.providers.administration.reports import kit_report
from kernel.providers.administration.schemas import (
    CheckOut,
    DraftIn,
    InstanceChange,
    InstanceIn,
    InstanceOut,
    PluginOut,
    RouteIn,
    RouteOut,
    StepOut,
)
from kernel.providers.administration.service import InstanceService
from kernel.providers.administration.store import Store
from kernel.providers.administration.uses import Uses
from kernel.providers.administration.views import Views
from kernel.providers.guard import guarded
from kernel.providers.instances import Declaration
from kernel.providers.registry import Registry
from kernel.providers.settings import webhook_field
from kernel.spi import CheckStep, Kind, ProviderError, Secret, WebhookSetup

WEBHOOK_LIMIT_S: Final = 60.0

Tell = Callable[[StepOut], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Settings that are to be checked: those saved, or a draft.

    `keys` names what the draft changes; `mark` is what a proof of its check is made for, None without a draft.
    """

    declaration: Declaration
    first: bool
    saved: bool
    fresh: bool
    keys: tuple[str, ...]
    problems: dict[str, str]
    mark: bytes | None = field(default=None, repr=False)


class Administration:
    """Everything that administrators do with plugins, instances and routes. Close it with `aclose`."""

    def __init__(
        self, database: Database, registry: Registry, store: Store, vault: Vault, following: Following, uses: Uses
    ) -> None:
        self._database = database
        self._registry = registry
        self._following = following
        self._service = InstanceService(registry, store, vault, uses)
        self._checker = Checker(registry)
        self.views: Final = Views(registry, uses)

    async def plugins(self) -> list[PluginOut]:
        """Return what became of every plugin."""
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
        kept = await self._following.now()
        async with self._database.read() as connection:
            return await self.views.instances(connection, kept)

    async def instance(self, instance_id: str) -> InstanceOut:
        """Return one instance. Raises Absent."""
        kept = await self._following.now()
        self._service.find(kept, instance_id)
        async with self._database.read() as connection:
            return (await self.views.instances(connection, kept, instance_id))[0]

    async def create(self, wanted: InstanceIn, actor: Actor) -> InstanceOut:
        """Make an instance and use it."""
        async with self._database.write() as session:
            instance_id = await self._service.create(session, wanted, actor)
        await self._following.announce()
        return await self.instance(instance_id)

    async def change(self, instance_id: str, wanted: InstanceChange, actor: Actor) -> InstanceOut:
        """Change an instance and use it as it is now. One that was built anew starts in good health, everywhere."""
        before = self._registry.instance(instance_id)
        async with self._database.write() as session:
            await self._service.change(session, instance_id, wanted, actor)
        await self._following.announce()
        after = self._registry.instance(instance_id)
        if after is not None and after is not before:
            after.health.reset()
        return await self.instance(instance_id)

    async def delete(self, instance_id: str, actor: Actor) -> None:
        """Remove an instance."""
        async with self._database.write() as session:
            await self._service.delete(session, instance_id, actor)
        await self._following.announce()

    async def routes(self) -> list[RouteOut]:
        """Return the routes of all kinds."""
        return self.views.routes(await self._following.now())

    async def route(self, kind: Kind) -> RouteOut:
        """Return the route of one kind."""
        return self.views.route(await self._following.now(), kind)

    async def order(self, kind: Kind, wanted: RouteIn, actor: Actor) -> RouteOut:
        """Order the instances of a kind and use them so."""
        choice = None if isinstance(wanted.user_choice, msgspec.UnsetType) else wanted.user_choice
        async with self._database.write() as session:
            await self._service.order(session, kind, wanted.instances, choice, actor)
        return self.views.route(await self._following.announce(), kind)

    async def trial(self, wanted: DraftIn) -> Trial:
        """Prepare the check of a draft. Raises InvalidFields for an unknown provider."""
        kept = await self._following.now()
        draft = self._service.draft(kept, wanted)
        return Trial(
            declaration=draft.declaration,
            first=draft.first,
            saved=False,
            fresh=wanted.id not in kept.instances,
            keys=draft.keys,
            problems=draft.problems,
            mark=draft.mark,
        )

    async def trial_of(self, instance_id: str) -> Trial:
        """Prepare the check of what is saved. Raises Absent, and InvalidFields when its plugin is gone."""
        kept = await self._following.now()
        declaration = self._service.find(kept, instance_id).declaration
        if self._registry.plugins.offer(declaration.kind, declaration.provider) is None:
            raise InvalidFields({"provider": f"No plugin offers the provider `{declaration.provider}`."})
        first = kept.is_first(instance_id, declaration.kind, declaration.provider)
        return Trial(declaration=declaration, first=first, saved=True, fresh=False, keys=(), problems={})

    async def check_quietly(self, instance_id: str) -> CheckOut:
        """Check what is saved on behalf of the operator at the shell. Raises Absent."""
        return await self.check(await self.trial_of(instance_id), None)

    async def check(self, trial: Trial, actor: Actor | None, tell: Tell | None = None) -> CheckOut:
        """Check, tell every step as it ends, and write down that it was done."""

        def listen(step: CheckStep) -> None:
            if tell is not None:
                tell(_step(step))

        checked = None
        if not trial.problems:
            checked = await self._checker.check(
                trial.declaration, first=trial.first, fresh=trial.fresh, listen=listen if tell else None
            )
        ok = checked is not None and checked.ok
        declaration = trial.declaration
        about = (
            f"instance:{declaration.id}" if declaration.id else f"provider:{declaration.kind}:{declaration.provider}"
        )
        async with self._database.write() as session:
            if trial.saved:
                await self._service.note_check(session, declaration.id, ok)
            outcome = "ok" if ok else "failed"
            audit(
                session,
                "instance.check",
                actor_id=actor.id if actor else None,
                ip=actor.ip if actor else "",
                object=about,
                outcome=outcome,
                keys=trial.keys,
            )
        if trial.saved and ok and (running := self._registry.instance(declaration.id)) is not None:
            running.health.reset()
        token = self._service.tokens.make(trial.mark) if ok and trial.mark is not None else None
        return _report(checked, trial.problems, token)

    async def set_up_webhook(self, instance_id: str, actor: Actor) -> InstanceOut:
        """Let the vendor send webhooks to this instance, and keep the secret that proves them.

        Raises Absent, Conflict where this cannot be done here or the vendor refuses, InvalidFields where the operator
        has set the secret, and NoProvider while the vendor does not answer.
        """
        kept = await self._following.now()
        declared = self._service.find(kept, instance_id).declaration
        offer = self._registry.plugins.offer(declared.kind, declared.provider)
        name = webhook_field(offer.spec.settings) if offer is not None else None
        instance = self._registry.instance(instance_id)
        if name is None or instance is None or not instance.usable or not isinstance(instance.provider, WebhookSetup):
            raise Conflict("The webhook of this instance cannot be set up from here.", code="no_webhook_setup")
        trying = DraftIn(kind=declared.kind, provider=declared.provider, id=instance_id, settings={name: "pending"})
        if name in (problems := self._service.draft(kept, trying).problems):
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
