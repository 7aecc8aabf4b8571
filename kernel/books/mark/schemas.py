"""Wire of publishers' marks."""

from kernel.books.schemas import Version
from kernel.core.schemas import In


class MarkIn(In, frozen=True, kw_only=True):
    """A picture as base64, plain or as a data URL: PNG, JPEG or WebP. `version` is that of the book."""

    version: Version
    base64: str
