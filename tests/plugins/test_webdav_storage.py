"""Tests of the WebDAV storage: the contract, and further guarantees."""

from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import msgspec
import pytest

from kernel.spi import ProviderSpec, Secret, Settings
from kernel.spi.testing import StorageContract
from plugins.webdav_storage import WEBDAV
from plugins.webdav_storage.settings import WebDAVSettings
from tests.vendors.webdav_server import PASSWORD, USER, Front, WebDAVServer

ANYWHERE = WebDAVSettings(base_url="https://cloud.example/dav", username=USER, password=Secret(PASSWORD))
PAGE = "<html>Please sign in to the network</html>"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDAVServer]:
    server = WebDAVServer(tmp_path_factory.mktemp("dav"))
    yield server
    server.close()


@pytest.fixture
def front() -> Front:
    return Front()


@pytest.fixture
def settings(server: WebDAVServer) -> WebDAVSettings:
    return msgspec.structs.replace(ANYWHERE, base_url=f"{server.url}/{server.new_folder().name}")


class TestConformance(StorageContract):
    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return WEBDAV

    @pytest.fixture
    def settings(self, server: WebDAVServer) -> Settings:
        return msgspec.structs.replace(ANYWHERE, base_url=f"{server.url}/{server.new_folder().name}/")

    @pytest.fixture
    def upstream(self, front: Front) -> Front:
        return front

    @pytest.fixture
    def nested_keys(self) -> bool:
        return False

    @pytest.fixture
    def broken(self, settings: WebDAVSettings) -> Mapping[str, Settings]:
        return {
            "base_url": msgspec.structs.replace(settings, base_url=f"{settings.base_url}nobody-made-it"),
            "username": msgspec.structs.replace(settings, username="a:b"),
            "password": msgspec.structs.replace(settings, password=Secret("another")),
            "folder": msgspec.structs.replace(settings, folder="a/.."),
        }

    @pytest.fixture
    def faults(self) -> Mapping[str, Any]:
        return {
            "bad_key": httpx.Response(401, headers={"www-authenticate": 'Basic realm="x"'}),
            "rate_limit": httpx.Response(429, headers={"retry-after": "7"}),
            "server_error": httpx.Response(500),
            "no_funds": httpx.Response(507),
            "garbage": httpx.Response(200, html=PAGE),
        }
