"""Any blocks with any attributes make a page, and those of untrusted people run nothing in it.

Names and attributes are drawn from what a site has, so new blocks are covered when they are declared.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings, strategies as st

from conftest import Client, exchange, made
from hostile_markup import TEXTS
from markup_judge import dangers
from vetrina.content.blocks.block_types import load_block_types
from vetrina.settings import load_profile
from vetrina.site import Site

_SCALARS = (
    st.none() | st.booleans() | st.integers(-(2**54), 2**54) | st.floats(allow_nan=False) | st.text(max_size=8)
    | st.sampled_from([
        "javascript:alert(1)", '"><script>alert(1)</script>', "url(javascript:alert(1))", "var:preset|color|x", "px",
        "div onclick=alert(1)", "script", "h1", "2em;position:fixed", "post", "product", "category", "DESC", "\u202e",
        "https://x.test/a b", "[gallery]", "{{", "-->", "<!-- wp:search /-->", "0", "-1", "100%", "#fff", "\\",
    ])
)  # fmt: skip
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["color", "text", "background", "layout", "type", "elements", "link", "spacing", "a",
                             "blockGap", "perPage", "postType", "orderBy", "taxQuery", "inherit", "columnCount"]),
            inner, max_size=4,
        )
    ),
    max_leaves=8,
)  # fmt: skip
_COMMON = ("style", "layout", "className", "align", "anchor", "query", "queryId", "slug", "ref", "level", "tagName",
           "metadata", "textColor", "gradient", "fontSize", "displayLayout", "productId", "collection")  # fmt: skip


@pytest.fixture(scope="module")
def stand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = made(tmp_path_factory.mktemp("blocks"), load_profile("second"), secret="secret of the tests")
    yield site
    site.close()


@pytest.fixture(scope="module")
def post(stand: Site) -> str:
    """The address of a post with a comment."""
    admin = Client(stand, "admin", "admin pass word")
    made = admin.post("/cms/v2/posts", {"title": "Words", "content": "Many words.", "status": "publish"}).json
    assert admin.post("/cms/v2/comments", {"post": made["id"], "content": "Words."}).status == 201
    return str(made["link"])


@st.composite
def blocks(draw: st.DrawFn, names: list[str]) -> str:
    """Draw a block, or one of its delimiters."""
    name = draw(st.sampled_from(names))
    kind = load_block_types().get(name)
    known = [*(kind.attributes if kind else ()), *_COMMON]
    attributes = draw(st.dictionaries(st.sampled_from(known), _VALUES, max_size=4))
    # As the editor writes them: nothing in an attribute ends the comment.
    text = json.dumps(attributes).replace("--", "\\u002d\\u002d").replace("<", "\\u003c").replace(">", "\\u003e")
    short = name.removeprefix("core/")
    return draw(
        st.sampled_from([f"<!-- wp:{short} {text} /-->", f"<!-- wp:{short} {text} -->", f"<!-- /wp:{short} -->"])
    )


_SHORTCODES = (
    "products", "product", "recent_products", "sale_products", "product_category", "product_categories", "product_page",
    "add_to_cart", "add_to_cart_url", "shop_messages", "shop_cart", "shop_checkout", "shop_my_account", "gallery",
    "caption", "embed", "audio", "video", "playlist",
)  # fmt: skip


@st.composite
def shortcodes(draw: st.DrawFn) -> str:
    """Draw a shortcode, its beginning or its end."""
    name = draw(st.sampled_from(_SHORTCODES))
    given = draw(st.dictionaries(
        st.sampled_from(["id", "ids", "sku", "limit", "columns", "category", "orderby", "order", "class", "src"]),
        _SCALARS, max_size=3,
    ))  # fmt: skip
    text = " ".join(f'{key}="{value}"' for key, value in given.items())
    return draw(st.sampled_from([f"[{name} {text}]", f"[{name} {text}/]", f"[/{name}]", f"[{name} {text}]x[/{name}]"]))


def list_names(stand: Site) -> list[str]:
    return sorted({*load_block_types(), *(name for name in stand.context.blocks if not name.startswith("shortcode/"))})


def get_page(stand: Site, link: str) -> str:
    parts = urlsplit(link)
    status, _, content = exchange(stand, "GET", parts.path + (f"?{parts.query}" if parts.query else ""), b"", {})
    assert status == 200, link
    text = content.decode()
    assert text.endswith("</html>\n")
    return text


@settings(max_examples=80)
@given(data=st.data())
def test_no_blocks_of_a_template_break_a_page(stand: Site, post: str, data: st.DataObject) -> None:
    parts = data.draw(st.lists(blocks(list_names(stand)) | shortcodes(), max_size=8))
    admin = Client(stand, "admin", "admin pass word")
    for slug in ("index", "single"):
        answer = admin.post(f"/cms/v2/templates/portico//{slug}", {"content": "".join(parts)})
        assert answer.status == 200, answer.json
    get_page(stand, "/en/")
    get_page(stand, "/en/?s=words")
    get_page(stand, post)


# What the site itself writes: its scripts, its icons, the frame of the document.
_OWN = re.compile(
    r'<script src="[^"]*/scripts/[^"]*" defer></script>|<svg [^>]*aria-hidden="true"[^>]*>.*?</svg>'
    r"|<!DOCTYPE html>|<html[^>]*>|</html>|</?body>"
)


@settings(max_examples=80)
@given(data=st.data())
def test_what_untrusted_people_wrote_runs_nothing_on_a_page(stand: Site, data: st.DataObject) -> None:
    parts = data.draw(st.lists(blocks(list_names(stand)) | shortcodes() | TEXTS, max_size=8))
    author = Client(stand, "author", "author pass word")
    given: dict[str, Any] = {"title": f"T{data.draw(TEXTS)}", "content": "".join(parts), "status": "publish"}
    answer = author.post("/cms/v2/posts", given)
    assert answer.status == 201, answer.json
    text = get_page(stand, answer.json["link"])
    body = _OWN.sub("", text[text.index("</head>") + len("</head>") :])
    assert dangers(body) == [], body
    author.delete(f"/cms/v2/posts/{answer.json['id']}?force=true")
