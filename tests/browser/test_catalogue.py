"""The catalogue of the demonstration's shop in a real browser, with scripts and without."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

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


def list_names(page) -> list[str]:
    names: list[str] = page.get_by_role("main").get_by_role("heading", level=2).all_inner_texts()
    return names


def test_products_are_filtered_and_sorted_without_scripts(plain_tab, shop):
    plain_tab.goto(f"{shop.root}/en/shop/")
    assert len(list_names(plain_tab)) == 13
    plain_tab.get_by_text("Filter", exact=True).click()
    plain_tab.get_by_label("To", exact=True).fill("10")
    plain_tab.get_by_label("In stock").check()
    plain_tab.get_by_role("button", name="Apply").click()
    names = list_names(plain_tab)
    assert names == ["Both maps as files", "Darning egg", "The walker’s parcel", "Three pencils"]
    plain_tab.get_by_label("Order").select_option("price")
    plain_tab.get_by_role("button", name="Sort").click()
    assert set(list_names(plain_tab)) == set(names)
    assert list_names(plain_tab)[-1] == "Darning egg"
    plain_tab.get_by_role("link", name="Remove the filter In stock").click()
    assert "orderby=price" in plain_tab.url
    assert "filter_stock_status" not in plain_tab.url
    plain_tab.get_by_role("link", name="Clear all filters").first.click()
    assert len(list_names(plain_tab)) == 13


def test_a_product_is_chosen_without_scripts(plain_tab, shop):
    plain_tab.goto(f"{shop.root}/en/product-category/clothes/")
    plain_tab.get_by_role("heading", name="Socks to be darned").get_by_role("link").click()
    plain_tab.get_by_label("Size").select_option("m")
    assert plain_tab.get_by_role("button", name="Add to cart").first.is_enabled()
    plain_tab.get_by_role("navigation", name="Breadcrumbs").get_by_role("link", name="Clothes").click()
    assert plain_tab.get_by_role("heading", level=1).inner_text() == "Clothes"


def test_price_and_picture_follow_the_chosen_variation(tab, shop):
    tab.goto(f"{shop.root}/en/product/jacket-of-boiled-wool/")
    form = tab.locator("form[data-variations]")
    selects = form.locator("select")
    for at in range(selects.count()):
        options = selects.nth(at).locator("option:not([value='']):not([disabled])")
        selects.nth(at).select_option(options.first.get_attribute("value"))
    shown = form.locator("[data-variation]")
    assert "€" in shown.inner_text()
    assert form.locator("[name=variation]").input_value().isdecimal()
    assert form.get_by_role("button", name="Add to cart").is_enabled()
    selects.first.select_option("")
    assert form.locator("[name=variation]").input_value() == ""
    assert tab.refused == []


def test_a_review_is_written_and_waits(tab, shop):
    tab.goto(f"{shop.root}/en/product/bottle/")
    tab.get_by_label("4 stars").check()
    tab.get_by_label("Your review").fill("It keeps tea warm.")
    tab.get_by_label("Name").fill("Ada")
    tab.get_by_label("E-mail").fill("ada@example.org")
    tab.get_by_role("button", name="Send the review").click()
    assert tab.get_by_role("status").first.inner_text().startswith("Thank you. Your review is shown once")
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
