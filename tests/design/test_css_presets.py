"""Presets as custom properties and classes: of the core, the theme and the owner; fluid sizes, scales, duotone."""

from __future__ import annotations

from typing import Any

import pytest

from css_reader import Sheet, read_sheet
from vetrina.content.blocks.duotone import build_duotone_filter, parse_color
from vetrina.design.styles.css.addresses import AddressPolicy
from vetrina.design.styles.css.fluid import compute_fluid_size
from vetrina.design.styles.css.spacing_scale import compute_spacing_scale
from vetrina.design.styles.css.stylesheet import generate_css

PRESET = "--wp--preset--"
POLICY = AddressPolicy(("https://site.test",), "https://site.test/themes/portico/")


def sheet(settings: dict[str, Any], owner: dict[str, Any] | None = None, **more: Any) -> Sheet:
    """The sheet of a theme's settings, and the owner's over them."""
    return read_sheet(generate_css({"settings": settings}, {"settings": owner or {}}, POLICY, **more))


def test_a_colour_is_a_property_and_three_classes():
    made = sheet({"color": {"palette": [{"slug": "accent1", "color": "#8a3b2a"}]}})
    assert made.find(":root")[f"{PRESET}color--accent-1"] == "#8a3b2a"
    # Blocks that the server renders have the slug with its digit at the word.
    assert made.find(":root")[f"{PRESET}color--accent1"] == f"var({PRESET}color--accent-1)"
    for end, property in (
        ("color", "color"),
        ("background-color", "background-color"),
        ("border-color", "border-color"),
    ):
        found = made.find(f".has-accent-1-{end},.has-accent1-{end}")
        assert found == {property: f"var({PRESET}color--accent-1) !important"}


def test_the_defaults_are_there_until_the_theme_switches_them_off():
    assert f"{PRESET}color--vivid-red" in sheet({}).find(":root")
    assert ".has-vivid-red-color" in sheet({}).preludes
    off = {
        "color": {"defaultPalette": False, "defaultGradients": False, "defaultDuotone": False},
        "typography": {"defaultFontSizes": False}, "spacing": {"defaultSpacingSizes": False},
        "shadow": {"defaultPresets": False}, "dimensions": {"defaultAspectRatios": False},
    }  # fmt: skip
    assert not [name for name in sheet(off).find(":root") if name.startswith(PRESET)]


def test_a_default_that_stays_on_is_not_replaced_by_the_theme_but_by_the_owner():
    palette = [{"slug": "black", "color": "#111111"}]
    assert sheet({"color": {"palette": palette}}).find(":root")[f"{PRESET}color--black"] == "#000000"
    own = {"color": {"palette": {"custom": palette}}}
    assert sheet({}, own).find(":root")[f"{PRESET}color--black"] == "#111111"


def test_the_owner_replaces_the_themes_presets_and_adds_others():
    theme = {"color": {"palette": [{"slug": "base", "color": "#ffffff"}, {"slug": "line", "color": "#dddddd"}]}}
    own = {
        "color": {
            "palette": {"theme": [{"slug": "base", "color": "#000000"}], "custom": [{"slug": "mine", "color": "red"}]}
        }
    }
    found = sheet(theme, own).find(":root")
    assert (found[f"{PRESET}color--base"], found[f"{PRESET}color--mine"]) == ("#000000", "red")
    assert f"{PRESET}color--line" not in found


def test_every_kind_of_preset_has_its_name():
    made = sheet({
        "border": {"radiusSizes": [{"slug": "soft", "size": "4px"}]},
        "color": {"gradients": [{"slug": "dawn", "gradient": "linear-gradient(180deg, #fff 0%, #000 100%)"}]},
        "dimensions": {
            "aspectRatios": [{"slug": "tall", "ratio": "2/5"}], "dimensionSizes": [{"slug": "50", "size": "9rem"}],
        },
        "shadow": {"presets": [{"slug": "low", "shadow": "0 1px 2px rgba(0, 0, 0, 0.2)"}]},
        "spacing": {"spacingSizes": [{"slug": "90", "size": "9rem"}]},
        "typography": {"fontFamilies": [{"slug": "text", "fontFamily": '"Iowan Old Style", serif'}]},
    }).find(":root")  # fmt: skip
    assert made[f"{PRESET}border-radius--soft"] == "4px"
    assert made[f"{PRESET}gradient--dawn"] == "linear-gradient(180deg, #fff 0%, #000 100%)"
    assert made[f"{PRESET}aspect-ratio--tall"] == "2/5"
    assert made[f"{PRESET}dimension--50"] == "9rem"
    assert made[f"{PRESET}shadow--low"] == "0 1px 2px rgba(0, 0, 0, 0.2)"
    assert made[f"{PRESET}spacing--90"] == "9rem"
    assert made[f"{PRESET}font-family--text"] == '"Iowan Old Style", serif'


