"""Pictures as vendors send them."""

import io
from functools import lru_cache

from PIL import Image


@lru_cache(maxsize=64)
def picture(width: int, height: int, kind: str = "png", shade: int = 90) -> bytes:
    """Return a plain picture of one color. It is cached: encoding one blocks the event loop that both sides share."""
    buffer = io.BytesIO()
    Image.new("RGB", (width, height), (shade % 256, 90, 160)).save(buffer, kind.upper())
    return buffer.getvalue()
