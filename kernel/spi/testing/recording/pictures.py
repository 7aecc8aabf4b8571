"""Shortens pictures in what is recorded: kept is what rules look at, which is format, size and whether two differ."""

import base64
import binascii
import hashlib
import io
import re
from typing import Final

from PIL import Image

_FORMATS: Final = ("PNG", "JPEG", "WEBP")
_LONG: Final = 300
"""Characters from which Base64 may be a picture."""
_BASE64: Final = re.compile(rb"[A-Za-z0-9+/_-]{%d,}={0,2}" % _LONG)


def shorten_pictures(body: bytes) -> bytes:
    """Return a body with one flat picture for each picture: as large, of the same format, its color from the pixels.

    Pictures are whole bodies, or Base64 anywhere in a text.
    """
    if (small := _flat(body)) is not None:
        return small
    return _BASE64.sub(_shortened, body)


def _shortened(found: re.Match[bytes]) -> bytes:
    text = found[0]
    urlsafe = b"-" in text or b"_" in text
    try:
        data = base64.b64decode(text + b"=" * (-len(text) % 4), altchars=b"-_" if urlsafe else None)
    except binascii.Error:
        return text
    small = _flat(data)
    if small is None:
        return text
    return base64.urlsafe_b64encode(small) if urlsafe else base64.b64encode(small)


def _flat(data: bytes) -> bytes | None:
    """Return a flat picture instead of one; None for what is none."""
    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as picture:
            kind, size = picture.format or "", picture.size
            pixels = picture.convert("RGBA")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    color = tuple(hashlib.sha256(pixels.tobytes()).digest()[:3])
    buffer = io.BytesIO()
    if kind == "PNG":
        flat = Image.new("P", size, 0)
        flat.putpalette(color)
        flat.save(buffer, kind, optimize=True, bits=1)
    elif kind == "WEBP":
        Image.new("RGB", size, color).save(buffer, kind, lossless=True)
    else:
        Image.new("RGB", size, color).save(buffer, kind, optimize=True)
    return buffer.getvalue()
