"""`coverwright backup` and `restore`: what comes back is what was there, in any database and any storage."""

import asyncio
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from kernel.backups import making
from kernel.core.config import load_config
from kernel.runtime import open_runtime
from tests.backups.places import Place, command, contents, files
from tests.local_product import LocalProduct
from tests.person import Person
from tests.product import Product
from tests.support.databases import BACKENDS, Databases
from tests.support.drawings import data_url, picture
from tests.support.environment import environment
from tests.support.processes import wait_until

PASSPHRASE = "a long sentence about lighthouses"
OTHER = {"sqlite": "postgresql", "postgresql": "sqlite"}


def size(width: float, height: float) -> dict[str, Any]:
    """Return the fields of a cover of this size in inches."""
    return {"dimensions": "custom", "customWidth": width, "customHeight": height}


class Shop:
    """A product with something in most tables, and a folder for its backups."""

    def __init__(self, product: Product) -> None:
        self.product = product
        self.reader: Person = product.user(pro=True)
        # of three sizes: pictures of the stub may be equal otherwise, and are then one object
        self.cover = self.reader.cover(title="Saltwasser", author="Ägir ☃", **size(4, 6))["id"]
        self.reader.book(title="Nebel", **size(5, 7))
        slide = {"title": "The Salt Year", "genre": "Adventure", "imageData": data_url(picture())}
        product.admin().post("/api/admin/carousel", json=slide)
        body = {"id": "vendor", "kind": "image", "provider": "openai", "label": "Vendor", "force": True}
        settings = {"api_key": "canary-of-the-vault-5f1c"}
        made = product.admin().post("/api/admin/instances", json=body | {"settings": settings})
        assert made.status_code == 201, made.text
        self.place = product.folder / "backups"

    def backup(self, *more: str) -> str:
        """Make a backup; return what the command says."""
        done = self.product.command("backup", str(self.place), *more)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def objects(self) -> list[Path]:
        return [path for path in files(self.place) if len(path.name) == 64]

    def manifests(self) -> list[dict[str, Any]]:
        found = [path for path in files(self.place) if path.name == "manifest.json"]
        return [json.loads(path.read_text()) for path in sorted(found)]


@pytest.fixture(params=BACKENDS)
def shop(request: pytest.FixtureRequest, databases: Databases) -> Iterator[Shop]:
    product = LocalProduct(databases, request.param).start()
    yield Shop(product)
    product.close()


@pytest.fixture
def small_shop(databases: Databases) -> Iterator[Shop]:
    product = LocalProduct(databases, "sqlite").start()
    yield Shop(product)
    product.close()


@pytest.mark.parametrize("backend", BACKENDS)
def test_all_rows_and_objects_come_back_in_either_database(
    shop: Shop, backend: str, databases: Databases, tmp_path: Path
) -> None:
    shop.product.pause_worker()
    before = None
    while before != (now := contents(shop.product.env, tmp_path)):  # checks and notices are still written at first
        before = now
        assert "objects" in shop.backup()
    target = Place(shop.product, tmp_path, databases, backend)
    target.bring_key()
    restored = target.command("restore", str(shop.place))
    assert restored.returncode == 0, restored.stdout + restored.stderr
    after = contents(target.env, tmp_path)
    assert {table: len(rows) for table, rows in after.items()} == {table: len(rows) for table, rows in before.items()}
    assert after == before
    assert {"cover", "book", "provider_secret", "carousel_cover", "generation"} <= before.keys()
    examined = target.command("doctor")
    assert examined.returncode == 0, examined.stdout
    again = target.command("restore", str(shop.place))
    assert again.returncode == 1 and "not empty" in again.stderr


