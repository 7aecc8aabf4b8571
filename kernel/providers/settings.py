"""From what an administrator stored and the environment says to a provider's settings, with every fault at once."""

from collections.abc import Mapping
from typing import Any, Final, get_type_hints

import msgspec

from kernel.core.config import ConfigError, read_env
from kernel.core.wire import sentence
from kernel.spi import Secret, Settings, settings_fields

STORED: Final = "stored"
DEFAULT: Final = "default"


class ResolvedSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings ready for `build`, or the reason per field why there are none.

    `sources` says where each field's value comes from: `default`, `stored`, or the name of an environment variable.
    """

    settings: Settings | None
    problems: dict[str, str]
    sources: dict[str, str]


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
) -> ResolvedSettings:
    """Merge defaults, stored values and the environment (later ones win) and convert field by field.

    `first` marks the first instance of its provider: fields with `x-env` then also read the vendor's own variable.
    """
    hints = get_type_hints(kind, include_extras=True)
    values: dict[str, Any] = {}
    problems = {name: "There is no such setting." for name in stored if name not in hints}
    sources: dict[str, str] = {}
    aliases = _aliases(kind) if first else {}
    for field in msgspec.structs.fields(kind):
        try:
            raw, source = _lookup(field.name, stored, instance_id, env, aliases.get(field.name))
            sources[field.name] = source
            if source == DEFAULT:
                if field.required:
                    problems[field.name] = "This setting is required."
                continue
            values[field.name] = _convert(raw, hints[field.name], from_text=source not in (STORED, DEFAULT))
        except msgspec.ValidationError as error:
            problems[field.name] = sentence(error)
        except ConfigError as error:
            problems[field.name] = str(error)
    settings = None
    if not problems:
        try:
            settings = kind(**values)
        except (TypeError, ValueError) as error:  # a rule across fields
            problems[""] = sentence(error)
    return ResolvedSettings(settings=settings, problems=problems, sources=sources)


def secrets_of(settings: Settings) -> tuple[Secret, ...]:
    """Return all secrets that these settings hold."""
    values = (getattr(settings, name) for name in settings.__struct_fields__)
    return tuple(value for value in values if isinstance(value, Secret))


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
    """Convert one value. Text from the environment may stand for a number, a truth value or a comma-separated list."""

    def hook(kind: type, value: Any) -> Any:
        if kind is Secret and isinstance(value, str):
            return Secret(value)
        raise TypeError(f"Expected a text, got `{type(value).__name__}`")

    if from_text:
        try:
            return msgspec.convert(raw, hint, strict=False, dec_hook=hook)
        except msgspec.ValidationError:
            if "array" not in _json_types(hint):
                raise
            raw = [part.strip() for part in raw.split(",") if part.strip()]
    return msgspec.convert(raw, hint, strict=not from_text, dec_hook=hook)


def _json_types(hint: Any) -> set[str]:
    schema, _ = msgspec.json.schema_components([hint], schema_hook=lambda _kind: {"type": "string"})
    branches = schema[0].get("anyOf", [schema[0]])
    return {branch.get("type", "") for branch in branches}


def _aliases(kind: type[Settings]) -> dict[str, str]:
    return {name: field["x-env"] for name, field in settings_fields(kind).items() if "x-env" in field}
