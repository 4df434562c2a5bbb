"""Checks that a body is the signed one: its digest, and for multipart bodies that of their fields and files.

Not here: the rest of a signed request (connector/connection/signature_checks.py), the signed text
(connector/connection/signing.py). Rules: docs/rules/connector_signatures.md, 9.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

from vetrina.connector.connection import signing
from vetrina.kernel.keys import is_equal_secret
from vetrina.rest import query_strings
from vetrina.rest.call import Request

# The field with the digest of a file; it starts with the mark of the client's dialect.
_FILE_HASH = re.compile(r"_[a-z]+_file_hmac_(.+)", re.DOTALL)
_CHUNK = 1 << 20


def matches_body_hash(request: Request, given: str, secret: str) -> bool:
    """Say whether a request's body has a digest; secret: of the token, for the files of a multipart body."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "multipart/form-data" and (request.parts or request.unread or request.body):
        return _matches_form_hash(request, given, secret)
    if request.upload is not None:
        return is_equal_secret(given, _compute_file_digest(request))
    return is_equal_secret(given, signing.hash_body(request.body))


def _compute_file_digest(request: Request) -> str:
    assert request.upload is not None
    if not request.upload.size:
        return ""
    made = hashlib.sha1(usedforsecurity=False)
    with request.upload.path.open("rb") as content:
        while part := content.read(_CHUNK):
            made.update(part)
    return signing.format_digest(made.digest())


def _matches_form_hash(request: Request, given: str, secret: str) -> bool:
    files = {_strip_brackets(name) for name, value in request.parts if value is None}
    fields = query_strings.nest_pairs([(name, value) for name, value in request.parts if value is not None])
    hashes: dict[str, Any] = {}
    for name in list(fields):
        found = _FILE_HASH.fullmatch(name)
        # Only for a file that exists: otherwise a field could be hidden under such a name.
        if found and found[1] in files:
            hashes[found[1]] = fields.pop(name)
    if hashes.keys() != files or hashes.keys() & fields.keys():
        return False
    whole = signing.format_form({**fields, **hashes})
    good = is_equal_secret(given, signing.hash_body(whole.encode(errors="surrogatepass")))
    for name, upload in request.files.items():
        claimed = hashes.get(_strip_brackets(name))
        salt = claimed.rpartition(":")[2] if isinstance(claimed, str) else ""
        with upload.path.open("rb") as content:
            good &= isinstance(claimed, str) and is_equal_secret(claimed, signing.hash_file(content, secret, salt))
    return good


def _strip_brackets(name: str) -> str:
    """Return a field's name without brackets, as the form parser returns it."""
    return next(iter(query_strings.nest_pairs([(name, "")])), "")
