"""What the files of pictures tell of their origin, read by a library that did not write it."""

import io
from typing import Any

from PIL import Image


def told(data: bytes) -> dict[str, Any]:
    """Return the notes of a file by their names without namespaces, empty without any."""
    with Image.open(io.BytesIO(data)) as opened:
        opened.load()
        notes: Any = opened.getxmp()
    if not notes:
        return {}
    described: dict[str, Any] = notes["xmpmeta"]["RDF"]["Description"]
    return described


def source_of(data: bytes) -> str | None:
    """Return the term of IPTC's vocabulary that a file has as its source, None without any."""
    uri = told(data).get("DigitalSourceType")
    return uri and uri.removeprefix("http://cv.iptc.org/newscodes/digitalsourcetype/")
