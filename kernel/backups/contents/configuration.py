"""The configuration as a backup keeps it: to be read by people, without anything secret."""

from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

import msgspec

from kernel.core.config import Config
from kernel.core.telemetry import SECRET_WORDS

HIDDEN: Final = "(not in the backup)"


def shown_configuration(config: Config) -> dict[str, Any]:
    """Return all settings in use. What is secret, or may be, is left out."""
    plain: dict[str, Any] = msgspec.to_builtins(config)
    return {name: _shown(name, value) for name, value in plain.items()}


def _shown(name: str, value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _shown(key, inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        if _secret(name) and value:
            return HIDDEN
        return [_shown(name, inner) for inner in value]
    if isinstance(value, str) and value:
        if _secret(name):
            return HIDDEN
        if name.endswith("url"):
            return _without_password(value)
    return value


def _secret(name: str) -> bool:
    return any(word in name.lower() for word in (*SECRET_WORDS, "key"))


def _without_password(address: str) -> str:
    parts = urlsplit(address)
    if not parts.password:
        return address
    return urlunsplit(parts._replace(netloc=f"{parts.username}:***@{parts.netloc.rpartition('@')[2]}"))
