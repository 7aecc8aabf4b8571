"""Resolves a provider's settings from stored values and the environment, with every fault at once."""

import re
from collections.abc import Collection, Mapping
from typing import Any, Final, get_type_hints

import msgspec

from kernel.core.config import ConfigError, read_env
from kernel.core.schemas import sentence
from kernel.core.text.storable import storable
from kernel.spi import Secret, Settings, settings_fields

STORED: Final = "stored"
FILE: Final = "file"
DEFAULT: Final = "default"

_OFF_PATTERN: Final = re.compile(r"Expected `str` matching regex (.+?)(?: - at|$)")


class ResolvedSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings ready for `build`, or the reason per field why there are none.

    `sources` names where each field's value comes from: `default`, `file`, `stored`, or the name of an environment
    variable. `values` are those in force, as JSON, without the secrets, which are in `secrets`.
    """

    settings: Settings | None
    problems: dict[str, str]
    sources: dict[str, str]
    values: dict[str, Any]
    secrets: dict[str, Secret]


def variable_name(instance_id: str, field: str) -> str:
    """Return the environment variable that sets this field of this instance."""
    return f"COVERWRIGHT_INSTANCE_{instance_id}_{field}".upper().replace("-", "_")


def resolve_settings(
    kind: type[Settings],
    stored: Mapping[str, Any],
    *,
    instance_id: str,
    env: Mapping[str, str],
    first: bool = False,
    filed: Collection[str] = (),
) -> ResolvedSettings:
    """Merge defaults, stored values and the environment (later ones win) and convert field by field.

    `first` marks the first instance of its provider: fields with `x-env` then also read the vendor's own variable. Not
    so while an administrator's own address is in force: the operator's key for the vendor is sent nowhere else.
    `filed` names the stored values that come from the configuration file.
    """
    hints = get_type_hints(kind, include_extras=True)
    given: dict[str, Any] = {}
    shown: dict[str, Any] = {}
    secrets: dict[str, Secret] = {}
    problems = {name: "There is no such setting." for name in stored if name not in hints}
    sources: dict[str, str] = {}
    aliases = _aliases(kind) if first and not _own_address(kind, stored, instance_id, env, filed) else {}
    hidden = secret_fields(kind)
    for field in msgspec.structs.fields(kind):
        name = field.name
        try:
            raw, source = _lookup(name, stored, instance_id, env, aliases.get(name))
            sources[name] = FILE if source == STORED and name in filed else source
            if source == DEFAULT:
                if field.required:
                    problems[name] = "This setting is required."
                elif name not in hidden:
                    shown[name] = msgspec.to_builtins(_default(field))
                continue
            if wrong := _unfit(raw):
                problems[name] = wrong
                continue
            if name not in hidden:
                shown[name] = raw
            elif isinstance(raw, str) and raw:
                secrets[name] = Secret(raw)
            given[name] = _convert(raw, hints[name], from_text=source not in (STORED, DEFAULT))
            if name not in hidden:
                shown[name] = msgspec.to_builtins(given[name])
        except msgspec.ValidationError as error:
            problems[name] = _sentence(error)
        except ConfigError as error:
            problems[name] = str(error)
    settings = None
    if not problems:
        try:
            settings = kind(**given)
        except (TypeError, ValueError) as error:  # a rule across fields
            problems[""] = str(sentence(error))
    return ResolvedSettings(settings=settings, problems=problems, sources=sources, values=shown, secrets=secrets)


def secret_fields(kind: type[Settings]) -> frozenset[str]:
    """Return the names of the fields that hold a secret."""
    return frozenset(
        name
        for name, field in settings_fields(kind).items()
        if any(branch.get("writeOnly") for branch in field.get("anyOf", [field]))
    )


def webhook_field(kind: type[Settings]) -> str | None:
    """Return the name of the field that stores the secret of a registered webhook, if there is one."""
    return next((name for name, field in settings_fields(kind).items() if field.get("x-webhook-secret")), None)


def destination_fields(kind: type[Settings]) -> frozenset[str]:
    """Return the names of the fields that determine where secrets are sent."""
    return frozenset(name for name, field in settings_fields(kind).items() if field.get("x-destination"))


def _own_address(
    kind: type[Settings], stored: Mapping[str, Any], instance_id: str, env: Mapping[str, str], filed: Collection[str]
) -> bool:
    """Return whether secrets would be sent to an address that neither the plugin nor the operator chose."""
    chosen = {name for name in destination_fields(kind) if stored.get(name) is not None and name not in filed}
    return any(
        stored[field.name] != field.default and _lookup(field.name, stored, instance_id, env, None)[1] == STORED
        for field in msgspec.structs.fields(kind)
        if field.name in chosen
    )


def _unfit(raw: Any) -> str:
    """Return what no setting may contain in a text or list of texts; a pattern's `$` lets line ends pass."""
    texts = [entry for entry in (raw if isinstance(raw, list) else [raw]) if isinstance(entry, str)]
    if any(entry != storable(entry) for entry in texts):
        return "This is not valid text."
    return "Must not end with a line break." if any(entry.endswith("\n") for entry in texts) else ""


def _lookup(
    field: str, stored: Mapping[str, Any], instance_id: str, env: Mapping[str, str], alias: str | None
) -> tuple[Any, str]:
    name = variable_name(instance_id, field)
    if (text := read_env(env, name)) is not None:
        return text, name
    if stored.get(field) is not None:
        return stored[field], STORED
    if alias and (text := read_env(env, alias)) is not None:
        return text, alias
    return None, DEFAULT


def _convert(raw: Any, hint: Any, *, from_text: bool) -> Any:
    """Convert one value. Text from the environment may be a number, a boolean or a comma-separated list."""

    def hook(kind: type, value: Any) -> Any:
        if kind is Secret and isinstance(value, str):
            return Secret(value)
        raise TypeError("Must be a text.")

    if from_text:
        try:
            return msgspec.convert(raw, hint, strict=False, dec_hook=hook)
        except msgspec.ValidationError:
            if "array" not in _json_types(hint):
                raise
            raw = [part.strip() for part in raw.split(",") if part.strip()]
    return msgspec.convert(raw, hint, strict=not from_text, dec_hook=hook)


def _default(field: msgspec.structs.FieldInfo) -> Any:
    return field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()


def _sentence(error: msgspec.ValidationError) -> str:
    """Return a readable sentence, also for a pattern of the schema that does not match."""
    if match := _OFF_PATTERN.search(str(error)):
        web = "http" in match.group(1)
        return "Must start with http:// or https://." if web else "This does not have the right form."
    return str(sentence(error))


def _json_types(hint: Any) -> set[str]:
    schema, _ = msgspec.json.schema_components([hint], schema_hook=lambda _kind: {"type": "string"})
    branches = schema[0].get("anyOf", [schema[0]])
    return {branch.get("type", "") for branch in branches}


def _aliases(kind: type[Settings]) -> dict[str, str]:
    return {name: field["x-env"] for name, field in settings_fields(kind).items() if "x-env" in field}
