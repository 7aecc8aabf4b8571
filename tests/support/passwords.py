"""The cost of password hashes: dear in the product, cheap in tests, which make thousands of users."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from plugins.password_signin import provider

REAL: Final = (provider.MEMORY_KIB, provider.PASSES)
CHEAPEST: Final = (8, 1)


def hash_cheaply() -> None:
    """Let password providers that are built in this process from now on hash as cheaply as argon2 can."""
    provider.MEMORY_KIB, provider.PASSES = CHEAPEST  # type: ignore[misc]


@contextmanager
def real_hashes() -> Iterator[None]:
    """Let those that are built inside the block hash as in the product."""
    provider.MEMORY_KIB, provider.PASSES = REAL  # type: ignore[misc]
    try:
        yield
    finally:
        hash_cheaply()
