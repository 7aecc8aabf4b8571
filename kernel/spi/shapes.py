"""Checks that a plugin's return value has the shape its contract promises; type hints are not enforced at run time."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from msgspec import inspect as shape


@lru_cache(maxsize=64)
def _shape_of(hint: Any) -> shape.Type:
    return shape.type_info(hint)


def misfit(value: Any, hint: Any) -> str | None:
    """Return where and how a value differs from a type such as `ImageResult` or `tuple[SendResult, ...]`, or None."""
    return _misfit(value, _shape_of(hint), "result")


def _misfit(value: Any, expected: shape.Type, at: str) -> str | None:
    match expected:
        case shape.AnyType():
            return None
        case shape.StructType(cls=cls, fields=fields):
            if not isinstance(value, cls):
                return _wrong(value, cls.__name__, at)
            return _first(_misfit(getattr(value, item.name), item.type, f"{at}.{item.name}") for item in fields)
        case shape.UnionType(types=types):
            found = [_misfit(value, branch, at) for branch in types]
            return None if None in found else found[0]
        case shape.VarTupleType(item_type=item) | shape.ListType(item_type=item) | shape.CollectionType(item_type=item):
            if isinstance(value, str | bytes) or not isinstance(value, list | tuple):
                return _wrong(value, "sequence", at)
            return _first(_misfit(entry, item, f"{at}[{index}]") for index, entry in enumerate(value))
        case shape.DictType(key_type=key, value_type=item):
            if not isinstance(value, Mapping):
                return _wrong(value, "mapping", at)
            return _first(_misfit(k, key, f"{at} key") or _misfit(v, item, f"{at}[{k!r}]") for k, v in value.items())
        case shape.CustomType(cls=cls):
            return None if isinstance(value, cls) else _wrong(value, cls.__name__, at)
        case shape.LiteralType(values=values):
            return None if value in values else f"{at} is {value!r:.80}, not one of {', '.join(map(repr, values))}"
    return _simple(value, expected, at)


_SIMPLE: Final[Mapping[type, tuple[str, tuple[type, ...]]]] = {
    shape.NoneType: ("None", (type(None),)),
    shape.BoolType: ("bool", (bool,)),
    shape.IntType: ("int", (int,)),
    shape.FloatType: ("float", (int, float)),
    shape.StrType: ("str", (str,)),
    shape.BytesType: ("bytes", (bytes,)),
}


def _simple(value: Any, expected: shape.Type, at: str) -> str | None:
    if type(expected) not in _SIMPLE:
        return f"{at}: results cannot hold {expected!r:.80}"
    name, kinds = _SIMPLE[type(expected)]
    # True is an int in Python, but not in a contract
    fits = isinstance(value, kinds) and (name == "bool" or not isinstance(value, bool))
    return None if fits else _wrong(value, name, at)


def _wrong(value: Any, expected: str, at: str) -> str:
    return f"{at} is a {type(value).__name__}, not a {expected}"


def _first(found: Iterable[str | None]) -> str | None:
    return next((text for text in found if text is not None), None)
