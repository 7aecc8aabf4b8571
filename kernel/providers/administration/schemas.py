"""Wire of plugins, providers, instances and routes."""

from datetime import date, datetime
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType, field

from kernel.core.schemas import In, Line, Out
from kernel.providers.plugins.loader import PluginState
from kernel.spi import Cost, Kind, Purpose, Reach, StepStatus

InstanceId = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9-]{1,38}$(?!\n)")]
"""`$` alone would let a line end pass."""

Label = Annotated[Line, Meta(min_length=1, max_length=100)]
CheckToken = Annotated[str, Meta(max_length=200)]
Origin = Literal["file", "stored"]
State = Literal["ready", "degraded", "down", "needs_attention", "draining", "disabled", "missing"]
InUseWhat = Literal["pictures", "subscriptions", "people", ""]
OwnPrice = Literal["known", "afterwards", "free", "unknown"]


class KitOut(Out, frozen=True, kw_only=True):
    """The last report of the conformance kit; `failures` are ids of rules, `waivers` ids with the author's reasons."""

    kit_version: str
    ok: bool
    passed: int
    failed: int
    skipped: int
    checked_at: str
    failures: list[str]
    waivers: dict[str, str] = field(default_factory=dict)


class PluginOut(Out, frozen=True, kw_only=True):
    """One plugin, whatever became of it. `providers` are written `kind:id`."""

    name: str
    distribution: str
    version: str
    state: PluginState
    reason: str
    providers: list[str]
    load_ms: float
    kit: KitOut | None


class ComparisonOut(Out, frozen=True, kw_only=True):
    """What administrators compare: what for, whether it costs money, how far data go; of one cover its price in micros
    of a USD on a day, and its seconds, where they are known.
    """

    purposes: list[Purpose]
    cost: Cost
    reach: Reach
    vendor: str
    price_micros: int | None
    price_asof: date | None
    seconds: float | None


class ComponentOut(Out, frozen=True, kw_only=True):
    """A page of a provider, or `settings`: what takes the place of `fields` in the form. `title` is by language.

    `frame` is the address of the document that it runs in, `calls` are the names of what it may call.
    """

    id: str
    title: dict[str, str]
    frame: str
    fields: list[str]
    calls: list[str]


class ProviderOut(Out, frozen=True, kw_only=True):
    """What a plugin offers; `schema` is the JSON Schema of its settings, its properties in the order of the form.

    `pages` and `settingsComponent` are what it shows with web components of its own.
    """

    kind: Kind
    id: str
    label: str
    summary: str
    plugin: str
    plugin_version: str
    offline: bool
    docs_url: str | None
    comparison: ComparisonOut | None
    pages: list[ComponentOut]
    settings_component: ComponentOut | None
    schema: dict[str, Any]


class SecretOut(Out, frozen=True, kw_only=True):
    """What is told of a secret: whether it is set, its end if it is long, and where it comes from."""

    set: bool
    hint: str | None
    source: str
    updated_at: datetime | None


class ModelPriceOut(Out, frozen=True, kw_only=True):
    """What a picture of one model costs, in micros of a USD. `own` is what the plugin says of a usual cover: its price
    is known beforehand, or only afterwards from what was used; it is free; or nobody knows. `set…` is what an
    administrator has set, which counts instead; `micros` is what counts, null where that is not known beforehand.
    """

    model: str
    is_offered: bool
    own: OwnPrice
    own_micros: int | None
    own_asof: date | None
    set_micros: int | None
    set_at: datetime | None
    micros: int | None


class InstanceOut(Out, frozen=True, kw_only=True):
    """An instance. `settings` are those saved, with defaults and without secrets; `sources` says where each is from:
    `default`, `stored`, `file`, or the environment variable that locks it.
    """

    id: str
    kind: Kind
    provider: str
    provider_label: str
    label: str
    enabled: bool
    draining: bool
    origin: Origin
    state: State
    since: datetime
    reason: str
    notice: str
    problems: dict[str, str]
    settings: dict[str, Any]
    secrets: dict[str, SecretOut]
    sources: dict[str, str]
    revision: int
    running_revision: int
    plugin_version: str
    capabilities: dict[str, Any] | None
    in_use: int
    in_use_what: InUseWhat
    webhook_url: str | None
    redirect_url: str | None
    checked_at: datetime | None
    check_ok: bool | None
    keeps_messages: bool
    route_position: int | None
    prices: list[ModelPriceOut]


class InstanceIn(In, frozen=True, kw_only=True):
    """A new instance. Without an id one is made from the label. `checkToken` is that of a good check of these settings;
    `force` goes without. It comes last in the order of its kind, or first if `first_in_route`.
    """

    kind: Kind
    provider: Annotated[str, Meta(max_length=40)]
    label: Label
    settings: dict[str, Any]
    id: InstanceId | None = None
    enabled: bool = True
    check_token: CheckToken | None = None
    force: bool = False
    add_to_route: bool = True
    first_in_route: bool = False


class InstanceChange(In, frozen=True, kw_only=True):
    """A change. In `settings` an absent field is kept, null clears, a value replaces; secrets are written there too."""

    label: Label | UnsetType = UNSET
    settings: dict[str, Any] | UnsetType = UNSET
    enabled: bool | UnsetType = UNSET
    draining: bool | UnsetType = UNSET
    check_token: CheckToken | None = None
    force: bool = False


class ModelPriceIn(In, frozen=True, kw_only=True):
    """What a picture of one model costs, in micros of a USD from 0 to a thousand; null for the plugin's own price."""

    model: Annotated[str, Meta(max_length=200)]
    image_micros: int | None


class PricesIn(In, frozen=True, kw_only=True):
    """Prices of models; those of others stay as they are."""

    prices: Annotated[list[ModelPriceIn], Meta(max_length=100)]


class DraftIn(In, frozen=True, kw_only=True):
    """Settings to be checked; with the id of an instance they are changes to that one."""

    kind: Kind
    provider: Annotated[str, Meta(max_length=40)]
    settings: dict[str, Any]
    id: InstanceId | None = None


class StepOut(Out, frozen=True, kw_only=True):
    """One thing that was tried; `field` is the setting at fault."""

    name: str
    status: StepStatus
    detail: str
    field: str | None


class CheckOut(Out, frozen=True, kw_only=True):
    """The report of a check. `checkToken` is there when it was good; `suggestions` are values that would work."""

    ok: bool
    steps: list[StepOut]
    problems: dict[str, str]
    suggestions: dict[str, list[str]]
    check_token: str | None
    took_ms: int


class RouteOut(Out, frozen=True, kw_only=True):
    """The instances of a kind in order of preference; revision 0 is the configuration file's."""

    kind: Kind
    instances: list[str]
    user_choice: bool
    revision: int


class RouteIn(In, frozen=True, kw_only=True):
    """A new order."""

    instances: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=100)]
    user_choice: bool | UnsetType = UNSET
