"""Checks of settings that most vendors have, before anything is sent."""

from collections.abc import Iterable
from typing import Any, Final

import httpx
import msgspec

from .errors import SettingsInvalid
from .image import Size
from .outbound import web_address
from .settings import Secret

_SHORTEST_SIDE: Final = 64
_LONGEST_SIDE: Final = 8192
"""Pixels."""


def base_address(text: str, *, example: str, field: str = "base_url", query: bool = False) -> httpx.URL:
    """Return the address of an API. Raises SettingsInvalid, with an example; `query` says that it may have one."""
    url = web_address(text)
    if url is None or url.userinfo or (url.query and not query):
        raise SettingsInvalid(f"An address looks like {example}.", field=field)
    return url


def header_secret(secret: Secret | None, *, field: str, noun: str = "key") -> str:
    """Return a secret that goes into a header, or an empty text. Raises SettingsInvalid for what no header can hold."""
    text = secret.reveal() if secret else ""
    if not (text.isascii() and text.isprintable()):
        raise SettingsInvalid(f"A {noun} has no line ends or special characters.", field=field)
    return text


def json_object(text: str, *, field: str) -> dict[str, Any]:
    """Return the object that a setting holds as JSON; an empty one for an empty text. Raises SettingsInvalid."""
    try:
        return msgspec.json.decode(text or "{}", type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError) as error:
        raise SettingsInvalid("This must be a JSON object, or empty.", field=field) from error


def pixel_sizes(texts: Iterable[str], *, field: str = "sizes") -> tuple[Size, ...]:
    """Return the sizes that texts such as `1024x1536` name. Raises SettingsInvalid."""
    found = []
    for text in texts:
        sides = [int(side) for side in text.strip().lower().split("x") if side.isascii() and side.isdecimal()]
        if len(sides) != 2 or not all(_SHORTEST_SIDE <= side <= _LONGEST_SIDE for side in sides):
            raise SettingsInvalid("Sizes look like 1024x1536, with sides from 64 to 8192 pixels.", field=field)
        found.append(Size(*sides))
    return tuple(dict.fromkeys(found))
