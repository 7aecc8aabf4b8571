"""Tests of the Google storage: the contract, and what is its own."""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import httpx
import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256

from kernel.spi import (
    AuthFailed,
    BucketStorage,
    DeadlineExceeded,
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
from plugins.google_storage import GOOGLE
from plugins.google_storage.errors import MEANINGS
from plugins.google_storage.settings import GoogleStorageSettings
from tests.plugins.buckets import PAGE, BucketContract, put, read, says_code
from tests.vendors.google_storage_server import EMAIL, Account, GoogleStorageServer

ACCOUNT = Account()
CANARY = Account().file
ANYWHERE = GoogleStorageSettings(bucket="covers", service_account_key=Secret(ACCOUNT.file))


@pytest.fixture(scope="module")
def server() -> Iterator[GoogleStorageServer]:
    server = GoogleStorageServer(ACCOUNT)
    yield server
    server.close()


@pytest.fixture
def settings(server: GoogleStorageServer) -> GoogleStorageSettings:
    return msgspec.structs.replace(ANYWHERE, bucket=server.new_bucket(), endpoint=server.url)


@pytest.fixture
def bucket(settings: GoogleStorageSettings, tmp_path: Path) -> BucketStorage:
    return GOOGLE.build(settings, FakeContext(tmp_path))


class TestConformance(BucketContract):
    meta = "x-goog-meta-"

    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return GOOGLE

    @pytest.fixture
    def settings(self, server: GoogleStorageServer) -> Settings:
        return msgspec.structs.replace(ANYWHERE, bucket=server.new_bucket(), endpoint=server.url, prefix="kit/objects")

    @pytest.fixture
    def broken(self, settings: GoogleStorageSettings) -> Mapping[str, Settings]:
        return {
            "bucket": msgspec.structs.replace(settings, bucket="nobody-made-it"),
            "service_account_key": msgspec.structs.replace(settings, service_account_key=Secret(Account().file)),
            "endpoint": msgspec.structs.replace(settings, endpoint="http://127.0.0.1:9"),
            "prefix": msgspec.structs.replace(settings, prefix="a/.."),
        }

    @pytest.fixture
    def faults(self) -> Mapping[str, Any]:
        return {
            "bad_key": says_code(401, "AuthenticationRequired"),
            "rate_limit": says_code(429, "TooManyRequests"),
            "server_error": says_code(500, "InternalError"),
            "no_funds": says_code(403, "UserProjectAccountProblem"),
            "garbage": httpx.Response(200, html=PAGE.decode()),
        }

    def canary(self, field: str) -> str:
        return CANARY


# Settings


@pytest.mark.parametrize(
    "key",
    [
        "AIzaSy-a-key-for-another-API",
        "{}",
        msgspec.json.encode({"type": "authorized_user", "client_id": "x", "refresh_token": "y"}).decode(),
        msgspec.json.encode(msgspec.json.decode(ACCOUNT.file) | {"private_key": "-----BEGIN KEY-----"}).decode(),
    ],
    ids=["an API key", "empty", "a person's", "without a private key"],
)
def test_what_is_no_key_of_a_service_account_is_refused_without_being_quoted(key: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid) as caught:
        GOOGLE.build(msgspec.structs.replace(ANYWHERE, service_account_key=Secret(key)), FakeContext(tmp_path))
    assert caught.value.field == "service_account_key"
    assert key[:20] not in caught.value.detail and "BEGIN" not in caught.value.detail


@pytest.mark.parametrize("endpoint", ["storage.example", "https://storage.example/path", "https://u:p@x.example"])
def test_what_is_no_address_is_refused_at_its_field(endpoint: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid) as caught:
        GOOGLE.build(msgspec.structs.replace(ANYWHERE, endpoint=endpoint), FakeContext(tmp_path))
    assert caught.value.field == "endpoint"


@pytest.mark.anyio
async def test_a_key_cannot_choose_another_address(settings: GoogleStorageSettings, tmp_path: Path) -> None:
    """The library reads an address from the key, which the guard would not see."""
    file = msgspec.json.decode(ACCOUNT.file) | {"gcs_base_url": "http://127.0.0.1:9", "disable_oauth": True}
    key = Secret(msgspec.json.encode(file).decode())
    storage = GOOGLE.build(msgspec.structs.replace(settings, service_account_key=key), FakeContext(tmp_path))
    await put(storage, "a", b"x")
    assert await read(storage, "a") == b"x"


@pytest.mark.anyio
async def test_nothing_of_the_environment_is_used(
    settings: GoogleStorageSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GOOGLE_BASE_URL", "GOOGLE_BUCKET", "GOOGLE_SERVICE_ACCOUNT_KEY", "GOOGLE_APPLICATION_CREDENTIALS"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("GOOGLE_SKIP_SIGNATURE", "true")
    storage = GOOGLE.build(settings, FakeContext(tmp_path))
    await put(storage, "a", b"x")
    assert await read(storage, "a") == b"x"


@pytest.mark.parametrize("name", ["GOOGLE_SERVICE_ACCOUNT", "GOOGLE_SERVICE_ACCOUNT_PATH", "GOOGLE_BEARER_TOKEN"])
def test_a_variable_that_would_replace_the_key_is_named(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "/etc/another.json")
    with pytest.raises(SettingsInvalid, match=name) as caught:
        GOOGLE.build(ANYWHERE, FakeContext(tmp_path))
    assert caught.value.field == "service_account_key"


# Objects


@pytest.mark.anyio
async def test_a_signed_address_is_what_google_will_verify(tmp_path: Path) -> None:
    """As the page "V4 signing process with your own program" describes it; nothing is sent."""
    url = urlsplit(await GOOGLE.build(ANYWHERE, FakeContext(tmp_path)).signed_url("a/b.png", seconds=60))
    assert (url.netloc, url.path) == ("storage.googleapis.com", "/covers/a/b.png")
    query = dict(parse_qsl(url.query))
    signature = bytes.fromhex(query.pop("X-Goog-Signature"))
    assert (query["X-Goog-Expires"], query["X-Goog-Credential"].partition("/")[0]) == ("60", EMAIL)
    asked = urlencode(sorted(query.items()), quote_via=quote, safe="")
    canonical = f"GET\n{url.path}\n{asked}\nhost:{url.netloc}\n\nhost\nUNSIGNED-PAYLOAD"
    scope = query["X-Goog-Credential"].partition("/")[2]
    hashed = hashlib.sha256(canonical.encode()).hexdigest()
    text = f"GOOG4-RSA-SHA256\n{query['X-Goog-Date']}\n{scope}\n{hashed}"
    ACCOUNT.key.public_key().verify(signature, text.encode(), PKCS1v15(), SHA256())  # raises for any other


@pytest.mark.anyio
async def test_addresses_of_other_clouds_are_not_signed(bucket: BucketStorage) -> None:
    assert not bucket.capabilities().signed_urls
    with pytest.raises(Unsupported):
        await bucket.signed_url("a", seconds=60)


# Trouble


@pytest.mark.anyio
async def test_a_check_says_what_to_do(settings: GoogleStorageSettings, tmp_path: Path) -> None:
    for changes, step, word in (
        ({"bucket": "nobody-made-it"}, "bucket", "make it"),
        ({"service_account_key": Secret(Account().file)}, "bucket", "deleted"),
    ):
        report = await GOOGLE.build(msgspec.structs.replace(settings, **changes), FakeContext(tmp_path)).check()
        failed = report.steps[-1]
        assert (failed.name, failed.status, failed.field) == (step, "fail", next(iter(changes)))
        assert word in failed.detail
        assert [name.name for name in report.steps[:-1]] == ["reach"]


@pytest.mark.anyio
async def test_writing_into_no_bucket_is_a_wrong_setting(settings: GoogleStorageSettings, tmp_path: Path) -> None:
    storage = GOOGLE.build(msgspec.structs.replace(settings, bucket="nobody-made-it"), FakeContext(tmp_path))
    with pytest.raises(SettingsInvalid) as caught:
        await put(storage, "a")
    assert caught.value.field == "bucket"


@pytest.mark.parametrize(
    ("text", "kind", "field"),
    [
        ("status code: 401 Unauthorized: <Code>AuthenticationRequired</Code>", AuthFailed, "service_account_key"),
        ("status code: 403 Forbidden: <Code>AccessDenied</Code>", AuthFailed, "service_account_key"),
        ("status code: 403 Forbidden: <Code>UserProjectAccountProblem</Code>", QuotaExhausted, None),
        ("status code: 404 Not Found: <Code>NoSuchBucket</Code>", SettingsInvalid, "bucket"),
        ("status code: 429 Too Many: ", RateLimited, None),
        ("status code: 503 Service Unavailable: <Code>SlowDown</Code>", RateLimited, None),
        ("status code: 503 Service Unavailable: <Code>ServiceUnavailable</Code>", Unavailable, None),
        ("inner: Http(HttpError {\n kind: Timeout,", DeadlineExceeded, None),
    ],
)
def test_the_vendors_words_are_translated(text: str, kind: type[ProviderError], field: str | None) -> None:
    error = bucket_error(OSError(f"{text} <Message>{EMAIL} may not</Message>"), MEANINGS)
    assert (type(error), error.field) == (kind, field)
    assert EMAIL not in error.detail
