"""Files of a plugin that browsers may fetch: what lies in the folder `static` of its package."""

import hashlib
import re
from base64 import b64encode
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Final

import msgspec

_FOLDER: Final = "static"
_MOST_FILES: Final = 64
_MOST_BYTES: Final = 2 * 1024 * 1024
"""Of all files of a package: they stay in memory."""
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}")
_MEDIA_TYPES: Final[Mapping[str, str]] = {
    "js": "text/javascript",
    "css": "text/css",
    "json": "application/json",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webp": "image/webp",
    "woff2": "font/woff2",
}
"""What can be fetched, by the end of its name; nothing that a browser would show as a page of ours."""


class PackagedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file, and `integrity` as the attribute of a script has it."""

    media_type: str
    body: bytes
    integrity: str


class PackagedFiles(msgspec.Struct, frozen=True, kw_only=True):
    """All files of a package by their names. `digest` changes with any of them, so that an address with it is final."""

    digest: str
    files: Mapping[str, PackagedFile]


_NO_FILES: Final = PackagedFiles(digest="", files={})


@lru_cache(maxsize=64)
def packaged_files(package: str | None) -> PackagedFiles:
    """Return the files of the folder `static` in a package, read once; none for None.

    Names are small letters, digits, `.`, `_` and `-`, and end in `.js`, `.css`, `.json`, `.svg`, `.png`, `.webp` or
    `.woff2`. Raises ValueError for a folder that is not there, for other files and folders in it, and for more than 64
    files or 2 MiB.
    """
    if package is None:
        return _NO_FILES
    try:
        folder = files(package) / _FOLDER
        entries = sorted(folder.iterdir(), key=lambda entry: entry.name) if folder.is_dir() else []
    except (ImportError, OSError, TypeError) as error:
        raise ValueError(f"the package `{package}` cannot be read: {error}") from error
    found: dict[str, PackagedFile] = {}
    for entry in entries:
        media_type = _MEDIA_TYPES.get(entry.name.rpartition(".")[2])
        if media_type is None or not _NAME.fullmatch(entry.name) or not entry.is_file():
            raise ValueError(f"`{entry.name}` in the folder `{_FOLDER}` of `{package}` is nothing that can be served")
        body = entry.read_bytes()
        integrity = f"sha384-{b64encode(hashlib.sha384(body).digest()).decode()}"
        found[entry.name] = PackagedFile(media_type=media_type, body=body, integrity=integrity)
    if not found:
        raise ValueError(f"the package `{package}` has no folder `{_FOLDER}` with files in it")
    if len(found) > _MOST_FILES or sum(len(file.body) for file in found.values()) > _MOST_BYTES:
        raise ValueError(f"the folder `{_FOLDER}` of `{package}` is too large")
    told = "".join(f"{name} {file.integrity}\n" for name, file in found.items())
    return PackagedFiles(digest=hashlib.sha256(told.encode()).hexdigest()[:24], files=found)
