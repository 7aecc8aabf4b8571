"""A storage that fails now and then, loses objects or damages them."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from litestar.exceptions import LitestarException

from kernel.spi import ObjectInfo, Unavailable
from plugins.disk_storage import provider as disk
from plugins.disk_storage.provider import DiskStorage
from tests.api.test_storage_move import FORMS, PICTURES, Shelf, shelf
from tests.product import Product

__all__ = ["shelf"]

Fails = Callable[..., None]


@pytest.fixture
def fails(monkeypatch: pytest.MonkeyPatch) -> Fails:
    """Return what lets each of these operations of the disk fail so many times, as a vendor's 503 does."""

    def plan(*names: str, times: int) -> None:
        for name in names:
            real, left = getattr(DiskStorage, name), [times]

            async def call(
                self: DiskStorage, *args: Any, _real: Any = real, _left: list[int] = left, **more: Any
            ) -> Any:
                if _left[0]:
                    _left[0] -= 1
                    raise Unavailable("503")
                return await _real(self, *args, **more)

            monkeypatch.setattr(DiskStorage, name, call)

    return plan


def file_of(product: Product, cover: dict[str, Any], form: str) -> Path:
    """Return the file of one form of a cover."""
    rows = product.sql(
        "SELECT object_key FROM picture_file JOIN cover ON cover.picture_id = picture_file.picture_id"
        " WHERE cover.id = :id AND form = :form",
        id=cover["id"],
        form=form,
    )
    return product.data / "instances" / "disk" / "objects" / str(rows[0]["object_key"])


def test_a_read_that_breaks_off_goes_on_where_it_ended(
    shared_product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = shared_product.user()
    cover = reader.cover()
    whole = reader.get(cover["imageUrl"]).content
    monkeypatch.setattr(disk, "CHUNK_BYTES", len(whole) // 4)
    real, begun = DiskStorage.read, list[int]()

    async def read(self: DiskStorage, key: str, *, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        begun.append(start)
        if len(begun) == 1:
            raise Unavailable("503")
        chunks = real(self, key, start=start, end=end)
        yield await anext(chunks)
        if len(begun) == 2:
            raise Unavailable("the answer was lost")
        async for chunk in chunks:
            yield chunk

    monkeypatch.setattr(DiskStorage, "read", read)
    answer = reader.get(cover["imageUrl"])
    assert answer.status_code == 200 and answer.content == whole
    assert begun == [0, 0, len(whole) // 4]


def test_a_cover_survives_a_storage_that_fails_now_and_then(shared_product: Product, fails: Fails) -> None:
    reader = shared_product.user()
    fails("put", "info", times=1)
    cover = reader.cover()
    assert reader.get(cover["imageUrl"]).status_code == 200


@pytest.mark.parametrize("left", [b"", b"another picture"], ids=["lost", "cut"])
def test_a_cover_is_not_complete_while_its_objects_are_not_there(
    shared_product: Product, monkeypatch: pytest.MonkeyPatch, left: bytes
) -> None:
    reader, real, spoilt = shared_product.user(), DiskStorage.put, list[str]()

    async def put(self: DiskStorage, key: str, chunks: AsyncIterator[bytes], **more: Any) -> ObjectInfo:
        stored = await real(self, key, chunks, **more)
        if not spoilt:
            spoilt.append(key)
            file = self._tree.objects / key
            file.write_bytes(left) if left else file.unlink()
        return stored

    monkeypatch.setattr(DiskStorage, "put", put)
    cover = reader.cover()
    assert spoilt
    for name in ("imageUrl", "previewUrl", "thumbnailUrl"):
        assert reader.get(cover[name]).status_code == 200
    assert shared_product.doctor() == ""


def test_damaged_bytes_of_the_right_length_are_not_served_as_a_picture(
    shared_product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = shared_product.user()
    cover = reader.cover()
    path = f"/api/covers/{cover['id']}/image?size=original"
    file = file_of(shared_product, cover, "original")
    whole = file.read_bytes()
    file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    try:
        monkeypatch.setattr(disk, "CHUNK_BYTES", len(whole))
        assert reader.get(path).status_code == 503
        monkeypatch.setattr(disk, "CHUNK_BYTES", len(whole) // 4)
        with pytest.raises(LitestarException):  # begun already: it breaks off, and no browser takes it for complete
            reader.get(path)
        assert f"{file.name}: DamagedObject the stored bytes are not those recorded" in shared_product.doctor()
        assert reader.get(path, headers={"range": "bytes=0-9"}).content == whole[:10]
    finally:
        file.write_bytes(whole)


def test_a_storage_move_survives_a_storage_that_fails_now_and_then(shelf: Shelf, fails: Fails) -> None:
    fails("put", "info", "delete", "page", times=2)
    moved = shelf.move()
    assert moved.returncode == 0 and f"{PICTURES * FORMS} objects" in moved.stdout, moved.stderr
    shelf.complete()
