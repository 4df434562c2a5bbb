"""Whatever a site holds comes over whole: random sites move into an empty one, out as JSON, and in again."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from conftest import Client, Stand
from vetrina.cli.site_connection import LocalConnection
from vetrina.transfer.comparable_source import ComparableSource
from vetrina.transfer.compare.comparison import SourceComparison
from vetrina.transfer.folder_export import export_to_folder
from vetrina.transfer.importing import import_records
from vetrina.transfer.options import ImportOptions
from vetrina.transfer.records import Source
from vetrina.transfer.sources.address.site_source import SiteSource
from vetrina.transfer.sources.folder import FolderSource

from .old_catalogue import list_damage, open_shop

pytestmark = pytest.mark.in_process("both sites are read without HTTP")

ORDERS, PRODUCTS = "/shop/v3/orders", "/shop/v3/products"
Values = dict[str, Any]

TEXTS = st.one_of(
    st.sampled_from([
        "Hafen & Meer", "Пристань у моря", "桟橋", "ميناء", "1 < 2 > 0", 'He said "no"', "Fish &amp; chips",
        "<b>Bold</b>", "\N{BOY}\N{ZERO WIDTH JOINER}\N{GIRL}", "  spaces  ", "100% off", "back\\slash", "[gallery]",
        "x" * 300, "0", "li\u0301nea",
    ]),
    st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=20),
)  # fmt: skip
# Beside the changes of the clock in Europe: the hour that is not there, and the one that is there twice.
DATES = st.sampled_from([
    "2020-03-29T02:30:00", "2020-10-25T02:30:00", "2020-10-25T01:59:59", "1969-12-31T23:59:59", "1900-01-01T00:00:00",
    "2038-01-19T03:14:08", "2024-02-29T12:00:00",
])  # fmt: skip
SLUGS = st.sampled_from(["", "a", "пристань", "桟橋", "straße", "a--b", "2020", "page", "feed", "x" * 250, "a%20b"])
META = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**31), 2**31), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.sampled_from("ab"), inner, max_size=2)),
    max_leaves=3,
)  # fmt: skip


@st.composite
def draw_posts(draw: st.DrawFn) -> list[Values]:
    """Posts and pages, each with comments; `above`, `reply_to`: how far before it that is which it hangs below."""
    out = []
    for _ in range(draw(st.integers(1, 4))):
        status = draw(st.sampled_from(["publish", "draft", "pending", "private", "future"]))
        date = "2090-06-01T12:00:00" if status == "future" else draw(st.one_of(st.none(), DATES))
        out.append({
            "base": draw(st.sampled_from(["posts", "pages"])), "italian": draw(st.booleans()),
            "above": draw(st.integers(0, 3)), "trash": draw(st.booleans()) and draw(st.booleans()),
            "members": {
                "title": draw(TEXTS), "content": draw(TEXTS), "excerpt": draw(st.one_of(st.just(""), TEXTS)),
                "slug": draw(SLUGS), "status": status, "comment_status": draw(st.sampled_from(["open", "closed"])),
                "password": draw(st.sampled_from(["", "s p&ä"])), **({"date": date} if date else {}),
            },
            "comments": [
                {"reply_to": draw(st.integers(0, 2)), "members": {
                    "content": draw(TEXTS), "author_name": draw(TEXTS), "author_email": "reader@example.net",
                    "status": draw(st.sampled_from(["approve", "hold", "spam", "trash"])),
                }} for _ in range(draw(st.integers(0, 5)))
            ],
        })  # fmt: skip
    return out


@st.composite
def draw_orders(draw: st.DrawFn) -> list[Values]:
    """Orders of two products, with refunds and notes; `gone`: whether a product is deleted then."""
    out = []
    for _ in range(draw(st.integers(1, 3))):
        amounts = st.sampled_from(["0", "0.01", "9.99", "12.345", "1000000"])
        out.append({
            "members": {
                "status": draw(st.sampled_from(
                    ["pending", "processing", "on-hold", "completed", "cancelled", "failed", "refunded"])),
                "currency": draw(st.sampled_from(["EUR", "USD", "JPY", "TND"])),
                "set_paid": draw(st.booleans()), "customer_note": draw(st.one_of(st.just(""), TEXTS)),
                "billing": {"first_name": draw(TEXTS), "email": draw(st.sampled_from(["", "ada@example.net"])),
                            "country": draw(st.sampled_from(["IT", "US", ""]))},
                "fee_lines": [
                    {"name": draw(TEXTS), "total": draw(st.sampled_from(["-1.50", "3", "0"])), "tax_status": "taxable"}
                    for _ in range(draw(st.integers(0, 2)))
                ],
                "shipping_lines": [{"method_id": "flat_rate", "method_title": draw(TEXTS), "total": draw(amounts)}
                                   for _ in range(draw(st.integers(0, 1)))],
                "coupon_lines": [{"code": "tenth"}] if draw(st.booleans()) else [],
                "meta_data": [{"key": name, "value": draw(META)} for name in draw(st.lists(
                    st.sampled_from(["gift", "_hidden", "пометка"]), max_size=2, unique=True))],
            },
            "lines": draw(st.lists(
                st.tuples(st.integers(0, 2), st.integers(1, 3), st.one_of(st.none(), amounts)), max_size=3)),
            "customer": draw(st.booleans()), "refund": draw(st.sampled_from(["", "0.01", "line", "all"])),
            "note": draw(st.one_of(st.just(""), TEXTS)), "trash": draw(st.booleans()) and draw(st.booleans()),
        })  # fmt: skip
    return out


def fill_content(old: Stand, posts: list[Values]) -> None:
    """Make the posts; what the site refuses isn't there."""
    admin, italian = old.client("admin"), old.client("admin", "/it/cms-json")
    made: dict[tuple[str, bool], list[int]] = {}
    for one in posts:
        client, base = (italian if one["italian"] else admin), one["base"]
        before = made.setdefault((base, one["italian"]), [])
        above = {"parent": before[-one["above"]]} if base == "pages" and 0 < one["above"] <= len(before) else {}
        answer = client.post(f"/cms/v2/{base}", {**one["members"], **above})
        if answer.status != 201:
            continue
        id = answer.json["id"]
        before.append(id)
        comments: list[int] = []
        for reply in one["comments"]:
            parent = comments[-reply["reply_to"]] if 0 < reply["reply_to"] <= len(comments) else 0
            said = client.post("/cms/v2/comments", {**reply["members"], "post": id, "parent": parent})
            if said.status == 201:
                comments.append(said.json["id"])
        if one["trash"]:
            client.delete(f"/cms/v2/{base}/{id}")
    _link_first(admin, made)
    _fill_menu(admin, made)


