"""The keys that sign access tokens: made when first needed, changed by time, published with their public half.

The private half is stored encrypted under the site's secret and decrypted in the process that signs or verifies: a
copy of the database signs nothing, and what an earlier secret sealed verifies nothing. Rules: docs/rules/tokens.md, 1;
RFC 7517 (JWK).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import orjson

from vetrina.access.tokens import store
from vetrina.access.tokens.model import SigningKey
from vetrina.backends.database import Transaction
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.encryption import CannotDecrypt, decrypt_text, encrypt_text
from vetrina.kernel.keys import generate_key

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

ALGORITHM: Final = "ES256"
KEY_KIND: Final = "signing_key"  # of the change log
KEYS_CACHE_CONTROL: Final = "public, max-age=300"
_NAME_BYTES: Final = 12
_DAY: Final = 86_400  # seconds
_MAX_LOADED_KEYS: Final = 32  # private keys that a process has decrypted


def get_current_key(work: UnitOfWork) -> tuple[str, EllipticCurvePrivateKey]:
    """Return the name of the key that signs, and the key; the first one is made here.

    Only the one writer of a site makes one, so that several processes have the same.
    """
    found = store.find_current_key(work.tx)
    if found is not None:
        try:
            return found.kid, load_private_key(work.site.settings.secret, found.kid, found.sealed)
        except CannotDecrypt:
            # The site has another secret now.
            pass
    made = rotate_signing_key(work)
    return made.kid, load_private_key(work.site.settings.secret, made.kid, made.sealed)


def rotate_signing_key(work: UnitOfWork) -> SigningKey:
    """Let a new key sign from now on; earlier ones go on verifying what they signed."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
    from jwt.algorithms import ECAlgorithm

    private, kid = ec.generate_private_key(ec.SECP256R1()), generate_key(_NAME_BYTES)
    text = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    jwk = {**ECAlgorithm.to_jwk(private.public_key(), as_dict=True), "kid": kid, "use": "sig", "alg": ALGORITHM}
    sealed = encrypt_text(work.site.settings.secret, _name_sealed_key(kid), text)
    made = SigningKey(kid, sealed, orjson.dumps(jwk).decode(), work.now)
    store.retire_keys(work.tx, work.now)
    store.insert_key(work.tx, made)
    work.note(KEY_KIND, kid, "created")
    return made


def drop_signing_keys(work: UnitOfWork) -> int:
    """Delete every key and return how many: no access token that was given so far is valid any longer."""
    dropped = store.list_keys(work.tx)
    for one in dropped:
        _delete_key(work, one.kid)
    return len(dropped)


def rotate_old_signing_key(work: UnitOfWork) -> None:
    """Rotate the key that has signed as long as a key may, and delete those whose last token has run out."""
    accounts = work.site.profile.accounts
    current = store.find_current_key(work.tx)
    if current is not None and current.created + accounts.signing_key_days * _DAY <= work.now:
        rotate_signing_key(work)
    for kid in store.list_keys_retired_before(work.tx, work.now - accounts.access_token_seconds):
        _delete_key(work, kid)


def list_public_keys(tx: Transaction) -> list[dict[str, Any]]:
    """Return the public keys as JWKs, the newest first."""
    return [orjson.loads(one.public) for one in store.list_keys(tx)]


@lru_cache(maxsize=_MAX_LOADED_KEYS)
def load_private_key(secret: str, kid: str, sealed: str) -> EllipticCurvePrivateKey:
    """Return a key from its stored text. secret: the site's. Raises CannotDecrypt."""
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    found = load_pem_private_key(decrypt_text(secret, _name_sealed_key(kid), sealed).encode(), None)
    assert isinstance(found, EllipticCurvePrivateKey), "no other kind is ever sealed under this name"
    return found


def _name_sealed_key(kid: str) -> str:
    return f"signing key\n{kid}"


def _delete_key(work: UnitOfWork, kid: str) -> None:
    store.delete_key(work.tx, kid)
    work.note(KEY_KIND, kid, "removed")
