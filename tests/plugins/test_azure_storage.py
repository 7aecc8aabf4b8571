"""Tests of the Azure storage: the contract, and what is its own."""

import base64
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from kernel.spi import (
    AuthFailed,
    BucketStorage,
    DeadlineExceeded,
    ProviderError,
    ProviderSpec,
    RateLimited,
    Secret,
    Settings,
    SettingsInvalid,
    Unavailable,
    Unsupported,
    bucket_error,
)
from kernel.spi.testing import FakeContext, Loopback
from plugins.azure_storage import AZURE
from plugins.azure_storage.errors import meanings
from plugins.azure_storage.settings import AzureStorageSettings
from tests.plugins.buckets import PAGE, BucketContract, keys, put, read, says_code
from tests.vendors.azure_storage_server import ACCOUNT, KEY, AzureStorageServer, sas_token

ANYWHERE = AzureStorageSettings(container="covers", account_name=ACCOUNT, account_key=Secret(KEY))
OTHER_KEY = base64.b64encode(b"a canary that nobody may ever hear.").decode()


@pytest.fixture(scope="module")
def server() -> Iterator[AzureStorageServer]:
    server = AzureStorageServer()
    yield server
    server.close()


@pytest.fixture
def settings(server: AzureStorageServer) -> AzureStorageSettings:
    return on(server)


def on(server: AzureStorageServer, **changes: Any) -> AzureStorageSettings:
    """Settings for a new container."""
    place = {"container": server.new_bucket(), "endpoint": f"{server.url}/{ACCOUNT}"}
    return msgspec.structs.replace(ANYWHERE, **{**place, **changes})


def signed(settings: AzureStorageSettings, **granted: str) -> AzureStorageSettings:
    """The settings with a signature instead of the key."""
    token = Secret(f"?{sas_token(settings.container, **granted)}")
    return msgspec.structs.replace(settings, account_key=None, sas_token=token)


@pytest.fixture
def container(settings: AzureStorageSettings, tmp_path: Path) -> BucketStorage:
    return AZURE.build(settings, FakeContext(tmp_path))


class TestConformance(BucketContract):
    endpoint_path = f"/{ACCOUNT}"
    meta = "x-ms-meta-"
    size_name = "coverwrightsize"

    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return AZURE

    @pytest.fixture
    def settings(self, server: AzureStorageServer) -> Settings:
        return on(server, prefix="kit/objects")

    @pytest.fixture
    def broken(self, settings: AzureStorageSettings) -> Mapping[str, Settings]:
        return {
            "container": msgspec.structs.replace(settings, container="nobody-made-it"),
            "account_key": msgspec.structs.replace(settings, account_key=Secret(OTHER_KEY)),
            "sas_token": signed(settings, expiry="2020-01-01T00:00:00Z"),
            "endpoint": msgspec.structs.replace(settings, endpoint="http://127.0.0.1:9"),
            "prefix": msgspec.structs.replace(settings, prefix="a/.."),
        }

    @pytest.fixture
    def faults(self) -> Mapping[str, Any]:
        return {
            "bad_key": says_code(403, "AuthenticationFailed"),
            "rate_limit": says_code(503, "ServerBusy"),
            "server_error": says_code(500, "InternalError"),
            "garbage": httpx.Response(200, html=PAGE.decode()),
        }

    def canary(self, field: str) -> str:
        return OTHER_KEY


class TestConformanceWithSignature(TestConformance):
    @pytest.fixture
    def settings(self, server: AzureStorageServer) -> Settings:
        return signed(on(server, prefix="kit/objects"))

    @pytest.fixture
    def broken(self, settings: AzureStorageSettings) -> Mapping[str, Settings]:
        return {"sas_token": signed(settings, permissions="rl")}

    def canary(self, field: str) -> str:
        return "sv=2023-11-03&sr=c&sp=racwdl&sig=canary-that-nobody-may-ever-hear"


