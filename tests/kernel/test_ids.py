"""Random keys, digests and comparison."""

import re
from uuid import UUID

from hypothesis import example, given, strategies as st

from vetrina.kernel import keys


def test_a_readable_password_has_six_groups_of_four_letters_and_digits():
    assert re.fullmatch(r"[A-Za-z0-9]{4}( [A-Za-z0-9]{4}){5}", keys.generate_password())


def test_nothing_random_comes_twice():
    for make in (keys.generate_password, keys.generate_uuid, keys.generate_key):
        assert len({make() for _ in range(100)}) == 100


def test_a_uuid_is_a_random_one_in_lower_case():
    text = keys.generate_uuid()
    assert UUID(text).version == 4
    assert text == text.lower()


def test_a_key_fits_an_address():
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", keys.generate_key())


def test_a_digest_depends_on_the_whole_secret():
    long = "s" * 100
    assert keys.compute_digest(long, "text") == keys.compute_digest(long, "text")
    assert keys.compute_digest(long, "text") != keys.compute_digest(long + "s", "text")
    assert re.fullmatch(r"[0-9a-f]{64}", keys.compute_digest("", ""))


@given(st.text(), st.text())
@example("é", "e")
@example("\ud800", "")
def test_texts_are_the_same_exactly_when_their_digests_are(one, other):
    assert keys.is_equal_secret(one, other) == (one == other)
    assert (keys.compute_digest("key", one) == keys.compute_digest("key", other)) == (one == other)
