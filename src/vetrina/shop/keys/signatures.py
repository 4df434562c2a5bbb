"""What an OAuth 1.0a signature covers of a request, with checks that nothing unsigned takes effect.

The signed text lists every parameter of the URL and of a form, sorted: it covers neither their order nor any other
body. A request is therefore refused where the order of parameters would change how it is read, where a parameter is
repeated with another value, where an unsigned body names a signed parameter, and where a body comes with a method that
takes none. A body may be signed as a whole by `oauth_body_hash`. Not here: the key, timestamp and nonce
(shop/keys/rules.py). Rules: RFC 5849, 3.4 and 3.5; OAuth Request Body Hash.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote, unquote

from vetrina.kernel.keys import is_equal_secret
from vetrina.rest import query_strings
from vetrina.rest.call import Request
from vetrina.rest.validation import merge_sources

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
_NUMBERED: Final = 15  # digits of an array key that counts as a number

_ParameterPairs = Sequence[tuple[str, str]]


class SignatureMismatch(ValueError):
    """The signature does not cover all of the request, or does not match; the message says why."""


class OAuthSignature:
    """The signature of a request. parameters: the `oauth_*` parameters, by name."""

    def __init__(self, request: Request, parameters: dict[str, str], apart: bool) -> None:
        self.parameters = parameters
        self._request = request
        path, _, text = request.target.partition("?")
        self._address = request.origin + path
        self._sent = query_strings.parse_pairs(text)
        self._form = _parse_signed_form(request)
        # Parameters of the header are signed together with all others.
        self._told = [pair for pair in parameters.items() if apart]

    def verify(self, secret: str) -> bool:
        """Return whether the signature matches the one that the secret yields.

        Some clients send a parameter twice in the URL and sign it once: both variants are accepted.
        Raises SignatureMismatch.
        """
        if not self._request.unread:
            self.check_body()
        everything = [pair for pair in (*self._sent, *self._form, *self._told) if pair[0] != _SIGNATURE]
        fitting = None
        for pairs in (everything, list(dict.fromkeys(everything))):
            if is_equal_secret(self._compute_signature(pairs, secret), self.parameters[_SIGNATURE]):
                fitting = pairs
        if fitting is not None:
            self._check_order(fitting)
        return fitting is not None

    def check_body(self) -> None:
        """Check that unsigned input overrides nothing that is signed. Raises SignatureMismatch."""
        request = self._request
        if _BODY_HASH in self.parameters:
            method = _METHODS[self.parameters["oauth_signature_method"]]
            if not is_equal_secret(
                base64.b64encode(method(request.body).digest()).decode(), self.parameters[_BODY_HASH]
            ):
                raise SignatureMismatch("The body is not the one that `oauth_body_hash` was made from.")
        if request.unread and _get_content_type(request) == _FORM:
            raise SignatureMismatch("This route takes a file; send its parameters signed in the address.")
        if (request.json or request.items or request.form) and request.method not in _WITH_BODY:
            raise SignatureMismatch(f"A signed {request.method} has no body: put its parameters into the address.")
        if request.form and not self._form and not _get_content_type(request):
            raise SignatureMismatch(f"A form that is signed names its type, {_FORM}.")
        # Names as the client sent them and as they are read: those in the body of an upload are not translated yet.
        covered = {**query_strings.nest_pairs(self._sent), **request.query}
        for name, value in self._list_unsigned_members():
            if name in covered and covered[name] != value:
                raise SignatureMismatch(f"The body, which is not signed, names {name} of the address once more.")

    def check_path(self, path_params: Mapping[str, str]) -> None:
        """Check that the body does not contradict the path. Raises SignatureMismatch.

        path_params: values by name, as the route matched them.
        """
        for name, value in self._list_unsigned_members():
            if name in path_params and str(value) != path_params[name]:
                raise SignatureMismatch(f"The body, which is not signed, names another {name} than the path.")

    def _list_unsigned_members(self) -> list[tuple[str, Any]]:
        """Return the members of the body that the signature does not cover."""
        request = self._request
        members = {**({} if self._form else request.form), **request.json}
        return [(name, value) for name, value in members.items() if value is not None]

    def _compute_signature(self, pairs: _ParameterPairs, secret: str) -> str:
        """Return the signature over some pairs."""
        encoded = sorted((_percent_encode(name), _percent_encode(value)) for name, value in pairs)
        joined = "&".join(f"{name}={value}" for name, value in encoded)
        text = "&".join([self._request.method, _percent_encode(self._address), _percent_encode(joined)])
        method = _METHODS[self.parameters["oauth_signature_method"]]
        return base64.b64encode(
            hmac.new(f"{_percent_encode(secret)}&".encode(), text.encode(), method).digest()
        ).decode()

    def _check_order(self, pairs: _ParameterPairs) -> None:
        """Check that the request is read the same in any order, which the signature does not cover. Raises
        SignatureMismatch.

        pairs: what the signature covers.
        """
        sent, form, signed = (
            [pair for pair in part if not pair[0].startswith(_OURS)] for part in (self._sent, self._form, pairs)
        )
        read = merge_sources((query_strings.nest_pairs(sent), query_strings.nest_pairs(form)))
        if _is_order_dependent(signed) or read != query_strings.nest_pairs(sorted(signed, key=_build_sort_key)):
            raise SignatureMismatch(
                "A signature does not tell the order of parameters: send each name once, and the members of a list "
                "numbered from the lowest up, as in `include[0]=7&include[1]=5`, or joined by commas."
            )


def find_signature(request: Request) -> OAuthSignature | None:
    """Return the signature of a request, from its header or its query; None when it is not signed.

    Raises SignatureMismatch where its parameters stand in several places, differ or are missing.
    """
    text = request.target.partition("?")[2]
    here = [pair for pair in query_strings.parse_pairs(text) if pair[0].startswith(_OURS)]
    scheme, _, written = request.headers.get("authorization", "").strip().partition(" ")
    apart = scheme.lower() == "oauth"
    if not apart and not here:
        return None
    if text.count("&") >= query_strings.MAX_PAIRS:
        raise SignatureMismatch(f"A signed request has fewer than {query_strings.MAX_PAIRS} parameters.")
    pairs = [(unquote(name), unquote(value)) for name, value in _PART.findall(written)] if apart else here
    pairs = [pair for pair in pairs if pair[0].startswith(_OURS)]
    if (apart and here) or any(name.startswith(_OURS) for name, _ in _parse_signed_form(request)):
        raise SignatureMismatch("The parameters of a signature stand in the header or in the address, not in both.")
    found = dict(pairs)
    if len(found) < len(set(pairs)):
        raise SignatureMismatch("A parameter of the signature is there twice.")
    missing = [name for name in _NEEDED if not found.get(name)]
    if missing:
        raise SignatureMismatch(f"The signature lacks {', '.join(missing)}.")
    if found["oauth_signature_method"] not in _METHODS:
        raise SignatureMismatch(f"Signatures are made with one of {', '.join(_METHODS)}.")
    return OAuthSignature(request, found, apart)


def _parse_signed_form(request: Request) -> list[tuple[str, str]]:
    """Return the pairs of a body that the signature covers."""
    if request.unread or request.method not in _WITH_BODY or _get_content_type(request) != _FORM:
        return []
    text = request.body.decode("utf-8", "replace")
    if text.count("&") >= query_strings.MAX_PAIRS:
        raise SignatureMismatch(f"A signed form has fewer than {query_strings.MAX_PAIRS} parameters.")
    return query_strings.parse_pairs(text)


def _get_content_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def _is_order_dependent(pairs: _ParameterPairs) -> bool:
    """Return whether the meaning of pairs depends on their order, apart from that of numbered members.

    It does where two of them set the same member, where one sets a member within another's, and where one appends to a
    list that has further members.
    """
    through: dict[tuple[str, ...], set[tuple[tuple[str, ...], str]]] = {}
    for name, value in pairs:
        path = tuple(query_strings.split_keys(name))
        for depth in range(1, len(path) + 1):
            through.setdefault(path[:depth], set()).add((path, value))
    for path, found in through.items():
        ends = any(one == path for one, _ in found)
        appends = any(len(one) > len(path) and one[len(path)] == "" for one, _ in found)
        if len(found) > 1 and (ends or appends):
            return True
    return False


def _build_sort_key(pair: tuple[str, str]) -> Any:
    """Return the sort key of a pair within the signed text: its keys, numbers as numbers, then its value."""
    name, value = pair
    keys = [
        (0, int(key), key) if key.isascii() and key.isdecimal() and len(key) <= _NUMBERED else (1, 0, key)
        for key in query_strings.split_keys(name)
    ]
    return keys, value, name


def _percent_encode(text: str) -> str:
    return quote(text, safe="-._~")
