"""Places of backups: a WebDAV folder, and a container, which is named as a bucket is."""

import hashlib
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from kernel.backups.places import PlaceRefused, open_place
from kernel.core.config import load_config
from kernel.providers import Registry
from tests.vendors.azure_storage_server import ACCOUNT, KEY, AzureStorageServer
from tests.vendors.webdav_server import PASSWORD, USER, WebDAVServer


async def kept() -> AsyncIterator[bytes]:
    yield b"kept"


async def keeps(place: str, env: Mapping[str, str]) -> None:
    """Store an object in a place, and find it there."""
    async with open_place(place, Registry.from_config(load_config(env), env=env)) as storage:
        digest = hashlib.sha256(b"kept").hexdigest()
        await storage.put("objects/a", kept, size=4, media_type="application/octet-stream", sha256=digest)
        assert [item.key async for page in storage.pages("objects/", limit=10) for item in page.objects]


@pytest.mark.anyio
async def test_a_webdav_folder_is_a_place_by_its_settings(tmp_path: Path) -> None:
    files = tmp_path / "dav"
    files.mkdir()
    server = WebDAVServer(files)
    try:
        host = urlsplit(server.url).netloc
        env = {"COVERWRIGHT_DATA": str(tmp_path), "COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES": f"backup={host}"}
        env["COVERWRIGHT_INSTANCE_BACKUP_PASSWORD"] = PASSWORD
        place = f"webdav://?base_url={server.url}&username={USER}&folder=site/backups"
        await keeps(place, env)
    finally:
        server.close()
    assert (files / "site/backups/objects/objects/a").read_bytes() == b"kept"


@pytest.mark.anyio
async def test_a_container_is_a_place_as_a_bucket_is(tmp_path: Path) -> None:
    server = AzureStorageServer()
    try:
        host = urlsplit(server.url).netloc
        env = {"COVERWRIGHT_DATA": str(tmp_path), "COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES": f"backup={host}"}
        env["COVERWRIGHT_INSTANCE_BACKUP_ACCOUNT_KEY"] = KEY
        place = f"azure://{server.new_bucket()}/site/backups?account_name={ACCOUNT}&endpoint={server.url}/{ACCOUNT}"
        await keeps(place, env)
    finally:
        server.close()


@pytest.mark.anyio
async def test_a_place_that_lacks_what_its_storage_needs_is_refused(tmp_path: Path) -> None:
    env = {"COVERWRIGHT_DATA": str(tmp_path)}
    for place in (
        "s3://",
        "azure://",
        "google://covers",
        "webdav://?username=anna",
        "webdav://cloud.example/dav?username=anna",
    ):
        with pytest.raises(PlaceRefused):
            async with open_place(place, Registry.from_config(load_config(env), env=env)):
                pass
