"""The desk of orders: what comes in by itself, and what a person does with one."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.admin.accessibility import find_violations
from browser.admin.conftest import AdminSite
from browser.admin.interface import call
from browser.admin.quiet import wait_until_quiet
from browser.admin.screens import open_screen, set_theme
from browser.admin.shop import ADDRESS, EMAIL, Visitor, find_product, serve_shop

ORDERS = "/wc/v3/orders"
CONFLICT = "Somebody else has saved this meanwhile"
# The list hears of it with the next drawing.
_SCROLL = """() => {
    window.scrollTo(0, 300);
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(window.scrollY))));
}"""
APPEARS_WITHIN = 3.0  # seconds; a second is what is promised on a machine that does nothing else


@pytest.fixture(scope="module")
def admin_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminSite]:
    with serve_shop(tmp_path_factory.mktemp("orders")) as site:
        yield site


@pytest.fixture
def visitor(admin_site: AdminSite) -> Visitor:
    return Visitor(admin_site.root)


@pytest.fixture
def bottle(visitor: Visitor) -> int:
    return find_product(visitor, "Bottle")


def make_order(page: Any, product: int, **members: Any) -> Any:
    """Return a new order of two pieces of a product, made through the interface."""
    body = {
        "status": "on-hold", "billing": {**ADDRESS, "email": EMAIL}, "shipping": ADDRESS,
        "line_items": [{"product_id": product, "quantity": 2}], **members,
    }  # fmt: skip
    return call(page, "POST", ORDERS, body)


def test_what_a_visitor_buys_appears_by_itself_and_is_announced(
    admin: Any, admin_site: AdminSite, visitor: Visitor, bottle: int
) -> None:
    open_screen(admin, admin_site, "/orders")
    admin.get_by_role("row").nth(5).wait_for()
    # On a busy machine more is added to it than what is promised: one of several appears in time, as buying goes there.
    for _ in range(6):
        begun = time.monotonic()
        number = visitor.buy(bottle)
        bought = time.monotonic()
        row = admin.get_by_role("row", name=re.compile(f"#{number}"))
        row.wait_for()
        took = time.monotonic() - bought
        print(f"An order appeared {took:.3f} seconds after it was answered.")
        within = max(APPEARS_WITHIN, 10 * (bought - begun))
        if took < within:
            break
    assert took < within
    expect(row).to_contain_text("new")
    expect(row).to_contain_text("Greta Moser")
    expect(admin.get_by_role("status").filter(has_text=f"New order {number} by Greta Moser")).to_be_attached()
    assert admin.refused == []


def test_rows_that_are_read_stay_where_they_are(
    admin: Any, admin_site: AdminSite, visitor: Visitor, bottle: int
) -> None:
    open_screen(admin, admin_site, "/orders")
    admin.get_by_role("row").nth(15).wait_for()
    before = admin.get_by_role("row").all_inner_texts()
    assert admin.evaluate(_SCROLL) == 300
    number = visitor.buy(bottle)
    admin.get_by_role("button", name="Show 1 new order").wait_for()
    assert [one.split()[0] for one in admin.get_by_role("row").all_inner_texts()[1:]] == [
        one.split()[0] for one in before[1:]
    ]
    admin.get_by_role("button", name="Show 1 new order").click()
    expect(admin.get_by_role("row").nth(1)).to_contain_text(f"#{number}")


def test_a_status_is_set_and_taken_back(admin: Any, admin_site: AdminSite, bottle: int) -> None:
    order = make_order(admin, bottle)
    open_screen(admin, admin_site, f"/orders/{order['id']}")
    admin.get_by_role("combobox", name="Status", exact=True).select_option("processing")
    admin.get_by_role("button", name="Set the status").click()
    admin.get_by_text("The order is now: Processing").wait_for()
    assert call(admin, "GET", f"{ORDERS}/{order['id']}")["status"] == "processing"
    notes = admin.get_by_role("region", name="Notes")
    notes.get_by_text("Order status changed from On hold to Processing.").wait_for()
    admin.get_by_role("button", name="Undo").click()
    expect(admin.get_by_role("combobox", name="Status", exact=True)).to_have_value("on-hold")


def test_items_are_changed_while_the_order_waits(admin: Any, admin_site: AdminSite, bottle: int) -> None:
    order = make_order(admin, bottle)
    open_screen(admin, admin_site, f"/orders/{order['id']}")
    items = admin.get_by_role("region", name="Items", exact=True)
    items.get_by_role("button", name="Change the items").click()
    items.get_by_label("Quantity").fill("3")
    items.get_by_label("Add a product").fill("Scarf")
    items.get_by_role("button", name=re.compile("Scarf")).first.click()
    items.get_by_role("button", name="Add shipping").click()
    items.get_by_label("Price without tax").last.fill("6,50")
    items.get_by_role("button", name="Add a fee").click()
    items.get_by_label("Name of the fee").fill("Wrapping")
    items.get_by_label("Price without tax").last.fill("2")
    items.get_by_role("button", name="Save the items").click()
    admin.get_by_text("The items are saved.").wait_for()
    now = call(admin, "GET", f"{ORDERS}/{order['id']}")
    assert [(one["name"], one["quantity"]) for one in now["line_items"]] == [("Bottle", 3), ("Scarf", 1)]
    assert now["line_items"][0]["total"] == "72.00"
    assert [one["total"] for one in now["shipping_lines"]] == ["6.50"]
    assert [(one["name"], one["total"]) for one in now["fee_lines"]] == [("Wrapping", "2.00")]
    total = items.get_by_role("row", name=re.compile("^Total"))
    expect(total).to_contain_text(f"€{now['total']}")
    for line in now["tax_lines"]:
        tax = Decimal(line["tax_total"]) + Decimal(line["shipping_tax_total"])
        expect(items.get_by_role("row", name=re.compile(re.escape(line["label"])))).to_contain_text(f"€{tax}")
    items.get_by_role("button", name="Change the items").click()
    items.get_by_role("button", name="Remove: Scarf").click()
    items.get_by_label("Code of a coupon").fill("welcome10")
    items.get_by_role("button", name="Add the coupon").click()
    items.get_by_role("button", name="Save the items").click()
    items.get_by_text("Discount (welcome10)").wait_for()
    then = call(admin, "GET", f"{ORDERS}/{order['id']}")
    assert [one["name"] for one in then["line_items"]] == ["Bottle"]
    assert then["discount_total"] == "7.20"
    assert admin.refused == []


def test_what_somebody_else_saves_is_written_over_only_by_choice(
    admin: Any, admin_site: AdminSite, bottle: int
) -> None:
    order = make_order(admin, bottle)
    open_screen(admin, admin_site, f"/orders/{order['id']}")
    items = admin.get_by_role("region", name="Items", exact=True)
    items.get_by_role("button", name="Change the items").click()
    items.get_by_label("Quantity").fill("5")
    call(admin, "POST", f"{ORDERS}/{order['id']}", {"customer_note": "Please ring twice"})
    items.get_by_text(CONFLICT).wait_for()
    expect(items.get_by_role("button", name="Save the items")).to_be_disabled()
    items.get_by_role("button", name="Take theirs").click()
    admin.get_by_text("Please ring twice").wait_for()
    assert call(admin, "GET", f"{ORDERS}/{order['id']}")["line_items"][0]["quantity"] == 2
    items.get_by_role("button", name="Change the items").click()
    items.get_by_label("Quantity").fill("6")
    call(admin, "POST", f"{ORDERS}/{order['id']}", {"customer_note": "Behind the house"})
    items.get_by_role("button", name="Keep mine").click()
    admin.get_by_text("The items are saved.").wait_for()
    now = call(admin, "GET", f"{ORDERS}/{order['id']}")
    assert (now["line_items"][0]["quantity"], now["customer_note"]) == (6, "Behind the house")


def test_a_write_that_the_feed_did_not_announce_yet_is_refused_too(
    admin: Any, admin_site: AdminSite, bottle: int
) -> None:
    order = make_order(admin, bottle)
    admin.route("**/wp/v2/changes**", lambda route: route.abort())
    open_screen(admin, admin_site, f"/orders/{order['id']}")
    call(admin, "POST", f"{ORDERS}/{order['id']}", {"customer_note": "Behind the house"})
    admin.get_by_role("button", name="Change: Shipping address").click()
    admin.get_by_role("dialog").get_by_label("City").fill("Merano")
    admin.get_by_role("dialog").get_by_role("button", name="Save").click()
    admin.get_by_role("dialog").get_by_text(CONFLICT).wait_for()
    assert call(admin, "GET", f"{ORDERS}/{order['id']}")["shipping"]["city"] == "Bolzano"
    admin.get_by_role("dialog").get_by_role("button", name="Take theirs").click()
    admin.get_by_text("Behind the house").wait_for()


def test_an_order_that_goes_elsewhere_leaves_the_list_and_the_screen(
    admin: Any, admin_site: AdminSite, sign_in: Callable[..., Any], bottle: int
) -> None:
    order = make_order(admin, bottle)
    path, shown = f"{ORDERS}/{order['id']}", re.compile(f"#{order['id']}")
    elsewhere = sign_in()
    open_screen(admin, admin_site, "/orders")
    open_screen(elsewhere, admin_site, f"/orders/{order['id']}")
    row = admin.get_by_role("row", name=shown)
    row.wait_for()
    call(admin, "DELETE", path)
    row.wait_for(state="detached")
    elsewhere.get_by_text("This order is in the trash.").wait_for()
    call(admin, "POST", path, {"status": "on-hold"})
    row.wait_for()
    elsewhere.get_by_text("This order is in the trash.").wait_for(state="detached")
    call(admin, "DELETE", f"{path}?force=true")
    row.wait_for(state="detached")
    elsewhere.get_by_text("The order is gone.").wait_for()
    expect(elsewhere.get_by_role("region", name="Items", exact=True)).to_have_count(0)


def test_filters_of_the_list_find_what_is_typed(
    admin: Any, admin_site: AdminSite, visitor: Visitor, bottle: int
) -> None:
    make_order(admin, bottle)
    make_order(admin, find_product(visitor, "Scarf"))
    open_screen(admin, admin_site, "/orders")
    admin.get_by_role("row").nth(2).wait_for()
    with admin.expect_response(re.compile(r"products\?.*search=scarf")):
        admin.get_by_role("button", name="Add filter").click()
        admin.get_by_role("menuitem", name="Items").click()
        admin.get_by_role("combobox", name="Items").fill("scarf")
    admin.get_by_role("option", name="Scarf", exact=True).click()
    admin.keyboard.press("Escape")
    expect(admin.get_by_role("row", name=re.compile("Bottle"))).to_have_count(0)
    expect(admin.get_by_role("row", name=re.compile("Scarf")).first).to_be_visible()
    expect(admin.locator(".dataviews-filters__summary-chip").filter(has_text="Scarf")).to_be_visible()


def test_a_mail_is_sent_again(admin: Any, admin_site: AdminSite, bottle: int) -> None:
    order = make_order(admin, bottle, status="completed")
    outbox = admin_site.folder / "outbox" if admin_site.folder else None
    assert outbox is not None
    open_screen(admin, admin_site, f"/orders/{order['id']}")
    panel = admin.get_by_role("region", name="Send a mail")
    offered = call(admin, "GET", f"{ORDERS}/{order['id']}/actions/email_templates")
    expect(panel.locator("option")).to_have_text([one["title"] for one in offered])
    panel.get_by_label("Which mail").select_option("customer_invoice")
    panel.get_by_role("button", name="Send").click()
    admin.get_by_text(f"The mail is on its way to: {EMAIL}").wait_for()
    sent = f"The mail “Order details” was sent to {EMAIL}."
    admin.get_by_role("region", name="Notes").get_by_text(sent).wait_for()
    deadline = time.monotonic() + 60
    while not any(f"#{order['id']}" in file.read_text("utf-8") for file in outbox.glob("*.eml")):
        assert time.monotonic() < deadline, "no mail in the outbox"
        admin.wait_for_timeout(100)


def test_notes_are_written_and_removed(admin: Any, admin_site: AdminSite, bottle: int) -> None:
    order = make_order(admin, bottle)
    open_screen(admin, admin_site, f"/orders/{order['id']}")
    notes = admin.get_by_role("region", name="Notes")
    text, add = notes.get_by_label("New note"), notes.get_by_role("button", name="Add the note")
    text.fill("Ask about the colour")
    held: list[Any] = []
    path = re.compile(rf"{ORDERS}/{order['id']}/notes(\?|$)")

    def hold_first_write(route: Any) -> None:
        if route.request.method == "POST" and not held:
            held.append(route)
        else:
            route.continue_()

    admin.route(path, hold_first_write)
    with admin.expect_request(lambda request: request.method == "POST"):
        add.click()
    # The next is begun before the first is answered, and is not lost.
    text.fill("It leaves tomorrow")
    with admin.expect_response(lambda answer: answer.request.method == "POST"):
        held[0].continue_()
    notes.get_by_role("listitem").filter(has_text="Ask about the colour").wait_for()
    expect(text).to_have_value("It leaves tomorrow")
    notes.get_by_label("For whom").select_option("customer")
    add.click()
    notes.get_by_role("listitem").filter(has_text="It leaves tomorrow").wait_for()
    kept = call(admin, "GET", f"{ORDERS}/{order['id']}/notes")
    assert {one["note"]: one["customer_note"] for one in kept if one["author"] == "admin"} == {
        "Ask about the colour": False, "It leaves tomorrow": True,
    }  # fmt: skip
    notes.get_by_role("button", name="Remove the note: Ask about the colour").click()
    notes.get_by_role("listitem").filter(has_text="Ask about the colour").wait_for(state="detached")


def test_many_orders_get_a_status_at_once_and_go_into_the_trash(admin: Any, admin_site: AdminSite, bottle: int) -> None:
    made = [make_order(admin, bottle)["id"] for _ in range(2)]
    open_screen(admin, admin_site, "/orders")
    for number in made:
        admin.get_by_role("row", name=re.compile(f"#{number}")).get_by_role("checkbox").check()
    admin.get_by_role("button", name="Change the status").click()
    admin.get_by_label("Status of 2 orders").select_option("completed")
    admin.get_by_role("button", name="Change", exact=True).click()
    admin.get_by_text("2 orders: Completed").wait_for()
    read = [call(admin, "GET", f"{ORDERS}/{number}")["status"] for number in made]
    assert read == ["completed", "completed"]
    for number in made:
        admin.get_by_role("row", name=re.compile(f"#{number}")).get_by_role("checkbox").check()
    admin.get_by_role("button", name="Put into the trash").click()
    admin.get_by_text("2 records are in the trash.").wait_for()
    assert [call(admin, "GET", f"{ORDERS}/{number}")["status"] for number in made] == ["trash", "trash"]
    admin.locator(".toast", has_text="in the trash").get_by_role("button", name="Undo").click()
    for number in made:
        admin.get_by_role("row", name=re.compile(f"#{number}")).wait_for()
    assert [call(admin, "GET", f"{ORDERS}/{number}")["status"] for number in made] == ["completed", "completed"]


def test_a_status_of_many_leaves_what_somebody_else_has_changed(admin: Any, admin_site: AdminSite) -> None:
    # The demo made them a while ago: a change is known by the second.
    first, second = call(admin, "GET", f"{ORDERS}?status=completed&per_page=2&orderby=date&order=desc")
    open_screen(admin, admin_site, "/orders")
    for order in (first, second):
        admin.get_by_role("row", name=re.compile(f"#{order['id']}")).get_by_role("checkbox").check()
    admin.get_by_role("button", name="Change the status").click()
    admin.get_by_label("Status of 2 orders").select_option("on-hold")
    call(admin, "POST", f"{ORDERS}/{first['id']}", {"status": "processing"})
    admin.get_by_role("button", name="Change", exact=True).click()
    admin.get_by_text("Somebody else has changed 1 record meanwhile; it is left as it is.").wait_for()
    read = [call(admin, "GET", f"{ORDERS}/{order['id']}")["status"] for order in (first, second)]
    assert read == ["processing", "on-hold"]


def test_one_order_by_keyboard_alone(admin: Any, admin_site: AdminSite, bottle: int) -> None:
    order = make_order(admin, bottle)
    open_screen(admin, admin_site, "/orders")

    def tab_to(name: str) -> None:
        for _ in range(120):
            admin.keyboard.press("Tab")
            focused = admin.evaluate(
                "(document.activeElement.getAttribute('aria-label') || document.activeElement.labels?.[0]?.innerText"
                " || document.activeElement.innerText || '').trim()"
            )
            if focused.startswith(name):
                return
        raise AssertionError(f"Tab does not lead to {name}")

    tab_to(f"#{order['number']}")
    admin.keyboard.press("Enter")
    admin.get_by_role("heading", name=f"Order #{order['number']}").wait_for()
    tab_to("Status")
    admin.keyboard.type("Processing")
    tab_to("Set the status")
    admin.keyboard.press("Enter")
    admin.get_by_text("The order is now: Processing").wait_for()
    tab_to("Refund …")
    admin.keyboard.press("Enter")
    admin.get_by_role("dialog").wait_for()
    tab_to("Pieces (of 2): Bottle")
    admin.keyboard.press("ArrowUp")
    tab_to("Refund")
    admin.keyboard.press("Enter")
    admin.get_by_role("dialog").wait_for(state="detached")
    assert len(call(admin, "GET", f"{ORDERS}/{order['id']}/refunds")) == 1


def test_an_order_is_printed_on_one_sheet(admin: Any, admin_site: AdminSite, bottle: int) -> None:
    order = make_order(admin, bottle, customer_note="It is a present.\nNo invoice, please.")
    open_screen(admin, admin_site, f"/orders/{order['id']}/print")
    paper = admin.get_by_role("article")
    for text in ("Bottega Serena", "Piazza della Fontana 2", "Greta Moser", "Bottle", "No invoice, please."):
        expect(paper).to_contain_text(text)
    (tax,) = order["tax_lines"]
    expect(paper.get_by_role("row", name=re.compile(re.escape(tax["label"])))).to_contain_text(tax["tax_total"])
    expect(paper.get_by_role("row", name=re.compile("^Total"))).to_contain_text(order["total"])
    admin.emulate_media(media="print", color_scheme="dark")
    expect(admin.get_by_role("button", name="Print")).to_be_hidden()
    assert admin.evaluate("getComputedStyle(document.querySelector('.paper')).color") == "rgb(26, 26, 26)"
    sheets = admin.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", sheets)) == 1
    assert re.search(rb"/MediaBox\s*\[\s*0 0 59[45]\.\d+ 84[12]", sheets)


@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, {"width": 320, "height": 640}], ids=["desk", "phone"])
def test_the_screens_read_well_in_both_themes_and_in_italian(
    sign_in: Callable[..., Any], admin: Any, admin_site: AdminSite, bottle: int, size: dict[str, int]
) -> None:
    order = make_order(admin, bottle)
    page = sign_in(viewport=size, locale="it-IT")
    faults = []
    texts = {
        "/orders": "Ordini", f"/orders/{order['id']}": "Articoli", "/orders/new": "Nuovo ordine",
        f"/orders/{order['id']}/print": "Indirizzo di fatturazione", "/customers": "Clienti",
        f"/customers/{find_customer(admin)}": "Speso in tutto",
    }  # fmt: skip
    for path, text in texts.items():
        page.goto(f"{admin_site.root}/admin{path}")
        page.locator("h1").wait_for()
        page.get_by_text(text).first.wait_for(state="attached")
        wait_until_quiet(page)
        width = page.evaluate("document.documentElement.scrollWidth")
        faults += [f"{path}: {width} pixels wide"] if width > size["width"] else []
        for theme in ("light", "dark"):
            set_theme(page, theme)
            faults += [f"{path} ({theme}): {one}" for one in find_violations(page)]
    page.goto(f"{admin_site.root}/admin/orders/{order['id']}")
    page.get_by_role("button", name="Rimborsa …").click()
    page.get_by_role("dialog").wait_for()
    faults += [f"refund: {one}" for one in find_violations(page)]
    assert faults == []
    assert page.refused == []


def find_customer(page: Any) -> int:
    """Return the number of a customer who has bought."""
    return int(call(page, "GET", "/wc/v3/customers?per_page=1")[0]["id"])
