"""The client for JavaScript on a page of another origin, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.conftest import Program
from vetrina.testing import LocalTestServer

from .conftest import Package

PAGE = """\
<!doctype html>
<title>A static page</title>
<ul id="posts"></ul>
<p id="cart"></p>
<script type="module">
  import { createClient } from "/client.js";

  const client = createClient({ url: "SITE" });
  for await (const post of client.posts.list({ per_page: 1 })) {
    const item = document.createElement("li");
    item.textContent = post.title.rendered;
    document.querySelector("#posts").append(item);
  }
  const cart = client.cart(OPTIONS);
  const before = await cart.get();
  const { items_count, totals } = before.items_count ? before : await cart.add(PRODUCT, 2);
  const how = before.items_count ? "seen again" : "added";
  document.querySelector("#cart").textContent = `${how}: ${items_count} for ${totals.total_price}`;
</script>
"""


@pytest.mark.parametrize("options", ["{ storage: localStorage }", "{ cookies: true }"], ids=["token", "cookie"])
def test_a_page_of_another_origin_lists_posts_and_sees_its_cart_again(
    tab: Any, program: Program, package: Package, stand_ins: dict[str, LocalTestServer], tmp_path: Path, options: str
) -> None:
    site = stand_ins["second"]
    client = site.client()
    for number in range(3):
        client.posts.create(title=f"Post {number}", status="publish")
    cup = client.shop.products.create(name="Cup", regular_price="4.00", status="publish")
    page = PAGE.replace("SITE", site.url).replace("OPTIONS", options).replace("PRODUCT", str(cup["id"]))
    program.pages |= {"/": page, "/client.js": package.bundle(tmp_path / "client.js").decode()}
    for told in ("added", "seen again"):
        tab.goto(program.root)
        tab.get_by_text(f"{told}: 2 for 800").wait_for()
        expect(tab.locator("#posts li")).to_have_text(["Post 2", "Post 1", "Post 0"])
    assert [text for text in tab.refused if "favicon" not in text] == []
