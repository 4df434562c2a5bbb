"""Long texts are gone through in steps, with the result of one go."""

import re

from hypothesis import given
from hypothesis import strategies as st

from vetrina.kernel.chunked_regex import LONG, has, matches, pieces, replaced, split

PATTERN = re.compile(r"<[^>]*>?|\[a\]")
START = re.compile(r"[<\[]")
TEXTS = st.lists(st.sampled_from(("<", ">", "[a]", "[", "a", "words ", "\n")), max_size=12).map(
    lambda parts: "".join(parts) * (LONG // 4)
)


@given(TEXTS)
def test_the_steps_find_what_one_go_finds(text: str) -> None:
    spans = [found.span() for found in PATTERN.finditer(text)]
    assert [found.span() for found in matches(PATTERN, text, START)] == spans
    assert has(PATTERN, text, START) is bool(spans)
    assert replaced(PATTERN, "-", text, START) == PATTERN.sub("-", text)
    assert split(PATTERN, text, START) == PATTERN.split(text)


@given(TEXTS)
def test_the_pieces_of_a_text_are_the_text(text: str) -> None:
    cut = list(pieces(text, "\n "))
    assert "".join(cut) == text
    assert all(len(piece) <= LONG for piece in cut)


def test_a_match_may_reach_over_windows() -> None:
    text = "x" * 99_999 + "<" + "y" * 300_000 + ">" + "z" * 10
    assert [found.span() for found in matches(PATTERN, text, START)] == [(99_999, 400_001)]
