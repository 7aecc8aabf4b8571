"""The keys of secrets in a backup: only when asked, and encrypted with a passphrase. And whether a key fits."""

import os
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from kernel.core.config import Config
from kernel.core.vault import Vault, VaultError

KEY_CHECK: Final = "coverwright"
"""The text whose encrypted form in a manifest tells whether a key fits the secrets of its database."""
PLACE: Final = "backup:key_check"
KEY_FILE: Final = "secret.key"
SALT_BYTES: Final = 16
NONCE_BYTES: Final = 12
COST: Final = 1 << 16
"""n of scrypt, with r = 8 and p = 1: 64 MB and about 0.2 s for each guess."""
MIN_PASSPHRASE_CHARS: Final = 12


class KeysRefused(Exception):
    """Keys cannot be saved or read; the message is for the operator."""


def key_check(vault: Vault) -> str:
    """Return what `fits` compares a key with."""
    return vault.seal(KEY_CHECK, place=PLACE)


def fits(vault: Vault, sealed: str) -> bool:
    """Say whether this vault opens what the backup's database holds."""
    try:
        return vault.open(sealed, place=PLACE) == KEY_CHECK
    except VaultError:
        return False


def present_keys(config: Config) -> bytes:
    """Return the content of a key file that decrypts everything. Raises KeysRefused where there is no key yet."""
    keys = [config.security.secret_key, *config.security.old_secret_keys]
    if config.security.secret_key:
        return "\n".join(keys).encode()
    path = config.data_dir / KEY_FILE
    if not path.is_file():
        raise KeysRefused("there are no keys yet")
    return b"\n".join([path.read_bytes().rstrip(b"\n"), *(key.encode() for key in keys[1:])])


def has_keys(config: Config) -> bool:
    """Say whether this place has a key already."""
    return bool(config.security.secret_key) or (config.data_dir / KEY_FILE).is_file()


def put_keys(config: Config, keys: bytes) -> None:
    """Write the key file of a place that has none."""
    config.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle = os.open(config.data_dir / KEY_FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(keys)
        file.flush()
        os.fsync(file.fileno())


def lock(keys: bytes, passphrase: str) -> bytes:
    """Encrypt keys with a passphrase. Raises KeysRefused for one that is too short."""
    if len(passphrase) < MIN_PASSPHRASE_CHARS:
        raise KeysRefused(f"the passphrase must have at least {MIN_PASSPHRASE_CHARS} characters")
    salt, nonce = os.urandom(SALT_BYTES), os.urandom(NONCE_BYTES)
    return salt + nonce + AESGCM(_derive(passphrase, salt)).encrypt(nonce, keys, PLACE.encode())


def unlock(locked: bytes, passphrase: str) -> bytes:
    """Decrypt them. Raises KeysRefused for another passphrase."""
    salt, nonce = locked[:SALT_BYTES], locked[SALT_BYTES : SALT_BYTES + NONCE_BYTES]
    try:
        return AESGCM(_derive(passphrase, salt)).decrypt(nonce, locked[SALT_BYTES + NONCE_BYTES :], PLACE.encode())
    except (InvalidTag, ValueError) as error:
        raise KeysRefused("the passphrase is not that of these keys") from error


def _derive(passphrase: str, salt: bytes) -> bytes:
    return Scrypt(salt=salt, length=32, n=COST, r=8, p=1).derive(passphrase.encode())