def test_gradients_sizes_and_families_have_classes():
    made = sheet({
        "color": {"gradients": [{"slug": "dawn", "gradient": "linear-gradient(red, blue)"}]},
        "typography": {
            "fontFamilies": [{"slug": "text", "fontFamily": "serif"}], "fontSizes": [{"slug": "tiny", "size": "1px"}],
        },
    })  # fmt: skip
    assert made.find(".has-dawn-gradient-background") == {"background": f"var({PRESET}gradient--dawn) !important"}
    assert made.find(".has-tiny-font-size") == {"font-size": f"var({PRESET}font-size--tiny) !important"}
    assert made.find(".has-text-font-family") == {"font-family": f"var({PRESET}font-family--text) !important"}


def test_settings_of_a_block_hold_in_that_block():
    own = {"color": {"palette": [{"slug": "deep", "color": "#000080"}]}, "custom": {"edge": "2px"}}
    made = sheet({"blocks": {"core/heading": own, "no block": own}})
    assert made.find(".wp-block-heading") == {f"{PRESET}color--deep": "#000080", "--wp--custom--edge": "2px"}
    assert made.find(":where(.wp-block-heading).has-deep-color") == {"color": f"var({PRESET}color--deep) !important"}
    assert f"{PRESET}color--deep" not in made.find(":root")


def test_own_settings_are_custom_properties():
    custom = {"lineHeight": {"body": 1.7, "h1": "1.2"}, "a/b": "var:preset|spacing|40", "none": None, "on": True}
    found = sheet({"custom": custom}).find(":root")
    assert found["--wp--custom--line-height--body"] == "1.7"
    assert found["--wp--custom--line-height--h-1"] == "1.2"
    assert found["--wp--custom--a-b"] == f"var({PRESET}spacing--40)"
    assert not [name for name in found if name.endswith(("none", "on"))]


# What the block editor works out for the same sizes.
@pytest.mark.parametrize(
    "size, fluid, typography, shown",
    [
        ("2.25rem", {"min": "1.75rem", "max": "2.25rem"}, True,
         "clamp(1.75rem, 1.75rem + ((1vw - 0.2rem) * 0.625), 2.25rem)"),
        ("29px", None, {"minViewportWidth": "400px"}, "clamp(18.434px, 1.152rem + ((1vw - 4px) * 0.88), 29px)"),
        ("3.54em", True, True, "clamp(1.994em, 1.994rem + ((1vw - 0.2em) * 1.933), 3.54em)"),
        ("59px", {"min": "5px"}, {"maxViewportWidth": "1200px"},
         "clamp(5px, 0.313rem + ((1vw - 3.2px) * 6.136), 59px)"),
        ("14px", None, True, "14px"),
        ("2rem", False, True, "2rem"),
        ("2rem", None, False, "2rem"),
        ("2rem", {"min": "1rem"}, False, "clamp(1rem, 1rem + ((1vw - 0.2rem) * 1.25), 2rem)"),
        ("5vw", None, True, "5vw"),
        ("0", None, True, "0"),
        ("2rem", {"min": "3vw"}, True, "2rem"),
    ],
)  # fmt: skip
def test_fluid_sizes(size, fluid, typography, shown):
    assert compute_fluid_size(size, {"typography": {"fluid": typography}}, fluid) == shown


def test_a_fluid_size_is_largest_where_wide_blocks_end():
    settings = {"typography": {"fluid": True}, "layout": {"wideSize": "1240px"}}
    fluid = {"min": "2.25rem", "max": "3.5rem"}
    assert compute_fluid_size("3.5rem", settings, fluid) == "clamp(2.25rem, 2.25rem + ((1vw - 0.2rem) * 2.174), 3.5rem)"