# Settings


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"account_key": None}, "account_key"),
        ({"sas_token": Secret("sig=x")}, "account_key"),
        ({"account_key": Secret("not a key")}, "account_key"),
        ({"account_key": None, "sas_token": Secret("https://covers.blob.core.windows.net/?sig=x")}, "sas_token"),
        ({"account_key": None, "sas_token": Secret("sv=2023-11-03")}, "sas_token"),
        ({"endpoint": "covers.blob.core.windows.net"}, "endpoint"),
        ({"endpoint": "https://covers.example/?sig=x"}, "endpoint"),
        ({"prefix": "../other"}, "prefix"),
    ],
)
def test_what_cannot_be_is_refused_at_its_field(changes: dict[str, Any], field: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid) as caught:
        AZURE.build(msgspec.structs.replace(ANYWHERE, **changes), FakeContext(tmp_path))
    assert caught.value.field == field


@pytest.mark.anyio
async def test_without_an_address_a_wrong_account_is_named(tmp_path: Path) -> None:
    asked: list[tuple[str, int, str | None]] = []

    class Nowhere(FakeContext):
        async def find_addresses(self, host: str, port: int, *, field: str | None = None) -> tuple[str, ...]:
            asked.append((host, port, field))
            raise Unavailable("no such name")

    report = await AZURE.build(ANYWHERE, Nowhere(tmp_path)).check()
    assert asked == [(f"{ACCOUNT}.blob.core.windows.net", 443, "account_name")]
    assert [(step.name, step.status, step.field) for step in report.steps] == [("reach", "fail", "account_name")]


