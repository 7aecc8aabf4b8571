"""Shapes of the wire: base Structs, common field types, and a decoder that reports all bad fields at once."""

import re
from collections.abc import Callable
from typing import Annotated, Any, Final, get_args, get_type_hints

import msgspec

from kernel.core.field_errors import UNSEEN_CHARACTERS, FieldError

MAX_ID: Final = 2**53 - 1
"""Largest integer that JavaScript holds exactly."""

RowId = Annotated[int, msgspec.Meta(ge=1, le=MAX_ID)]

_ONE_LINE: Final = r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$(?!\n)"
Line = Annotated[str, msgspec.Meta(pattern=_ONE_LINE)]
"""A text of one line: no control character and no line or paragraph separator. It may be empty."""


class In(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True, frozen=True):
    """Base of request bodies."""


class Out(msgspec.Struct, rename="camel", kw_only=True, frozen=True):
    """Base of response bodies. Its fields have no defaults, or the generated client would think them optional."""


REQUIRED: Final = FieldError("required", "This field is required.")
UNKNOWN: Final = FieldError("unknown_field", "There is no such field.")

_KINDS: Final = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "empty",
}


def _wrong_kind(wanted: str, given: str) -> FieldError:
    return FieldError("wrong_kind", f"Must be {_KINDS.get(wanted, wanted)}, not {_KINDS.get(given, given)}.")


_FIELD_ERRORS: Final[tuple[tuple[re.Pattern[str], Callable[..., FieldError]], ...]] = (
    (
        re.compile(r"Expected `str` of length >= 1$"),
        lambda: FieldError("empty", "This field must not be empty."),
    ),
    (
        re.compile(r"Expected `str` of length <= (\d+)"),
        lambda most: FieldError("too_long", f"Must be at most {most} long.", {"count": int(most)}),
    ),
    (
        re.compile(r"Expected `str` of length >= (\d+)"),
        lambda least: FieldError("too_short", f"Must be at least {least} long.", {"count": int(least)}),
    ),
    (re.compile(rf"Expected `str` matching regex {re.escape(repr(_ONE_LINE))}"), lambda: UNSEEN_CHARACTERS),
    (
        re.compile(r"Expected `array` of length <= (\d+)"),
        lambda most: FieldError("too_many", f"Must be at most {most} long.", {"count": int(most)}),
    ),
    (
        re.compile(r"Expected `array` of length >= (\d+)"),
        lambda least: FieldError("too_few", f"Must be at least {least} long.", {"count": int(least)}),
    ),
    (
        re.compile(r"Expected `(?:int|float)` >= (\S+)"),
        lambda least: FieldError("too_small", f"Must be at least {least}.", {"least": float(least)}),
    ),
    (
        re.compile(r"Expected `(?:int|float)` <= (\S+)"),
        lambda most: FieldError("too_big", f"Must be at most {most}.", {"most": float(most)}),
    ),
    (re.compile(r"Expected `(\w+)(?: \| null)?`, got `(\w+)`"), _wrong_kind),
    (
        re.compile(r"Invalid enum value (.+)"),
        lambda given: FieldError("not_a_choice", f"{given} is not one of the choices."),
    ),
    (re.compile(r"Object contains unknown field"), lambda: UNKNOWN),
    (re.compile(r"Object missing required field"), lambda: REQUIRED),
)


def sentence(error: Exception) -> FieldError:
    """Turn a decoder's message into a sentence for people."""
    text = re.sub(r" - at `.*`$", "", str(error))
    for pattern, make_error in _FIELD_ERRORS:
        if match := pattern.search(text):
            return make_error(*match.groups())
    return FieldError("wrong_form", text if text.endswith(".") else f"{text}.")


def bad_fields(kind: type[msgspec.Struct], value: Any) -> dict[str, FieldError]:
    """Return every field of a decoded JSON object that does not fit the Struct, with a sentence for each.

    A field of an object inside is named with a dot. Empty when all fields fit one by one (a rule across fields may
    still be broken).
    """
    if not isinstance(value, dict):
        return {}
    hints = get_type_hints(kind, include_extras=True)
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    found: dict[str, FieldError] = {}
    for name, field in fields.items():
        if name not in value:
            if field.required:
                found[name] = REQUIRED
            continue
        try:
            msgspec.convert(value[name], hints[field.name])
        except msgspec.ValidationError as error:
            inner = bad_fields(part, value[name]) if (part := _struct_in(hints[field.name])) else {}
            found |= {f"{name}.{key}": words for key, words in inner.items()} or {name: sentence(error)}
    if kind.__struct_config__.forbid_unknown_fields:
        found |= {name: UNKNOWN for name in value if name not in fields}
    return found


def _struct_in(hint: Any) -> type[msgspec.Struct] | None:
    """Return the Struct that a field holds, if it is one and may otherwise only be left out."""
    kinds = [one for one in get_args(hint) or (hint,) if isinstance(one, type) and issubclass(one, msgspec.Struct)]
    return kinds[0] if len(kinds) == 1 else None
