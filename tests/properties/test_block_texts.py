"""Content is segmented and put together again through an exchange file without losing or changing anything."""

from __future__ import annotations

import json

from hypothesis import example, given, strategies as st
from lxml import etree

from vetrina.multilingual.jobs.model import TranslationJob, TranslationJobField
from vetrina.multilingual.translations import json_strings, segments as translation_segments
from vetrina.multilingual.translations.block_rules import BlockRule, ShortcodeRule, TranslationRules
from vetrina.multilingual.translations.html_tokens import tokenize_html
from vetrina.multilingual.translations.sentences import split_sentences
from vetrina.multilingual.xliff import reader as xliff_reader, writer as xliff_writer
from vetrina.multilingual.xliff.inline_codes import extract_text

RULES = TranslationRules(
    blocks={
        "core/quote": BlockRule(xpaths=("//p", "//cite/@title"), keys=(("a", "*"), ("b",))),
        "core/table": BlockRule(translate=False),
    },
    shortcodes={"button": ShortcodeRule(("text",), False)},
)
NAMES = st.sampled_from(["paragraph", "quote", "search", "table", "shortcode", "my/box", "image"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "label"]), inner, max_size=3)
    ),
    max_leaves=6,
)
MARKUP = st.sampled_from([
    "<p>", "</p>", "<strong>", "</strong>", "<a href='x' title=\"y z\">", "</a>", "<br>", "<br/>", "<img alt=\"a b\">",
    "<cite title=\"t\">", "</cite>", "<script>", "</script>", "<!--more-->", "<!--", "-->", "<", ">", "&amp;",
    "[button", " text=\"go on\"", "]", "[/button]", "[gallery ids=1]", "[caption]", "\"", "'", "\n", " ", "<x", "</",
    "]]>", "\r\n",
])  # fmt: skip


@st.composite
def delimiters(draw: st.DrawFn) -> str:
    name = draw(NAMES)
    if draw(st.booleans()):
        return f"<!-- /wp:{name} -->"
    attributes = json.dumps(draw(JSON), ensure_ascii=draw(st.booleans())) + " " if draw(st.booleans()) else ""
    return f"<!-- wp:{name} {attributes}{draw(st.sampled_from(['', '/']))}-->"


CONTENT = st.lists(MARKUP | st.text(max_size=12) | delimiters(), max_size=14).map("".join)


def job() -> TranslationJob:
    members = dict.fromkeys(TranslationJob.__struct_fields__, 0) | {
        "type": "post", "element_type": "post_post", "element": 120, "number": 58, "source_language": "it",
        "target_language": "en", "note": "", "revision": None,
    }  # fmt: skip
    return TranslationJob(**members)


@given(CONTENT)
@example('<!-- wp:quote {"a":["x"]} --><p>a<!-- wp:paragraph -->b</p><!-- /wp:quote -->')
@example('<!-- wp:quote {"a":18446744073709551616,"b":"x"} -->')
@example('<!-- wp:search {"label":"\\ud83d\\ude00 --\\u003e"} /-->')
def test_the_texts_put_back_are_the_content(content: str) -> None:
    found = translation_segments.list_segments(content, RULES)
    assert translation_segments.fill_segments(content, RULES, {}) == content
    assert translation_segments.fill_segments(content, RULES, {at: one.text for at, one in enumerate(found)}) == content


@given(CONTENT)
@example("a ]]> b\r\n \x01 <a title='\x02'>x</b>")
def test_content_survives_a_file_whose_targets_equal_its_sources(content: str) -> None:
    found = translation_segments.list_segments(content, RULES)
    texts = [TranslationJobField(f"package-string-120-{at + 1}", one.text) for at, one in enumerate(found)]
    texts.append(TranslationJobField("body", content))
    texts = [TranslationJobField(one.name, one.source, target=one.source) for one in texts]
    file = xliff_writer.render_xliff(job(), texts, xliff_writer.XliffSender(), shortcodes=RULES.shortcode_names)
    [read] = xliff_reader.parse_xliff(file)
    assert all(unit.source == unit.target for unit in read.units)
    assert read.texts.get("body", content) == content
    places = {at: read.texts[f"package-string-120-{at + 1}"] for at in range(len(found))}
    assert translation_segments.fill_segments(content, RULES, places) == content


@given(CONTENT, st.text(min_size=1, max_size=8))
def test_another_text_leaves_the_others_where_they_are(content: str, other: str) -> None:
    found = translation_segments.list_segments(content, RULES)
    if not found:
        return
    written = translation_segments.fill_segments(content, RULES, {0: other})
    assert len(written) - len(content) == len(found[0].encode_text(other)) - len(found[0].raw)


@given(
    st.lists(MARKUP | st.sampled_from(["Uno. ", "Due! E ", "dott. Rossi", "3.5 ", "«Sì.» Poi "]), max_size=12).map(
        "".join
    )
)
def test_the_sentences_of_a_text_are_the_text(text: str) -> None:
    assert "".join(sentence + blank for sentence, blank in split_sentences(text)) == text
    fields = [TranslationJobField("package-string-1-1", text)]
    file = xliff_writer.render_xliff(job(), fields, xliff_writer.XliffSender(), segmented=True)
    for unit in etree.fromstring(file.encode()).iter("{*}trans-unit"):
        assert extract_text(unit.find("{*}seg-source")) == extract_text(unit.find("{*}source")) == text


@given(CONTENT)
def test_the_pieces_of_markup_cover_it(text: str) -> None:
    pieces = list(tokenize_html(text, {"button"}))
    assert "".join(text[one.start : one.end] for one in pieces) == text
    assert all(one.end > one.start for one in pieces)


@given(JSON)
def test_every_string_of_a_json_text_is_found_at_its_place(value: object) -> None:
    text = json.dumps(value)
    for path, start, end, found in json_strings.list_json_strings(text):
        assert json.loads(text[start:end]) == found
        place = value
        for step in path:
            place = place[step]  # type: ignore[index]
        assert place == found
        assert json.loads(json_strings.encode_json_string(found)) == found
