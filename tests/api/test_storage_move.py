"""`coverwright storage move`: everything arrives, whatever happens during the move."""

import hashlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.local_product import LocalProduct
from tests.person import Person
from tests.product import Product
from tests.support.databases import BACKENDS, Databases
from tests.support.drawings import data_url, picture
from tests.vendors.webdav_server import PASSWORD, USER, WebDAVServer

COVERS = 3
PICTURES = COVERS + 1
"""One is in the carousel."""
FORMS = 3


class Shelf:
    """A product with covers in one storage and a second, empty storage."""

    def __init__(self, product: Product, provider: str = "disk", settings: dict[str, str] | None = None) -> None:
        self.product = product
        self.reader: Person = product.user()
        self.covers = [self.reader.cover()["id"] for _ in range(COVERS)]
        slide = {"title": "The Salt Year", "genre": "Adventure", "imageData": data_url(picture())}
        self.slide = product.admin().post("/api/admin/carousel", json=slide).json()
        self.old = product.data / "instances" / "disk" / "objects"
        self.new = product.folder / "new" / "objects"
        body = {"id": "new", "kind": "storage", "provider": provider, "label": "New", "force": True}
        given = settings or {"folder": str(self.new.parent)}
        answer = product.admin().post("/api/admin/instances", json=body | {"settings": given})
        assert answer.status_code == 201, answer.text

    def move(self, *more: str, source: str = "disk", target: str = "new") -> "subprocess.CompletedProcess[str]":
        return self.product.command("storage", "move", "--from", source, "--to", target, *more)

    def rows(self, instance_id: str) -> list[dict[str, Any]]:
        query = "SELECT object_key, sha256 FROM picture_file WHERE instance_id = :id ORDER BY object_key"
        return self.product.sql(query, id=instance_id)

    def complete(self) -> None:
        """Check that every picture is complete in the new place and served, and that the old one is empty."""
        rows = self.rows("new")
        assert len(rows) == PICTURES * FORMS and self.rows("disk") == []
        for row in rows:
            assert hashlib.sha256((self.new / row["object_key"]).read_bytes()).hexdigest() == row["sha256"]
        assert objects(self.old) == []
        for cover in self.covers:
            assert self.reader.get(f"/api/covers/{cover}/image?size=original").status_code == 200
        assert self.product.visitor().get(self.slide["imageUrl"]).status_code == 200
        assert self.product.doctor() == ""


def site_folder(product: Product, objects: Path) -> Path:
    """Return where the product's own objects are in a storage."""
    return objects / "covers" / str(product.sql("SELECT name FROM storage_site")[0]["name"])


def objects(folder: Path) -> list[Path]:
    return [path for path in (folder / "covers").rglob("*") if path.is_file()]


@pytest.fixture(params=BACKENDS)
def shelf(request: pytest.FixtureRequest, databases: Databases) -> Iterator[Shelf]:
    product = LocalProduct(databases, request.param).start()
    yield Shelf(product)
    product.close()


def test_everything_is_moved_while_the_product_runs(shelf: Shelf) -> None:
    planned = shelf.move("--dry-run")
    assert planned.returncode == 0 and f"{PICTURES * FORMS} objects" in planned.stdout
    assert len(shelf.rows("disk")) == PICTURES * FORMS
    moved = shelf.move()
    assert moved.returncode == 0, moved.stdout + moved.stderr
    assert f"{PICTURES * FORMS} objects" in moved.stdout
    shelf.complete()
    assert shelf.move().returncode == 0, "nothing is left to do"


def test_everything_is_moved_to_a_webdav_server(databases: Databases, tmp_path: Path) -> None:
    server = WebDAVServer(tmp_path)
    allowed = {"COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES": f"storage={urlsplit(server.url).netloc}"}
    product = LocalProduct(databases, BACKENDS[0], env=allowed).start()
    try:
        settings = {"base_url": server.url, "username": USER, "password": PASSWORD, "folder": "site"}
        shelf = Shelf(product, "webdav", settings)
        shelf.new = tmp_path / "site" / "objects"
        moved = shelf.move()
        assert moved.returncode == 0, moved.stdout + moved.stderr
        shelf.complete()
    finally:
        product.close()
        server.close()


def test_a_killed_storage_move_continues(shelf: Shelf) -> None:
    for point in ("move_copied", "move_changed", "move_copied"):
        shelf.product.plant(point)
        assert shelf.move().returncode == -9
        for cover in shelf.covers:
            assert shelf.reader.get(f"/api/covers/{cover}/image?size=original").status_code == 200
    assert len(shelf.rows("disk")) == PICTURES * FORMS - 1
    assert shelf.move().returncode == 0
    shelf.complete()


def test_damaged_objects_are_named_and_stay(shelf: Shelf) -> None:
    damaged, missing = shelf.rows("disk")[:2]
    (shelf.old / damaged["object_key"]).write_bytes(b"x" * (shelf.old / damaged["object_key"]).stat().st_size)
    (shelf.old / missing["object_key"]).unlink()
    moved = shelf.move()
    assert moved.returncode == 1
    assert f"{damaged['object_key']}: unavailable: the stored bytes are not those recorded" in moved.stderr
    assert f"{missing['object_key']}: the object is missing" in moved.stderr
    assert [row["object_key"] for row in shelf.rows("disk")] == [damaged["object_key"], missing["object_key"]]
    assert not (shelf.new / damaged["object_key"]).exists()
    assert len(shelf.rows("new")) == PICTURES * FORMS - 2


def test_a_move_that_would_lose_everything_is_refused(shelf: Shelf) -> None:
    body = {"id": "same", "kind": "storage", "provider": "disk", "label": "Same", "force": True}
    settings = {"folder": str(shelf.old.parent)}
    shelf.product.admin().post("/api/admin/instances", json=body | {"settings": settings})
    shelf.product.admin().patch("/api/admin/instances/new", json={"draining": True})
    for target, why in (
        ("same", "the same place"),
        ("disk", "same instance"),
        ("new", "draining"),
        ("nobody", "no such"),
    ):
        refused = shelf.move(target=target)
        assert refused.returncode == 1 and why in refused.stderr, refused.stderr
    assert len(shelf.rows("disk")) == PICTURES * FORMS == len(objects(shelf.old))


def test_strays_are_removed_from_every_storage_but_never_what_another_instance_names(shelf: Shelf) -> None:
    """Two instances of one place: an object is a stray only when neither names it."""
    settings = {"folder": str(shelf.old.parent)}
    body = {"id": "same", "kind": "storage", "provider": "disk", "label": "Same", "force": True}
    shelf.product.admin().post("/api/admin/instances", json=body | {"settings": settings})
    shelf.product.admin().patch("/api/admin/instances/new", json={"draining": True})
    stray = site_folder(shelf.product, shelf.new) / "stray.png"
    stray.parent.mkdir(parents=True)
    stray.write_bytes(b"stray")
    os.utime(stray, (0, 0))
    with shelf.product.later(hours=3):
        from tests.support.processes import wait_until

        wait_until(lambda: not stray.exists(), "the stray to be removed", 90)
    assert len(objects(shelf.old)) == PICTURES * FORMS
