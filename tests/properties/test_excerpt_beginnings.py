"""Excerpts are made of the beginning of a text alone, and say what they would if all of it were rendered."""

from __future__ import annotations

from hypothesis import given, strategies as st

from vetrina.content.text.rendering import render_excerpt

WORDS = st.sampled_from(
    [
        "word", '"quoted"', "it's", "'90s", "--", ":)", "https://x.example/a", "&", "é", "5x3", "...", "(c)", "\n",
        "\n\n", "8-)", "&nbsp;", "\t", "\f", "\v", "\x00", "\u2003",
    ]
)  # fmt: skip
BLANKS = st.sampled_from(["", " ", "\n", "\n\n", "\v", "\x00", "\u2003"])
ATTRIBUTES = st.sampled_from(["", ' class="a-b c"'])
NAMES = st.sampled_from(
    ["paragraph", 'paragraph {"align":"right"}', 'paragraph {"metadata":{"blockVisibility":false}}']
)
PARAGRAPHS = st.builds(
    lambda name, attributes, blank, words, joint: (
        f"<!-- wp:{name} -->{blank}<p{attributes}>{joint.join(words)}</p>{blank}<!-- /wp:paragraph -->"
    ),
    st.just("paragraph") | NAMES, ATTRIBUTES, st.just("\n") | BLANKS, st.lists(WORDS, max_size=60),
    st.sampled_from([" ", ""]),
)  # fmt: skip
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


@given(st.lists(PARAGRAPHS | OTHERS, max_size=6), st.just("\n\n") | BLANKS, st.sampled_from([0, 1, 20, 55]))
def test_what_follows_the_words_of_an_excerpt_does_not_change_it(parts: list[str], between: str, words: int) -> None:
    text = between.join(parts) + LONG
    assert render_excerpt("", text, words) == render_excerpt("", text + WHOLE, words)