@pytest.mark.anyio
async def test_nothing_of_the_environment_is_used(
    settings: AzureStorageSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ENDPOINT", "ACCOUNT_NAME", "ACCOUNT_KEY", "ACCESS_KEY", "SAS_TOKEN", "TOKEN", "CLIENT_ID"):
        monkeypatch.setenv(f"AZURE_STORAGE_{name}", "http://127.0.0.1:9")
    monkeypatch.setenv("AZURE_CONTAINER_NAME", "another")
    monkeypatch.setenv("AZURE_CREDENTIAL_TYPE", "bearer_token")
    for name in ("AZURE_STORAGE_USE_EMULATOR", "AZURE_SKIP_SIGNATURE", "AZURE_USE_AZURE_CLI"):
        monkeypatch.setenv(name, "true")
    storage = AZURE.build(settings, FakeContext(tmp_path))
    await put(storage, "a", b"x")
    assert await read(storage, "a") == b"x"


# Objects


@pytest.mark.anyio
async def test_a_signed_address_opens_the_object_for_anybody(container: BucketStorage) -> None:
    await put(container, "a/b", b"bytes")
    url = await container.signed_url("a/b", seconds=60)
    assert httpx.get(url, trust_env=False).content == b"bytes"
    assert httpx.get(url.replace("a/b", "a/c"), trust_env=False).status_code == 403


@pytest.mark.anyio
async def test_a_signature_cannot_sign(settings: AzureStorageSettings, tmp_path: Path) -> None:
    storage = AZURE.build(signed(settings), FakeContext(tmp_path))
    assert not storage.capabilities().signed_urls
    with pytest.raises(Unsupported):
        await storage.signed_url("a", seconds=60)


@contextmanager
def listing(*names: str) -> Iterator[tuple[AzureStorageSettings, list[httpx.Request]]]:
    """A container that lists these names, whatever it is asked, and the requests so far."""
    blobs = "".join(
        f"<Blob><Name>{name}</Name><Properties><Last-Modified>Wed, 21 Oct 2026 07:28:00 GMT</Last-Modified>"
        "<Content-Length>1</Content-Length><Content-Type>image/png</Content-Type><Etag>1</Etag></Properties></Blob>"
        for name in names
    )
    body = f"<EnumerationResults><Blobs>{blobs}</Blobs><NextMarker></NextMarker></EnumerationResults>"
    requests: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(200, text=body)

    with Loopback(answer) as vendor:
        yield msgspec.structs.replace(ANYWHERE, endpoint=f"{vendor.url}/{ACCOUNT}"), requests


@pytest.mark.anyio
async def test_listing_in_another_order_is_noticed(tmp_path: Path) -> None:
    """With a hierarchical namespace a slash comes before all else, and pages by key would lose objects."""
    with listing("p/a/b", "p/a-b") as (settings, _):
        with pytest.raises(SettingsInvalid, match="hierarchy") as caught:
            await keys(AZURE.build(settings, FakeContext(tmp_path)))
        assert caught.value.field == "container"


@pytest.mark.anyio
async def test_the_next_page_goes_on_in_the_same_listing_and_any_other_begins_anew(tmp_path: Path) -> None:
    with listing("a", "b", "c", "d") as (settings, requests):
        storage = AZURE.build(settings, FakeContext(tmp_path))
        assert await keys(storage, limit=1) == ["a", "b", "c", "d"]
        assert len(requests) == 1
        for _ in range(2):
            page = await storage.page("", cursor="b", limit=1)
            assert ([info.key for info in page.objects], page.cursor) == (["c"], "c")
        assert len(requests) == 3
        await storage.aclose()


# Trouble


@pytest.mark.anyio
async def test_a_check_says_what_to_do(settings: AzureStorageSettings, tmp_path: Path) -> None:
    for changed, step, field, word in (
        (msgspec.structs.replace(settings, container="nobody-made-it"), "container", "container", "make it"),
        (msgspec.structs.replace(settings, account_key=Secret(OTHER_KEY)), "container", "account_key", "copy it again"),
        (signed(settings, permissions="rl"), "write", "sas_token", "needs read, add"),
        (signed(settings, permissions="rwl"), "delete", "sas_token", "needs read, add"),
    ):
        report = await AZURE.build(changed, FakeContext(tmp_path)).check()
        failed = report.steps[-1]
        assert (failed.name, failed.status, failed.field) == (step, "fail", field)
        assert word in failed.detail


@pytest.mark.anyio
async def test_writing_into_no_container_is_a_wrong_setting(settings: AzureStorageSettings, tmp_path: Path) -> None:
    storage = AZURE.build(msgspec.structs.replace(settings, container="nobody-made-it"), FakeContext(tmp_path))
    with pytest.raises(SettingsInvalid) as caught:
        await put(storage, "a")
    assert caught.value.field == "container"


@pytest.mark.parametrize(
    ("text", "kind", "field"),
    [
        ("status code: 403 Forbidden: <Code>AuthenticationFailed</Code>", AuthFailed, "account_key"),
        ("status code: 403 Forbidden: <Code>KeyBasedAuthenticationNotPermitted</Code>", AuthFailed, "account_key"),
        ("Bulk delete request failed for key a: No. (code: 403)", AuthFailed, "account_key"),
        ("status code: 404 Not Found: <Code>ContainerNotFound</Code>", SettingsInvalid, "container"),
        ("status code: 409 Conflict: <Code>ContainerBeingDeleted</Code>", SettingsInvalid, "container"),
        ("status code: 409 Conflict: <Code>BlobImmutableDueToPolicy</Code>", SettingsInvalid, "container"),
        ("status code: 403 Forbidden: <Code>AccountIsDisabled</Code>", SettingsInvalid, "account_name"),
        ("status code: 503 Busy: <Code>ServerBusy</Code>", RateLimited, None),
        ("status code: 429 Too Many: ", RateLimited, None),
        ("status code: 500 Internal: <Code>OperationTimedOut</Code>", DeadlineExceeded, None),
        ("status code: 503 Service Unavailable: ", Unavailable, None),
    ],
)
def test_the_vendors_words_are_translated(text: str, kind: type[ProviderError], field: str | None) -> None:
    error = bucket_error(OSError(f"{text} <Message>{KEY}</Message>"), meanings("account_key"))
    assert (type(error), error.field) == (kind, field)
    assert KEY not in error.detail