def _link_first(admin: Client, made: dict[tuple[str, bool], list[int]]) -> None:
    for base in ("posts", "pages"):
        if (ours := made.get((base, False))) and (theirs := made.get((base, True))):
            admin.put(f"/cms/v2/{base}/{ours[0]}", {"translations": {"it": {"id": theirs[0]}}})


def _fill_menu(admin: Client, made: dict[tuple[str, bool], list[int]]) -> None:
    """Make a menu whose entries lead to pages, one of which is deleted."""
    menu = admin.post("/cms/v2/menus", {"name": "Main"}).json["id"]
    gone = admin.post("/cms/v2/pages", {"title": "Gone", "status": "publish"}).json["id"]
    for id in (gone, *made.get(("pages", False), ())):
        admin.post("/cms/v2/menu-items", {
            "title": "To it", "menus": menu, "type": "post_type", "object": "page", "object_id": id,
            "status": "publish",
        })  # fmt: skip
    admin.delete(f"/cms/v2/pages/{gone}?force=true")


def fill_shop(old: Stand, orders: list[Values], gone: bool) -> None:
    """Make the orders; what the shop refuses isn't there. gone: whether a product is deleted then."""
    admin = old.client("admin")
    admin.put("/shop/v3/settings/general/shop_calc_taxes", {"value": "yes"})
    admin.post("/shop/v3/taxes", {"country": "IT", "rate": "22", "name": "IVA", "shipping": True})
    admin.post("/shop/v3/coupons", {"code": "tenth", "amount": "10", "discount_type": "percent"})
    customer = admin.post("/shop/v3/customers", {"email": "ada@example.net", "first_name": "Ada"}).json["id"]
    simple = admin.post(PRODUCTS, {"name": "Cup", "regular_price": "9.99", "manage_stock": True}).json["id"]
    above = admin.post(PRODUCTS, {"name": "Jar", "type": "variable", "attributes": [
        {"name": "Size", "options": ["S"], "variation": True}]}).json["id"]  # fmt: skip
    part = admin.post(f"{PRODUCTS}/{above}/variations", {"regular_price": "5", "attributes": [
        {"name": "Size", "option": "S"}]}).json["id"]  # fmt: skip
    last = admin.post(PRODUCTS, {"name": "Old", "regular_price": "0"}).json["id"]
    goods = ({"product_id": simple}, {"product_id": above, "variation_id": part}, {"product_id": last})
    for one in orders:
        lines = [
            {**goods[at], "quantity": pieces, **({"total": total, "subtotal": total} if total else {})}
            for at, pieces, total in one["lines"]
        ]
        buyer = {"customer_id": customer} if one["customer"] else {}
        answer = admin.post(ORDERS, {**one["members"], "line_items": lines, **buyer})
        if answer.status == 201:
            _finish_order(admin, answer.json, one)
    if gone:
        admin.delete(f"{PRODUCTS}/{last}?force=true")


