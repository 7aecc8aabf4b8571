"""Tests of the disk storage: the contract, and further guarantees."""

import asyncio
import errno
import os
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from kernel.spi import InvalidRequest, ProviderSpec, QuotaExhausted, Settings, SettingsInvalid, Unavailable
from kernel.spi.testing import FakeContext, StorageContract
from plugins.disk_storage import DISK
from plugins.disk_storage.errors import translate
from plugins.disk_storage.provider import DiskStorage
from plugins.disk_storage.settings import DiskSettings


class TestConformance(StorageContract):
    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return DISK

    @pytest.fixture
    def broken(self, tmp_path: Path) -> Mapping[str, Settings]:
        (tmp_path / "file").write_text("not a folder")
        return {"folder": DiskSettings(folder=str(tmp_path / "file"))}

    @pytest.fixture
    def nested_keys(self) -> bool:
        return False


@pytest.fixture
async def disk(tmp_path: Path) -> AsyncIterator[DiskStorage]:
    provider = DISK.build(DiskSettings(folder=str(tmp_path / "kept")), FakeContext(tmp_path))
    yield provider
    await provider.aclose()


async def one(data: bytes) -> AsyncIterator[bytes]:
    yield data


async def put(disk: DiskStorage, key: str, data: bytes = b"x") -> None:
    await disk.put(key, one(data), size=len(data), media_type="image/png")


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.mark.anyio
async def test_without_a_folder_it_keeps_files_in_the_data_folder(tmp_path: Path) -> None:
    context = FakeContext(tmp_path)
    disk = DISK.build(DiskSettings(), context)
    await put(disk, "covers/1/a.png")
    assert files(Path(context.data_dir)) == ["objects/covers/1/a.png"]
    await disk.aclose()


def test_a_relative_folder_is_refused_at_its_field(tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid) as caught:
        DISK.build(DiskSettings(folder="covers"), FakeContext(tmp_path))
    assert caught.value.field == "folder"


@pytest.mark.anyio
async def test_deleting_the_last_object_removes_its_folders(disk: DiskStorage, tmp_path: Path) -> None:
    await put(disk, "a/b/c")
    await disk.delete("a/b/c")
    assert list((tmp_path / "kept" / "objects").iterdir()) == []


@pytest.mark.anyio
async def test_a_link_that_somebody_else_made_is_left_alone(disk: DiskStorage, tmp_path: Path) -> None:
    await put(disk, "a/b")
    link = tmp_path / "kept" / "objects" / "a" / "c"
    link.symlink_to(tmp_path)
    await disk.delete("a/c")
    assert link.is_symlink()


@pytest.mark.anyio
async def test_what_a_crash_left_half_written_is_removed_after_an_hour(disk: DiskStorage, tmp_path: Path) -> None:
    incoming = tmp_path / "kept" / "incoming"
    incoming.mkdir(parents=True)
    for name, age_s in ((".coverwright-old", 7200), (".coverwright-young", 60), ("somebody-elses", 7200)):
        (incoming / name).write_bytes(b"half")
        os.utime(incoming / name, (time.time() - age_s,) * 2)
    await put(disk, "a")
    assert files(incoming) == [".coverwright-young", "somebody-elses"]


@pytest.mark.anyio
async def test_a_folder_that_others_use_keeps_every_file_of_theirs(disk: DiskStorage, tmp_path: Path) -> None:
    """An administrator may choose any folder: one of photographs, say, with the same names in it as ours."""
    folder = tmp_path / "kept"
    theirs = ["coverwright.db", "incoming/.part", "incoming/a/.coverwright-x", "objects/.DS_Store", "objects/a/b c.png"]
    theirs += ["objects/a/B.png", "objects/cover.png", "photo.jpg"]
    for name in theirs:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(name.encode())
        os.utime(folder / name, (time.time() - 7200,) * 2)
    (folder / "objects" / "empty").mkdir()
    assert {step.status for step in (await disk.check()).steps} <= {"ok", "warn"}
    for key in ("a/b.png", "covers/1/c.png", "empty/d.png"):
        await put(disk, key)
    listed = {found.key for found in (await disk.page("")).objects}
    assert {"a/b.png", "covers/1/c.png", "empty/d.png"} <= listed
    for key in ("a/b.png", "a/missing.png", "a", "covers/1/c.png", "empty/d.png"):
        await disk.delete(key)
    assert files(folder) == sorted(theirs)
    assert all((folder / name).read_bytes() == name.encode() for name in theirs)


@pytest.mark.anyio
async def test_a_full_disk_is_reported_and_leaves_nothing(
    disk: DiskStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(QuotaExhausted, match="full"):
        await put(disk, "a")
    assert files(tmp_path) == []


@pytest.mark.anyio
async def test_a_write_cancelled_while_its_file_is_opened_leaves_none(
    disk: DiskStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await put(disk, "a/b")
    plain, opening = tempfile.mkstemp, threading.Event()

    def slow(**where: Any) -> tuple[int, str]:
        opening.set()
        time.sleep(0.1)
        return plain(**where)

    monkeypatch.setattr(tempfile, "mkstemp", slow)
    task = asyncio.create_task(put(disk, "a/c"))
    await asyncio.to_thread(opening.wait, 5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [file for file in files(tmp_path) if "incoming" in file] == []


@pytest.mark.anyio
async def test_a_key_that_others_continue_is_refused(disk: DiskStorage) -> None:
    await put(disk, "a/b")
    with pytest.raises(InvalidRequest):
        await put(disk, "a")
    with pytest.raises(InvalidRequest):
        await put(disk, "a/b/c")


@pytest.mark.anyio
async def test_foreign_files_are_not_listed(disk: DiskStorage, tmp_path: Path) -> None:
    await put(disk, "a")
    (tmp_path / "kept" / "objects" / "README.TXT").write_text("left by somebody")
    assert [info.key for info in (await disk.page("")).objects] == ["a"]


@pytest.mark.anyio
async def test_the_check_tells_the_free_space(disk: DiskStorage) -> None:
    steps = {step.name: step for step in (await disk.check()).steps}
    assert steps["write"].status == "ok"
    assert steps["space"].detail.endswith("GB free")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (errno.ENOSPC, QuotaExhausted),
        (errno.EDQUOT, QuotaExhausted),
        (errno.EROFS, SettingsInvalid),
        (errno.EACCES, SettingsInvalid),
        (errno.ENAMETOOLONG, InvalidRequest),
        (errno.EIO, Unavailable),
    ],
)
def test_the_operating_systems_words_are_translated(code: int, expected: type[Exception]) -> None:
    assert type(translate(OSError(code, "text"))) is expected
