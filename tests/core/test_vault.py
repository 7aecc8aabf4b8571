"""Secrets at rest."""

from pathlib import Path

import pytest

from kernel.core.config import ConfigError, load_config
from kernel.core.vault import Vault, VaultError, open_vault

PLACE = "instance_secret:openai-main:api_key"


def test_an_encrypted_value_opens_only_in_its_context() -> None:
    vault = Vault(b"k" * 32)
    sealed = vault.seal("sk-very-secret", place=PLACE)
    assert "secret" not in sealed
    assert vault.open(sealed, place=PLACE) == "sk-very-secret"


def test_a_ciphertext_cannot_be_moved_to_another_row() -> None:
    vault = Vault(b"k" * 32)
    sealed = vault.seal("sk-very-secret", place=PLACE)
    with pytest.raises(VaultError):
        vault.open(sealed, place="instance_secret:another:api_key")


def test_another_key_opens_nothing() -> None:
    sealed = Vault(b"k" * 32).seal("sk-very-secret", place=PLACE)
    with pytest.raises(VaultError):
        Vault(b"x" * 32).open(sealed, place=PLACE)


@pytest.mark.parametrize("broken", ["", "v1", "v1.x.y.z", "v1.abc.!!!", "plain text"])
def test_what_is_no_sealed_text_is_refused(broken: str) -> None:
    with pytest.raises(VaultError):
        Vault(b"k" * 32).open(broken, place=PLACE)


def test_keys_for_different_purposes_differ() -> None:
    vault = Vault(b"k" * 32)
    assert vault.derive("device") != vault.derive("vault")


def test_the_key_is_made_once_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    config = load_config({"COVERWRIGHT_DATA": str(tmp_path)})
    sealed = open_vault(config).seal("text", place=PLACE)
    assert open_vault(config).open(sealed, place=PLACE) == "text"
    assert (tmp_path / "secret.key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secret.key"]


def test_a_short_key_is_refused(tmp_path: Path) -> None:
    config = load_config({"COVERWRIGHT_DATA": str(tmp_path), "COVERWRIGHT_SECRET_KEY": "short"})
    with pytest.raises(ConfigError, match="COVERWRIGHT_SECRET_KEY"):
        open_vault(config)
