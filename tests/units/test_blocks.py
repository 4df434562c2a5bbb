"""Block grammar and rendering."""

import time

import pytest
from hypothesis import given, strategies as st

from vetrina.content.blocks.grammar import Block, has_blocks, parse_blocks, serialize_blocks
from vetrina.content.text.nested_texts import NestedTexts
from vetrina.content.text.rendering import compute_block_version, prepare_raw_content, render_content

PARAGRAPH = "<!-- wp:paragraph -->\n<p>Uno</p>\n<!-- /wp:paragraph -->"


def group(inside: str, attributes: str = "") -> str:
    return f'<!-- wp:group {attributes}--><div class="wp-block-group">{inside}</div><!-- /wp:group -->'


def test_the_first_delimiter_makes_block_content():
    assert has_blocks(PARAGRAPH)
    assert compute_block_version(PARAGRAPH) == 1
    for classic in ("Uno", "<!-- nota -->", "<!-- WP:paragraph -->", "<!--wp:paragraph -->"):
        assert compute_block_version(classic) == 0


def test_blocks_are_read_with_names_attributes_and_parts():
    first, between, second = parse_blocks(
        '<!-- wp:list {"a":{"b":"}"}} -->x<!-- /wp:list -->\n<!-- wp:mio/tenda {"n":1} /-->'
    )
    assert isinstance(first, Block)
    assert isinstance(second, Block)
    assert (first.name, first.attributes, first.parts, first.void) == ("core/list", {"a": {"b": "}"}}, ["x"], False)
    assert between == "\n"
    assert (second.name, second.attributes, second.parts, second.void) == ("mio/tenda", {"n": 1}, [], True)


def test_blocks_nest():
    (outer,) = parse_blocks(group(PARAGRAPH))
    assert isinstance(outer, Block)
    assert [inner.name for inner in outer.inner] == ["core/paragraph"]


@pytest.mark.parametrize("attributes", ["{", "{a}", "[1]", '{"a":}'])
def test_broken_attributes_are_none(attributes):
    raw = f"<!-- wp:paragraph {attributes} -->x<!-- /wp:paragraph -->"
    assert serialize_blocks(parse_blocks(raw)) == raw
    assert all(not part.attributes for part in parse_blocks(raw) if isinstance(part, Block))


def test_a_block_left_open_is_closed_where_its_raw_text_is_shown():
    assert (
        prepare_raw_content("<!-- wp:paragraph -->\n<p>Uno</p>")
        == "<!-- wp:paragraph -->\n<p>Uno</p><!-- /wp:paragraph -->"
    )
    assert prepare_raw_content(group("<!-- wp:paragraph -->x")).endswith("x</div><!-- /wp:group --><!-- /wp:group -->")
    assert prepare_raw_content("classico") == "classico"
    assert prepare_raw_content(PARAGRAPH) == PARAGRAPH


def test_an_end_without_a_beginning_is_text():
    raw = "a<!-- /wp:group -->" + PARAGRAPH
    assert prepare_raw_content(raw) == raw
    assert render_content(raw) == "a<!-- /wp:group -->\n<p>Uno</p>\n"


def test_delimiters_vanish_and_white_space_stays():
    assert render_content(f"{PARAGRAPH}\n\nsciolto\n\n{PARAGRAPH}") == "\n<p>Uno</p>\n\n\nsciolto\n\n\n<p>Uno</p>\n"


def test_unknown_blocks_show_their_markup_and_void_ones_nothing():
    assert render_content("<!-- wp:mio/tenda --><b>x</b><!-- /wp:mio/tenda --><!-- wp:mio/tenda /-->") == "<b>x</b>"


def test_a_shortcode_block_has_paragraphs_of_its_own():
    assert render_content("<!-- wp:shortcode -->\n[tenda]\n<!-- /wp:shortcode -->") == "<p>[tenda]</p>\n"


@pytest.mark.parametrize(
    "attributes, classes",
    [
        ("", "is-layout-flow wp-block-group-is-layout-flow"),
        ('{"layout":{"type":"default"}} ', "is-layout-flow wp-block-group-is-layout-flow"),
        ('{"layout":{"type":"constrained"}} ',
         "has-global-padding is-layout-constrained wp-block-group-is-layout-constrained"),
        ('{"layout":{"type":"flex","flexWrap":"nowrap"}} ',
         "is-nowrap is-layout-flex wp-container-core-group-is-layout-6c531013 wp-block-group-is-layout-flex"),
        ('{"layout":{"type":"flex","justifyContent":"sideways"}} ',
         "is-content-justification-sideways is-layout-flex wp-block-group-is-layout-flex"),
    ],
)  # fmt: skip
def test_containers_get_layout_classes(attributes, classes):
    assert render_content(group("", attributes)) == f'<div class="wp-block-group {classes}"></div>'


def test_columns_share_the_class_of_their_rules():
    assert render_content('<!-- wp:columns --><div class="wp-block-columns"></div><!-- /wp:columns -->') == (
        '<div class="wp-block-columns is-layout-flex wp-container-core-columns-is-layout-28f84493'
        ' wp-block-columns-is-layout-flex"></div>'
    )


