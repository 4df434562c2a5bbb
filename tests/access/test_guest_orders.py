"""Orders of guests join the account that proved to read their address; the data of a customer goes with the account."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from conftest import Client, SetClock, Stand
from vetrina.access.app_passwords import rules as app_passwords
from vetrina.access.users import rules as users
from vetrina.analytics.facts import integrity_rules as fact_integrity
from vetrina.multilingual.strings import site_texts
from vetrina.shop.customers import rules as customers

from .account_mails import get_link, read_mails, run_jobs
from .conftest import PASSWORD, set_passwords
from .stored_rows import find_traces
from .test_personal_data import CLOSING, REQUESTS, ask, confirm, unpack
from .test_registrations import confirm as confirm_registration, get_key, register

pytestmark = pytest.mark.every_database

ORDERS, REPORTS = "/shop/v3/orders", "/shop-analytics/reports"
ADA = "ada.neri@example.org"
DAY = 24 * 3600
ADDRESS = {
    "first_name": "Ada", "last_name": "Neriwood", "address_1": "1 Mainroad St", "city": "Fresno", "state": "CA",
    "postcode": "93650", "country": "US", "email": "Ada.Neri@example.org", "phone": "5550199",
}  # fmt: skip
TRACES = (ADA, "neriwood", "mainroad", "5550199", "ring twice", '"ada"')


@pytest.fixture
def settings() -> dict[str, object]:
    return {"registration": "confirmed", "closing_days": 1}


def order(stand: Stand, total: str, status: str = "completed", **more: Any) -> int:
    """Make an order of a guest, and return its id."""
    admin = stand.client("admin")
    product = admin.post("/shop/v3/products", {"name": "Text", "regular_price": total}).json["id"]
    made = admin.post(
        ORDERS,
        {"status": status, "billing": ADDRESS, "customer_note": "Ring twice",
         "line_items": [{"product_id": product, "quantity": 1}], **more},
    )  # fmt: skip
    assert made.status == 201, made.json
    noted = admin.post(f"{ORDERS}/{made.json['id']}/notes", {"note": "Ms Neriwood called from 5550199"})
    assert noted.status == 201, noted.json
    return int(made.json["id"])


def read_totals(stand: Stand) -> Any:
    admin = stand.client("admin")
    revenue = admin.get(f"{REPORTS}/revenue/stats", query={"per_page": 1}).json["totals"]
    told = admin.get(f"{REPORTS}/orders/stats", query={"per_page": 1}).json["totals"]
    return {name: revenue[name] for name in ("total_sales", "net_revenue", "orders_count")}, told["num_items_sold"]


def check_facts(stand: Stand) -> None:
    """Hold that every row of the reports is what the orders make of it."""
    with stand.site.work() as work:
        for ids in fact_integrity.iterate_order_ids(work):
            assert fact_integrity.list_differences(work, ids) == []
        assert fact_integrity.list_stray_rows(work) == []


def test_orders_join_when_the_address_is_confirmed_and_not_before(shop: Stand) -> None:
    admin = shop.client("admin")
    mine = [order(shop, "10.00"), order(shop, "5.50", "processing")]
    other = order(shop, "3.00", billing={**ADDRESS, "email": "eve@example.org"})
    before = read_totals(shop)
    register(shop, ADA, password=PASSWORD)
    key = get_key(shop, ADA)
    assert {admin.get(f"{ORDERS}/{id}").json["customer_id"] for id in mine} == {0}
    ada = confirm_registration(shop, key).json["id"]
    assert {admin.get(f"{ORDERS}/{id}").json["customer_id"] for id in mine} == {ada}
    assert admin.get(f"{ORDERS}/{other}").json["customer_id"] == 0
    one = admin.get(f"/shop/v3/customers/{ada}").json
    assert (one["role"], one["is_paying_customer"]) == ("customer", True)
    assert read_totals(shop) == before
    [row] = [
        one for one in admin.get(f"{REPORTS}/customers", query={"per_page": 50}).json if one["email"].lower() == ADA
    ]
    assert (row["user_id"], row["orders_count"], row["total_spend"]) == (ada, 2, 15.5)
    check_facts(shop)


def test_a_link_to_a_password_proves_the_address_as_well(shop: Stand) -> None:
    id = order(shop, "10.00")
    with shop.site.work() as work:
        made = customers.create_customer(work, {"email": ADA, "password_later": True})
    assert shop.client("admin").get(f"{ORDERS}/{id}").json["customer_id"] == 0
    [mail] = read_mails(shop, ADA)
    link = get_link(mail, "lost-password/")
    given = {"account": int(link["account"]), "key": link["key"], "password": "another word to keep"}
    assert shop.client().post("/access/v1/passwords/reset", given).status == 200
    assert shop.client("admin").get(f"{ORDERS}/{id}").json["customer_id"] == made.id


def make_ada(shop: Stand) -> Client:
    """Make a customer who has bought twice, once as a guest, and return its client."""
    register(shop, ADA, login="ada", name="Ada Neriwood", password=PASSWORD)
    assert confirm_registration(shop, get_key(shop, ADA)).status == 200
    with shop.site.work() as work:
        ada = users.find_user_by_login(work.tx, "ada")
        assert ada is not None
        _, word = app_passwords.create_app_password(work, ada.id, "test", "")
    set_passwords(shop, "ada")
    admin = shop.client("admin")
    assert admin.put(f"/shop/v3/customers/{ada.id}", {"billing": ADDRESS, "first_name": "Ada"}).status == 200
    order(shop, "20.00", customer_id=ada.id)
    return Client(shop.site, "ada", word)


def test_a_copy_has_what_the_shop_stores(shop: Stand) -> None:
    order(shop, "10.00")
    ada = make_ada(shop)
    id = ask(ada).json["id"]
    confirm(shop, ADA)
    run_jobs(shop)
    files = unpack(ada.get(f"{REQUESTS}/{id}/file"))
    orders = orjson.loads(files["orders.json"])
    assert [(one["total"], one["billing"]["last_name"], one["customer_note"]) for one in orders] == [
        (total, "Neriwood", "Ring twice") for total in ("10", "20")
    ]
    assert orjson.loads(files["addresses.json"])[0]["billing"]["phone"] == "5550199"
    assert b"Ring twice" in files["index.html"]


@pytest.mark.parametrize("removes", [True, False])
def test_a_closed_account_leaves_what_the_settings_keep(shop: Stand, clock: SetClock, removes: bool) -> None:
    admin = shop.client("admin")
    for name in ("order", "download"):
        path = f"/shop/v3/settings/account/shop_erasure_request_removes_{name}_data"
        assert admin.put(path, {"value": "yes" if removes else "no"}).status == 200
    first = order(shop, "10.00")
    ada = make_ada(shop)
    before = read_totals(shop)
    assert ada.post(CLOSING, {"current_password": PASSWORD}).status == 202
    clock.forward(DAY + 60)
    run_jobs(shop)
    run_jobs(shop)
    assert ada.get("/access/v1/account").status == 401
    assert read_totals(shop) == before
    left = admin.get(f"{ORDERS}/{first}").json
    assert (left["customer_id"], left["total"]) == (0, "10.00")
    found = find_traces(shop, *TRACES)
    if removes:
        assert found == {}
    else:
        assert left["billing"]["last_name"] == "Neriwood"
        assert found.keys() <= {
            "shop_order",
            "order_note",
            "fact_customer",
            "outbox_mail",
            "order_download",
            "coupon_use",
        }, found
    check_facts(shop)


def test_a_guest_is_erased_after_the_mail_was_answered(shop: Stand) -> None:
    admin = shop.client("admin")
    path = "/shop/v3/settings/account/shop_erasure_request_removes_order_data"
    assert admin.put(path, {"value": "yes"}).status == 200
    id = order(shop, "10.00")
    before = read_totals(shop)
    assert ask(shop.client(), "erasure", email=ADA).status == 201
    assert confirm(shop, ADA).json["state"] == "confirmed"
    run_jobs(shop)
    run_jobs(shop)
    assert find_traces(shop, *TRACES) == {}
    assert read_totals(shop) == before
    assert admin.get(f"{ORDERS}/{id}").json["total"] == "10.00"
    check_facts(shop)


def test_an_author_is_erased_with_the_translations_of_their_name(shop: Stand, clock: SetClock) -> None:
    with shop.site.work() as work:
        author = users.find_user_by_login(work.tx, "author")
        assert author is not None
        users.update_user(work, author, name="Berta Zuccarelli", description="Writes of Zuccarelli hills.")
    with shop.site.work() as work:
        site_texts.register_changed_texts(work)
    assert "mlang_string" in find_traces(shop, "zuccarelli")
    assert shop.client("author").post(CLOSING, {"current_password": PASSWORD}).status == 202
    clock.forward(DAY + 60)
    run_jobs(shop)
    run_jobs(shop)
    assert find_traces(shop, "zuccarelli", "author@example.org") == {}


@pytest.mark.parametrize("email", [ADA, ""])
def test_an_account_that_proved_no_address_takes_nothing_of_others_along(
    shop: Stand, clock: SetClock, email: str
) -> None:
    """Whoever makes an account with the address of somebody else, or with none, closes it; carts and mails stay."""
    with shop.site.work() as work:
        eve = users.create_user(work, "eve", email, roles=("customer",))
        _, word = app_passwords.create_app_password(work, eve.id, "test", "")
    set_passwords(shop, "eve")
    number = order(shop, "10.00", "processing")
    cart = Client(shop.site)
    token = cart.get("/shop/store/v1/cart").headers["cart-token"]
    given = {"billing_address": {**ADDRESS, "email": ADA}}
    told = cart.post("/shop/store/v1/cart/update-customer", given, headers={"cart-token": token})
    assert told.status == 200, told.json
    before = {name: len(rows) for name, rows in find_traces(shop, ADA).items() if name in ("shop_cart", "outbox_mail")}
    assert before.keys() == {"shop_cart", "outbox_mail"}
    assert Client(shop.site, "eve", word).post(CLOSING, {"current_password": PASSWORD}).status == 202
    clock.forward(DAY + 60)
    run_jobs(shop)
    assert Client(shop.site, "eve", word).get("/access/v1/account").status == 401
    left = {name: len(rows) for name, rows in find_traces(shop, ADA).items() if name in before}
    assert left == before
    assert shop.client("admin").get(f"{ORDERS}/{number}").json["billing"]["email"].lower() == ADA
