"""Small pictures for tests, as people have them on their devices."""

import base64
import io
from typing import Final

from PIL import Image, PngImagePlugin

ORIENTATION: Final = 0x0112
GPS: Final = 0x8825
SECRET: Final = "52.5200 13.4050 at home"
"""What no picture that was taken in may still say."""


def picture(kind: str = "PNG", size: tuple[int, int] = (64, 96), color: str = "#886644") -> bytes:
    """Return a picture of one color as a file of this kind."""
    buffer = io.BytesIO()
    Image.new("RGB", size, color).save(buffer, kind)
    return buffer.getvalue()


def telling_photo(size: tuple[int, int] = (40, 20)) -> bytes:
    """Return a JPEG that lies on its side and tells where and by whom it was taken."""
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    exif[0x010E] = SECRET
    exif.get_ifd(GPS)[29] = SECRET
    buffer = io.BytesIO()
    image = Image.new("RGB", size, "#204060")
    image.save(buffer, "JPEG", exif=exif, comment=SECRET.encode(), xmp=f"<x>{SECRET}</x>".encode())
    return buffer.getvalue()


def telling_png() -> bytes:
    """Return a PNG with a text in it and something behind its end."""
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Comment", SECRET)
    buffer = io.BytesIO()
    Image.new("RGB", (30, 30), "#204060").save(buffer, "PNG", pnginfo=notes)
    return buffer.getvalue() + b"<script>" + SECRET.encode()


def base64_of(data: bytes) -> str:
    """Return base64 as text."""
    return base64.b64encode(data).decode()


def data_url(data: bytes, kind: str = "png") -> str:
    """Return a data URL."""
    return f"data:image/{kind};base64,{base64_of(data)}"
