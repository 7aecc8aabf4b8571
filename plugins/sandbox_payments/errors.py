"""Translates errors of SQLite and the operating system. A failed call was rolled back, so it had no effect."""

import sqlite3

from kernel.spi import ProviderError, QuotaExhausted, SettingsInvalid, Unavailable


def translate(error: sqlite3.Error | OSError) -> ProviderError:
    """Return the provider error. The text contains no paths."""
    name = getattr(error, "sqlite_errorname", "") or getattr(error, "strerror", "") or type(error).__name__
    if name == "SQLITE_FULL":
        return QuotaExhausted("the disk is full")
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_NOTADB", "SQLITE_CORRUPT")) or isinstance(
        error, OSError
    ):
        return SettingsInvalid(f"the data folder cannot be used: {name}")
    return Unavailable(f"the books cannot be opened: {name}")
