"""Secrets at rest: AES-256-GCM, bound to the row and field they belong to."""

import base64
import contextlib
import hashlib
import os
import tempfile
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from kernel.core.config import Config, ConfigError

VERSION: Final = "v1"
NONCE_BYTES: Final = 12
MIN_KEY_CHARS: Final = 32


class VaultError(Exception):
    """A ciphertext cannot be decrypted: wrong key, or moved from the row it belongs to."""


class Vault:
    """Encrypts and decrypts texts, and derives keys for other purposes, all from a master key.

    It encrypts with `master` and decrypts with the `older` ones, too: those that it replaced.
    """

    def __init__(self, master: bytes, *older: bytes) -> None:
        self._masters = (master, *older)
        keys = {hashlib.sha256(key).hexdigest()[:8]: key for key in self.derive_all("vault")}
        self._ciphers = {key_id: AESGCM(key) for key_id, key in keys.items()}
        self._key_id = next(iter(keys))

    def derive(self, purpose: str) -> bytes:
        """Return a 32-byte key for one purpose, by HKDF-SHA256."""
        return self.derive_all(purpose)[0]

    def derive_all(self, purpose: str) -> tuple[bytes, ...]:
        """Return the keys for one purpose of all master keys, the present one first: for what may be older than it."""
        return tuple(_derive(master, purpose) for master in self._masters)

    def seal(self, text: str, *, place: str) -> str:
        """Encrypt a text for one place, such as `instance_secret:openai-main:api_key`."""
        nonce = os.urandom(NONCE_BYTES)
        body = base64.urlsafe_b64encode(
            nonce + self._ciphers[self._key_id].encrypt(nonce, text.encode(), place.encode())
        ).decode()
        return f"{VERSION}.{self._key_id}.{body}"

    def open(self, sealed: str, *, place: str) -> str:
        """Decrypt a text. Raises VaultError when the key or the place differs."""
        try:
            version, key_id, body = sealed.split(".")
            raw = base64.urlsafe_b64decode(body)
        except ValueError as error:
            raise VaultError("not a sealed text") from error
        if version != VERSION or key_id not in self._ciphers:
            raise VaultError("sealed with another key")
        try:
            return self._ciphers[key_id].decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], place.encode()).decode()
        except InvalidTag as error:
            raise VaultError("sealed for another place") from error

    def reseal(self, sealed: str, *, place: str) -> str | None:
        """Return the text sealed with the present key; None when it already is. Raises VaultError."""
        if sealed.split(".")[:2] == [VERSION, self._key_id]:
            return None
        return self.seal(self.open(sealed, place=place), place=place)


def _derive(master: bytes, purpose: str) -> bytes:
    hkdf = HKDF(algorithm=hashes.SHA256(), length=32, salt=b"coverwright", info=purpose.encode())
    return hkdf.derive(master)


def open_vault(config: Config) -> Vault:
    """Return the vault with the configured key, or with one that is generated once and kept in the data folder (0600).

    That file has one key in each line: the first encrypts, all decrypt. So do `security.old_secret_keys`.

    Raises ConfigError for a key of fewer than 32 characters.
    """
    older = tuple(key.encode() for key in config.security.old_secret_keys)
    if config.security.secret_key:
        if len(config.security.secret_key) < MIN_KEY_CHARS:
            raise ConfigError(f"COVERWRIGHT_SECRET_KEY must have at least {MIN_KEY_CHARS} characters")
        return Vault(config.security.secret_key.encode(), *older)
    path = config.data_dir / "secret.key"
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not path.exists():
        _create_key(path)
    raw = path.read_bytes()
    # the file as a whole was the key before it could hold several
    return Vault(*(line.strip() for line in raw.splitlines() if line.strip()), raw, *older)


def _create_key(path: Path) -> None:
    """Write a new key; when two processes start at once, one of them wins and both use its key."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".secret-")
    with os.fdopen(handle, "wb") as file:
        file.write(base64.b64encode(os.urandom(32)))
        file.flush()
        os.fsync(file.fileno())
    with contextlib.suppress(FileExistsError):
        os.link(name, path)
    os.unlink(name)