@pytest.mark.parametrize("backend", BACKENDS)
def test_new_rows_get_new_keys_after_a_restore(
    small_shop: Shop, backend: str, databases: Databases, tmp_path: Path
) -> None:
    """Also where the last rows had been deleted: an old address must never lead to something new."""
    small_shop.backup()
    target = Place(small_shop.product, tmp_path, databases, backend)
    target.bring_key()
    assert target.command("restore", str(small_shop.place)).returncode == 0
    assert target.command("admin", "promote", "root@example.com").returncode == 0
    made = target.command("generate", "a heron", "--out", str(tmp_path / "cover.png"))
    assert made.returncode == 0, made.stderr
    assert target.command("doctor").returncode == 0
    old = {row[0] for row in contents(small_shop.product.env, tmp_path)["cover"]}
    new = {row[0] for row in contents(target.env, tmp_path)["cover"]}
    assert len(new) == len(old) + 1 and min(new - old) > max(old)


def test_a_second_backup_copies_only_what_is_new(small_shop: Shop) -> None:
    small_shop.backup()
    held = {path: path.stat().st_mtime_ns for path in small_shop.objects()}
    assert "0.0 MB were new" in small_shop.backup()
    assert {path: path.stat().st_mtime_ns for path in small_shop.objects()} == held
    small_shop.reader.cover(title="Another", **size(5, 6))
    small_shop.backup()
    first, second, third = small_shop.manifests()
    assert second["added"] == 0 < third["added"] < third["bytes"]
    assert held.items() < {path: path.stat().st_mtime_ns for path in small_shop.objects()}.items()
    assert first["objects"] == second["objects"] < third["objects"] == len(small_shop.objects())


def test_verifying_finds_what_is_damaged_missing_or_cut_off(small_shop: Shop) -> None:
    small_shop.backup()
    verify = ("backup", "verify", str(small_shop.place))
    good = small_shop.product.command(*verify)
    assert good.returncode == 0 and good.stdout.endswith(": good\n")
    damaged, missing = small_shop.objects()[:2]
    kept = damaged.read_bytes()
    damaged.write_bytes(b"x" * len(kept))
    assert small_shop.product.command(*verify, "--quick").returncode == 0, "its size is as it was"
    found = small_shop.product.command(*verify)
    assert found.returncode == 1 and found.stdout.count("\n") == 2 and "not those recorded" in found.stdout
    damaged.write_bytes(kept)
    missing.unlink()
    for quick in ((), ("--quick",)):
        found = small_shop.product.command(*verify, *quick)
        assert found.returncode == 1 and found.stdout.count("\n") == 2, found.stdout
    rows = next(path for path in files(small_shop.place) if path.name == "database.jsonl.gz")
    rows.write_bytes(rows.read_bytes()[:-20])
    found = small_shop.product.command(*verify)
    assert found.returncode == 1 and "database.jsonl.gz" in found.stdout


def test_the_key_is_never_beside_the_data_unless_asked_and_then_encrypted(
    small_shop: Shop, databases: Databases, tmp_path: Path
) -> None:
    small_shop.backup()
    key = (small_shop.product.data / "secret.key").read_bytes().strip()
    target = Place(small_shop.product, tmp_path, databases, "sqlite")
    refused = target.command("restore", str(small_shop.place))
    assert refused.returncode == 1 and "the key of its secrets is not here" in refused.stderr
    refused = target.command("restore", str(small_shop.place), COVERWRIGHT_SECRET_KEY="another key " * 4)
    assert refused.returncode == 1 and "not that of the backup" in refused.stderr
    assert small_shop.product.command("backup", str(small_shop.place), "--with-keys").returncode == 1
    with patch.dict(small_shop.product.env, {"COVERWRIGHT_BACKUP_PASSPHRASE": PASSPHRASE}):
        small_shop.backup("--with-keys")
    written = b"".join(path.read_bytes() for path in files(small_shop.place))
    assert key not in written and b"canary-of-the-vault" not in written
    wrong = target.command("restore", str(small_shop.place), COVERWRIGHT_BACKUP_PASSPHRASE=PASSPHRASE + "?")
    assert wrong.returncode == 1 and "passphrase" in wrong.stderr
    right = target.command("restore", str(small_shop.place), COVERWRIGHT_BACKUP_PASSPHRASE=PASSPHRASE)
    assert right.returncode == 0, right.stderr
    assert (target.data / "secret.key").read_bytes().strip() == key
    assert (target.data / "secret.key").stat().st_mode & 0o077 == 0
    assert target.command("doctor").returncode == 0


