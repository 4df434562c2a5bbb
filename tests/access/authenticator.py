"""An authenticator in software: makes passkeys and signs challenges as a device would, or wrongly on purpose."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field
from typing import Any

import orjson
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, encode_cbor

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40  # flags of authenticator data


@dataclass
class Authenticator:
    """A device with one passkey. origin: of the page that asks it. counts: whether it counts how often it signs."""

    origin: str
    counts: bool = True
    count: int = 0
    flags: int = PRESENT | VERIFIED
    credential: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def create(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return what `navigator.credentials.create` gives, as JSON."""
        numbers = self.key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        data = (
            self._build_data(options["rp"]["id"], self.flags | ATTESTED)
            + bytes(16)
            + len(self.credential).to_bytes(2, "big")
            + self.credential
            + encode_cbor(public)
        )
        attestation = encode_cbor({"fmt": "none", "attStmt": {}, "authData": data})
        return self._build_credential(
            clientDataJSON=self._build_client_data("webauthn.create", options["challenge"]),
            attestationObject=attestation,
        )

    def sign(self, options: dict[str, Any], rp: str = "") -> dict[str, Any]:
        """Return what `navigator.credentials.get` gives, as JSON. rp: of another site."""
        self.count += self.counts
        data = self._build_data(rp or options["rpId"], self.flags)
        client = self._build_client_data("webauthn.get", options["challenge"])
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._build_credential(clientDataJSON=client, authenticatorData=data, signature=signature)

    def _build_data(self, rp: str, flags: int) -> bytes:
        return hashlib.sha256(rp.encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def _build_client_data(self, kind: str, challenge: str) -> bytes:
        return orjson.dumps({"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False})

    def _build_credential(self, **response: bytes) -> dict[str, Any]:
        name = bytes_to_base64url(self.credential)
        members = {key: bytes_to_base64url(value) for key, value in response.items()}
        return {"id": name, "rawId": name, "type": "public-key", "response": members, "clientExtensionResults": {}}


def tampered(credential: dict[str, Any], member: str) -> dict[str, Any]:
    """Return a credential with the last byte of a member of its response changed."""
    changed = bytearray(base64url_to_bytes(credential["response"][member]))
    changed[-1] ^= 1
    return {**credential, "response": {**credential["response"], member: bytes_to_base64url(bytes(changed))}}
