"""Azure Blob Storage, as its documentation describes what a storage asks for.

python -m tests.vendors.azure_storage_server     prints its address; ends when its input does

Whoever signs with the account's key may do everything, a shared access signature what it says; everybody may make a
container.
"""

import base64
import hmac
import re
import time
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import parse_qs, quote, urlencode, urlsplit
from xml.etree import ElementTree

from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Request, Response

from tests.vendors.buckets import Buckets, BucketServer, Refused, Stored, refusal, served
from tests.vendors.server_process import serve

ACCOUNT: Final = "covers"
KEY: Final = base64.b64encode(b"the key of an account in a test.").decode()
VERSION: Final = "2023-11-03"
STARTS_ANYWHERE: Final = "2026-02-06"
"""The first version of the API whose listings take `startFrom`."""
SIGNED_HEADERS: Final = (
    *("content-encoding", "content-language", "content-length", "content-md5", "content-type", "date"),
    *("if-modified-since", "if-match", "if-none-match", "if-unmodified-since", "range"),
)
SAS_FIELDS: Final = (
    "sp",
    "st",
    "se",
    "",
    "si",
    "sip",
    "spr",
    "sv",
    "sr",
    "",
    "ses",
    "rscc",
    "rscd",
    "rsce",
    "rscl",
    "rsct",
)
"""In the order in which they are signed; the empty ones are the resource, and the time of a snapshot."""


class AzureStorageServer(BucketServer):
    """The server; its containers are below the account's name, as in the emulator of Azure. Close it."""

    def __init__(self) -> None:
        super().__init__("tests.vendors.azure_storage_server")


def _hmac(text: str) -> str:
    return base64.b64encode(hmac.digest(base64.b64decode(KEY), text.encode(), "sha256")).decode()


def sas_token(container: str, *, permissions: str = "racwdl", expiry: str = "2099-01-01T00:00:00Z") -> str:
    """Return a signature for a container, as an administrator makes it in the portal."""
    fields = {"sp": permissions, "se": expiry, "sv": VERSION, "sr": "c"}
    return urlencode(fields | {"sig": _hmac(_to_sign_of_sas(fields, f"/blob/{ACCOUNT}/{container}"))})


def _to_sign_of_sas(fields: Mapping[str, str], resource: str) -> str:
    texts = [fields.get(name, "") for name in SAS_FIELDS]
    texts[3] = resource
    return "\n".join(texts)


class Api:
    """The application."""

    def __init__(self) -> None:
        self._buckets = Buckets()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        """Answer a request."""
        return self._answer(Request(environ))(environ, start_response)  # type: ignore[return-value]

    def _answer(self, request: Request) -> Response:
        try:
            return self._served(request)
        except Refused as refused:
            return refusal(refused, {"x-ms-error-code": refused.code})

    def _served(self, request: Request) -> Response:
        account, _, path = request.path.lstrip("/").partition("/")
        if "test" in request.args:
            self._buckets.make(account)
            return Response()
        container, _, key = path.partition("/")
        comp = request.args.get("comp", "")
        _authorize(request, container, _permission(request.method, comp))
        objects = self._buckets.find(container, "ContainerNotFound")
        match request.method, comp:
            case "GET", "list":
                return self._list(request, objects)
            case "POST", "batch":
                return self._batch(request)
            case "PUT", "block":
                self._buckets.parts.setdefault(path, {})[request.args["blockid"]] = request.get_data()
                return Response(status=201)
            case "PUT", "blocklist":
                blocks = self._buckets.parts.pop(path, {})
                names = [block.text or "" for block in ElementTree.fromstring(request.get_data())]
                if set(names) - set(blocks):
                    raise Refused(400, "InvalidBlockList")
                return _store(request, objects, key, b"".join(blocks[name] for name in names))
            case "PUT", "":
                if request.headers.get("x-ms-blob-type") != "BlockBlob":
                    raise Refused(400, "MissingRequiredHeader")
                return _store(request, objects, key, request.get_data())
        if key not in objects:
            raise Refused(404, "BlobNotFound")
        if request.method == "DELETE":
            del objects[key]
            return Response(status=202)
        return served(request, objects[key])

    def _list(self, request: Request, objects: dict[str, Stored]) -> Response:
        first = request.args.get("marker", "")
        if request.headers["x-ms-version"] >= STARTS_ANYWHERE:
            first = first or request.args.get("startFrom", "")
        keys, more = self._buckets.page(objects, request.args.get("prefix", ""), lambda key: key >= first)
        entries = [
            f"<Blob><Name>{key}</Name><Properties><Last-Modified>{objects[key].modified}</Last-Modified>"
            f"<Content-Length>{len(objects[key].data)}</Content-Length><Content-Type>image/png</Content-Type>"
            f"<Etag>{objects[key].etag}</Etag><BlobType>BlockBlob</BlobType></Properties></Blob>"
            for key in keys
        ]
        marker = f"{keys[-1]}!" if more else ""  # the least name after the last one
        body = f"<Blobs>{''.join(entries)}</Blobs><NextMarker>{marker}</NextMarker>"
        return Response(
            f"<?xml version='1.0' encoding='utf-8'?><EnumerationResults>{body}</EnumerationResults>",
            content_type="application/xml",
        )

    def _batch(self, request: Request) -> Response:
        """Carry out each request in the body; each has its own authorization."""
        boundary = (request.content_type or "").partition("boundary=")[2]
        parts = []
        for part in request.get_data().decode().split(f"--{boundary}")[1:-1]:
            outer, _, inner = part.strip().partition("\r\n\r\n")
            first, *lines = inner.strip().split("\r\n")
            method, target, _ = first.split(" ")
            headers = dict(line.split(": ", 1) for line in lines)
            url = urlsplit(target)
            builder = EnvironBuilder(url.path, query_string=url.query, method=method, headers=headers)
            answer = self._answer(Request(builder.get_environ()))
            number = re.search(r"Content-ID: (\d+)", outer)
            assert number is not None
            parts.append(
                f"--batch\r\nContent-Type: application/http\r\nContent-ID: {number[1]}\r\n\r\n"
                f"HTTP/1.1 {answer.status}\r\nx-ms-version: {VERSION}\r\n\r\n\r\n"
            )
        body = "".join(parts) + "--batch--\r\n"
        return Response(body, 202, content_type="multipart/mixed; boundary=batch")


