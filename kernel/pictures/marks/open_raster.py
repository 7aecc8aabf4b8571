"""Marks of origin in OpenRaster files (0.0.6, freedesktop.org): in the pictures that other programs show of them."""

import io
import zipfile
from typing import Final

from kernel.pictures.marks.containers import NotAPicture, with_packet

MEDIA_TYPE: Final = "image/openraster"
SHOWN: Final = frozenset(("mergedimage.png", "Thumbnails/thumbnail.png"))
"""The whole picture and its small one; the layers stay as they are."""


def layers_with_packet(data: bytes, packet: bytes) -> bytes:
    """Return layers that we packed, with this XMP packet in what is shown of them. Raises NotAPicture.

    Order, dates and packing of the entries stay: the same layers make the same bytes.
    """
    buffer = io.BytesIO()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(buffer, "w") as target:
            for entry in source.infolist():
                part = source.read(entry)
                marked = with_packet(part, "png", packet) if entry.filename in SHOWN else part
                target.writestr(entry, marked, entry.compress_type)
    except zipfile.BadZipFile as error:
        raise NotAPicture(MEDIA_TYPE) from error
    return buffer.getvalue()
