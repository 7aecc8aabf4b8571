"""Refuses writes that another site makes in the user's name, by what the browser reports of their origin."""

from typing import Final
from urllib.parse import urlsplit

from litestar.datastructures import Headers

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})


def origin_of(url: str) -> str:
    """Return scheme, host and port of an address, as browsers write an origin: no default port, lower case."""
    parts = urlsplit(url)
    host, port = (parts.hostname or "").lower(), parts.port
    shown = f"[{host}]" if ":" in host else host
    default = {"http": 80, "https": 443}.get(parts.scheme)
    return f"{parts.scheme}://{shown}" + (f":{port}" if port and port != default else "")


def is_cross_site(method: str, scheme: str, headers: Headers, public_origin: str) -> bool:
    """Return whether a request is a write from another site.

    `Sec-Fetch-Site` decides where there is one; else `Origin`, compared with the public address and with the one that
    was requested, scheme included. A request without either header comes from no browser, so no browser is abused.
    """
    if method in SAFE_METHODS:
        return False
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None:
        return site not in ("same-origin", "none")
    if origin is None:
        return False
    return origin.lower() not in (public_origin, f"{scheme}://{headers.get('host', '').lower()}")
