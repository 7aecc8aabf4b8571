"""Translates errors of the operating system."""

import errno
from typing import Final

from kernel.spi import InvalidRequest, ProviderError, QuotaExhausted, SettingsInvalid, Unavailable

FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
FORBIDDEN: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
BAD_NAME: Final = frozenset({errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR, errno.ENOTEMPTY, errno.EEXIST})


def translate(error: OSError) -> ProviderError:
    """Return the provider error for a failed file operation. The text contains no paths."""
    text = error.strerror or type(error).__name__
    if error.errno in FULL:
        return QuotaExhausted(f"the disk is full: {text}")
    if error.errno in FORBIDDEN:
        return SettingsInvalid(f"the folder cannot be used: {text}", field="folder")
    if error.errno in BAD_NAME:
        return InvalidRequest(f"the key cannot be a file here: {text}")
    return Unavailable(f"the disk does not answer: {text}")
