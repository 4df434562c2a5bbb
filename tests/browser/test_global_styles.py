"""The style sheet in a real browser: it understands every rule, and pages look as the theme says."""

from __future__ import annotations

import base64
import json
import urllib.request
from io import BytesIO

import pytest
from click.testing import CliRunner
from PIL import Image

from css_reader import Rule, read_sheet
from vetrina.cli import main

_TEXT = """
<!-- wp:group {"layout":{"type":"constrained"}} -->
<div class="wp-block-group"><!-- wp:paragraph {"textColor":"accent","fontSize":"x-large"} -->
<p class="has-accent-color has-text-color has-x-large-font-size" id="narrow">A line of text.</p>
<!-- /wp:paragraph --></div>
<!-- /wp:group -->
<!-- wp:group {"layout":{"type":"grid","columnCount":3},"style":{"spacing":{"blockGap":"10px"}}} -->
<div class="wp-block-group" id="grid"><!-- wp:paragraph --><p>a</p><!-- /wp:paragraph --></div>
<!-- /wp:group -->
<!-- wp:group {"layout":{"type":"constrained","contentSize":"400px"}} -->
<div class="wp-block-group"><!-- wp:paragraph --><p id="own">b</p><!-- /wp:paragraph --></div>
<!-- /wp:group -->
<!-- wp:query {"query":{"perPage":3,"postType":"page"}} --><div class="wp-block-query">
<!-- wp:post-template {"layout":{"type":"grid","columnCount":2}} --><!-- wp:post-title /--><!-- /wp:post-template -->
</div><!-- /wp:query -->
<!-- wp:quote --><blockquote class="wp-block-quote" id="quote"><p>Said.</p></blockquote><!-- /wp:quote -->
<!-- wp:image --><figure class="wp-block-image is-duotone"><img src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='40' height='40'%3E%3Crect width='40' height='40' fill='%230f0'/%3E%3C/svg%3E" id="picture" alt=""/></figure><!-- /wp:image -->
"""  # noqa: E501 - one line of markup
# How many rules of a sheet the browser took, those in others too, and which of its declarations it left out.
_COUNT = """
text => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  const count = rules => [...rules].reduce((sum, rule) => sum + 1 + (rule.cssRules ? count(rule.cssRules) : 0), 0);
  return count(sheet.cssRules);
}
"""
_SHOWN = "([id, name]) => getComputedStyle(document.getElementById(id))[name]"


@pytest.fixture(scope="module")
def send(served):
    """Send a request as the administrator, and return the answer."""
    made = CliRunner().invoke(main, ["app-password", "create", "admin", "styles", "--site", str(served.folder)])
    key = base64.b64encode(f"admin:{made.output.splitlines()[-1]}".encode()).decode()

    def ask(path, body=None):
        headers = {"Content-Type": "application/json", "Authorization": f"Basic {key}"}
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(f"{served.root}/en/cms-json{path}", data, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    return ask


def count_rules(rule: Rule) -> int:
    return sum(1 + count_rules(inner) for inner in rule.rules)


def read_linked_sheet(tab) -> str:
    address = tab.get_attribute("link[rel=stylesheet]", "href")
    with urllib.request.urlopen(address, timeout=60) as answer:
        return str(answer.read().decode())


def test_a_page_looks_as_the_theme_says(tab, send):
    post = send("/cms/v2/posts", {"title": "Styles", "content": _TEXT, "status": "publish"})
    tab.set_viewport_size({"width": 1600, "height": 900})
    tab.goto(post["link"])
    assert tab.refused == []
    assert tab.evaluate(_SHOWN, ["narrow", "color"]) == "rgb(138, 59, 42)"  # accent
    assert tab.evaluate(_SHOWN, ["narrow", "fontSize"]) == "36px"  # 2.25rem, in a window wider than wide blocks
    assert tab.evaluate(_SHOWN, ["narrow", "maxWidth"]) == "660px"  # contentSize
    assert tab.evaluate("document.getElementById('own').offsetWidth") == 400
    columns = tab.evaluate(_SHOWN, ["grid", "gridTemplateColumns"])
    assert len(columns.split()) == 3
    assert tab.evaluate(_SHOWN, ["grid", "columnGap"]) == "10px"
    assert tab.evaluate(_SHOWN, ["quote", "borderLeftColor"]) == "rgb(138, 59, 42)"
    columns = (
        "getComputedStyle(document.querySelector('.wp-block-post-template')).gridTemplateColumns.split(' ').length"
    )
    assert tab.evaluate(columns) == 2
    tab.set_viewport_size({"width": 320, "height": 700})
    assert tab.evaluate(columns) == 1
    assert tab.evaluate(_SHOWN, ["narrow", "fontSize"]) == "28px"  # 1.75rem, its least
    tab.emulate_media(color_scheme="dark")
    assert tab.evaluate(_SHOWN, ["narrow", "color"]) == "rgb(224, 164, 88)"  # accent of the dark variation


def test_what_the_owner_sets_is_on_the_next_page(tab, send, served):
    theme = send("/cms/v2/themes?status=active")[0]
    own = theme["_links"]["cms:user-global-styles"][0]["href"].partition("/cms-json")[2]
    post = send("/cms/v2/posts", {"title": "Owner", "content": _TEXT, "status": "publish"})
    duotone = [{"slug": "mine", "name": "Mine", "colors": ["#000000", "#ff0000"]}]
    settings = {
        "color": {
            "palette": {"theme": [{"slug": "accent", "name": "Accent", "color": "#006400"}]},
            "duotone": {"custom": duotone},
        }
    }
    styles = {
        "blocks": {"core/image": {"filter": {"duotone": "var:preset|duotone|mine"}}},
        "css": "@layer x{#quote{color:rgb(1,2,3)}} @media (width >= 600px){#quote{&:hover{top:0}}}",
    }
    send(own, {"settings": settings, "styles": styles})
    try:
        tab.goto(post["link"])
        assert tab.evaluate(_SHOWN, ["narrow", "color"]) == "rgb(0, 100, 0)"
        assert tab.evaluate(_SHOWN, ["quote", "color"]) == "rgb(1, 2, 3)"
        red, green, blue = read_middle(tab, "#picture")
        assert (green, blue) == (0, 0)
        assert 130 < red < 170  # how bright green is
        text = read_linked_sheet(tab)
        assert tab.evaluate(_COUNT, text) == count_rules(read_sheet(text))
    finally:
        send(own, {"settings": {}, "styles": {}})


def read_middle(tab, selector: str) -> tuple[int, int, int]:
    """The colour in the middle of an element, as it is shown."""
    with Image.open(BytesIO(tab.locator(selector).screenshot())) as picture:
        return picture.convert("RGB").getpixel((picture.width // 2, picture.height // 2))
