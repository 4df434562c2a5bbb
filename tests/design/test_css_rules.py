"""Styles as rules: of the page, elements, blocks, their states, elements and variations; layout and gaps."""

from __future__ import annotations

from typing import Any

import pytest

from css_reader import Sheet, read_sheet
from vetrina.design.styles.css.addresses import AddressPolicy
from vetrina.design.styles.css.stylesheet import generate_css

POLICY = AddressPolicy(("https://site.test",))
LINK = "a:where(:not(.wp-element-button))"
BUTTON = ":root :where(.wp-element-button,.wp-block-button__link)"


def sheet(styles: dict[str, Any], owner: dict[str, Any] | None = None, settings: dict[str, Any] | None = None) -> Sheet:
    """The sheet of a theme's styles, and the owner's over them."""
    text = generate_css({"settings": settings or {}, "styles": styles}, {"styles": owner or {}}, POLICY)
    return read_sheet(text)


def block(styles: dict[str, Any], name: str = "core/group", **more: Any) -> Sheet:
    return sheet({"blocks": {name: styles}}, **more)


def at(selector: str) -> str:
    """The prelude of a rule of blocks."""
    return f":root :where({selector})"


def test_styles_of_the_page():
    styles = {
        "color": {"text": "var:preset|color|contrast", "background": "#fbfaf7"},
        "typography": {"fontFamily": "serif", "fontSize": "1rem", "lineHeight": 1.65},
    }
    assert sheet(styles).find("body") == {
        "color": "var(--wp--preset--color--contrast)", "background-color": "#fbfaf7", "font-family": "serif",
        "font-size": "1rem", "line-height": "1.65",
    }  # fmt: skip


def test_the_owners_styles_hold_over_the_themes_and_leave_the_rest():
    theme = {"color": {"text": "black", "background": "white"}, "elements": {"h1": {"color": {"text": "red"}}}}
    owner = {"color": {"text": "navy"}, "elements": {"h1": {"typography": {"fontSize": "3rem"}}}}
    made = sheet(theme, owner)
    assert made.find("body") == {"color": "navy", "background-color": "white"}
    assert made.find("h1") == {"color": "red", "font-size": "3rem"}


def test_every_property_is_written():
    styles = {
        "background": {"backgroundImage": {"url": "/files/a.png"}, "backgroundRepeat": "no-repeat"},
        "border": {
            "color": "red", "radius": {"topLeft": "1px", "bottomRight": "2px"}, "style": "solid", "width": "3px",
            "left": {"color": "blue", "width": "4px"},
        },
        "color": {"gradient": "linear-gradient(red, blue)"},
        "dimensions": {"aspectRatio": "16/9", "width": "50%"},
        "filter": {"duotone": "var:preset|duotone|midnight"},
        "outline": {"color": "red", "offset": "1px", "style": "dotted", "width": "2px"},
        "shadow": "var:preset|shadow|deep",
        "spacing": {"margin": {"top": "1px", "left": "2px"}, "padding": "3px"},
        "typography": {
            "fontStyle": "italic", "fontWeight": 500, "letterSpacing": "1px", "textAlign": "center", "textColumns": 2,
            "textDecoration": "underline", "textIndent": "1em", "textTransform": "uppercase",
            "writingMode": "vertical-rl",
        },
    }  # fmt: skip
    assert block(styles).find(at(".wp-block-group")) == {
        "background": "linear-gradient(red, blue)", "font-style": "italic", "font-weight": "500",
        "letter-spacing": "1px", "text-align": "center", "column-count": "2", "text-decoration": "underline",
        "text-indent": "1em", "text-transform": "uppercase",
        "writing-mode": "vertical-rl", "outline-color": "red", "outline-offset": "1px",
        "outline-style": "dotted", "outline-width": "2px", "width": "50%", "background-image": 'url("/files/a.png")',
        "background-size": "cover", "background-repeat": "no-repeat", "border-color": "red", "border-style": "solid",
        "border-width": "3px", "border-left-color": "blue", "border-left-width": "4px", "border-top-left-radius": "1px",
        "border-bottom-right-radius": "2px", "margin-top": "1px", "margin-left": "2px", "padding": "3px",
        "aspect-ratio": "16/9", "min-height": "unset", "box-shadow": "var(--wp--preset--shadow--deep)",
        "filter": "var(--wp--preset--duotone--midnight)",
    }  # fmt: skip


