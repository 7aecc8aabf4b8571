"""A software authenticator: makes passkeys and signs with them, as browsers report it (WebAuthn Level 3, §6 and §7)."""

import base64
import hashlib
import json
import secrets
import struct
from typing import Any, Final

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT: Final = 0x01
VERIFIED: Final = 0x04
WITH_KEY: Final = 0x40


def encode(raw: bytes) -> str:
    """Return bytes as base64url without padding."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


class Authenticator:
    """One passkey on one device. `origin`, `site`, `user` and `flags` may be made to lie; `count` is the counter."""

    def __init__(self, origin: str, *, flags: int = PRESENT | VERIFIED, count: int = 0) -> None:
        self.origin = origin
        self.site = origin.split("//")[1].partition(":")[0]
        self.flags = flags
        self.count = count
        self.counting = 0
        self.user: str | None = None
        self.id = secrets.token_bytes(32)
        self._key = ec.generate_private_key(ec.SECP256R1())

    def make(self, options: str) -> str:
        """Answer the options of a registration, as JSON."""
        asked = json.loads(options)
        assert any(kind["alg"] == -7 for kind in asked["pubKeyCredParams"])
        point = self._key.public_key().public_numbers()
        key = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}
        made = bytes(16) + struct.pack(">H", len(self.id)) + self.id + cbor2.dumps(key)
        attestation = {"fmt": "none", "attStmt": {}, "authData": self._data(WITH_KEY) + made}
        self.user = asked["user"]["id"]
        return self._answer(
            clientDataJSON=self._client("webauthn.create", asked["challenge"]),
            attestationObject=cbor2.dumps(attestation),
            transports=["internal"],
        )

    def sign(self, options: str, *, key: ec.EllipticCurvePrivateKey | None = None) -> str:
        """Answer the options of a sign-in, as JSON; `key` is that of a forger."""
        asked = json.loads(options)
        self.count += self.counting
        client, data = self._client("webauthn.get", asked["challenge"]), self._data()
        signature = (key or self._key).sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._answer(clientDataJSON=client, authenticatorData=data, signature=signature, userHandle=self.user)

    def _data(self, more: int = 0) -> bytes:
        return hashlib.sha256(self.site.encode()).digest() + struct.pack(">BI", self.flags | more, self.count)

    def _client(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _answer(self, **response: Any) -> str:
        shown = {name: encode(value) if isinstance(value, bytes) else value for name, value in response.items()}
        return json.dumps({"id": encode(self.id), "rawId": encode(self.id), "type": "public-key", "response": shown})
