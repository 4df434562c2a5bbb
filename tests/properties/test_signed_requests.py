"""A signed request is read as it was signed: any change is refused, or changes nothing that is read.

For consumer keys (OAuth 1.0a) and for the connector. Read like a handler does: query, form, JSON. Not here: times,
nonces and keys (tests/shop/test_keys.py, tests/connector/test_signatures.py).
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import Any
from urllib.parse import quote, urlencode

import orjson
import pytest
from hypothesis import assume, example, given, strategies as st

from vetrina.connector.connection import signing
from vetrina.http import body_decoding
from vetrina.rest import query_strings
from vetrina.rest.call import Request
from vetrina.rest.validation import merge_sources
from vetrina.shop.keys.signatures import SignatureMismatch, find_signature

ORIGIN, PATH = "http://vetrina.test", "/en/cms-json/shop/v3/products"
SECRET = "cs_secret"
FORM = "application/x-www-form-urlencoded"
OWN = (
    ("oauth_consumer_key", "ck_key"), ("oauth_timestamp", "1700000000"), ("oauth_nonce", "abc"),
    ("oauth_signature_method", "HMAC-SHA256"),
)  # fmt: skip

Pairs = list[tuple[str, str]]

# Names of the same place, nested in one another, or appending.
NAMES = st.sampled_from(
    ("force", " force", "force[]", "force[x]", "force[x][y]", "force[0]", "force[1]", "force[10]", "force[2]", "f.x",
     "f_x", "f x", "id", "include[]", "include[0]", "include", "force[", "force]", "[force]", "oauth_nonce", "_method")
)  # fmt: skip
VALUES = st.sampled_from(("true", "false", "", "1", "2", "10", "é", "a b", "&=", "\0"))
PAIRS = st.lists(st.tuples(NAMES.filter(lambda name: name != "oauth_nonce"), VALUES), max_size=5)
JSON = st.none() | st.dictionaries(st.sampled_from(("force", "id", "include", "other")), st.booleans(), max_size=2)
# Where (query or form), what, and at which positions.
CHANGES = st.lists(
    st.tuples(
        st.booleans(), st.sampled_from(("add", "again", "drop", "swap", "set", "rename", "move", "front")),
        st.integers(0, 9), st.integers(0, 9), NAMES, VALUES,
    ),
    min_size=1, max_size=3,
)  # fmt: skip


def signed(method: str, sent: Pairs, form: Pairs) -> str:
    """Return the signature of a request (RFC 5849, 3.4)."""
    named = sorted((quote(name, safe="-._~"), quote(value, safe="-._~")) for name, value in [*sent, *OWN, *form])
    joined = "&".join(f"{name}={value}" for name, value in named)
    text = "&".join((method, quote(ORIGIN + PATH, safe=""), quote(joined, safe="")))
    return base64.b64encode(hmac.new(f"{SECRET}&".encode(), text.encode(), hashlib.sha256).digest()).decode()


def request(method: str, sent: Pairs, form: Pairs, json: Any = None, *, header: Pairs | None = None) -> Request:
    """Return a request as a handler reads it."""
    text = urlencode(sent)
    content = orjson.dumps(json) if json is not None else urlencode(form).encode()
    kind = "application/json" if json is not None else FORM
    headers = {"content-type": kind} if content else {}
    if header is not None:
        told = ", ".join(f'{name}="{quote(value, safe="")}"' for name, value in header)
        headers["authorization"] = f"OAuth {told}"
    made = Request(
        method, "/shop/v3/products", f"{ORIGIN}/en/cms-json", ORIGIN, "en", query_strings.parse_query(text),
        headers=headers, target=f"{PATH}?{text}",
    )  # fmt: skip
    body_decoding.decode_body(made, content, 32, 1_000)
    return made


def numbers(pair: tuple[str, str]) -> list[int]:
    return [int(key) if key.isdecimal() else -1 for key in query_strings.split_keys(pair[0])][1:]


def taken(made: Request) -> bool:
    """Say whether a request is accepted as signed."""
    try:
        found = find_signature(made)
        return found is not None and found.verify(SECRET)
    except SignatureMismatch:
        return False


def read(made: Request) -> dict[str, Any]:
    """Return what a route would get, without the signature's own parameters."""
    values = merge_sources((made.query, made.form, made.json))
    return {name: value for name, value in values.items() if not name.startswith("oauth_")}


def changed(sent: Pairs, form: Pairs, changes: Any) -> tuple[Pairs, Pairs]:
    """Return the pairs of a query and a form, changed by an attacker."""
    parts = [list(sent), list(form)]
    for in_form, what, one, other, name, value in changes:
        here, there = parts[in_form], parts[not in_form]
        at = one % len(here) if here else 0
        if what == "add":
            here.insert(one % (len(here) + 1), (name, value))
        elif what == "front":
            here.insert(0, (name, value))
        elif here and what == "again":
            here.insert(other % (len(here) + 1), here[at])
        elif here and what == "drop":
            del here[at]
        elif here and what == "swap":
            to = other % len(here)
            here[at], here[to] = here[to], here[at]
        elif here and what == "set":
            here[at] = (here[at][0], value)
        elif here and what == "rename":
            here[at] = (name, here[at][1])
        elif here and what == "move":
            there.insert(other % (len(there) + 1), here.pop(at))
    return parts[0], parts[1]


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_a_form_without_a_type_is_not_signed(method: str) -> None:
    plain = request(method, [*OWN, ("oauth_signature", signed(method, [], []))], [])
    assert taken(plain)
    body_decoding.decode_body(plain, b"force=true", 32, 1_000)
    assert plain.form == {"force": "true"}
    assert not taken(plain)


