"""Shapes of the wire: base Structs, common field types, and a decoder that reports all bad fields at once."""

import re
from typing import Annotated, Any, Final, get_type_hints

import msgspec

MAX_ID: Final = 2**53 - 1
"""Largest integer that JavaScript holds exactly."""

RowId = Annotated[int, msgspec.Meta(ge=1, le=MAX_ID)]


class In(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True, frozen=True):
    """Base of request bodies."""


class Out(msgspec.Struct, rename="camel", kw_only=True, frozen=True):
    """Base of response bodies. Its fields have no defaults, or the generated client would think them optional."""


_SENTENCES: Final = (
    (re.compile(r"Expected `str` of length >= 1$"), "This field must not be empty."),
    (re.compile(r"Expected `(?:str|array)` of length <= (\d+)"), "Must be at most {0} long."),
    (re.compile(r"Expected `(?:str|array)` of length >= (\d+)"), "Must be at least {0} long."),
    (re.compile(r"Expected `(?:int|float)` >= (\S+)"), "Must be at least {0}."),
    (re.compile(r"Expected `(?:int|float)` <= (\S+)"), "Must be at most {0}."),
    (re.compile(r"Expected `(\w+)(?: \| null)?`, got `(\w+)`"), "Must be {0}, not {1}."),
    (re.compile(r"Invalid enum value (.+)"), "{0} is not one of the choices."),
    (re.compile(r"Object contains unknown field"), "There is no such field."),
    (re.compile(r"Object missing required field"), "This field is required."),
)

_KINDS: Final = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "empty",
}


def sentence(error: Exception) -> str:
    """Turn a decoder's message into a sentence for people."""
    text = re.sub(r" - at `.*`$", "", str(error))
    for pattern, template in _SENTENCES:
        if match := pattern.search(text):
            return template.format(*(_KINDS.get(group, group) for group in match.groups()))
    return text if text.endswith(".") else f"{text}."


def bad_fields(kind: type[msgspec.Struct], value: Any) -> dict[str, str]:
    """Return every field of a decoded JSON object that does not fit the Struct, with a sentence for each.

    Empty when all fields fit one by one (a rule across fields may still be broken).
    """
    if not isinstance(value, dict):
        return {}
    hints = get_type_hints(kind, include_extras=True)
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    found: dict[str, str] = {}
    for name, field in fields.items():
        if name not in value:
            if field.required:
                found[name] = "This field is required."
            continue
        try:
            msgspec.convert(value[name], hints[field.name])
        except msgspec.ValidationError as error:
            found[name] = sentence(error)
    if kind.__struct_config__.forbid_unknown_fields:
        found |= {name: "There is no such field." for name in value if name not in fields}
    return found
