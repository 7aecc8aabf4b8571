"""What every storage asks of a request before anything is sent."""

import re
from collections.abc import AsyncIterator
from typing import Final, Protocol

from .errors import InvalidRequest

_KEY_CHARS: Final = 512
_KEY_PATTERN: Final = re.compile(r"[a-z0-9._-]+(?:/[a-z0-9._-]+)*")
_PAGE_LIMIT: Final = 1000


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
