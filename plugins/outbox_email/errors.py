"""Translates errors of the operating system."""

import errno
from typing import Final

from kernel.spi import ProviderError, QuotaExhausted, SettingsInvalid, Unavailable

FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
FORBIDDEN: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR})


def translate(error: OSError) -> ProviderError:
    """Return the provider error for a failed file operation. The text contains no paths."""
    text = error.strerror or type(error).__name__
    if error.errno in FULL:
        return QuotaExhausted(f"the disk is full: {text}")
    if error.errno in FORBIDDEN:
        return SettingsInvalid(f"the data folder cannot be used: {text}")
    return Unavailable(f"the disk does not answer: {text}")