def test_the_configuration_is_in_it_without_what_is_secret(small_shop: Shop) -> None:
    with patch.dict(small_shop.product.env, {"COVERWRIGHT_METRICS_TOKEN": "canary-of-metrics"}):
        small_shop.backup()
    (manifest,) = small_shop.manifests()
    assert manifest["configuration"]["generation"]["max_attempts"] == 3
    assert "canary" not in json.dumps(manifest)


def test_an_interrupted_restore_goes_on(small_shop: Shop, databases: Databases, tmp_path: Path) -> None:
    for title in ("One", "Two", "Three"):
        small_shop.reader.cover(title=title)
    small_shop.backup()
    target = Place(small_shop.product, tmp_path, databases, "sqlite")
    target.bring_key()
    small_shop.product.plant("restore_objects")
    assert target.command("restore", str(small_shop.place)).returncode == -9
    assert target.command("doctor").returncode == 1
    assert target.command("restore", str(small_shop.place)).returncode == 0
    assert target.command("doctor").returncode == 0
    assert contents(target.env, tmp_path)["cover"] == contents(small_shop.product.env, tmp_path)["cover"]


def test_a_cover_that_is_made_and_removed_during_a_backup_leaves_it_complete(
    shop: Shop, databases: Databases, tmp_path: Path
) -> None:
    """The saved database named it and nobody can copy it any more: the database is read again."""
    real, looks = making.dump, 0

    async def dump(*given: Any, **named: Any) -> Any:
        nonlocal looks
        looks += 1
        end = await real(*given, **named)
        if looks == 1:
            await asyncio.to_thread(remove)
        return end

    def remove() -> None:
        shop.product.sql("DELETE FROM carousel_cover RETURNING id")
        rows = shop.product.sql(
            "DELETE FROM picture_file WHERE picture_id NOT IN (SELECT picture_id FROM cover) RETURNING object_key"
        )
        shop.product.sql("DELETE FROM picture WHERE id NOT IN (SELECT picture_id FROM cover) RETURNING id")
        assert rows
        for row in rows:
            (shop.product.data / "instances" / "disk" / "objects" / row["object_key"]).unlink()

    class LateRows(making.BackupMaker):
        async def rows(self, connection: Any) -> Any:
            if looks:  # the slide is new: the first pass has not seen it
                async for found in super().rows(connection):
                    yield found

    async def backup() -> int:
        with patch.object(making, "dump", dump):
            async with open_runtime(load_config(shop.product.env)) as runtime:
                service = runtime.backups.backup_service
                old = service._maker
                service._maker = LateRows(old._config, old._database, old._registry, old._vault)
                manifest = await service.run_now(str(shop.place), lambda phase, done, of: None)
                return len(manifest.missing)

    with environment(shop.product.env):
        assert asyncio.run(backup()) == 0
    assert looks == 2
    target = Place(shop.product, tmp_path, databases, "sqlite")
    target.bring_key()
    assert target.command("restore", str(shop.place)).returncode == 0
    assert target.command("doctor").returncode == 0


def test_a_damaged_picture_is_named_and_does_not_prevent_a_backup(small_shop: Shop) -> None:
    kept = small_shop.product.sql("SELECT object_key FROM picture_file ORDER BY object_key LIMIT 1")[0]["object_key"]
    path = small_shop.product.data / "instances" / "disk" / "objects" / kept
    path.write_bytes(b"x" * path.stat().st_size)
    done = small_shop.product.command("backup", str(small_shop.place))
    assert done.returncode == 1 and f"missing: {kept}" in done.stderr
    assert [missing["key"] for missing in small_shop.manifests()[0]["missing"]] == [kept]


