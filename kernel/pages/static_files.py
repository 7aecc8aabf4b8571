"""The built SPA, read into memory once: responses need no disk, and have validators and precomputed compression."""

import hashlib
import mimetypes
from pathlib import Path
from typing import Final

import msgspec
from litestar import Response

from kernel.core.errors import Absent
from kernel.core.text.interface import BUILT
from kernel.core.web.access import AppRequest
from kernel.pages.first_screens import FirstScreens
from kernel.pages.preload_hints import PreloadHints
from kernel.pages.responses import conditional_response

STATIC: Final = BUILT
IMMUTABLE: Final = "public, max-age=31536000, immutable"
REVALIDATE: Final = "public, max-age=0, must-revalidate"
ENCODINGS: Final = ((".br", "br"), (".gz", "gzip"))
MEDIA_TYPES: Final = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".json": "application/json; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain",
}


class StaticFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file with its encodings (name of the encoding → bytes; `identity` is always included)."""

    media_type: str
    etag: str
    bodies: dict[str, bytes]


class StaticFiles:
    """Files by their address. Empty when the SPA has not been built."""

    def __init__(self, folder: Path = STATIC) -> None:
        self._files: dict[str, StaticFile] = {}
        for path in sorted(folder.rglob("*")) if folder.is_dir() else []:
            if path.is_file() and path.suffix not in (".br", ".gz") and ".vite" not in path.parts:
                self._files["/" + path.relative_to(folder).as_posix()] = _load(path)
        self.hints = PreloadHints(folder)
        self.first_screens = FirstScreens(folder)

    def find(self, address: str) -> StaticFile | None:
        """Return the file at an address, or None."""
        return self._files.get(address)

    def answer(self, request: AppRequest, address: str) -> Response[bytes | None]:
        """Answer with a file: 200 or 304, in the best encoding the client takes. Raises Absent."""
        file = self._files.get(address)
        if file is None:
            raise Absent
        hashed = address.startswith("/assets/") or "v" in request.query_params
        headers = {"etag": file.etag, "cache-control": IMMUTABLE if hashed else REVALIDATE, "vary": "accept-encoding"}
        if file.etag in request.headers.get("if-none-match", ""):
            return Response(None, status_code=304, headers=headers)
        accepted = request.headers.get("accept-encoding", "")
        for _, encoding in ENCODINGS:
            if encoding in accepted and encoding in file.bodies:
                headers["content-encoding"] = encoding
                return conditional_response(request, file.bodies[encoding], media_type=file.media_type, headers=headers)
        return conditional_response(request, file.bodies["identity"], media_type=file.media_type, headers=headers)


def _load(path: Path) -> StaticFile:
    data = path.read_bytes()
    bodies = {"identity": data}
    for suffix, encoding in ENCODINGS:
        packed = path.with_name(path.name + suffix)
        if packed.exists():
            bodies[encoding] = packed.read_bytes()
    guessed = MEDIA_TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return StaticFile(media_type=guessed, etag=f'"{hashlib.sha256(data).hexdigest()[:24]}"', bodies=bodies)
