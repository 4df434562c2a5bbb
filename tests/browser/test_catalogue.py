"""The catalogue of the demonstration's shop in a real browser, with scripts and without."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.admin.accessibility import AXE, find_violations
from browser.conftest import Served, serve_new_site


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serve_new_site(tmp_path_factory.mktemp("catalogue") / "site", "demo", "second", "--site") as site:
        yield site


@pytest.fixture
def plain_tab(chromium) -> Iterator[object]:
    """A window in which no script runs."""
    context = chromium.new_context(locale="en-GB", java_script_enabled=False)
    yield context.new_page()
    context.close()


def find_names(page) -> Any:
    return page.get_by_role("main").get_by_role("heading", level=2)


def test_products_are_filtered_and_sorted_without_scripts(plain_tab, shop):
    plain_tab.goto(f"{shop.root}/en/shop/")
    names = find_names(plain_tab)
    expect(names).to_have_count(13)
    plain_tab.get_by_text("Filter", exact=True).click()
    plain_tab.get_by_label("To", exact=True).fill("10")
    plain_tab.get_by_label("In stock").check()
    plain_tab.get_by_role("button", name="Apply").click()
    found = ["Both maps as files", "Darning egg", "The walker’s parcel", "Three pencils"]
    expect(names).to_have_text(found)
    plain_tab.get_by_label("Order").select_option("price")
    plain_tab.get_by_role("button", name="Sort").click()
    expect(names.last).to_have_text("Darning egg")
    assert sorted(names.all_inner_texts()) == found
    plain_tab.get_by_role("link", name="Remove the filter In stock").click()
    expect(plain_tab).not_to_have_url(re.compile("filter_stock_status"))
    assert "orderby=price" in plain_tab.url
    plain_tab.get_by_role("link", name="Clear all filters").first.click()
    expect(names).to_have_count(13)


def test_a_product_is_chosen_without_scripts(plain_tab, shop):
    plain_tab.goto(f"{shop.root}/en/product-category/clothes/")
    plain_tab.get_by_role("heading", name="Socks to be darned").get_by_role("link").click()
    plain_tab.get_by_label("Size").select_option("m")
    expect(plain_tab.get_by_role("button", name="Add to cart").first).to_be_enabled()
    plain_tab.get_by_role("navigation", name="Breadcrumbs").get_by_role("link", name="Clothes").click()
    expect(plain_tab.get_by_role("heading", level=1)).to_have_text("Clothes")


def test_price_and_picture_follow_the_chosen_variation(tab, shop):
    tab.goto(f"{shop.root}/en/product/jacket-of-boiled-wool/")
    form = tab.locator("form[data-variations]")
    selects = form.locator("select")
    for at in range(selects.count()):
        options = selects.nth(at).locator("option:not([value='']):not([disabled])")
        selects.nth(at).select_option(options.first.get_attribute("value"))
    shown = form.locator("[data-variation]")
    expect(shown).to_contain_text("€")
    expect(form.locator("[name=variation]")).to_have_value(re.compile(r"^\d+$"))
    expect(form.get_by_role("button", name="Add to cart")).to_be_enabled()
    selects.first.select_option("")
    expect(form.locator("[name=variation]")).to_have_value("")
    assert tab.refused == []


def test_a_review_is_written_and_waits(tab, shop):
    tab.goto(f"{shop.root}/en/product/bottle/")
    tab.get_by_label("4 stars").check()
    tab.get_by_label("Your review").fill("It keeps tea warm.")
    tab.get_by_label("Name").fill("Ada")
    tab.get_by_label("E-mail").fill("ada@example.org")
    tab.get_by_role("button", name="Send the review").click()
    expect(tab.get_by_role("status").first).to_have_text(re.compile("^Thank you. Your review is shown once"))
    assert "It keeps tea warm." not in tab.content()


@pytest.mark.parametrize("scheme, width", [("light", 1280), ("dark", 320)])
def test_the_pages_read_well_in_any_window(tab, shop, scheme, width):
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: run `npm ci` in admin/")
    tab.emulate_media(color_scheme=scheme)
    tab.set_viewport_size({"width": width, "height": 800})
    faults = []
    for path in (
        "/en/shop/?min_price=1", "/it/product-category/carta/", "/en/product/three-pencils/",
        "/en/product/socks-to-be-darned/", "/en/product/the-walkers-parcel/", "/en/?s=map&post_type=product",
    ):  # fmt: skip
        tab.goto(shop.root + path)
        faults += [f"{path}: {one}" for one in find_violations(tab)]
        wide = tab.evaluate("document.documentElement.scrollWidth")
        faults += [f"{path} is {wide} pixels wide"] if wide > width else []
    assert faults == []
    assert [text for text in tab.refused if "404" not in text] == []
