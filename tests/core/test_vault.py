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


def test_the_first_key_encrypts_and_all_decrypt() -> None:
    old, both = Vault(b"o" * 32), Vault(b"n" * 32, b"o" * 32)
    sealed = old.seal("text", place=PLACE)
    assert both.open(sealed, place=PLACE) == "text"
    again = both.reseal(sealed, place=PLACE)
    assert again is not None and Vault(b"n" * 32).open(again, place=PLACE) == "text"
    assert both.reseal(again, place=PLACE) is None
    with pytest.raises(VaultError):
        old.open(again, place=PLACE)
    assert both.derive_all("device") == (Vault(b"n" * 32).derive("device"), old.derive("device"))


def test_keys_come_from_lines_of_the_file_and_from_the_configuration(tmp_path: Path) -> None:
    first, env = {"COVERWRIGHT_DATA": str(tmp_path)}, "x" * 32
    made = open_vault(load_config(first)).seal("text", place=PLACE)
    key = tmp_path / "secret.key"
    key.write_bytes(b"a new key that is long enough for it\n" + key.read_bytes() + b"\n")
    both = open_vault(load_config(first))
    assert both.open(made, place=PLACE) == "text"
    newer = both.seal("text", place=PLACE)
    old_keys = ",".join(key.read_text().split("\n")[:2])
    configured = open_vault(
        load_config(first | {"COVERWRIGHT_SECRET_KEY": env, "COVERWRIGHT_OLD_SECRET_KEYS": old_keys})
    )
    assert [configured.open(sealed, place=PLACE) for sealed in (made, newer)] == ["text", "text"]
    assert Vault(env.encode()).open(configured.seal("text", place=PLACE), place=PLACE) == "text"


def test_a_key_that_ends_with_a_line_break_still_decrypts(tmp_path: Path) -> None:
    raw = b"a key that somebody wrote with an editor\n"
    (tmp_path / "secret.key").write_bytes(raw)
    sealed = Vault(raw).seal("text", place=PLACE)
    assert open_vault(load_config({"COVERWRIGHT_DATA": str(tmp_path)})).open(sealed, place=PLACE) == "text"
