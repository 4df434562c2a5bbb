"""Products: made with pictures and variations, changed in the list, put away and taken back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.admin.accessibility import find_violations
from browser.admin.conftest import AdminSite
from browser.admin.interface import call
from browser.admin.screens import open_screen
from browser.admin.shop import serve_shop

PRODUCTS = "/wc/v3/products"
CONFLICT = "Somebody else has saved this meanwhile"


@pytest.fixture(scope="module")
def admin_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminSite]:
    with serve_shop(tmp_path_factory.mktemp("shop")) as site:
        yield site


def add_attribute(page: Any, name: str, values: list[str]) -> None:
    """Add an attribute of the shop to the product on the screen, with values."""
    page.get_by_label("Attribute", exact=True).select_option(label=name)
    page.get_by_role("button", name="Add an attribute").click()
    box = page.get_by_role("group", name=name).get_by_label("Values")
    for value in values:
        box.fill(value)
        box.press("Enter")


def test_a_variable_product_gets_pictures_and_twelve_variations(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/products")
    admin.get_by_role("link", name="Add", exact=True).click()
    admin.get_by_label("Name", exact=True).fill("Loden hat")
    admin.get_by_label("Kind", exact=True).select_option("variable")
    admin.get_by_role("button", name="Add pictures").click()
    files = admin.locator(".media-picker-grid button")
    files.nth(0).click()
    files.nth(1).click()
    admin.get_by_role("button", name="Use 2 files").click()
    pictures = admin.locator(".product-pictures img")
    expect(pictures).to_have_count(2)
    second = pictures.nth(1).get_attribute("src")
    admin.get_by_role("button", name="Move forward").nth(1).press("Enter")
    expect(pictures.nth(0)).to_have_attribute("src", str(second))
    add_attribute(admin, "Colour", [])
    admin.get_by_role("group", name="Colour").get_by_role("button", name="All values").click()
    add_attribute(admin, "Size", ["S", "M", "L", "XL"])
    admin.get_by_role("button", name="Save the product").click()
    admin.get_by_text("12 combinations of the values").wait_for()
    admin.get_by_role("button", name="Make all combinations").click()
    rows = admin.locator(".edit-table tbody tr")
    expect(rows).to_have_count(12)
    admin.get_by_label("Price of all", exact=True).fill("49.50")
    admin.get_by_label("Stock of all", exact=True).fill("7")
    admin.get_by_role("button", name="Set", exact=True).click()
    admin.get_by_label("SKU: Larch, S", exact=True).fill("HAT-LS")
    admin.get_by_label("SKU: Larch, M", exact=True).fill("MAP-1")
    admin.get_by_role("button", name="Save the variations").click()
    # What the interface refuses stands in its cell; the eleven others are stored.
    expect(admin.get_by_label("SKU: Larch, M", exact=True)).to_have_attribute("aria-invalid", "true")
    admin.get_by_text("11 variations are saved.").wait_for()
    admin.get_by_label("SKU: Larch, M", exact=True).fill("HAT-LM")
    admin.get_by_label("Price: Larch, M", exact=True).fill("much")
    expect(admin.get_by_role("button", name="Save the variations")).to_be_disabled()
    admin.get_by_label("Price: Larch, M", exact=True).fill("52,00")
    admin.get_by_role("button", name="Save the variations").click()
    admin.get_by_text("1 variation is saved.").wait_for()
    # Where the library of the controls tells readers of the screen what was added: beside the page's landmarks.
    assert find_violations(admin, without=(".a11y-speak-region", ".a11y-speak-intro-text")) == []

    number = int(admin.url.rsplit("/", 1)[1])
    stored = call(admin, "GET", f"{PRODUCTS}/{number}/variations?per_page=100")
    assert len(stored) == 12
    assert {one["stock_quantity"] for one in stored} == {7}
    assert {one["sku"]: one["regular_price"] for one in stored if one["sku"]} == {"HAT-LS": "49.50", "HAT-LM": "52.00"}
    product = call(admin, "GET", f"{PRODUCTS}/{number}")
    assert (product["status"], product["price"], len(product["images"])) == ("draft", "49.50", 2)
    assert product["images"][0]["src"] == second
    assert admin.foreign == []


def test_what_somebody_else_saved_of_a_variation_is_written_over_only_the_second_time(
    admin: Any, admin_site: AdminSite
) -> None:
    socks = call(admin, "GET", f"{PRODUCTS}?sku=SCK")[0]["id"]
    path = f"{PRODUCTS}/{socks}/variations"
    first, second = call(admin, "GET", f"{path}?per_page=2&orderby=menu_order&order=asc")
    open_screen(admin, admin_site, f"/products/{socks}")
    rows = admin.locator(".edit-table tbody tr")
    first_price, second_price = (rows.nth(at).get_by_label(re.compile("^Price: ")) for at in (0, 1))
    expect(first_price).to_have_value(first["regular_price"])
    call(admin, "PUT", f"{path}/{first['id']}", {"regular_price": "17.50"})
    call(admin, "PUT", f"{path}/{second['id']}", {"description": "Of wool"})
    first_price.fill("18.00")
    second_price.fill("19.00")
    admin.get_by_role("button", name="Save the variations").click()
    # The other one's price is told, and nothing was sent; what was not typed here is nobody's conflict.
    expect(rows.nth(0)).to_contain_text("Somebody else made it “17.50” meanwhile.")
    expect(rows.nth(1)).not_to_contain_text("Somebody else")
    stored = [call(admin, "GET", f"{path}/{one['id']}")["regular_price"] for one in (first, second)]
    assert stored == ["17.50", second["regular_price"]]
    admin.get_by_role("button", name="Save the variations").click()
    admin.get_by_text("2 variations are saved.").wait_for()
    stored = [call(admin, "GET", f"{path}/{one['id']}")["regular_price"] for one in (first, second)]
    assert stored == ["18.00", "19.00"]
    for one in (first, second):
        call(admin, "PUT", f"{path}/{one['id']}", {"regular_price": one["regular_price"]})


def test_a_sale_is_planned_in_the_zone_of_the_site_and_ends_again(admin: Any, admin_site: AdminSite) -> None:
    product = call(admin, "GET", f"{PRODUCTS}?sku=BTL")[0]
    open_screen(admin, admin_site, f"/products/{product['id']}")
    admin.get_by_label("Sale price (EUR)", exact=True).fill("19")
    admin.get_by_label("On sale from", exact=True).fill("2030-06-01T08:00")
    admin.get_by_label("On sale until", exact=True).fill("2030-05-01T08:00")
    admin.get_by_text("The sale ends before it begins.").wait_for()
    admin.get_by_label("On sale until", exact=True).fill("2030-07-01T08:00")
    admin.get_by_label("SKU", exact=True).fill("MAP-2")
    admin.get_by_role("button", name="Save the product").click()
    expect(admin.get_by_label("SKU", exact=True)).to_have_attribute("aria-invalid", "true")
    admin.get_by_label("SKU", exact=True).fill("BTL")
    admin.get_by_role("button", name="Save the product").click()
    admin.get_by_text("The product is saved.").wait_for()
    stored = call(admin, "GET", f"{PRODUCTS}/{product['id']}")
    assert (stored["sale_price"], stored["date_on_sale_from"]) == ("19", "2030-06-01T08:00:00")
    assert stored["date_on_sale_from_gmt"] == "2030-06-01T06:00:00"
    admin.get_by_label("On sale from", exact=True).fill("")
    admin.get_by_label("On sale until", exact=True).fill("")
    admin.get_by_role("button", name="Save the product").click()
    expect(admin.get_by_text("Not saved yet.")).to_have_count(0)
    assert call(admin, "GET", f"{PRODUCTS}/{product['id']}")["on_sale"] is True


def test_what_somebody_else_saved_of_a_product_is_written_over_only_by_choice(
    admin: Any, admin_site: AdminSite
) -> None:
    path = f"{PRODUCTS}/{call(admin, 'GET', f'{PRODUCTS}?search=pencils')[0]['id']}"
    save = admin.get_by_role("button", name="Save the product")
    open_screen(admin, admin_site, path.replace(PRODUCTS, "/products"))
    admin.get_by_label("SKU", exact=True).fill("MINE")
    call(admin, "POST", path, {"purchase_note": "Theirs"})
    admin.get_by_text(CONFLICT).wait_for()
    expect(save).to_be_disabled()
    admin.get_by_role("button", name="Take theirs").click()
    expect(admin.get_by_label("SKU", exact=True)).not_to_have_value("MINE")
    admin.get_by_label("SKU", exact=True).fill("MINE")
    save.click()
    admin.get_by_text("The product is saved.").wait_for()
    # The feed is late: the write itself is refused, and nothing is stored until somebody decides.
    admin.route("**/wp/v2/changes**", lambda route: route.abort())
    open_screen(admin, admin_site, path.replace(PRODUCTS, "/products"))
    admin.get_by_label("SKU", exact=True).fill("MINE-2")
    call(admin, "POST", path, {"purchase_note": "Theirs again"})
    save.click()
    admin.get_by_text(CONFLICT).wait_for()
    assert call(admin, "GET", path)["sku"] == "MINE"
    admin.get_by_role("button", name="Keep mine").click()
    admin.get_by_text("The product is saved.").wait_for()
    now = call(admin, "GET", path)
    assert (now["sku"], "Theirs again" in now["purchase_note"]) == ("MINE-2", True)
    open_screen(admin, admin_site, "/products")
    row = admin.get_by_role("row", name=re.compile("pencils", re.IGNORECASE))
    row.get_by_role("button", name="Actions").click()
    reads: list[Any] = []
    read = re.compile(re.escape(path) + r"(\?|$)")
    admin.route(read, lambda route: reads.append(route), times=1)
    with admin.expect_request(read):
        admin.get_by_role("menuitem", name="Quick edit").click()
    dialog = admin.get_by_role("dialog")
    # Typed before the record has come, which is no change of somebody else.
    dialog.get_by_label("SKU", exact=True).fill("MINE-3")
    with admin.expect_response(read):
        reads[0].continue_()
    expect(dialog.get_by_role("button", name="Save")).to_be_enabled()
    call(admin, "POST", path, {"purchase_note": "And again"})
    dialog.get_by_role("button", name="Save").click()
    dialog.get_by_text(CONFLICT).wait_for()
    dialog.get_by_role("button", name="Keep mine").click()
    admin.get_by_text("1 product is changed.").wait_for()
    now = call(admin, "GET", path)
    assert (now["sku"], "And again" in now["purchase_note"]) == ("MINE-3", True)


def test_the_list_changes_many_products_and_takes_the_trash_back(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/products")
    admin.get_by_role("row", name="Darning egg").get_by_role("button", name="Actions").click()
    admin.get_by_role("menuitem", name="Quick edit").click()
    dialog = admin.get_by_role("dialog")
    dialog.get_by_label("Price", exact=True).fill("eleven")
    expect(dialog.get_by_role("button", name="Save")).to_be_disabled()
    dialog.get_by_label("Price", exact=True).fill("11")
    dialog.get_by_label("In stock", exact=True).fill("31")
    dialog.get_by_role("button", name="Save").click()
    admin.get_by_text("1 product is changed.").wait_for()
    row = admin.get_by_role("row", name="Darning egg")
    expect(row).to_contain_text("€11.00")
    expect(row).to_contain_text("In stock (31)")
    names = ["Socks to be darned", "Jacket of boiled wool"]
    for name in names:
        admin.get_by_role("row", name=name).get_by_role("checkbox").check()
    admin.get_by_role("button", name="Put into the trash").click()
    admin.get_by_text("2 records are in the trash.").wait_for()
    expect(admin.get_by_role("row", name=names[0])).to_have_count(0)
    admin.get_by_role("button", name="Undo").click()
    expect(admin.get_by_role("row", name=names[0])).to_contain_text("from €18.00")
    expect(admin.get_by_role("row", name=names[1])).to_contain_text("In stock")
    admin.get_by_role("searchbox", name="Search").fill("pencils")
    expect(admin.get_by_role("row")).to_have_count(2)


def test_a_change_of_many_products_leaves_what_somebody_else_has_changed(admin: Any, admin_site: AdminSite) -> None:
    names = ["Socks to be darned", "Jacket of boiled wool"]
    first, second = (call(admin, "GET", f"{PRODUCTS}?search={name}")[0]["id"] for name in names)
    open_screen(admin, admin_site, "/products")
    for name in names:
        admin.get_by_role("row", name=name).get_by_role("checkbox").check()
    admin.locator(".dataviews-bulk-actions-footer__container").get_by_role("button", name="Quick edit").click()
    dialog = admin.get_by_role("dialog")
    dialog.get_by_label("Status").select_option("private")
    call(admin, "PUT", f"{PRODUCTS}/{first}", {"status": "draft"})
    dialog.get_by_role("button", name="Save").click()
    dialog.get_by_text("Somebody else has changed 1 record meanwhile; it is left as it is.").wait_for()
    assert [call(admin, "GET", f"{PRODUCTS}/{one}")["status"] for one in (first, second)] == ["draft", "private"]
    for one in (first, second):
        call(admin, "PUT", f"{PRODUCTS}/{one}", {"status": "publish"})


def test_a_shop_manager_runs_the_catalogue_and_an_author_sees_nothing_of_it(
    admin: Any, admin_site: AdminSite, sign_in: Any
) -> None:
    for name, role in (("manager", "shop_manager"), ("writer", "author")):
        account = {"username": name, "email": f"{name}@example.org", "password": "correct horse", "roles": [role]}
        call(admin, "POST", "/wp/v2/users", account)
    manager = sign_in("manager", "correct horse", locale="it-IT")
    open_screen(manager, admin_site, "/products")
    manager.get_by_role("heading", name="Prodotti").wait_for()
    menu = manager.get_by_role("navigation").first
    expect(menu.get_by_role("region", name="Negozio").get_by_role("link", name="Buoni sconto")).to_have_count(1)
    manager.get_by_role("link", name="Bottle").last.click()
    manager.get_by_label("Codice SKU", exact=True).wait_for()
    writer = sign_in("writer", "correct horse")
    expect(writer.get_by_role("link", name="Products", exact=True)).to_have_count(0)
    writer.goto(f"{admin_site.root}/admin/products")
    writer.get_by_role("alert").first.wait_for()
    assert manager.refused == []