def test_elements_and_their_states():
    states = {
        ":hover": {"color": {"text": "red"}},
        ":focus": {"outline": {"width": "2px"}},
        ":target": {"shadow": "none"},
    }
    made = sheet({"elements": {"link": {"color": {"text": "blue"}, **states}, "button": states, "cite": states}})
    assert made.find(LINK) == {"color": "blue", "text-decoration": "underline"}
    assert made.find(f"{LINK}:hover") == {"color": "red"}
    assert made.find(f"{LINK}:focus") == {"outline-width": "2px"}
    assert made.find(BUTTON)["text-decoration"] == "none"
    assert made.find(":root :where(.wp-element-button:hover,.wp-block-button__link:hover)") == {"color": "red"}
    assert not [one for one in made.preludes if ":target" in one or one.startswith("cite:")]


def test_headings_hold_until_a_single_one_says_otherwise():
    made = sheet({"elements": {"h2": {"color": {"text": "red"}}, "heading": {"color": {"text": "blue"}}}})
    assert made.find("h1,h2,h3,h4,h5,h6") == {"color": "blue"}
    assert made.preludes.index("h1,h2,h3,h4,h5,h6") < made.preludes.index("h2")


def test_blocks_with_their_elements():
    styles = {
        "color": {"text": "red"},
        "elements": {"link": {"color": {"text": "blue"}, ":hover": {"shadow": "none"}}, "x": {}},
    }
    made = block(styles, "core/quote")
    assert made.find(at(".wp-block-quote")) == {"color": "red"}
    assert made.find(at(f".wp-block-quote {LINK}")) == {"color": "blue"}
    assert made.find(at(f".wp-block-quote {LINK}:hover")) == {"box-shadow": "none"}


@pytest.mark.parametrize(
    "name, styles, selector",
    [
        ("core/paragraph", {"color": {"text": "red"}}, "p"),
        ("core/button", {"color": {"text": "red"}}, ".wp-block-button .wp-block-button__link"),
        ("core/button", {"dimensions": {"width": "50%"}}, ".wp-block-button"),
        ("core/image", {"border": {"radius": "9px"}}, ".wp-block-image img"),
        ("core/image", {"shadow": "none"}, ".wp-block-image img"),
        ("core/image", {"spacing": {"margin": "1px"}}, ".wp-block-image"),
        ("core/table", {"spacing": {"margin": "1px"}}, ".wp-block-table"),
        ("core/table", {"color": {"text": "red"}}, ".wp-block-table > table"),
        ("shop/price", {"color": {"text": "red"}}, ".wp-block-shop-price"),
        ("core/accordion-heading", {"typography": {"letterSpacing": "1px"}},
         ".wp-block-accordion-heading .wp-block-accordion-heading__toggle-title"),
        ("core/accordion-heading", {"typography": {"fontWeight": "500"}}, ".wp-block-accordion-heading"),
    ],
)  # fmt: skip
def test_a_block_selects_its_elements(name, styles, selector):
    made = block(styles, name)
    assert len(made.find(at(selector))) == 1


def test_states_of_a_button_block():
    made = block({":hover": {"color": {"text": "red"}}}, "core/button")
    assert made.find(at(".wp-block-button .wp-block-button__link:hover")) == {"color": "red"}


def test_style_variations_of_a_block():
    inner = {"core/heading": {"color": {"text": "blue"}, "elements": {"link": {"shadow": "none"}}}}
    variation = {"color": {"text": "red"}, "elements": {"cite": {"shadow": "none"}}, "blocks": inner}
    made = block({"variations": {"section-1": variation, "no name": variation}, "color": {"text": "green"}})
    assert made.find(at(".wp-block-group.is-style-section-1")) == {"color": "red"}
    assert made.find(at(".wp-block-group.is-style-section-1 cite")) == {"box-shadow": "none"}
    assert made.find(at(".wp-block-group.is-style-section-1 .wp-block-heading")) == {"color": "blue"}
    assert made.find(at(f".wp-block-group.is-style-section-1 .wp-block-heading {LINK}")) == {"box-shadow": "none"}
    assert made.preludes.index(at(".wp-block-group")) < made.preludes.index(at(".wp-block-group.is-style-section-1"))
    assert not [one for one in made.preludes if "no name" in one]


