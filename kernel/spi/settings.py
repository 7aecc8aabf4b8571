"""Settings of a provider: a Struct that the plugin declares, and the form that the administrators see."""

from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints

import msgspec

SECRET_SCHEMA: Final = {"type": "string", "writeOnly": True, "format": "password"}
"""The JSON Schema of a `Secret`."""


class Secret:
    """A text that must stay hidden: it prints as `***`, compares by value and cannot be encoded."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        if not text:
            raise ValueError("must not be empty")
        self._text = text

    def reveal(self) -> str:
        """Return the text. Call it only where it is passed to the vendor's client."""
        return self._text

    def __repr__(self) -> str:
        return "***"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return "***"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> Any:
        raise TypeError("a Secret cannot be pickled")


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of every provider's settings. Each field carries `Meta(title=…, description=…)`.

    Mark a host or URL with `extra_json_schema={"x-destination": True}`: whoever changes it must enter the secrets
    again. Other keys that the form supports: `x-help-url`, `x-group`, `x-show-when`, `x-suggest`, `x-choices`, `x-env`,
    `x-webhook-secret`, and `x-multiline` for a text of many lines.
    """


def settings_schema(settings: type[Settings]) -> dict[str, Any]:
    """Return the JSON Schema of a settings type; a `Secret` becomes a write-only password."""

    def hook(kind: type) -> dict[str, Any]:
        if kind is Secret:
            return dict(SECRET_SCHEMA)
        raise NotImplementedError(f"settings cannot hold {kind!r}")

    return msgspec.json.schema(settings, schema_hook=hook)


def settings_fields(settings: type[Settings]) -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each field by name, in the order of the form."""
    schema = settings_schema(settings)
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    found: dict[str, dict[str, Any]] = schema.get("$defs", {}).get(name, schema).get("properties", {})
    hints = get_type_hints(settings, include_extras=True)
    for field, described in found.items():
        _order_choices(described, _choices(hints.get(field)))
    return found


def _choices(hint: Any) -> tuple[Any, ...]:
    """Return the choices of a `Literal` somewhere in a type, in their written order."""
    if get_origin(hint) is Literal:
        return get_args(hint)
    parts = get_args(hint)[:1] if get_origin(hint) is Annotated else get_args(hint)
    return next((found for part in parts if (found := _choices(part))), ())


def _order_choices(described: dict[str, Any], choices: tuple[Any, ...]) -> None:
    """Keep the author's order of an enum: msgspec sorts it, and "high, low, medium" is hard to read in a form."""
    places = [described, *described.get("anyOf", ()), described.get("items", {})]
    for place in places:
        if set(place.get("enum", ())) == set(choices) and choices:
            place["enum"] = list(choices)
