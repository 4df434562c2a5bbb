"""What an OAuth 1.0a signature covers of a request, and that nothing else of it is acted upon.

The signed text names every parameter of the address and of a form, sorted: it says neither in what order they came nor
anything of another body. A request is therefore refused where its order would change what is read from it, where a
parameter is sent a second time with another value, where a body that is not signed names what is signed, and where one
comes with a method that needs none. A body may be signed as a whole by `oauth_body_hash`. Not here: whose key signs,
the moment and the nonce (shop/keys/rules.py). Rules: RFC 5849, 3.4 and 3.5; OAuth Request Body Hash.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote, unquote

from vetrina.kernel.keys import same
from vetrina.rest import query_strings
from vetrina.rest.call import Request
from vetrina.rest.validation import merged

__all__ = ["NotAsSigned", "Signed", "signature_of"]

_METHODS: Final = {"HMAC-SHA1": hashlib.sha1, "HMAC-SHA256": hashlib.sha256}
_NEEDED: Final = (
    "oauth_consumer_key", "oauth_signature", "oauth_signature_method", "oauth_timestamp", "oauth_nonce",
)  # fmt: skip

_OURS: Final = "oauth_"
_SIGNATURE: Final = "oauth_signature"
_BODY_HASH: Final = "oauth_body_hash"
_WITH_BODY: Final = frozenset({"POST", "PUT", "PATCH"})
_FORM: Final = "application/x-www-form-urlencoded"
_PART = re.compile(r'\s*([A-Za-z_]+)="([^"]*)"\s*(?:,|$)')
_NUMBERED: Final = 15  # digits of a key that counts as a number

_Pairs = Sequence[tuple[str, str]]


class NotAsSigned(ValueError):
    """The request is not, or not only, what its signature covers; the text says why."""


class Signed:
    """The signature of a request. parameters: those of the signature itself, by name."""

    def __init__(self, request: Request, told: dict[str, str], apart: bool) -> None:
        self.parameters = told
        self._request = request
        path, _, text = request.target.partition("?")
        self._address = request.origin + path
        self._sent = query_strings.pairs_of(text)
        self._form = _form_of(request)
        # Those of the header are signed with all others.
        self._told = [pair for pair in told.items() if apart]

    def proves(self, secret: str) -> bool:
        """Say whether the request has the signature that the secret makes.

        The clients of this interface write a parameter into the address twice and sign it once: both ways count.
        Raises NotAsSigned.
        """
        if not self._request.unread:
            self.check_body()
        everything = [pair for pair in (*self._sent, *self._form, *self._told) if pair[0] != _SIGNATURE]
        fitting = None
        for pairs in (everything, list(dict.fromkeys(everything))):
            if same(self._made(pairs, secret), self.parameters[_SIGNATURE]):
                fitting = pairs
        if fitting is not None:
            self._check_order(fitting)
        return fitting is not None

    def check_body(self) -> None:
        """Check that what the signature does not cover changes nothing of what it covers. Raises NotAsSigned."""
        request = self._request
        if _BODY_HASH in self.parameters:
            method = _METHODS[self.parameters["oauth_signature_method"]]
            if not same(base64.b64encode(method(request.body).digest()).decode(), self.parameters[_BODY_HASH]):
                raise NotAsSigned("The body is not the one that `oauth_body_hash` was made from.")
        if request.unread and _kind(request) == _FORM:
            raise NotAsSigned("This route takes a file; send its parameters signed in the address.")
        if (request.json or request.items or request.form) and request.method not in _WITH_BODY:
            raise NotAsSigned(f"A signed {request.method} has no body: put its parameters into the address.")
        if request.form and not self._form and not _kind(request):
            raise NotAsSigned(f"A form that is signed names its type, {_FORM}.")
        # In the names of the client as well as in those that are read: the body of a file is not turned yet.
        covered = {**query_strings.nested(self._sent), **request.query}
        for name, value in self._unsigned():
            if name in covered and covered[name] != value:
                raise NotAsSigned(f"The body, which is not signed, names {name} of the address once more.")

    def check_path(self, holes: Mapping[str, str]) -> None:
        """Check that the body leads where the path does. Raises NotAsSigned.

        holes: what those of the path matched.
        """
        for name, value in self._unsigned():
            if name in holes and str(value) != holes[name]:
                raise NotAsSigned(f"The body, which is not signed, names another {name} than the path.")

    def _unsigned(self) -> list[tuple[str, Any]]:
        """Return the members of the body that the signature does not cover."""
        request = self._request
        members = {**({} if self._form else request.form), **request.json}
        return [(name, value) for name, value in members.items() if value is not None]

    def _made(self, pairs: _Pairs, secret: str) -> str:
        """Return the signature over some pairs."""
        encoded = sorted((_encoded(name), _encoded(value)) for name, value in pairs)
        joined = "&".join(f"{name}={value}" for name, value in encoded)
        text = "&".join([self._request.method, _encoded(self._address), _encoded(joined)])
        method = _METHODS[self.parameters["oauth_signature_method"]]
        return base64.b64encode(hmac.new(f"{_encoded(secret)}&".encode(), text.encode(), method).digest()).decode()

    def _check_order(self, pairs: _Pairs) -> None:
        """Check that the request is read as what was signed is, whose order is not told. Raises NotAsSigned.

        pairs: what the signature covers.
        """
        sent, form, signed = (
            [pair for pair in part if not pair[0].startswith(_OURS)] for part in (self._sent, self._form, pairs)
        )
        read = merged((query_strings.nested(sent), query_strings.nested(form)))
        if _is_read_by_order(signed) or read != query_strings.nested(sorted(signed, key=_place)):
            raise NotAsSigned(
                "A signature does not tell the order of parameters: send each name once, and the members of a list "
                "numbered from the lowest up, as in `include[0]=7&include[1]=5`, or joined by commas."
            )


def signature_of(request: Request) -> Signed | None:
    """Return the signature of a request, from its header or its query; None when it is not signed.

    Raises NotAsSigned where its parameters stand in several places, differ or are missing.
    """
    text = request.target.partition("?")[2]
    here = [pair for pair in query_strings.pairs_of(text) if pair[0].startswith(_OURS)]
    scheme, _, written = request.headers.get("authorization", "").strip().partition(" ")
    apart = scheme.lower() == "oauth"
    if not apart and not here:
        return None
    if text.count("&") >= query_strings.MOST:
        raise NotAsSigned(f"A signed request has fewer than {query_strings.MOST} parameters.")
    told = [(unquote(name), unquote(value)) for name, value in _PART.findall(written)] if apart else here
    told = [pair for pair in told if pair[0].startswith(_OURS)]
    if (apart and here) or any(name.startswith(_OURS) for name, _ in _form_of(request)):
        raise NotAsSigned("The parameters of a signature stand in the header or in the address, not in both.")
    found = dict(told)
    if len(found) < len(set(told)):
        raise NotAsSigned("A parameter of the signature is there twice.")
    missing = [name for name in _NEEDED if not found.get(name)]
    if missing:
        raise NotAsSigned(f"The signature lacks {', '.join(missing)}.")
    if found["oauth_signature_method"] not in _METHODS:
        raise NotAsSigned(f"Signatures are made with one of {', '.join(_METHODS)}.")
    return Signed(request, found, apart)


def _form_of(request: Request) -> list[tuple[str, str]]:
    """Return the pairs of a body that the signature covers."""
    if request.unread or request.method not in _WITH_BODY or _kind(request) != _FORM:
        return []
    text = request.body.decode("utf-8", "replace")
    if text.count("&") >= query_strings.MOST:
        raise NotAsSigned(f"A signed form has fewer than {query_strings.MOST} parameters.")
    return query_strings.pairs_of(text)


def _kind(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def _is_read_by_order(pairs: _Pairs) -> bool:
    """Say whether what pairs mean depends on which comes first, the order of numbered members aside.

    So it is where two of them mean the same place, where one means a place within another's, and where one appends to
    what has further members.
    """
    through: dict[tuple[str, ...], set[tuple[tuple[str, ...], str]]] = {}
    for name, value in pairs:
        path = tuple(query_strings.keys_of(name))
        for depth in range(1, len(path) + 1):
            through.setdefault(path[:depth], set()).add((path, value))
    for path, found in through.items():
        ends = any(one == path for one, _ in found)
        appends = any(len(one) > len(path) and one[len(path)] == "" for one, _ in found)
        if len(found) > 1 and (ends or appends):
            return True
    return False


def _place(pair: tuple[str, str]) -> Any:
    """Return where a pair stands among those that were signed: by its keys, numbers as numbers, then by its value."""
    name, value = pair
    keys = [
        (0, int(key), key) if key.isascii() and key.isdecimal() and len(key) <= _NUMBERED else (1, 0, key)
        for key in query_strings.keys_of(name)
    ]
    return keys, value, name


def _encoded(text: str) -> str:
    return quote(text, safe="-._~")
