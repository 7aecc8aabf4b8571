"""What storages have in common: what they ask of a request before anything is sent, and of the space that is left."""

import re
from collections.abc import AsyncIterator
from typing import Final, Protocol

from .checks import CheckSteps
from .errors import InvalidRequest

_KEY_CHARS: Final = 512
_KEY_PATTERN: Final = re.compile(r"[a-z0-9._-]+(?:/[a-z0-9._-]+)*")
_PAGE_LIMIT: Final = 1000
_LOW_SPACE_BYTES: Final = 524_288_000
"""About 100 covers with their thumbnails and print files."""


class _Digest(Protocol):
    def update(self, data: bytes, /) -> object: ...


def is_object_key(text: str) -> bool:
    """Return whether a text is a key: at most 512 characters, `/`-separated words of `[a-z0-9._-]`, not `.` or `..`."""
    return len(text) <= _KEY_CHARS and bool(_KEY_PATTERN.fullmatch(text)) and not {".", ".."} & set(text.split("/"))


def check_object_key(key: str) -> str:
    """Return the key. Raises InvalidRequest for what is none."""
    if not is_object_key(key):
        raise InvalidRequest(f"not a valid key: {key[:80]!r}")
    return key


def check_range(start: int, end: int | None) -> None:
    """Raise InvalidRequest unless `start` and `end` name a range of bytes, which may be empty."""
    if start < 0 or (end is not None and end < start):
        raise InvalidRequest(f"not a range: {start} to {end}")


def check_page_limit(limit: int) -> None:
    """Raise InvalidRequest unless a page may list this many objects."""
    if not 1 <= limit <= _PAGE_LIMIT:
        raise InvalidRequest(f"the limit must be from 1 to {_PAGE_LIMIT}")


async def measured_chunks(chunks: AsyncIterator[bytes], size: int, digest: _Digest) -> AsyncIterator[bytes]:
    """Pass the chunks on while hashing and counting them. Raises InvalidRequest for another length than `size`."""
    came = 0
    async for chunk in chunks:
        came += len(chunk)
        if came > size:
            raise InvalidRequest(f"more than the announced {size} bytes")
        digest.update(chunk)
        yield chunk
    if came != size:
        raise InvalidRequest(f"{came} bytes instead of the announced {size}")


def add_space_step(steps: CheckSteps, free_bytes: int) -> None:
    """Add to a check how much space is free; a warning when it is little."""
    steps.add("space", "ok" if free_bytes >= _LOW_SPACE_BYTES else "warn", f"{free_bytes / 1e9:.1f} GB free")
