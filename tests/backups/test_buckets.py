"""Backups in a bucket, and a restore that moves everything from disk to one and from SQLite to PostgreSQL."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from tests.backups.places import Place
from tests.local_product import LocalProduct
from tests.support.databases import BACKENDS, Databases
from tests.vendors.azure_storage_server import ACCOUNT, KEY, AzureStorageServer
from tests.vendors.google_storage_server import Account, GoogleStorageServer
from tests.vendors.s3_server import S3Server

GOOGLE = Account()
CLOUDS: dict[str, tuple[Callable[[], Any], str, dict[str, str], dict[str, str]]] = {
    "s3": (S3Server, "bucket", {}, {"access_key_id": "key", "secret_access_key": "word"}),
    "google": (lambda: GoogleStorageServer(GOOGLE), "bucket", {}, {"service_account_key": GOOGLE.file}),
    "azure": (AzureStorageServer, "container", {"account_name": ACCOUNT}, {"account_key": KEY}),
}
"""The server, the setting for the bucket, what else is open, and what is secret."""


@pytest.mark.parametrize("cloud", CLOUDS)
def test_a_backup_in_a_bucket_moves_a_site_there_and_to_another_database(
    cloud: str, databases: Databases, tmp_path: Path
) -> None:
    start, bucket, known, secrets = CLOUDS[cloud]
    server = start()
    known = known | {"endpoint": f"{server.url}/{ACCOUNT}" if cloud == "azure" else server.url}
    product = LocalProduct(databases, "sqlite").start()
    try:
        product.user().cover()
        place = f"{cloud}://{server.new_bucket()}/coverwright/kept?{urlencode(known)}"
        keys = {f"COVERWRIGHT_INSTANCE_BACKUP_{name.upper()}": secret for name, secret in secrets.items()}
        keys["COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES"] = urlsplit(server.url).netloc
        product.env |= keys
        made = product.command("backup", place)
        assert made.returncode == 0, made.stderr
        assert product.command("backup", "verify", place).returncode == 0
        assert "0.0 MB were new" in product.command("backup", place).stdout
        config = tmp_path / "site.toml"
        more = declared(cloud, known | secrets | {bucket: server.new_bucket()})
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
        server.close()


def declared(provider: str, settings: dict[str, str]) -> str:
    """Return an instance as a site's file declares it."""
    inner = ", ".join(f"{name} = {json.dumps(value)}" for name, value in settings.items())
    names = f'id = "cloud"\nkind = "storage"\nprovider = "{provider}"\nlabel = "Cloud"'
    return f"\n[[instances]]\n{names}\nsettings = {{ {inner} }}\n"
