"""Where backups are: a folder, or a storage of any provider that is installed."""

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from kernel.pictures.storage_access import StorageAccess
from kernel.providers import Registry
from kernel.providers.instances.instance import Declaration
from kernel.spi import Settings

INSTANCE: Final = "backup"
"""Name of the place in the environment: COVERWRIGHT_INSTANCE_BACKUP_<FIELD> gives its keys."""
FOLDER_PROVIDER: Final = "disk"
SCHEME: Final = re.compile(r"([a-z][a-z0-9-]*)://")
BUCKET_FIELDS: Final = ("bucket", "container")
"""How storages call what an address names first."""


class PlaceRefused(Exception):
    """The place cannot be used; the message is for the operator."""


@asynccontextmanager
async def open_place(place: str, registry: Registry) -> AsyncIterator[StorageAccess]:
    """Open `/a/folder`, or `provider://bucket/prefix?setting=value`, for the length of the block. Raises PlaceRefused.

    A container is named as a bucket is.
    A storage without buckets is named by its settings only: `provider://?setting=value`. Secrets come from the
    environment alone, so that a place can be shown and kept.
    """
    scheme = SCHEME.match(place)
    provider = scheme[1] if scheme else FOLDER_PROVIDER
    if (offer := registry.plugins.offer("storage", provider)) is None:
        raise PlaceRefused(f"{place}: there is no storage provider `{provider}`")
    settings = _settings(place, offer.spec.settings) if scheme else {"folder": str(Path(place).absolute())}
    declaration = Declaration(id=INSTANCE, kind="storage", label="Backups", provider=provider, settings=settings)
    instance = registry.build(declaration, first=True)
    try:
        if not instance.usable:
            raise PlaceRefused(f"{place}: {instance.reason}")
        yield StorageAccess(instance.provider)
    finally:
        await instance.aclose()


def _settings(place: str, kind: type[Settings]) -> Mapping[str, Any]:
    """Return the settings that an address names. Raises PlaceRefused for one that holds a password."""
    url = urlsplit(place)
    if "@" in url.netloc:
        raise PlaceRefused("keys do not belong into the address: give them as COVERWRIGHT_INSTANCE_BACKUP_…")
    bucket = next((name for name in BUCKET_FIELDS if name in kind.__struct_fields__), BUCKET_FIELDS[0])
    more: dict[str, Any] = {name: _value(value) for name, value in parse_qsl(url.query)}
    return {**_named({bucket: url.netloc, "prefix": url.path.strip("/")}), **more}


def _named(settings: Mapping[str, str]) -> Mapping[str, str]:
    return {name: text for name, text in settings.items() if text}


def _value(text: str) -> Any:
    return {"true": True, "false": False}.get(text, text)


def absolute(place: str) -> str:
    """Return how a place is recorded: a folder with its whole path."""
    return place if SCHEME.match(place) else str(Path(place).absolute())
