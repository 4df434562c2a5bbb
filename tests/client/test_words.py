"""Encoding in the client: parameters as the server reads them, signatures, dialect names; and its imports."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, date, datetime
from decimal import Decimal
from importlib import resources
from urllib.parse import urlencode

import pytest
from hypothesis import example, given, settings, strategies as st

from vetrina.client.credentials import signature
from vetrina.client.names import DIALECTS, names
from vetrina.client.query import pairs, text
from vetrina.rest import query_strings

NAMES = st.text("abcdefgh_", min_size=1, max_size=8)
VALUES = st.recursive(
    st.text(max_size=20),
    lambda inner: st.lists(inner, min_size=1, max_size=4) | st.dictionaries(NAMES, inner, min_size=1, max_size=4),
    max_leaves=12,
)


@settings(max_examples=50)
@given(st.dictionaries(NAMES, VALUES, max_size=5))
@example({"a": ["&=[]%+", {"b": " "}]})
def test_the_server_reads_what_the_client_wrote(values: dict[str, object]) -> None:
    assert query_strings.parse_query(urlencode(pairs(values))) == values


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (True, "true"), (False, "false"), (3, "3"), (Decimal("1.50"), "1.50"), (date(2030, 1, 31), "2030-01-31"),
        (datetime(2030, 1, 31, 9, tzinfo=UTC), "2030-01-31T09:00:00+00:00"),
    ],
)  # fmt: skip
def test_a_value_has_one_text(value: object, written: str) -> None:
    assert text(value) == written


def test_what_no_parameter_can_be_is_refused() -> None:
    assert pairs({"a": None, "b": []}) == [("b", "")]
    with pytest.raises(ValueError, match="time zone"):
        pairs({"a": datetime(2030, 1, 31)})
    with pytest.raises(TypeError, match="cannot be a parameter"):
        pairs({"a": object()})


def test_a_signature_is_that_of_the_standard() -> None:
    # The example of RFC 5849, 1.2, with our own secret and the other digest; its base string is the standard's.
    asked = [
        ("oauth_consumer_key", "dpf43f3p2l4k3l03"), ("oauth_nonce", "kllo9940pd9333jh"), ("size", "original"),
        ("oauth_signature_method", "HMAC-SHA256"), ("oauth_timestamp", "1191242096"), ("file", "vacation.jpg"),
    ]  # fmt: skip
    one = signature("get", "http://photos.example.net/photos", asked, "kd94hf93k423kf44")
    assert one == signature("GET", "http://photos.example.net/photos", asked[::-1], "kd94hf93k423kf44")
    assert one != signature("GET", "http://photos.example.net/photos", asked, "another")


def test_the_words_of_a_dialect_are_those_of_the_server() -> None:
    known = json.loads(resources.files("vetrina.rest.dialects").joinpath("wordpress.json").read_text())
    ours, brand = names("neutral"), names("wordpress")
    assert {ours.total: brand.total, ours.pages: brand.pages, ours.nonce: brand.nonce} == known["headers"]
    assert known["url_prefix"][ours.root] == brand.root
    assert known["parameters"][ours.language] == brand.language
    for neutral, foreign in known["namespaces"].items():
        assert brand.path(f"/{neutral}/things") == f"/{foreign}/things"
        assert ours.path(f"/{neutral}/things") == f"/{neutral}/things"
    assert set(DIALECTS) == {"neutral", "wordpress"}


def test_the_client_loads_nothing_of_the_server() -> None:
    program = "import sys, vetrina.client; print(*sorted(name for name in sys.modules if name.startswith('vetrina')))"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert {name.split(".")[1] for name in told if "." in name} == {"client"}
