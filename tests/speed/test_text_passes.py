"""Every pass over a text takes linear time, whatever the text."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import pytest

from vetrina.content.blocks.block_types import load_block_types
from vetrina.content.blocks.grammar import Block
from vetrina.content.blocks.marks import BlockMarks
from vetrina.content.blocks.sourced_attributes import read_sourced_attributes
from vetrina.content.comments import text as comment_text
from vetrina.content.text import rendering as text_rendering, sanitizing
from vetrina.content.text.plain_text import convert_to_plain_text
from vetrina.content.text.reading_time import compute_reading_time


def take_blocks_apart(text: str) -> None:
    marks = BlockMarks()
    marks.take_apart(text_rendering.render_content(text, marks=marks))


PASSES: dict[str, Callable[[str], object]] = {
    "content": text_rendering.render_content,
    "excerpt": lambda text: text_rendering.render_excerpt("", text),
    "written excerpt": lambda text: text_rendering.render_excerpt(text, ""),
    "title": text_rendering.render_title,
    "raw": text_rendering.prepare_raw_content,
    "filtered": sanitizing.sanitize_content,
    "plain": sanitizing.sanitize_plain_text,
    "plain form": lambda text: compute_reading_time(convert_to_plain_text(text)),
    "attributes": lambda text: read_sourced_attributes(load_block_types()["core/image"], Block("", "", parts=[text])),
    "blocks": take_blocks_apart,
    "comment": lambda text: comment_text.render_comment(comment_text.prepare_stored_text(text, "h", True), "h"),
}
UNITS = (
    "<p>", "</p>", "<li>", "<p>a\n", "<ul><li>a</li></ul>", "'", '"', "'\"", " 'a' ", "1' ", "http://x.y/a.mp3\n",
    "<p>http://x.y/a.mp3</p>", "<!--", "<!--more", "-->", "[", "[[gallery]]", "[caption]", "[/caption]", "[embed]",
    '[caption width="3"]<img src="x">a[/caption]', "[audio]  ", "<", ">", "&", "&#", "-", "- ", "0x", "1x1", "\n",
    "a\n\n", "<br>", "<br>\n", "<p></p>", ":) ", "<table><tr><td>", "<div>", "<pre>", "<script>", "<code>",
    "<option> ", "<![CDATA[", "<blockquote>", "<!-- wp:a -->", "<!-- wp:a /-->", "<!-- wp:a {",
    '<!-- wp:a {"a":1 -->', "<!-- /wp:a -->", '<!-- wp:group --><div class="x">', "<!-- wp:columns -->",
    "<!-- wp:heading --><h2>", "<!-- wp:list --><ul>", "<!-- wp:image --><img src='a'>", "<!-- wp:button --><a>x",
    "<!-- wp:shortcode -->[audio]a\n\nb", '<!-- wp:gallery --><figure class="a">', "<a b=c ", "<a href='",
    "<a title='[gallery ", "<p style='color:red;", "www.", "a@b.", "(", "é ", "word ", " ", "x",
)  # fmt: skip
CAP = 20.0  # seconds of processor time for a million characters


def took(do: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    do(text)
    return time.process_time() - start


@pytest.mark.parametrize("name", PASSES)
def test_three_times_the_text_takes_about_three_times_as_long(name: str) -> None:
    do, slow = PASSES[name], []
    gc.collect()
    gc.disable()
    try:
        for unit in UNITS:
            # Both are long enough to be processed in steps.
            short, long = unit * (55_000 // len(unit)), unit * (165_000 // len(unit))
            # Fast passes are not measured: the clock says nothing about a hundredth of a second.
            if (after := took(do, long)) < 0.15:
                continue
            if after > 6 * took(do, short) and min(took(do, long) for _ in range(3)) > 6 * took(do, short):
                slow.append(unit)
    finally:
        gc.enable()
    assert not slow


@pytest.mark.parametrize(
    "unit", ["<p>", "<li>", "'", "http://x.y/a.mp3\n", "<br>", "<!-- wp:group --><div>", "<!-- wp:a /-->"]
)
def test_a_million_characters_end(unit: str) -> None:
    assert took(text_rendering.render_content, unit * (1_000_000 // len(unit))) < CAP
