"""What administrators see of instances: their saved settings, and their state in this process."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

import msgspec
from sqlalchemy import RowMapping, select

from kernel.core.data.database import ReadConnection
from kernel.providers.administration.instance_store import StoredInstance, StoredProviders, hint_of
from kernel.providers.administration.price_settings import shown_prices
from kernel.providers.administration.provider_usage import ProviderUsage
from kernel.providers.administration.schemas import (
    ComparisonOut,
    ComponentOut,
    InstanceOut,
    Origin,
    ProviderOut,
    RouteOut,
    SecretOut,
    State,
)
from kernel.providers.instances.instance import Instance
from kernel.providers.instances.registry import Registry
from kernel.providers.instances.settings import DEFAULT, STORED, resolve_settings, secret_fields
from kernel.providers.models import ProviderCheck
from kernel.providers.plugins.loader import Offer
from kernel.spi import (
    SETTINGS_COMPONENT,
    AdminPage,
    Comparison,
    Component,
    Kind,
    ProviderSpec,
    SettingsComponent,
    SigninCapabilities,
    admin_components,
    settings_fields,
)


class InstanceSummaries:
    """Combines what is saved, what runs and what is counted."""

    def __init__(self, registry: Registry, usage: ProviderUsage) -> None:
        self._registry = registry
        self._usage = usage

    def providers(self) -> list[ProviderOut]:
        """Return all providers that plugins offer."""
        return [_provider(offer) for _, offer in sorted(self._registry.plugins.offers.items())]

    def failover_orders(self, stored: StoredProviders) -> list[RouteOut]:
        """Return the failover order of all kinds."""
        return [self.failover_order(stored, kind) for kind in stored.failover_orders]

    def failover_order(self, stored: StoredProviders, kind: Kind) -> RouteOut:
        """Return the failover order of one kind."""
        order = stored.failover_orders[kind]
        return RouteOut(
            kind=kind, instances=list(order.instances), user_choice=order.user_choice, revision=order.revision
        )

    async def instances(
        self, connection: ReadConnection, stored: StoredProviders, only: str | None = None
    ) -> list[InstanceOut]:
        """Return all instances, or the one that is named."""
        query = select(ProviderCheck.__table__)
        checks = {row["instance_id"]: row for row in (await connection.execute(query)).mappings()}
        found = []
        for held in stored.instances.values():
            declared = held.declaration
            if only in (None, declared.id):
                count = await self._usage.count(connection, declared.kind, declared.id)
                found.append(self._instance(stored, held, checks.get(declared.id), count))
        return found

    def _instance(
        self, stored: StoredProviders, held: StoredInstance, check: RowMapping | None, count: int
    ) -> InstanceOut:
        declared = held.declaration
        running = self._registry.instance(declared.id)
        if running is None:  # saved just now by another process
            running = Instance(declared, None)
        offer = self._registry.plugins.offer(declared.kind, declared.provider)
        state, since, reason = _condition(running)
        settings, sources, secrets = self._settings(stored, held, offer)
        order = stored.failover_orders[declared.kind].instances
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
            in_use_what=self._usage.what(declared.kind),
            webhook_url=self._webhook_url(running),
            redirect_url=self._redirect_url(running),
            checked_at=check["checked_at"] if check else None,
            check_ok=check["ok"] if check else None,
            keeps_messages=running.usable and bool(getattr(running.capabilities, "keeps_messages", False)),
            route_position=order.index(declared.id) if declared.id in order else None,
            prices=shown_prices(running, held.prices, self._usage.usual_size),
        )

    def _settings(
        self, stored: StoredProviders, held: StoredInstance, offer: Offer | None
    ) -> tuple[dict[str, Any], dict[str, str], dict[str, SecretOut]]:
        """Return the saved settings, their sources and the summaries of the secrets."""
        declared = held.declaration
        if offer is None:  # without the plugin it is unknown which of the file's settings are secrets
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
            first=stored.is_first(declared.id, declared.kind, declared.provider),
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
        """Return the address to which the vendor of an instance sends its webhooks."""
        return f"{self._registry.config.public_url}/api/webhooks/{kind}/{instance_id}"

    def _redirect_url(self, running: Instance[Any, Any]) -> str | None:
        """Return the return address to register with the vendor, which is needed before the settings can be valid."""
        capabilities = running.capabilities if running.usable else None
        form = isinstance(capabilities, SigninCapabilities) and capabilities.flow == "form"
        if running.kind != "signin" or form:
            return None
        return f"{self._registry.config.public_url}/api/auth/{running.id}/return"


def _provider(offer: Offer) -> ProviderOut:
    spec = offer.spec
    required = [field.name for field in msgspec.structs.fields(spec.settings) if field.required]
    compared = spec.comparison
    shown = {id: _component(spec, id, component) for id, component in admin_components(spec).items()}
    return ProviderOut(
        kind=spec.kind,
        id=spec.id,
        label=spec.label,
        summary=spec.summary,
        plugin=offer.plugin,
        plugin_version=offer.plugin_version,
        offline=spec.offline,
        docs_url=spec.docs_url,
        comparison=None if compared is None else _comparison(compared),
        pages=[shown[page.id] for page in spec.pages],
        settings_component=shown.get(SETTINGS_COMPONENT),
        schema={"type": "object", "properties": settings_fields(spec.settings), "required": required},
    )


def _component(spec: ProviderSpec[Any, Any], id: str, component: Component) -> ComponentOut:
    return ComponentOut(
        id=id,
        title=dict(component.title) if isinstance(component, AdminPage) else {},
        frame=f"/api/admin/providers/{spec.kind}/{spec.id}/components/{id}/frame",
        fields=list(component.fields) if isinstance(component, SettingsComponent) else [],
        calls=[call.name for call in component.calls],
    )


def _comparison(compared: Comparison) -> ComparisonOut:
    return ComparisonOut(
        purposes=list(compared.purposes),
        cost=compared.cost,
        reach=compared.reach,
        vendor=compared.vendor,
        price_micros=compared.price_micros,
        price_asof=None if compared.price_micros is None else date.fromisoformat(compared.price_asof),
        seconds=compared.seconds,
    )


def _condition(running: Instance[Any, Any]) -> tuple[State, float, str]:
    """Return state, since when, and why."""
    if running.state != "ready":
        return running.state, running.since_unix, running.reason
    health = running.health
    return health.shown(), max(running.since_unix, health.since_unix), health.last_code


def _camel(value: Any) -> Any:
    """Return plain data with camelCase names, as in the API."""
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
