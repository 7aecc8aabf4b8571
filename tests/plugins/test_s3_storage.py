"""Tests of the S3 storage: the contract, and further guarantees."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from kernel.spi import (
    AuthFailed,
    BucketStorage,
    DeadlineExceeded,
    Effect,
    InvalidRequest,
    ProviderError,
    ProviderSpec,
    QuotaExhausted,
    RateLimited,
    Secret,
    Settings,
    SettingsInvalid,
    Unavailable,
    Unsupported,
    bucket_error,
)
from kernel.spi.testing import FakeContext
from plugins.s3_storage import S3
from plugins.s3_storage.errors import MEANINGS
from plugins.s3_storage.provider import address_of
from plugins.s3_storage.settings import S3Settings
from tests.plugins.buckets import BucketContract, put, read, says_code
from tests.vendors.s3_server import S3Server

ANYWHERE = S3Settings(bucket="covers", access_key_id=Secret("AKIATEST"), secret_access_key=Secret("s3cret"))


@pytest.fixture(scope="module")
def server() -> Iterator[S3Server]:
    server = S3Server()
    yield server
    server.close()


@pytest.fixture
def settings(server: S3Server) -> S3Settings:
    return msgspec.structs.replace(ANYWHERE, bucket=server.new_bucket(), endpoint=server.url)


@pytest.fixture
def bucket(settings: S3Settings, tmp_path: Path) -> BucketStorage:
    return S3.build(settings, FakeContext(tmp_path))


class TestConformance(BucketContract):
    meta = "x-amz-meta-"

    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return S3

    @pytest.fixture
    def settings(self, server: S3Server) -> Settings:
        return msgspec.structs.replace(ANYWHERE, bucket=server.new_bucket(), endpoint=server.url, prefix="kit/objects")

    @pytest.fixture
    def broken(self, settings: S3Settings) -> Mapping[str, Settings]:
        return {
            "bucket": msgspec.structs.replace(settings, bucket="nobody-made-it"),
            "endpoint": msgspec.structs.replace(settings, endpoint="http://127.0.0.1:9"),
            "prefix": msgspec.structs.replace(settings, prefix="a/.."),
        }

    @pytest.fixture
    def faults(self) -> Mapping[str, Any]:
        return {
            "bad_key": says_code(403, "InvalidAccessKeyId"),
            "rate_limit": says_code(503, "SlowDown"),
            "server_error": says_code(500, "InternalError"),
            "no_funds": says_code(507, "XMinioStorageFull"),
            "garbage": httpx.Response(200, html="<html>Please sign in to the network</html>"),
        }


# Settings


@pytest.mark.parametrize(
    ("changes", "address"),
    [
        ({}, "https://s3.us-east-1.amazonaws.com"),
        ({"region": "cn-north-1"}, "https://s3.cn-north-1.amazonaws.com.cn"),
        ({"path_style": False}, "https://covers.s3.us-east-1.amazonaws.com"),
        ({"endpoint": "http://minio.example:9000/"}, "http://minio.example:9000"),
        ({"endpoint": "https://store.example", "path_style": False}, "https://covers.store.example"),
    ],
)
def test_the_address_follows_from_the_settings(changes: dict[str, Any], address: str) -> None:
    assert address_of(msgspec.structs.replace(ANYWHERE, **changes)).geturl() == address


@pytest.mark.parametrize(
    "endpoint", ["minio.example:9000", "ftp://x.example", "https://x.example/path", "https://u:p@x.example", "http://["]
)
def test_what_is_no_address_is_refused_at_its_field(endpoint: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid) as caught:
        S3.build(msgspec.structs.replace(ANYWHERE, endpoint=endpoint), FakeContext(tmp_path))
    assert caught.value.field == "endpoint"


@pytest.mark.anyio
async def test_nothing_of_the_environment_is_used(
    settings: S3Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ENDPOINT", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("AWS_BUCKET", "AWS_ACCESS_KEY_ID", "AWS_SESSION_TOKEN", "AWS_DEFAULT_REGION"):
        monkeypatch.setenv(name, "from-the-environment")
    storage = S3.build(settings, FakeContext(tmp_path))
    await put(storage, "a", b"x")
    assert "from-the-environment" not in await storage.signed_url("a", seconds=60)


# Objects


@pytest.mark.anyio
async def test_objects_of_others_are_served_but_keys_of_others_are_not_listed(
    bucket: BucketStorage, settings: S3Settings
) -> None:
    for name in ("copied", "READ ME"):
        httpx.put(f"{settings.endpoint}/{settings.bucket}/{name}", content=b"by hand").raise_for_status()
    assert await read(bucket, "copied") == b"by hand"
    assert [info.key for info in (await bucket.page("")).objects] == ["copied"]


@pytest.mark.anyio
async def test_a_signed_address_opens_the_object_for_anybody(bucket: BucketStorage) -> None:
    await put(bucket, "a/b", b"bytes")
    assert httpx.get(await bucket.signed_url("a/b", seconds=60)).content == b"bytes"
    with pytest.raises(Unsupported):
        await bucket.signed_url("a/b", seconds=60, download_name="cover.png")
    with pytest.raises(InvalidRequest):
        await bucket.signed_url("a/b", seconds=0)


# Trouble


@pytest.mark.parametrize(
    ("text", "kind", "field"),
    [
        ("status code: 403 Forbidden: <Code>InvalidAccessKeyId</Code>", AuthFailed, "access_key_id"),
        ("status code: 403 Forbidden: <Code>SignatureDoesNotMatch</Code>", AuthFailed, "secret_access_key"),
        ("status code: 404 Not Found: <Code>NoSuchBucket</Code>", SettingsInvalid, "bucket"),
        ("status code: 400 Bad Request: <Code>AuthorizationHeaderMalformed</Code>", SettingsInvalid, "region"),
        ("Received redirect without LOCATION", SettingsInvalid, "region"),
        ("status code: 503 Slow: <Code>SlowDown</Code>", RateLimited, None),
        ("status code: 507 Insufficient Storage", QuotaExhausted, None),
        ("inner: Http(HttpError {\n kind: Connect,", Unavailable, None),
        ("inner: Http(HttpError {\n kind: Timeout,", DeadlineExceeded, None),
        ("anything else", Unavailable, None),
    ],
)
def test_the_librarys_words_are_translated(text: str, kind: type[ProviderError], field: str | None) -> None:
    error = bucket_error(OSError(f"{text} <Message>The key AKIATEST is wrong</Message>"), MEANINGS)
    assert (type(error), error.field) == (kind, field)
    assert "AKIATEST" not in error.detail


def test_nothing_happened_without_a_connection() -> None:
    assert bucket_error(OSError("HttpError { kind: Connect"), MEANINGS).effect is Effect.NONE
    assert bucket_error(OSError("HttpError { kind: Request"), MEANINGS).effect is Effect.UNKNOWN