def _finish_order(admin: Client, order: Values, one: Values) -> None:
    path = f"{ORDERS}/{order['id']}"
    back: Values = {"api_refund": False}
    if one["refund"] == "line" and order["line_items"]:
        line = order["line_items"][0]
        taxes = [{"id": tax["id"], "refund_total": tax["total"]} for tax in line["taxes"]]
        back["line_items"] = [{"id": line["id"], "quantity": 1, "refund_total": line["total"], "refund_tax": taxes}]
    elif one["refund"]:
        back["amount"] = order["total"] if one["refund"] == "all" else one["refund"]
    if one["refund"]:
        admin.post(f"{path}/refunds", back)
    if one["note"]:
        admin.post(f"{path}/notes", {"note": one["note"], "customer_note": True})
    if one["trash"]:
        admin.delete(path)


def read(stand: Stand) -> SiteSource:
    return SiteSource(LocalConnection(stand.site))


def list_differences(a: ComparableSource, b: ComparableSource) -> list[str]:
    out = []
    for one in SourceComparison(a, b).run():
        out += [f"{one.resource} {one.a or one.b} is only in {one.only}"] if one.only else []
        out += [f"{one.resource} {one.a} {member}" for member in one.members]
    return out


def check_move(prepared: Path, folder: Path, old: Stand) -> None:
    """Bring a site into an empty one, export that, and bring the export into another; all three agree."""

    def bring(name: str, source: Source) -> Stand:
        new = open_shop(prepared, folder, name)
        stands.append(new)
        report = import_records(new.site, source, ImportOptions())
        assert report.refusals == []
        assert list_damage(new) == []
        return new

    stands = [old]
    try:
        assert list_damage(old) == []
        new = bring("new", read(old))
        assert list_differences(read(old), read(new)) == []
        export_to_folder(read(new), folder / "export")
        third = bring("third", FolderSource(folder / "export"))
        assert list_differences(read(old), read(third)) == []
    finally:
        for one in stands:
            one.site.close()


# Each example makes three sites; the profile `search` is for a look at many.
SOME = settings(max_examples=20 if settings().max_examples > 100 else 2, suppress_health_check=[*HealthCheck])


@SOME
@given(posts=draw_posts())
def test_random_content_comes_over_whole(prepared_shop: Path, posts: list[Values]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        old = open_shop(prepared_shop, Path(folder), "old")
        fill_content(old, posts)
        check_move(prepared_shop, Path(folder), old)


@SOME
@given(orders=draw_orders(), gone=st.booleans())
def test_a_random_shop_comes_over_whole(prepared_shop: Path, orders: list[Values], gone: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        old = open_shop(prepared_shop, Path(folder), "old")
        fill_shop(old, orders, gone)
        check_move(prepared_shop, Path(folder), old)