def test_two_backups_at_once_and_a_strangers_place_are_refused(small_shop: Shop, databases: Databases) -> None:
    small_shop.backup()
    other = LocalProduct(databases, "sqlite")
    try:
        other.start().user().cover()
        refused = other.command("backup", str(small_shop.place))
        assert refused.returncode == 1 and "another site" in refused.stderr
    finally:
        other.close()
    small_shop.product.sql(
        "INSERT INTO backup (id, kind, created_at, state, place, name, objects, size, added, missing, attempts, fence, "
        "lease_until, run_after) VALUES ('00000000000000000000000000000001', 'backup', '2026-01-01 00:00:00.000000', "
        "'running', '/elsewhere', 'x', 0, 0, 0, 0, 1, 1, '2999-01-01 00:00:00.000000', '2026-01-01 00:00:00.000000') "
        "RETURNING id"
    )
    busy = small_shop.product.command("backup", str(small_shop.place))
    assert busy.returncode == 1 and "another backup is being made" in busy.stderr


def test_places_are_named_without_keys_and_unknown_ones_are_refused(small_shop: Shop) -> None:
    for place, why in (
        ("s3://key:word@bucket/folder", "do not belong"),
        ("gopher://bucket", "no storage provider `gopher`"),
        ("", "name a place"),
    ):
        refused = small_shop.product.command("backup", *([place] if place else []))
        assert refused.returncode == 1 and why in refused.stderr, refused.stderr


def test_an_object_that_was_cut_off_in_the_place_is_copied_again(small_shop: Shop) -> None:
    small_shop.backup()
    cut = small_shop.objects()[0]
    whole = cut.read_bytes()
    cut.write_bytes(whole[: len(whole) // 2])
    small_shop.backup()
    assert cut.read_bytes() == whole
    assert small_shop.product.command("backup", "verify", str(small_shop.place)).returncode == 0


def test_a_backup_by_hand_removes_no_older_one(small_shop: Shop) -> None:
    small_shop.backup()
    (made,) = [path.parent for path in files(small_shop.place) if path.name == "manifest.json"]
    old = made.with_name("20200101-000000-000000")
    shutil.move(made, old)
    small_shop.backup()
    assert (old / "manifest.json").exists()


def test_scheduled_backups_are_made_once_and_kept_by_age(
    databases: Databases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kernel.backups.service.LOOK_S", 1.0)
    settings = f'[backup]\nto = "{tmp_path}/kept"\nevery_hours = 24\nkeep_days = 3\n'
    product = LocalProduct(databases, "sqlite", settings=settings).start()

    def made() -> int:
        states = [row["state"] for row in product.sql("SELECT state FROM backup")]
        assert "failed" not in states
        return states.count("completed")

    try:
        reader = product.user()
        reader.cover()
        wait_until(lambda: made() == 1, "the first backup", 90)
        with product.later(hours=25):
            wait_until(lambda: made() == 2, "the second backup", 90)
        names = sorted({path.parent.name for path in files(tmp_path / "kept") if path.name == "manifest.json"})
        assert len(names) == 2
        old = next(path for path in (tmp_path / "kept").rglob(names[0]) if path.is_dir())
        shutil.move(old, old.with_name("20200101-000000-000000"))
        stray = next(path for path in files(tmp_path / "kept") if len(path.name) == 64)
        unheld = stray.parent.parent / "00" / ("0" * 64)
        unheld.parent.mkdir(exist_ok=True)
        unheld.write_bytes(b"of a backup that is gone")
        with product.later(hours=51):
            wait_until(lambda: made() == 3, "the third backup", 90)
            wait_until(lambda: not unheld.exists(), "the removal of what no backup holds", 30)
        assert not old.with_name("20200101-000000-000000").exists()
        assert command(product.env, "backup", "verify").returncode == 0
    finally:
        product.close()
