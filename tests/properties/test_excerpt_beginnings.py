"""Excerpts are made of the beginning of a text alone, and say what they would if all of it were rendered."""

from __future__ import annotations

from hypothesis import given, strategies as st

from vetrina.content.text.rendering import render_excerpt

WORDS = st.sampled_from(
    ["word", '"quoted"', "it's", "'90s", "--", ":)", "https://x.example/a", "&", "é", "5x3", "...", "(c)", "\n", "\n\n"]
)
PARAGRAPHS = st.lists(WORDS, max_size=60).map(
    lambda words: f"<!-- wp:paragraph -->\n<p>{' '.join(words)}</p>\n<!-- /wp:paragraph -->"
)
OTHERS = st.sampled_from(
    [
        "<!-- wp:heading --><h2>H</h2><!-- /wp:heading -->", "<!-- wp:list --><ul><li>a</li></ul><!-- /wp:list -->",
        "plain text\n\nmore", "<p>open", "<!-- wp:code --><pre><code>x</code></pre><!-- /wp:code -->", "</p>",
        "<script>x</script>", '"',
    ]
)  # fmt: skip
# A bracket at the end makes the whole text be rendered: it may begin a shortcode.
WHOLE = "\n\n<!-- wp:paragraph -->\n<p>[</p>\n<!-- /wp:paragraph -->"
LONG = "\n\n<!-- wp:paragraph -->\n<p>" + "more " * 100 + "</p>\n<!-- /wp:paragraph -->"


@given(st.lists(PARAGRAPHS | OTHERS, max_size=6), st.sampled_from([1, 20, 55]))
def test_what_follows_the_words_of_an_excerpt_does_not_change_it(parts: list[str], words: int) -> None:
    text = "\n\n".join(parts) + LONG
    assert render_excerpt("", text, words) == render_excerpt("", text + WHOLE, words)
