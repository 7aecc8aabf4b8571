"""Backups in a bucket, and a restore that moves everything from disk to S3 and from SQLite to PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.backups.places import Place
from tests.local_product import LocalProduct
from tests.support.databases import BACKENDS, Databases
from tests.vendors.s3_server import S3Server

CLOUD = """
[[instances]]
id = "cloud"
kind = "storage"
provider = "s3"
label = "Cloud"
settings = {{ bucket = "{bucket}", endpoint = "{endpoint}", access_key_id = "key", secret_access_key = "word" }}
"""


@pytest.fixture
def server() -> Iterator[S3Server]:
    server = S3Server()
    yield server
    server.close()


def test_a_backup_in_a_bucket_moves_a_site_to_s3_and_another_database(
    server: S3Server, databases: Databases, tmp_path: Path
) -> None:
    product = LocalProduct(databases, "sqlite").start()
    try:
        product.user().cover()
        place = f"s3://{server.new_bucket()}/coverwright/kept?endpoint={server.url}"
        keys = {
            "COVERWRIGHT_INSTANCE_BACKUP_ACCESS_KEY_ID": "key",
            "COVERWRIGHT_INSTANCE_BACKUP_SECRET_ACCESS_KEY": "word",
            "COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES": urlsplit(server.url).netloc,
        }
        product.env |= keys
        made = product.command("backup", place)
        assert made.returncode == 0, made.stderr
        assert product.command("backup", "verify", place).returncode == 0
        assert "0.0 MB were new" in product.command("backup", place).stdout
        config = tmp_path / "site.toml"
        more = CLOUD.format(bucket=server.new_bucket(), endpoint=server.url)
        config.write_text(Path(product.env["COVERWRIGHT_CONFIG"]).read_text() + more)
        target = Place(product, tmp_path, databases, BACKENDS[-1], {"COVERWRIGHT_CONFIG": str(config)})
        target.bring_key()
        restored = target.command("restore", place, "--storage", "cloud")
        assert restored.returncode == 0, restored.stderr
        assert not (target.data / "instances" / "disk" / "objects").exists()
        examined = target.command("doctor")
        assert examined.returncode == 0, examined.stdout
    finally:
        product.close()
