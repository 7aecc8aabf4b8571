"""How a picture's words will be set, said before it is made: an optional part of the kind `image`."""

from typing import Any, Protocol, runtime_checkable

import msgspec

from .image import ImageRequest, MediaType


class LetteringSketch(msgspec.Struct, frozen=True, kw_only=True):
    """How the words of a picture will be set, and a small picture of what they stand on.

    `lettering` is the document that `GeneratedImage.lettering` will be, and `picture` then has no words. It is None
    where the words are painted into the picture, and `picture` then shows them.
    """

    picture: bytes
    media_type: MediaType
    lettering: dict[str, Any] | None = None


@runtime_checkable
class LetteringSketcher(Protocol):
    """An image provider that sets words itself and says how before it draws; claimed by `capabilities().sketches`.

    Optional. It is called in a web request while somebody types: less than half a second, no network, nothing stored,
    and nothing that blocks the event loop.
    """

    async def sketch_lettering(self, request: ImageRequest) -> LetteringSketch:
        """Return how `generate` would set the words of the same request; it has a seed."""
        ...