@given(
    sent=PAIRS, form=PAIRS, method=st.sampled_from(("GET", "POST", "PUT", "DELETE")), in_header=st.booleans(),
    changes=CHANGES, json=JSON, other=st.sampled_from(("", "GET", "POST", "PUT", "DELETE")),
)  # fmt: skip
@example([("force", "false")], [], "DELETE", False, [(False, "front", 0, 0, "force", "true")], None, "")
@example([("force", "true"), ("force", "false")], [], "DELETE", False, [(False, "swap", 0, 1, "id", "")], None, "")
@example([("force", "false")], [], "DELETE", True, [(False, "swap", 0, 0, "id", "")], {"force": True}, "")
@example([], [("force", "false")], "POST", False, [(True, "again", 0, 0, "id", "")], None, "DELETE")
@example([], [("force", "true")], "POST", False, [(False, "add", 0, 0, "force", "true")], {"id": False}, "")
@example([], [], "DELETE", False, [(True, "add", 0, 0, "force", "true")], None, "")
def test_a_change_of_a_signed_request_is_refused_or_without_effect(
    sent: Pairs, form: Pairs, method: str, in_header: bool, changes: Any, json: Any, other: str
) -> None:
    # Members of a list are sent in the order of their indexes, as clients do.
    sent, form = sorted(sent, key=numbers), sorted(form, key=numbers) if method in ("POST", "PUT") else []
    signature = ("oauth_signature", signed(method, sent, form))
    own = [*OWN, signature]
    header = own if in_header else None
    whole = request(method, sent if in_header else [*sent, *own], form, header=header)
    meant = read(whole)
    new_sent, new_form = changed(sent if in_header else [*sent, *own], form, changes)
    # A form added to a request without one is not read, and JSON takes its place.
    new_form = new_form if json is None else []
    now = request(other or method, new_sent, new_form, json, header=header)
    if taken(now):
        # OAuth 1.0a does not cover JSON: where allowed, it adds to what was signed. Nor does it tell a form from a
        # query, so that a signed form may have been moved there and replaced.
        added = {**(json or {})} if method in ("POST", "PUT") else {}
        assert (now.method, read(now)) == (method, {**added, **meant})


@given(
    names=st.lists(NAMES, unique_by=lambda name: tuple(query_strings.split_keys(name)), max_size=4),
    values=st.lists(VALUES, min_size=4, max_size=4),
)
def test_a_request_that_names_each_place_once_is_taken(names: list[str], values: list[str]) -> None:
    """Except for names that append, or are nested: those are read in their order."""
    keys = [query_strings.split_keys(name) for name in names if name != "oauth_nonce"]
    assume(all("" not in one and not any(other[: len(one)] == one for other in keys if other != one) for one in keys))
    sent = [(name, value) for name, value in zip(names, values, strict=False) if name != "oauth_nonce"]
    numbered = [key for key in keys if any(part.isdecimal() for part in key)]
    assume(len(numbered) < 2)
    signature = ("oauth_signature", signed("GET", sent, []))
    assert taken(request("GET", [*sent, *OWN, signature], []))
    assert taken(request("GET", sent, [], header=[*OWN, signature]))


# -- the connector signs what was read of the address

_CONNECTOR: Pairs = [("_for", "connector"), ("token", "KEY:1:0"), ("timestamp", "1700000000"), ("nonce", "abc")]
_HASH = ("body-hash", "")


def connector_signature(sent: Pairs) -> str:
    params = query_strings.parse_query(urlencode(sent))
    text = signing.build_signature_base("KEY:1:0", "1700000000", "abc", "", "GET", ORIGIN + PATH, params)
    return signing.compute_signature(SECRET, text)


CONNECTOR_NAMES = st.sampled_from(
    ("a", "a[]", "a[x]", "a[0]", "a[1]", "a[x][y]", "a[x=1\nb]", "a[x", "a]", "a\n", "b", "a=1\nb", "token", "a[x%5D]")
)


@given(
    sent=st.lists(
        st.tuples(CONNECTOR_NAMES.filter(lambda name: name != "token"), VALUES | st.just("1\nb=2")), max_size=4
    ),
    changes=st.lists(
        st.tuples(
            st.just(False), st.sampled_from(("add", "again", "drop", "swap", "set", "rename", "front")),
            st.integers(0, 9), st.integers(0, 9), CONNECTOR_NAMES, VALUES | st.just("1\nb=2"),
        ),
        min_size=1, max_size=3,
    ),
)  # fmt: skip
def test_what_the_connector_signed_is_what_is_read(sent: Pairs, changes: Any) -> None:
    whole = [*_CONNECTOR, _HASH, *sent]
    other, _ = changed(whole, [], changes)
    if connector_signature(whole) == connector_signature(other):
        assert query_strings.parse_query(urlencode(other)) == query_strings.parse_query(urlencode(whole))