def _store(request: Request, objects: dict[str, Stored], key: str, data: bytes) -> Response:
    meta = {name: value for name, value in request.headers.items() if name.lower().startswith("x-ms-meta-")}
    if not all(name[len("x-ms-meta-") :].isidentifier() for name in meta):
        raise Refused(400, "InvalidMetadata")
    kind = request.headers.get("x-ms-blob-content-type", "application/octet-stream")
    objects[key] = stored = Stored(data, {**meta, "Content-Type": kind, "x-ms-blob-type": "BlockBlob"})
    return Response(status=201, headers={"ETag": stored.etag, "Last-Modified": stored.modified})


def _permission(method: str, comp: str) -> str:
    if comp in ("list", "batch"):
        return {"list": "l", "batch": "d"}[comp]
    return {"GET": "r", "HEAD": "r", "PUT": "w", "DELETE": "d"}.get(method, "?")


def _authorize(request: Request, container: str, permission: str) -> None:
    if "sig" in request.args:
        _authorize_by_sas(request, container, permission)
        return
    if (shown := request.headers.get("Authorization")) is None:
        raise Refused(401, "NoAuthenticationInformation")
    if not hmac.compare_digest(shown, f"SharedKey {ACCOUNT}:{_hmac(_to_sign(request))}"):
        raise Refused(403, "AuthenticationFailed")


def _authorize_by_sas(request: Request, container: str, permission: str) -> None:
    fields = {name: request.args[name] for name in request.args}
    path = {"c": f"/{ACCOUNT}/{container}", "b": quote(request.path)}[fields["sr"]]
    ended = fields["se"] < time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    if ended or not hmac.compare_digest(fields["sig"], _hmac(_to_sign_of_sas(fields, f"/blob{path}"))):
        raise Refused(403, "AuthenticationFailed")
    if permission not in fields["sp"]:
        raise Refused(403, "AuthorizationPermissionMismatch")


def _to_sign(request: Request) -> str:
    """Return what a shared key signs: method, headers, our headers in their order, account and path, query."""
    headers = {name.lower(): value for name, value in request.headers.items()}
    texts = [headers.get(name, "") for name in SIGNED_HEADERS]
    texts[2] = "" if texts[2] == "0" else texts[2]
    ours = [f"{name}:{value}" for name, value in sorted(headers.items()) if name.startswith("x-ms-")]
    query = parse_qs(request.query_string.decode(), keep_blank_values=True)
    asked = [f"{name.lower()}:{','.join(sorted(values))}" for name, values in sorted(query.items())]
    resource = f"/{ACCOUNT}{quote(request.path)}"
    return "\n".join([request.method, *texts, *ours, resource, *asked])


if __name__ == "__main__":
    serve(Api(), threaded=True)
