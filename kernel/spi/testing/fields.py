"""What a settings type says about its fields."""

from typing import Any, Final, get_type_hints

from .. import Settings

FORM_TYPES: Final = frozenset({"string", "number", "integer", "boolean", "array", "null"})


def is_secret(settings: type[Settings], field: str) -> bool:
    """Return whether a field is a Secret, optional or not."""
    return "Secret" in repr(get_type_hints(settings)[field])


def holds_text(field: dict[str, Any]) -> bool:
    """Return whether a field can hold a text."""
    return "string" in {branch.get("type") for branch in field.get("anyOf", [field])}


def shown(field: dict[str, Any]) -> bool:
    """Return whether the settings form can show a field."""
    branches = field.get("anyOf", [field])
    return all(
        branch.get("type") in FORM_TYPES and branch.get("items", {"type": "string"}).get("type") == "string"
        if "enum" not in branch
        else True
        for branch in branches
    )
