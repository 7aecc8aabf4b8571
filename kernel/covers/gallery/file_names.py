"""The file name of a downloaded cover."""

import re
import unicodedata
from urllib.parse import quote


def file_name(title: str, extension: str) -> str:
    """Return the specified name of a downloaded cover: the title in lower case, everything else an underscore."""
    plain = unicodedata.normalize("NFC", title).lower()
    stem = "".join(char if char.isalnum() else "_" for char in plain)
    return f"{stem or 'cover'}.{extension}"


def content_disposition(name: str) -> str:
    """Return the header for a download; clients without RFC 5987 get an ASCII name."""
    ascii_name = re.sub(r"[^a-z0-9_.-]", "_", name.lower())
    return f"attachment; filename=\"{ascii_name}\"; filename*=UTF-8''{quote(name, safe='')}"
