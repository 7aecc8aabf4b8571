"""Wire of pictures that a book has of its own."""

from kernel.books.schemas import Version
from kernel.core.schemas import In


class BookPictureIn(In, frozen=True, kw_only=True):
    """A picture as base64, plain or as a data URL: PNG, JPEG or WebP. `version` is that of the book."""

    version: Version
    base64: str
