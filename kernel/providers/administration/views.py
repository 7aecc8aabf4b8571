"""What administrators see of instances: as they are saved, and how they do in this process."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import RowMapping, select
from sqlalchemy.ext.asyncio import AsyncConnection

from kernel.providers.administration.models import ProviderCheck
from kernel.providers.administration.schemas import InstanceOut, Origin, ProviderOut, RouteOut, SecretOut, State
from kernel.providers.administration.store import Held, Kept, hint_of
from kernel.providers.administration.uses import Uses
from kernel.providers.instances import Instance
from kernel.providers.loader import Offer
from kernel.providers.registry import Registry
from kernel.providers.settings import DEFAULT, STORED, resolve_settings, secret_fields
from kernel.spi import Kind, SigninCapabilities, settings_fields


class Views:
    """Puts together what is saved, what runs and what is counted."""

    def __init__(self, registry: Registry, uses: Uses) -> None:
        self._registry = registry
        self._uses = uses

    def providers(self) -> list[ProviderOut]:
        """Return everything that plugins offer."""
        return [_provider(offer) for _, offer in sorted(self._registry.plugins.offers.items())]

    def routes(self, kept: Kept) -> list[RouteOut]:
        """Return the routes of all kinds."""
        return [self.route(kept, kind) for kind in kept.routes]

    def route(self, kept: Kept, kind: Kind) -> RouteOut:
        """Return the route of one kind."""
        route = kept.routes[kind]
        return RouteOut(
            kind=kind, instances=list(route.instances), user_choice=route.user_choice, revision=route.revision
        )

    async def instances(self, connection: AsyncConnection, kept: Kept, only: str | None = None) -> list[InstanceOut]:
        """Return all instances, or the one that is named."""
        query = select(ProviderCheck.__table__)
        checks = {row["instance_id"]: row for row in (await connection.execute(query)).mappings()}
        found = []
        for held in kept.instances.values():
            declared = held.declaration
            if only in (None, declared.id):
                count = await self._uses.count(connection, declared.kind, declared.id)
                found.append(self._instance(kept, held, checks.get(declared.id), count))
        return found

    def _instance(self, kept: Kept, held: Held, check: RowMapping | None, count: int) -> InstanceOut:
        declared = held.declaration
        running = self._registry.instance(declared.id)
        if running is None:  # saved a moment ago by another process
            running = Instance(declared, None)
        offer = self._registry.plugins.offer(declared.kind, declared.provider)
        state, since, reason = _condition(running)
        settings, sources, secrets = self._settings(kept, held, offer)
        route = kept.routes[declared.kind].instances
        origin: Origin = "file" if held.in_file else "stored"
        return InstanceOut(
            id=declared.id,
            kind=declared.kind,
            provider=declared.provider,
            provider_label=offer.spec.label if offer else declared.provider,
            label=declared.label,
            enabled=declared.enabled,
            draining=declared.draining,
            origin=origin,
            state=state,
            since=datetime.fromtimestamp(since, UTC),
            reason=reason,
            notice=running.notice,
            problems=running.problems,
            settings=settings,
            secrets=secrets,
            sources=sources,
            revision=declared.revision,
            running_revision=running.declaration.revision,
            plugin_version=offer.plugin_version if offer else "",
            capabilities=_camel(running.capabilities) if running.usable else None,
            in_use=count,
            in_use_what=self._uses.what(declared.kind),
            webhook_url=self._webhook_url(running),
            redirect_url=self._redirect_url(running),
            checked_at=check["checked_at"] if check else None,
            check_ok=check["ok"] if check else None,
            keeps_messages=running.usable and bool(getattr(running.capabilities, "keeps_messages", False)),
            route_position=route.index(declared.id) if declared.id in route else None,
        )

    def _settings(
        self, kept: Kept, held: Held, offer: Offer | None
    ) -> tuple[dict[str, Any], dict[str, str], dict[str, SecretOut]]:
        """Return the saved settings, their sources and what is told of the secrets."""
        declared = held.declaration
        if offer is None:  # nobody knows which of the file's are secrets
            noted = {
                name: SecretOut(set=True, hint=note.hint, source=STORED, updated_at=note.updated_at)
                for name, note in held.notes.items()
            }
            return dict(held.plain), dict.fromkeys(held.plain, STORED), noted
        resolved = resolve_settings(
            offer.spec.settings,
            declared.settings,
            instance_id=declared.id,
            env=self._registry.env,
            first=kept.is_first(declared.id, declared.kind, declared.provider),
            filed=declared.filed,
        )
        secrets = {}
        for name in settings_fields(offer.spec.settings):
            if name not in secret_fields(offer.spec.settings):
                continue
            source, text, note = resolved.sources.get(name, DEFAULT), resolved.secrets.get(name), held.notes.get(name)
            unopened = note is not None and source == DEFAULT
            secrets[name] = SecretOut(
                set=text is not None or unopened,
                hint=hint_of(text.reveal()) if text else note.hint if note else None,
                source=STORED if unopened else source,
                updated_at=note.updated_at if note and (unopened or source == STORED) else None,
            )
        sources = {name: source for name, source in resolved.sources.items() if name not in secrets}
        return resolved.values, sources | {name: entry.source for name, entry in secrets.items()}, secrets

    def _webhook_url(self, running: Instance[Any, Any]) -> str | None:
        if not running.usable or not getattr(running.capabilities, "webhooks", False):
            return None
        return self.webhook_address(running.kind, running.id)

    def webhook_address(self, kind: Kind, instance_id: str) -> str:
        """Return where the vendor of an instance sends its webhooks."""
        return f"{self._registry.config.public_url}/api/webhooks/{kind}/{instance_id}"

    def _redirect_url(self, running: Instance[Any, Any]) -> str | None:
        """Return the address to register with the vendor, which needs it before the settings can be good."""
        capabilities = running.capabilities if running.usable else None
        form = isinstance(capabilities, SigninCapabilities) and capabilities.flow == "form"
        if running.kind != "signin" or form:
            return None
        return f"{self._registry.config.public_url}/api/auth/{running.id}/return"


def _provider(offer: Offer) -> ProviderOut:
    spec = offer.spec
    required = [field.name for field in msgspec.structs.fields(spec.settings) if field.required]
    return ProviderOut(
        kind=spec.kind,
        id=spec.id,
        label=spec.label,
        summary=spec.summary,
        plugin=offer.plugin,
        plugin_version=offer.plugin_version,
        offline=spec.offline,
        docs_url=spec.docs_url,
        schema={"type": "object", "properties": settings_fields(spec.settings), "required": required},
    )


def _condition(running: Instance[Any, Any]) -> tuple[State, float, str]:
    """Return state, since when, and why."""
    if running.state != "ready":
        return running.state, running.since_unix, running.reason
    health = running.health
    return health.shown(), max(running.since_unix, health.since_unix), health.last_code


def _camel(value: Any) -> Any:
    """Return plain data with the names of Structs' fields as the wire writes them."""
    if isinstance(value, msgspec.Struct):
        return {_name(field): _camel(getattr(value, field)) for field in value.__struct_fields__}
    if isinstance(value, Mapping):
        return {str(key): _camel(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_camel(entry) for entry in value]
    return value


def _name(field: str) -> str:
    first, *rest = field.split("_")
    return first + "".join(word.title() for word in rest)