def test_a_variation_stands_at_the_outermost_element_of_its_block():
    made = block({"variations": {"outline": {"border": {"width": "1px"}}}}, "core/button")
    found = made.find(at(".wp-block-button.is-style-outline .wp-block-button__link"))
    assert (found["border-width"], found["background-color"]) == ("1px", "transparent")
    made = block({"variations": {"rounded": {"border": {"radius": "1px"}}}}, "core/image")
    assert made.find(at(".wp-block-image.is-style-rounded img")) == {"border-radius": "1px"}


def test_a_reference_takes_the_value_of_another_style():
    styles = {
        "color": {"text": "navy", "background": {"ref": "styles.elements.h1.color.text"}},
        "elements": {
            "h1": {"color": {"text": {"ref": "styles.color.text"}}}, "h2": {"color": {"text": {"ref": "x.y"}}},
        },
    }  # fmt: skip
    made = sheet(styles)
    assert made.find("h1") == {"color": "navy"}
    assert made.find("body") == {"color": "navy"}
    assert made.find("h2") == {}


def test_sizes_of_styles_are_fluid_too():
    made = sheet({"elements": {"h1": {"typography": {"fontSize": "3rem"}}}}, settings={"typography": {"fluid": True}})
    assert made.find("h1")["font-size"].startswith("clamp(")


def test_custom_css_comes_last_and_nests_in_blocks():
    styles = {
        "css": ".own{color:red}",
        "blocks": {"core/quote": {"css": "color:blue; & cite{top:0}", "variations": {"plain": {"css": "left:0"}}}},
    }
    made = sheet(styles)
    assert made.rules[-3].prelude == ".own"
    quote = made.rules[-2]
    assert (quote.prelude, quote.declarations) == (at(".wp-block-quote"), {"color": "blue"})
    assert (quote.rules[0].prelude, quote.rules[0].declarations) == ("& cite", {"top": "0"})
    assert (made.rules[-1].prelude, made.rules[-1].declarations) == (
        at(".wp-block-quote.is-style-plain"),
        {"left": "0"},
    )


def test_widths_of_the_content():
    settings = {"layout": {"contentSize": "660px", "wideSize": "1240px"}}
    found = sheet({}, settings=settings).find(":root")
    assert found["--wp--style--global--content-size"] == "660px"
    assert found["--wp--style--global--wide-size"] == "1240px"
    assert (
        sheet({}, settings={"layout": {"contentSize": "40rem"}}).find(":root")["--wp--style--global--wide-size"]
        == "40rem"
    )


def test_the_gap_of_the_page_and_of_one_type():
    settings = {"appearanceTools": True}
    styles = {
        "spacing": {"blockGap": "2rem"},
        "blocks": {"core/group": {"spacing": {"blockGap": {"top": "1px", "left": "2px"}}}},
    }
    made = sheet(styles, settings=settings)
    assert made.find(":root :where(.is-layout-flow)>*") == {"margin-block-start": "2rem", "margin-block-end": "0"}
    assert made.find(":root :where(.is-layout-constrained)>:first-child") == {"margin-block-start": "0"}
    assert made.find(":root :where(.is-layout-flex)") == {"gap": "2rem"}
    assert made.find(":root")["--wp--style--block-gap"] == "2rem"
    assert made.find(":root :where(.wp-block-group-is-layout-grid)") == {"gap": "1px 2px"}
    assert made.find(":root :where(.wp-block-group-is-layout-flow)>*")["margin-block-start"] == "1px"


def test_a_theme_without_gaps_has_a_small_one_in_rows():
    made = sheet({"spacing": {"blockGap": "2rem"}})
    assert made.find(":where(.is-layout-flex)") == {"gap": "0.5em"}
    assert ":root :where(.is-layout-flow)>*" not in made.preludes


def test_full_blocks_reach_over_the_padding_of_the_page():
    styles = {"spacing": {"padding": {"left": "var:preset|spacing|40", "right": "1rem"}}, "color": {"text": "red"}}
    made = sheet(styles, settings={"useRootPaddingAwareAlignments": True})
    assert made.find("body") == {
        "--wp--style--root--padding-top": "0px", "--wp--style--root--padding-right": "1rem",
        "--wp--style--root--padding-bottom": "0px", "color": "red",
        "--wp--style--root--padding-left": "var(--wp--preset--spacing--40)",
    }  # fmt: skip
    assert made.find(".has-global-padding>.alignfull")["margin-left"] == "calc(var(--wp--style--root--padding-left)*-1)"
    plain = sheet(styles)
    assert plain.find("body")["padding-right"] == "1rem"
    assert ".has-global-padding" not in plain.preludes
