"""Whether a body is the one that was signed: its digest, and for multipart bodies that of their fields and files.

Not here: the rest of a signed request (connector/connection/signatures.py), how the texts are made (kernel/signing.py).
Rules: facts of the connector, 5, "Multipart bodies".
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

from vetrina.kernel import signing
from vetrina.kernel.keys import same
from vetrina.rest import query_strings
from vetrina.rest.call import Request

__all__ = ["fits"]

# The field that stands for a file; its first word is the mark in the client's dialect.
_FILE_HASH = re.compile(r"_[a-z]+_file_hmac_(.+)", re.DOTALL)
_CHUNK = 1 << 20


def fits(request: Request, given: str, secret: str) -> bool:
    """Say whether a request's body has a digest; secret: of the token, for the files of a multipart body."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "multipart/form-data" and (request.parts or request.unread or request.body):
        return _form_fits(request, given, secret)
    if request.upload is not None:
        return same(given, _file_digest(request))
    return same(given, signing.body_hash(request.body))


def _file_digest(request: Request) -> str:
    assert request.upload is not None
    if not request.upload.size:
        return ""
    made = hashlib.sha1(usedforsecurity=False)
    with request.upload.path.open("rb") as content:
        while part := content.read(_CHUNK):
            made.update(part)
    return signing.digest_text(made.digest())


def _form_fits(request: Request, given: str, secret: str) -> bool:
    files = {_plain(name) for name, value in request.parts if value is None}
    fields = query_strings.nested([(name, value) for name, value in request.parts if value is not None])
    hashes: dict[str, Any] = {}
    for name in list(fields):
        found = _FILE_HASH.fullmatch(name)
        # Only for a file that is there: a field could else be hidden under another name.
        if found and found[1] in files:
            hashes[found[1]] = fields.pop(name)
    if hashes.keys() != files or hashes.keys() & fields.keys():
        return False
    whole = signing.form_text({**fields, **hashes})
    good = same(given, signing.body_hash(whole.encode(errors="surrogatepass")))
    for name, upload in request.files.items():
        told = hashes.get(_plain(name))
        salt = told.rpartition(":")[2] if isinstance(told, str) else ""
        with upload.path.open("rb") as content:
            good &= isinstance(told, str) and same(told, signing.file_hash(content, secret, salt))
    return good


def _plain(name: str) -> str:
    """Return a field's name as the parser of forms gives it, without its brackets."""
    return next(iter(query_strings.nested([(name, "")])), "")
