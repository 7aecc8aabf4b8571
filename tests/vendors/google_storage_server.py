"""The XML API of Google Cloud Storage, as its documentation describes what a storage asks for.

python -m tests.vendors.google_storage_server PEM     prints its address; ends when its input does

Whoever shows a token that the private key of PEM has signed may do everything, everybody may make a bucket.
"""

import sys
from collections.abc import Iterator
from typing import Any, Final
from uuid import uuid4
from xml.etree import ElementTree

import msgspec
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import RSAKey
from werkzeug.wrappers import Request, Response

from tests.vendors.buckets import Buckets, BucketServer, Refused, Stored, digest, refusal, served
from tests.vendors.server_process import serve

EMAIL: Final = "covers@example.iam"
SCOPE: Final = "https://www.googleapis.com/auth/cloud-platform"
KEPT: Final = ("content-type", "x-goog-meta-")


class Account:
    """A service account with one key, which is made now."""

    def __init__(self) -> None:
        self.key = generate_private_key(65_537, 2048)

    @property
    def file(self) -> str:
        """The JSON file that Google offers for download."""
        pem = self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
        fields = {"type": "service_account", "project_id": "covers", "private_key_id": "0" * 40, "private_key": pem}
        return msgspec.json.encode(fields | {"client_email": EMAIL}).decode()

    @property
    def public(self) -> str:
        """The public half."""
        return self.key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


class GoogleStorageServer(BucketServer):
    """The server, which knows one account; close it."""

    def __init__(self, account: Account) -> None:
        super().__init__("tests.vendors.google_storage_server", account.public)


class Api:
    """The application."""

    def __init__(self, public: str) -> None:
        self._key = RSAKey.import_key(public)
        self._buckets = Buckets()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        """Answer a request."""
        request = Request(environ)
        try:
            answer = self._answer(request)
        except Refused as refused:
            answer = refusal(refused)
        return answer(environ, start_response)  # type: ignore[return-value]

    def _answer(self, request: Request) -> Response:
        bucket, _, key = request.path.lstrip("/").partition("/")
        if "test" in request.args:
            self._buckets.make(bucket)
            return Response()
        self._authorize(request)
        objects = self._buckets.find(bucket, "NoSuchBucket")
        if not key:
            return self._list(request, objects)
        match request.method:
            case "PUT" if "uploadId" in request.args:
                data = request.get_data()
                self._upload(request)[request.args["partNumber"]] = data
                return Response(headers={"ETag": digest(data)})
            case "PUT":
                return self._store(objects, key, request.get_data(), _kept(request))
            case "POST" if "uploads" in request.args:
                upload = uuid4().hex
                self._buckets.parts[upload] = {"": msgspec.json.encode(_kept(request))}
                return _xml("InitiateMultipartUploadResult", f"<UploadId>{upload}</UploadId>")
            case "POST":
                return self._complete(request, objects, key)
            case "DELETE" if "uploadId" in request.args:
                self._buckets.parts.pop(request.args["uploadId"], None)
                return Response(status=204)
        if key not in objects:
            raise Refused(404, "NoSuchKey")
        if request.method == "DELETE":
            del objects[key]
            return Response(status=204)
        return served(request, objects[key])

    def _authorize(self, request: Request) -> None:
        """Check a token that its owner has signed: it names a scope instead of an audience."""
        try:
            claims = jwt.decode(request.authorization.token, self._key, algorithms=["RS256"]).claims  # type: ignore[union-attr,arg-type]
            jwt.JWTClaimsRegistry(iss={"value": EMAIL}, sub={"value": EMAIL}, scope={"value": SCOPE}).validate(claims)
        except (AttributeError, ValueError, JoseError):
            raise Refused(401, "AuthenticationRequired") from None

    def _upload(self, request: Request) -> dict[str, bytes]:
        try:
            return self._buckets.parts[request.args["uploadId"]]
        except KeyError:
            raise Refused(404, "NoSuchUpload") from None

    def _complete(self, request: Request, objects: dict[str, Stored], key: str) -> Response:
        parts = self._upload(request)
        named = [part.findtext("PartNumber") or "" for part in ElementTree.fromstring(request.get_data()).iter("Part")]
        if not named or set(named) - set(parts):
            raise Refused(400, "InvalidPart")
        headers = msgspec.json.decode(parts[""], type=dict[str, str])
        answer = self._store(objects, key, b"".join(parts[number] for number in named), headers)
        del self._buckets.parts[request.args["uploadId"]]
        return _xml("CompleteMultipartUploadResult", f"<ETag>{answer.headers['ETag']}</ETag>")

    def _store(self, objects: dict[str, Stored], key: str, data: bytes, headers: dict[str, str]) -> Response:
        objects[key] = stored = Stored(data, headers)
        return Response(headers={"ETag": stored.etag, "x-goog-generation": "1"})

    def _list(self, request: Request, objects: dict[str, Stored]) -> Response:
        after = request.args.get("continuation-token") or request.args.get("start-after", "")
        keys, more = self._buckets.page(objects, request.args.get("prefix", ""), lambda key: key > after)
        entries = [
            f"<Contents><Key>{key}</Key><LastModified>2026-10-21T07:28:00.000Z</LastModified>"
            f"<ETag>{objects[key].etag}</ETag><Size>{len(objects[key].data)}</Size></Contents>"
            for key in keys
        ]
        token = f"<NextContinuationToken>{keys[-1]}</NextContinuationToken>" if more else ""
        return _xml("ListBucketResult", f"<IsTruncated>{str(more).lower()}</IsTruncated>{token}{''.join(entries)}")


def _kept(request: Request) -> dict[str, str]:
    return {name: value for name, value in request.headers.items() if name.lower().startswith(KEPT)}


def _xml(name: str, inner: str) -> Response:
    return Response(f"<?xml version='1.0' encoding='UTF-8'?><{name}>{inner}</{name}>", content_type="application/xml")


if __name__ == "__main__":
    serve(Api(sys.argv[1]), threaded=True)
