"""Long texts are processed in steps, with the result of a single pass."""

import re

from hypothesis import given, strategies as st

from vetrina.kernel.chunked_regex import (
    LONG_TEXT_LENGTH,
    has_match,
    iterate_matches,
    iterate_pieces,
    replace_matches,
    split_matches,
)

PATTERN = re.compile(r"<[^>]*>?|\[a\]")
START = re.compile(r"[<\[]")
TEXTS = st.lists(st.sampled_from(("<", ">", "[a]", "[", "a", "words ", "\n")), max_size=12).map(
    lambda parts: "".join(parts) * (LONG_TEXT_LENGTH // 4)
)


@given(TEXTS)
def test_the_steps_find_what_one_go_finds(text: str) -> None:
    spans = [found.span() for found in PATTERN.finditer(text)]
    assert [found.span() for found in iterate_matches(PATTERN, text, START)] == spans
    assert has_match(PATTERN, text, START) is bool(spans)
    assert replace_matches(PATTERN, "-", text, START) == PATTERN.sub("-", text)
    assert split_matches(PATTERN, text, START) == PATTERN.split(text)


@given(TEXTS)
def test_the_pieces_of_a_text_are_the_text(text: str) -> None:
    cut = list(iterate_pieces(text, "\n "))
    assert "".join(cut) == text
    assert all(len(piece) <= LONG_TEXT_LENGTH for piece in cut)


def test_a_match_may_reach_over_windows() -> None:
    text = "x" * 99_999 + "<" + "y" * 300_000 + ">" + "z" * 10
    assert [found.span() for found in iterate_matches(PATTERN, text, START)] == [(99_999, 400_001)]
