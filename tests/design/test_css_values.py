"""Values and custom CSS that are cleaned: what stays is whole, and loads nothing of other hosts."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings, strategies as st

from css_reader import read_sheet
from vetrina.design.styles.css.addresses import AddressPolicy, build_origins
from vetrina.design.styles.css.cleaning import clean_rules, clean_value
from vetrina.design.styles.css.names import format_slug, list_class_names, resolve_references

POLICY = AddressPolicy(("https://site.test",), "https://site.test/themes/portico/")


@pytest.mark.parametrize(
    "value",
    [
        "red", "#8a3b2a", "calc(1rem + 2px)", "clamp(1rem, 2vw, calc(3rem - 1px))", "1.65", "-0.5em", "50% 50%",
        "var(--wp--preset--color--base, #fff)", "linear-gradient(180deg, #fff 0%, #000 100%)", "red !important",
        '"Iowan Old Style", Georgia, serif', "U+0025-00FF, u+4??", "[full-start] 1fr [full-end]",
    ],
)  # fmt: skip
def test_ordinary_values_stay_as_they_are(value):
    assert clean_value(value, POLICY) == value


@pytest.mark.parametrize(
    "value",
    [
        "red;} body{display:none", "red}", "{", "calc(1px", "1px)", "[a", '"open', "'open\nred", "</style><script>",
        "<!--", "a <b", "@import 'x'", "red\\", "expression(alert(1)", "\x00\x01", "a]",
    ],
)  # fmt: skip
def test_values_that_could_end_a_declaration_are_left_out(value):
    assert clean_value(value, POLICY) == ""


@pytest.mark.parametrize(
    "value",
    [
        "url(https://evil.test/x.png)", "url('//evil.test/x')", 'url("http://site.test@evil.test/")',
        "url(https://site.test.evil.test/x)", "u\\72l(https://evil.test/x)", "URL(  https://evil.test/x  )",
        "url(javascript:alert(1))", "url(\\68ttps://evil.test/x)", "image-set('https://evil.test/x' 1x)",
        "-webkit-image-set( (\"//evil.test/x\") 1x)", "src('https://evil.test/x')", "image-set(var(--x) 1x)",
        "url('/\\\\evil.test/x')", "url(data:text/html,x)", "image('https://evil.test/x')", "url('\\/\\/evil.test/x')",
        "url(file:./../../settings.toml)",
    ],
)  # fmt: skip
def test_addresses_of_other_hosts_are_left_out(value):
    assert clean_value(value, POLICY) == ""


@pytest.mark.parametrize(
    "value, shown",
    [
        ("url(https://site.test/uploads/a.png)", 'url("https://site.test/uploads/a.png")'),
        ("url( '/uploads/a.png' )", 'url( "/uploads/a.png" )'),
        ("url(data:image/png;base64,AAAA)", 'url("data:image/png;base64,AAAA")'),
        ("url('file:./assets/a.woff2')", 'url("https://site.test/themes/portico/assets/a.woff2")'),
        ("url(/uploads/open", 'url("/uploads/open")'),
        ("url(#wp-duotone)", 'url("#wp-duotone")'),
        ("image-set('/uploads/a.png' 1x)", 'image-set("/uploads/a.png" 1x)'),
    ],
)
def test_addresses_of_the_site_stay(value, shown):
    assert clean_value(value, POLICY) == shown


def test_strings_cannot_end_a_style_element():
    assert clean_value("'</style>'", POLICY) == '"\\3c /style>"'
    assert clean_value('"a\\22 b\\\nc"', POLICY) == '"a\\22 bc"'


def test_names_of_the_site_are_those_of_markup():
    assert clean_value("var(--cms--preset--color--base)", POLICY) == "var(--wp--preset--color--base)"
    assert resolve_references("var:preset|color|accent1") == "var(--wp--preset--color--accent-1)"
    assert resolve_references("0 var:preset|spacing|40 var:custom|lineGap|big") == (
        "0 var(--wp--preset--spacing--40) var(--wp--custom--line-gap--big)"
    )


@pytest.mark.parametrize(
    "slug, name", [("accent-soft", "accent-soft"), ("accent1", "accent-1"), ("xLarge", "x-large"), ("40", "40"),
                   (40, "40"), ("2XL", "2-xl"), ("a}b", "a-b"), ("è", "è"), (None, ""), ({}, ""), (True, ""),
                   ("--", "")],
)  # fmt: skip
def test_slugs_become_parts_of_names(slug, name):
    assert format_slug(slug) == name


def test_a_slug_has_the_name_of_the_editor_and_of_rendered_blocks():
    assert list_class_names("accent1") == ["accent-1", "accent1"]
    assert list_class_names("accent") == ["accent"]


def test_custom_css_keeps_rules_at_rules_and_comments():
    css = 'a{color:red;}@media (width <= 600px){.b > i::before{content:"\\201C"}}@keyframes x{from{opacity:0}}'
    cleaned = clean_rules(css, POLICY)
    assert cleaned.startswith("a{color:red;}@media (width <= 600px){.b > i::before{content:")
    assert cleaned.endswith("@keyframes x{from{opacity:0;}}")
    assert "\u201c" in cleaned


def test_custom_css_of_a_block_may_nest():
    cleaned = clean_rules("color: red; & .x:hover { top: 0 } &.wide { left: 0 }", POLICY, nested=True)
    assert cleaned == "color:red;& .x:hover{top:0;}&.wide{left:0;}"


@pytest.mark.parametrize(
    "css, left",
    [
        ("@import url(https://evil.test/x.css);a{top:0}", "a{top:0;}"),
        ("@import 'x.css';a{top:0}", "a{top:0;}"),
        ("@charset 'utf-8';@namespace x 'y';a{top:0}", "a{top:0;}"),
        ("@\\69mport 'x';a{top:0}", "a{top:0;}"),
        ("a{top:0", "a{top:0;}"),
        ("}}a{top:0}}", "a{top:0;}"),
        ("a{b:url(https://evil.test);top:0}", "a{top:0;}"),
        ("a{b:'x\n;top:0}", "a{top:0;}"),
        ("a{top:0}/* open", "a{top:0;}"),
        ("</style><script>alert(1)</script>", ""),
        ("a{--x:{b:c};top:0}", "a{top:0;}"),
        ("color:red;a{top:0}", "a{top:0;}"),
        ("@font-face{font-family:x;src:url(https://evil.test/x.woff2)}", "@font-face{font-family:x;}"),
    ],
)  # fmt: skip
def test_custom_css_loses_what_may_not_stand(css, left):
    assert clean_rules(css, POLICY) == left


_PIECES = st.sampled_from(
    ["{", "}", "(", ")", "[", "]", "\"", "'", "\\", ";", ":", "/*", "*/", "<", ">", "@media ", "@import ", "url(", "a",
     "&", ",", "\n", " ", "--x", "!", "-->", "<!--", "</style", "#", "\\\n", "\\7d ", "é", "\x00", "1e3", "%", "https://e.test"]
)  # fmt: skip


@settings(max_examples=400)
@given(css=st.lists(_PIECES, max_size=40).map("".join), nested=st.booleans())
@example(css="a{b:url(\\", nested=False)
@example(css='a{b:"\\', nested=False)
def test_any_custom_css_ends_where_it_began(css, nested):
    cleaned = clean_rules(css, POLICY, nested=nested)
    read_sheet(f"x{{{cleaned}}}" if nested else cleaned)
    assert not re.search("</|<!|@import", cleaned)
    assert "e.test" not in _addresses(cleaned)
    # What was cleaned is clean.
    assert clean_rules(cleaned, POLICY, nested=nested) == cleaned


@settings(max_examples=400)
@given(value=st.lists(_PIECES, max_size=25).map("".join))
@example(value="< ")
@example(value="a\\ ")
@example(value="\\7d ")
def test_any_value_is_one_value(value):
    cleaned = clean_value(value, POLICY)
    if cleaned:
        assert len(read_sheet(f"x{{y:{cleaned};z:1}}").rules[0].declarations) == 2
    assert clean_value(cleaned, POLICY) == cleaned


def _addresses(css: str) -> str:
    return " ".join(part.partition(")")[0] for part in css.split("url(")[1:])


def test_the_places_of_files_are_scheme_and_host():
    assert build_origins("https://a.test/shop", "https://files.test:8080/x/y", "/y", "https://a.test") == (
        "https://a.test", "https://files.test:8080",
    )  # fmt: skip
