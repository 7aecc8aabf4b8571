"""What a settings type says about its fields."""

import difflib
from collections.abc import Callable, Mapping
from typing import Any, Final, get_type_hints
from urllib.parse import urlsplit

from .. import Settings, settings_fields

Check = Callable[[Any], bool]


def _is_true(value: Any) -> bool:
    return value is True


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(map(_is_text, value))


def _is_page(value: Any) -> bool:
    return _is_text(value) and urlsplit(value).scheme in ("http", "https") and bool(urlsplit(value).netloc)


def _is_object(value: Any) -> bool:
    return isinstance(value, Mapping) and bool(value)


FORM_WORDS: Final[Mapping[str, tuple[Check, str]]] = {
    "x-destination": (_is_true, "is True"),
    "x-webhook-secret": (_is_true, "is True"),
    "x-multiline": (_is_true, "is True"),
    "x-suggest": (_is_texts, "is a list of texts"),
    "x-group": (_is_text, "is a text"),
    "x-show-when": (_is_object, "is an object of fields and their values"),
    "x-choices": (_is_object, "is an object of values and their texts"),
    "x-help-url": (_is_page, "is an address with http or https"),
    "x-env": (_is_text, "is the name of a variable"),
}
"""The words that the form knows, whether a value is one of theirs, and what their values are."""

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


def misused_words(settings: type[Settings]) -> list[str]:
    """Return a sentence for each word of the form that is misspelt, has a wrong value, or names what is not there."""
    fields = settings_fields(settings)
    found = []
    for name, field in fields.items():
        for word, value in field.items():
            if not word.startswith("x-"):
                continue
            if word not in FORM_WORDS:
                near = difflib.get_close_matches(word, FORM_WORDS, 1)
                meant = f"; `{near[0]}` is" if near else ""
                found.append(f"{name}: `{word}` is no word of the form{meant}")
                continue
            fits, description = FORM_WORDS[word]
            if not fits(value):
                found.append(f"{name}: `{word}` {description}")
            elif word == "x-show-when":
                found += [
                    f"{name}: `{word}` names `{other}`, which is no setting" for other in value if other not in fields
                ]
            elif word == "x-choices":
                known = choices_of(field)
                found += [f"{name}: `{word}` names `{one}`, which is no choice" for one in value if one not in known]
    return found


def choices_of(field: dict[str, Any]) -> list[Any]:
    """Return the choices of a field, or of the items of its list; empty where anything can be entered."""
    branches = [field, *field.get("anyOf", ()), field.get("items", {})]
    return [choice for branch in branches for choice in branch.get("enum", ())]