def test_layout_classes_go_to_the_element_around_the_inner_blocks():
    raw = (
        '<!-- wp:cover --><div class="wp-block-cover"><span class="s"></span>'
        f'<div class="wp-block-cover__inner-container">{PARAGRAPH}</div></div><!-- /wp:cover -->'
    )
    assert (
        '<div class="wp-block-cover__inner-container is-layout-flow wp-block-cover-is-layout-flow">'
        in render_content(raw)
    )
    assert render_content(raw).startswith('<div class="wp-block-cover"><span')


def test_headings_and_lists_get_their_class():
    assert render_content("<!-- wp:heading --><h2>a</h2><!-- /wp:heading -->") == '<h2 class="wp-block-heading">a</h2>'
    assert (
        render_content('<!-- wp:list --><ol start="3"></ol><!-- /wp:list -->')
        == '<ol class="wp-block-list" start="3"></ol>'
    )


def test_images_without_source_empty_buttons_and_hidden_blocks_are_dropped():
    assert render_content('<!-- wp:image --><figure><img alt="a"/></figure><!-- /wp:image -->') == ""
    assert render_content('<!-- wp:button --><div><a class="b"></a></div><!-- /wp:button -->') == ""
    assert render_content("<!-- wp:button --><div><a>b</a></div><!-- /wp:button -->") == "<div><a>b</a></div>"
    assert render_content('<!-- wp:html {"metadata":{"blockVisibility":false}} -->x<!-- /wp:html -->') == ""


def test_synced_blocks_show_what_their_number_stands_for_but_never_themselves():
    stored = {4: f'{PARAGRAPH}<!-- wp:block {{"ref":5}} /-->', 5: 'due "<!-- wp:block {"ref":4} /-->"'}
    assert render_content('<!-- wp:block {"ref":4} /-->', stored.get) == "\n<p>Uno</p>\ndue &#8220;&#8221;"
    assert render_content('<!-- wp:block {"ref":9} /-->', stored.get) == ""
    assert render_content('<!-- wp:block {"ref":4} /-->') == ""


def test_blocks_of_the_site_are_asked_for():
    class Live:
        nested = NestedTexts()

        def can_render(self, block):
            return block.name == "core/page-list"

        def render_block(self, block, around, render):
            return f"<nav>{block.attributes['n']} {around.get('a')} {render(block.parts)}</nav>"

        def note_styles(self, block, around):
            return []

        def render_shortcode(self, name, given):
            return f"{name} of {given['ids']}"

    assert render_content("[gallery ids=3]", live=Live()).strip() == "gallery of 3"
    raw = '<!-- wp:page-list {"n":3} --><p>x</p><!-- /wp:page-list --><!-- wp:home-link {"n":4} /-->'
    assert render_content(raw, live=Live()) == "<nav>3 None <p>x</p></nav>"
    inside = f'<!-- wp:group {{"a":1}} -->{raw}<!-- /wp:group -->'
    assert (
        render_content(inside, live=Live())
        == '<nav class="is-layout-flow wp-block-group-is-layout-flow">3 1 <p>x</p></nav>'
    )
    assert render_content(raw) == "<p>x</p>"


def test_a_navigation_link_needs_a_label():
    raw = '<!-- wp:navigation-link {"label":"Chi siamo","url":"https://x.example/?a&b"} /-->'
    assert 'href="https://x.example/?a&#038;b"' in render_content(raw)
    assert '<span class="wp-block-navigation-item__label">Chi siamo</span>' in render_content(raw)
    assert render_content('<!-- wp:navigation-link {"url":"https://x.example/"} /-->') == ""


NAMES = st.sampled_from(("paragraph", "group", "mio/tenda", "columns", "block", "image"))
ATTRIBUTES = st.sampled_from(("", '{"a":1} ', '{"ref":3} ', '{"layout":{"type":["x"]},"style":{"layout":7}} '))
TEXTS = st.text(alphabet='<p>a"- \n', max_size=8)


def wrapped(inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda name, attributes, texts: f"<!-- wp:{name} {attributes}-->{''.join(texts)}<!-- /wp:{name} -->",
        NAMES, ATTRIBUTES, st.lists(inside, max_size=3),
    )  # fmt: skip


BLOCKS = st.recursive(TEXTS | st.builds("<!-- wp:{} {}/-->".format, NAMES, ATTRIBUTES), wrapped, max_leaves=12)


@given(BLOCKS)
def test_blocks_are_written_back_unchanged(raw):
    assert serialize_blocks(parse_blocks(raw)) == raw
    assert prepare_raw_content(raw) == raw
    render_content(raw)


@given(
    st.lists(
        st.sampled_from(("<!-- wp:", "<!-- /wp:", "group", " {", "} ", "-->", "/-->", "a", "\n", '"b":1')), max_size=40
    )
)
def test_any_delimiters_are_written_back_unchanged(pieces):
    raw = "".join(pieces)
    assert serialize_blocks(parse_blocks(raw)) == raw
    render_content(raw)


@pytest.mark.parametrize(
    "piece",
    [
        "<!-- wp:",
        "<!-- wp:a {",
        "<!-- wp:group -->",
        '<!-- wp:group --><div class="x">',
        "<!-- /wp:a -->",
        "<!-- wp:mio/a -->b",
    ],
)
def test_hostile_blocks_take_linear_time_and_nest_without_limit(piece):
    raw = piece * (100_000 // len(piece))
    started = time.process_time()
    render_content(raw)
    prepare_raw_content(raw)
    assert time.process_time() - started < 4