def test_a_scale_of_spaces():
    scale = {"operator": "*", "increment": 1.5, "steps": 7, "mediumStep": 1.5, "unit": "rem"}
    assert {one["slug"]: one["size"] for one in compute_spacing_scale(scale)} == {
        "20": "0.44rem", "30": "0.67rem", "40": "1rem", "50": "1.5rem", "60": "2.25rem", "70": "3.38rem",
        "80": "5.06rem",
    }  # fmt: skip
    added = compute_spacing_scale({"operator": "+", "increment": 0.5, "steps": 5, "mediumStep": 1, "unit": "em"})
    assert [one["size"] for one in added] == ["0.5em", "1em", "1.5em", "2em"]
    assert (
        compute_spacing_scale({"operator": "*", "increment": 1e-320, "steps": 7, "mediumStep": 1, "unit": "rem"}) == []
    )


def test_a_size_of_the_theme_stands_before_the_scale():
    scale = {"operator": "*", "increment": 2, "steps": 3, "mediumStep": 1, "unit": "rem"}
    spacing = {"defaultSpacingSizes": False, "spacingScale": scale, "spacingSizes": [{"slug": "50", "size": "7px"}]}
    found = sheet({"spacing": spacing}).find(":root")
    assert [found[f"{PRESET}spacing--{slug}"] for slug in (40, 50, 60)] == ["0.5rem", "7px", "2rem"]


def test_duotone_is_a_filter_within_the_sheet():
    made = build_duotone_filter(["#000000", "rgb(255, 0, 128)"])
    assert made.startswith('url("data:image/svg+xml,%3Csvg')
    assert made.endswith('#f")')
    assert "tableValues=%270 1%27" in made
    assert "tableValues=%270 0.502%27" in made
    assert build_duotone_filter(["red", "#000000"]) == ""
    assert build_duotone_filter("x") == ""


@pytest.mark.parametrize(
    "text, color",
    [
        ("#fff", (1, 1, 1, 1)), ("#ff000080", (1, 0, 0, 128 / 255)), ("rgb(255 0 0 / 50%)", (1, 0, 0, 0.5)),
        ("hsl(120, 100%, 50%)", (0, 1, 0, 1)), ("rgba(300, 0, 0, 2)", (1, 0, 0, 1)), ("red", None), (7, None),
        ("hsl(" + "9" * 400 + ", 1%, 1%)", None),
    ],
)  # fmt: skip
def test_colours_of_duotone(text, color):
    assert parse_color(text) == (None if color is None else pytest.approx(color))


def test_fonts_of_the_theme_and_of_the_owner():
    faces = [
        {"fontFamily": "Vollkorn", "fontWeight": "400 900", "fontStyle": "normal", "src": ["file:./assets/v.woff2"]}
    ]
    theme = {"typography": {"fontFamilies": [{"slug": "titles", "fontFamily": "Vollkorn, serif", "fontFace": faces}]}}
    own_faces = [
        {"fontFamily": '"Own Font"', "src": "https://site.test/files/uploads/fonts/own.ttf", "fontDisplay": "swap"},
        {"fontFamily": "Foreign", "src": "https://evil.test/f.woff2"},
        {"fontFamily": 'x";}</style>', "src": "/files/x.woff"},
        "no face",
    ]
    own = {"typography": {"fontFamilies": {"custom": [{"slug": "own", "fontFamily": "Own", "fontFace": own_faces}]}}}
    found = [rule.declarations for rule in sheet(theme, own).rules if rule.prelude == "@font-face"]
    assert found[0] == {
        "font-family": '"Vollkorn"', "font-display": "fallback", "font-style": "normal", "font-weight": "400 900",
        "src": 'url("https://site.test/themes/portico/assets/v.woff2") format("woff2")',
    }  # fmt: skip
    assert found[1]["src"] == 'url("https://site.test/files/uploads/fonts/own.ttf") format("truetype")'
    assert (found[1]["font-family"], found[1]["font-display"]) == ('"Own Font"', "swap")
    assert found[2]["font-family"] == '"x\\22 ;}\\3c /style>"'
    assert len(found) == 3


def test_a_family_without_faces_has_those_of_the_library():
    own = {"typography": {"fontFamilies": {"custom": [{"slug": "lato", "fontFamily": "Lato"}]}}}
    library = {
        "lato": [{"fontFamily": "Lato", "src": "/files/uploads/fonts/lato.woff2"}],
        "other": [{"fontFamily": "x", "src": "/x"}],
    }
    made = sheet({}, own, library=library)
    assert [rule.declarations["font-family"] for rule in made.rules if rule.prelude == "@font-face"] == ['"Lato"']
