"""What every image provider does with a request before it asks its vendor."""

import base64

from .errors import InvalidRequest, Unavailable, Unsupported
from .image import ImageCapabilities, ImageRequest, MediaType
from .pictures import read_picture


def refuse_unclaimed(request: ImageRequest, can: ImageCapabilities) -> None:
    """Raise Unsupported or InvalidRequest for what the capabilities do not claim."""
    width, height = request.size.width, request.size.height
    if can.size_range is None:
        possible = request.size in can.sizes
    else:
        smallest, largest = can.size_range.smallest, can.size_range.largest
        possible = smallest.width <= width <= largest.width and smallest.height <= height <= largest.height
    if not possible:
        raise Unsupported(f"no size of {width} x {height} pixels")
    if request.format not in can.formats:
        raise Unsupported(f"no format {request.format}")
    if request.model not in (None, *can.models):
        raise Unsupported(f"this instance uses {', '.join(can.models)} only")
    if not 1 <= request.count <= can.max_images or len(request.references) > can.reference_images:
        raise Unsupported(f"{can.max_images} pictures and {can.reference_images} references at most")
    if request.mask is not None and not (can.masks and request.references):
        raise Unsupported("a mask needs a model that takes one, and a reference")
    if len(request.prompt) > can.max_prompt_chars:
        raise InvalidRequest(f"the prompt is longer than {can.max_prompt_chars} characters")


def reference_type(data: bytes) -> MediaType:
    """Return the media type of a reference. Raises InvalidRequest."""
    try:
        return read_picture(data).media_type
    except Unavailable as error:
        raise InvalidRequest("a reference is not a picture") from error


def reference_url(data: bytes) -> str:
    """Return a reference as an address that holds it (RFC 2397). Raises InvalidRequest."""
    return f"data:{reference_type(data)};base64,{base64.b64encode(data).decode()}"
