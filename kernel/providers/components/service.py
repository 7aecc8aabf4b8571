"""Calls of components: methods that a plugin declares, run by the provider of a saved instance."""

from typing import Any, Final

import msgspec

from kernel.core.audit import Actor, audit
from kernel.core.data.database import Database
from kernel.core.errors import Absent, Conflict, InvalidFields, NoProvider, TooLarge
from kernel.core.schemas import bad_fields
from kernel.core.web.access import Viewer, is_recent, reauthentication_required
from kernel.providers.calls.guard import guarded
from kernel.providers.instances.instance import Instance
from kernel.providers.instances.registry import Registry
from kernel.spi import (
    ANSWER_BYTES,
    ARGUMENT_BYTES,
    CALL_SECONDS,
    AdminCall,
    Component,
    Kind,
    ProviderError,
    ProviderSpec,
    admin_components,
)

RETRY_S: Final = 30.0


class Components:
    """The pages and settings components of all plugins."""

    def __init__(self, database: Database, registry: Registry) -> None:
        self._database = database
        self._registry = registry

    def find(self, kind: Kind, provider: str, component: str) -> tuple[ProviderSpec[Any, Any], Component]:
        """Return a component and the spec of its provider. Raises Absent."""
        offer = self._registry.plugins.offer(kind, provider)
        found = admin_components(offer.spec).get(component) if offer else None
        if offer is None or found is None:
            raise Absent
        return offer.spec, found

    async def call(
        self, instance_id: str, component: str, name: str, argument: dict[str, Any], viewer: Viewer, actor: Actor
    ) -> Any:
        """Run a call and return its answer as plain data.

        Raises Absent for a call that is not declared, InvalidFields, TooLarge, NoProvider while the instance is not in
        use or its vendor does not answer, Conflict where the plugin refuses or breaks its word, and Forbidden for a
        change that a stale sign-in asks for.
        """
        instance, declared = self._find_call(instance_id, component, name)
        if declared.changes and not is_recent(viewer):
            raise reauthentication_required()
        if len(msgspec.json.encode(argument)) > ARGUMENT_BYTES:
            raise TooLarge(f"The argument is larger than {ARGUMENT_BYTES // 1024} KiB.")
        if wrong := bad_fields(declared.argument, argument):
            raise InvalidFields({f"argument.{field}": words for field, words in wrong.items()})
        taken = msgspec.convert(argument, declared.argument)
        ended = False
        try:
            answer = await self._run(instance, declared, taken)
            ended = True
        finally:
            if declared.changes:
                await self._audit(instance_id, component, name, actor, "ok" if ended else "failed")
        return answer

    def _find_call(self, instance_id: str, component: str, name: str) -> tuple[Instance[Any, Any], AdminCall]:
        instance = self._registry.instance(instance_id)
        if instance is None or instance.spec is None:
            raise Absent
        found = admin_components(instance.spec).get(component)
        declared = next((call for call in found.calls if call.name == name), None) if found else None
        if declared is None:
            raise Absent
        if not instance.usable:
            raise NoProvider(
                f"{instance.label} is not in use: {instance.reason or instance.state}", retry_after=RETRY_S
            )
        return instance, declared

    async def _run(self, instance: Instance[Any, Any], declared: AdminCall, argument: msgspec.Struct) -> Any:
        provider = instance.provider
        instance.acquire()
        try:
            result = await guarded(
                instance,
                lambda: declared.run(provider, argument),
                result_type=declared.answer,
                limit_s=CALL_SECONDS,
            )
            encoded = msgspec.json.encode(result)
        except ProviderError as error:
            if error.retry:
                message = f"{instance.label} does not answer: {error.detail}"
                raise NoProvider(message, code="component_call_failed", retry_after=RETRY_S) from error
            raise Conflict(f"{instance.label}: {error.detail}", code="component_call_failed") from error
        except TypeError as error:  # such as a Secret, which cannot be encoded
            raise Conflict(f"{instance.label} gave no usable answer.", code="component_call_failed") from error
        if len(encoded) > ANSWER_BYTES:
            words = f"The answer of {instance.label} is larger than {ANSWER_BYTES // 1024} KiB."
            raise Conflict(words, code="component_call_failed")
        return _redacted(msgspec.json.decode(encoded), instance)

    async def _audit(self, instance_id: str, component: str, name: str, actor: Actor, outcome: str) -> None:
        async with self._database.write() as session:
            audit(
                session,
                "component.call",
                actor_id=actor.id,
                ip=actor.ip,
                object=f"instance:{instance_id}",
                outcome=outcome,
                keys=(f"{component}.{name}",),
            )


def _redacted(value: Any, instance: Instance[Any, Any]) -> Any:
    """Return plain data with no secret of the instance in any of its texts."""
    if isinstance(value, str):
        return instance.redact(value)
    if isinstance(value, list):
        return [_redacted(entry, instance) for entry in value]
    if isinstance(value, dict):
        return {instance.redact(name): _redacted(entry, instance) for name, entry in value.items()}
    return value
