"""Cuts secrets out of what is recorded: by their values, however they are written, and by the names of their places."""

import base64
import binascii
import html
import json
import re
from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import quote, quote_plus

import httpx

CUT: Final = "cut"
"""Stands for what was cut out because of its name."""

_HEADERS: Final = frozenset(
    ("authorization", "proxy-authorization", "cookie", "set-cookie", "www-authenticate", "authentication-info")
)
_WORDS: Final = "token|secret|password|passphrase|passwd|pwd|credential|credentials|signature|sig|assertion"
_NAMES: Final = re.compile(
    rf"(^|_)({_WORDS})$|(^|_)({_WORDS})_|(^|_)(api|access|private|secret|signing|server|auth|account|master)_?key(_|$)"
    r"|^auth$|^authorization$"
)
_IN_ADDRESSES: Final = re.compile(
    r"(^|_)key$|^x_(amz|goog|ms)_|^(se|st|sv|sr|sp|ske|skt|expires|policy|awsaccesskeyid|googleaccessid|code|nonce)$"
)
"""Further names of the query that carry a key, or belong to a signature and change with the time."""
_MEMBER: Final = re.compile(rb'"((?:[^"\\]|\\.){1,80})"(\s*:\s*)"((?:[^"\\]|\\.)*)"')
_PAIR: Final = re.compile(rb"(^|&)([^=&]{1,80})=([^&]*)")
_BASE64: Final = (re.compile(rb"[A-Za-z0-9+/]{8,}={0,2}"), re.compile(rb"[A-Za-z0-9_-]{8,}={0,2}"))
_PIECE: Final = re.compile(r"[A-Za-z0-9+/=_-]{20,}")
_SHORTEST_VALUE: Final = 8
"""Shorter values of a secret that is a JSON document are words such as `account`."""


class SecretSurvived(Exception):
    """A recording was not written, because a secret is still in it."""


class Secrets:
    """The secret settings of one provider, by their fields. Each is replaced by `cut-` and the name of its field."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._found: list[tuple[bytes, bytes]] = []
        for field, value in values.items():
            stand_in = placeholder(field).encode()
            for trace in _traces(value):
                self._found += [(written, stand_in) for written in _spellings(trace)]
        self._found.sort(key=lambda pair: len(pair[0]), reverse=True)

    def cut_values(self, data: bytes) -> bytes:
        """Replace every secret, in any spelling: as it is, escaped for addresses, JSON or HTML, in hex or Base64."""
        for pattern in _BASE64:
            data = pattern.sub(self._cut_encoded, data)
        for written, stand_in in self._found:
            data = data.replace(written, stand_in)
        return data

    def cut_body(self, body: bytes, media_type: str) -> bytes:
        """Cut values, and what stands under a name for secrets in JSON (also in a stream of events) or a form."""
        body = _PAIR.sub(_cut_pair, body) if "form-urlencoded" in media_type else _MEMBER.sub(_cut_member, body)
        return self.cut_values(body)

    def cut_url(self, url: httpx.URL) -> str:
        """Cut values and user, and what the query has under a name for secrets or signatures."""
        kept = [(name, CUT if _is_secret(name, address=True) else value) for name, value in url.params.multi_items()]
        bare = url.copy_with(username=None, password=None, fragment=None)
        bare = bare.copy_with(params=kept) if kept else bare
        return self.cut_values(str(bare).encode()).decode()

    def cut_headers(self, headers: httpx.Headers) -> dict[str, list[str]]:
        """Cut values, and headers that carry a key, a cookie or a signature."""
        found: dict[str, list[str]] = {}
        for name, value in headers.multi_items():
            secret = name.lower() in _HEADERS or _is_secret(name, address=True)
            if name.lower() in ("location", "content-location"):
                value = self.cut_url(httpx.URL(value))
            cut = CUT if secret else self.cut_values(value.encode("latin-1", "replace")).decode("latin-1")
            found.setdefault(name.lower(), []).append(cut)
        return found

    def survivors(self, text: bytes) -> bool:
        """Return whether any of the secrets is still there."""
        return self.cut_values(text) != text

    def _cut_encoded(self, found: re.Match[bytes]) -> bytes:
        """Replace a secret inside of Base64, as that of a user and a password."""
        whole = found[0].rstrip(b"=")
        urlsafe = b"-" in whole or b"_" in whole
        for start in range(min(4, len(whole))):
            run = whole[start:]
            run = run[: len(run) - (len(run) % 4 == 1)]
            plain = _decoded(run, urlsafe=urlsafe)
            cut = plain
            for written, stand_in in self._found:
                cut = cut.replace(written, stand_in)
            if cut != plain:
                again = base64.urlsafe_b64encode(cut) if urlsafe else base64.b64encode(cut)
                return whole[:start] + again
        return found[0]


def placeholder(field: str) -> str:
    """Return what stands for the secret of a field."""
    return f"{CUT}-{field}"


def _decoded(run: bytes, *, urlsafe: bool) -> bytes:
    padded = run + b"=" * (-len(run) % 4)
    try:
        return base64.b64decode(padded, altchars=b"-_" if urlsafe else None)
    except binascii.Error:
        return b""


def _traces(secret: str) -> set[str]:
    """Return what must not be shown of a secret: the whole, the values of a JSON document, and long pieces of keys."""
    try:
        parsed = json.loads(secret)
    except ValueError:
        parsed = None
    values = [str(value) for value in parsed.values()] if isinstance(parsed, dict) else []
    values = [value for value in values if len(value) >= _SHORTEST_VALUE]
    structured = [secret, *values] if values or "\n" in secret else []
    return {secret, *values, *(piece for value in structured for piece in _PIECE.findall(value))}


def _spellings(secret: str) -> Iterator[bytes]:
    """Yield a secret as it may be written."""
    plain = secret.encode()
    encoded = {base64.b64encode(plain).decode(), base64.urlsafe_b64encode(plain).decode()}
    texts = {secret, html.escape(secret), json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}
    texts |= {text.replace("/", "\\/") for text in texts} | {plain.hex(), plain.hex().upper()}
    texts |= encoded | {text.rstrip("=") for text in encoded}
    for text in tuple(texts):
        for safe in ("", "/", "/:@!$&'()*+,;=~"):
            texts |= {quote(text, safe=safe), quote_plus(text, safe=safe)}
    texts |= {re.sub("%[0-9A-F]{2}", lambda found: found[0].lower(), text) for text in texts}
    yield from {text.encode() for text in texts}
    yield from {text.encode("latin-1", "ignore") for text in texts if not text.isascii() and _fits(text)}


def _fits(text: str) -> bool:
    return all(ord(letter) < 256 for letter in text)


def _is_secret(name: str, *, address: bool = False) -> bool:
    """Return whether what has this name is a secret; `address` adds what only queries and headers have."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace("-", "_").lower()
    return bool(_NAMES.search(words) or (address and _IN_ADDRESSES.search(words)))


def _cut_member(found: re.Match[bytes]) -> bytes:
    name, colon, _ = found.groups()
    return b'"%b"%b"%b"' % (name, colon, CUT.encode()) if _is_secret(name.decode("utf-8", "replace")) else found[0]


def _cut_pair(found: re.Match[bytes]) -> bytes:
    before, name, _ = found.groups()
    return b"%b%b=%b" % (before, name, CUT.encode()) if _is_secret(name.decode("utf-8", "replace")) else found[0]
