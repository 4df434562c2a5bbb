"""Every rule of `vetrina check`: its damage is caused, reported, and repaired where the rule can."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from conftest import Client, Stand, standing
from shop.conftest import prepared_postgres_shop, prepared_shop
from vetrina.backends import order_search_index, search_index
from vetrina.backends.database import Statement
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.media.uploads.filenames import UPLOADS_FOLDER
from vetrina.settings import load_profile
from vetrina.shop.keys import rules as keys
from vetrina.system import job_runner
from vetrina.system.integrity_rules import RULES, find_rule

__all__ = ["prepared_postgres_shop", "prepared_shop"]

pytestmark = [pytest.mark.every_database, pytest.mark.in_process("the site's own store is damaged")]

GIF = bytes.fromhex("47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b")

_TRANSLATED = (
    "INSERT INTO mlang_status VALUES (1, 'post', 'post_post', 1, 'en', 'it', 0, 77, 1, false, '', 'local', 0, 1, '', "
    "'', 0, {batch}, '{{}}', 0, 't', 't', 'cms', false, 0, 0, 'b')"
)
_JOB = "INSERT INTO mlang_job VALUES ({}, 1, NULL, false, 1, 0, '', '', 'cms', 0, false, 0, 0, 0, 0, 0, 0, 0, '')"

# Damage that breaks the rule, and its message. Quotes: `order` and others are SQL keywords.
DAMAGE: dict[str, tuple[tuple[str, ...], str]] = {
    "counters": (("UPDATE counter SET value = 1 WHERE name = 'record'",), "the counter record stands at 1"),
    "numbers": (("UPDATE shop_refund SET id = (SELECT min(id) FROM record WHERE type = 'post')",), "names 2 things"),
    "json": (("UPDATE record SET meta = '{' WHERE slug = 'above'",), "is no JSON"),
    "roles": (("""UPDATE account SET roles = '["king"]' WHERE login = 'author'""",), "has the role king"),
    "secrets": (("UPDATE shop_key SET secret = '2.AAAA'",), "does not open"),
    "authors": (("UPDATE record SET author = 999 WHERE slug = 'above'",), "is by 999"),
    "parents": (("UPDATE record SET parent = 999999 WHERE slug = 'beneath'",), "stands under 999999"),
    "record-circles": (("UPDATE record SET parent = id WHERE slug = 'above'",), "stands under"),
    "revisions": (("UPDATE record SET revisions = 7 WHERE slug = 'above'",), "counts 7"),
    "tallies": (("UPDATE tally SET count = count + 1 WHERE type = 'page'",), "are known; there are"),
    "links": (("UPDATE record_term SET status = 'draft'",), "says otherwise than the record"),
    "field-values": (
        ("INSERT INTO field_value SELECT id, 'hue', 'x', type, status, language, date FROM record "
         "WHERE slug = 'above'",),
        "is found by a value of hue that it does not have",
    ),
    "folded-titles": (("UPDATE record SET title_key = 'zz' WHERE slug = 'above'",), "is sorted by 'zz'"),
    "group-kinds": (
        ("UPDATE record SET translations = (SELECT translations FROM record WHERE slug = 'above'), language = 'xx' "
         "WHERE slug = 'one' AND type = 'post'",),
        "has members of page and of post",
    ),
    "group-originals": (("UPDATE record SET source_language = 'it' WHERE slug = 'above'",), "has 0 originals"),
    "term-parents": (("UPDATE term SET parent = 999 WHERE slug = 'low'",), "stands under 999"),
    "term-circles": (("UPDATE term SET parent = id WHERE slug = 'low'",), "stands under"),
    "term-counts": (("UPDATE term SET count = 9 WHERE slug = 'low'",), "counts 9; there are 1"),
    "own-terms": (("UPDATE term SET taxonomy = 'nav_menu' WHERE slug = 'low'",), "have terms of nav_menu"),
    "default-terms": (("INSERT INTO option VALUES ('default_category', '999')",), "which is no category"),
    "menu-items": (("DELETE FROM menu_item",), "points to nothing"),
    "folded-comments": (("UPDATE comment SET email_key = 'x'",), "is found by 'x'"),
    "publication": (
        ("UPDATE record SET status = 'future', date_gmt = 1000 WHERE slug = 'one'",), "was to be published"
    ),
    "attachments": (("DELETE FROM media",), "has no file"),
    "jobs": (("UPDATE job SET state = 'waiting', due = 1000",), "is waiting for more than an hour"),
    "mails": (("UPDATE outbox_mail SET state = 'waiting', created = 1000",), "waits for more than a day"),
    "deliveries": (
        ("INSERT INTO webhook_delivery VALUES (999, 1, 'u', 't', 's', 'k', 'b', 'waiting', 0, 0, '', 1000, NULL, '')",),
        "waits for more than a day",
    ),
    "products": (("DELETE FROM product WHERE sku = 'one'",), "has no row among the products"),
    "variations": (("UPDATE record SET parent = 1 WHERE type = 'product_variation'",), "has no product"),
    "article-numbers": (("UPDATE product SET sku_key = 'one' WHERE sku = 'two'",), "is the number of 2 products"),
    "prices-and-stock": (("UPDATE product SET price = '1', price_from = 1 WHERE sku = 'one'",), "its price is '1'"),
    "product-links": (
        ("INSERT INTO product_link SELECT record, 'upsell', 999999, 0 FROM product WHERE sku = 'one'",),
        "names product 999999",
    ),
    "extra-fields": (("UPDATE shop_meta SET owner = 999999",), "999999"),
    "tax-classes": (("UPDATE tax_rate SET tax_class = 'gone'",), "is of the class gone"),
    "shipping-methods": (("UPDATE shipping_method SET zone = 999",), "is of zone 999"),
    "order-items": (("UPDATE order_item SET owner = 999999 WHERE kind = 'coupon'",), "is of 999999"),
    "order-tallies": (("UPDATE order_tally SET count = count + 1",), "are known; there are"),
    "order-totals": (("UPDATE shop_order SET total = total + 5000000",), "its items come to"),
    "refunds": (("UPDATE shop_refund SET amount = 999000000",), "was paid back"),
    "coupon-uses": (('UPDATE coupon_use SET "order" = 999999',), "is by order 999999"),
    "coupon-counts": (("UPDATE coupon SET usage_count = 7",), "counts 7; there are 1"),
    "once-counted": (
        ('INSERT INTO coupon_use SELECT 999, coupon, "order", "by" FROM coupon_use',), "uses coupon"
    ),
    "folded-orders": (("UPDATE shop_order SET search_key = 'zz'",), "is found by 'zz'"),
    "carts": (
        ("INSERT INTO shop_cart VALUES ('k', '[]', '[]', '{}', '{}', '', 999999, 0)",), "a cart's draft is order 999999"
    ),
    "reports": (("DELETE FROM fact_order",), "the reports have no row for"),
    "translation-jobs": (
        ("INSERT INTO mlang_batch VALUES (1, 'b', 'b', NULL, '', 0)",
         _TRANSLATED.format(batch=1)),
        "names job 77, which is not its newest",
    ),
    "newest-jobs": (
        (_TRANSLATED.format(batch=1),
         _JOB.format(77), _JOB.format(78)),
        "row 1 has 2 newest jobs",
    ),
    "translation-batches": (
        (_TRANSLATED.format(batch=5),),
        "row 1 was sent in batch 5",
    ),
    "service-jobs": (
        ("INSERT INTO mlang_service_job VALUES (5, 'new', '', '', false, 0)",), "there is a file of job 5"
    ),
    "string-keys": (("UPDATE mlang_string SET key = 'k' WHERE id = 1",), "is found under another key"),
    "sync-queue": (("INSERT INTO connector_done VALUES (99999999)",), "are told that have not happened yet"),
}  # fmt: skip
# Done other than in SQL, or on one database only, in the tests below; those of own fields in test_check.py.
APART = {
    "database-file",
    "references",
    "files",
    "orphaned-files",
    "search-index",
    "order-index",
    "own-fields",
    "own-relations",
}


@pytest.fixture
def site(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    """A shop with one object of every kind."""
    with standing(request, load_profile("second"), "_shop") as stand:
        _fill(stand.client("admin"))
        job_runner.build_consumer(stand.site.context, stand.site.database).run_due_jobs()
        with stand.site.work() as work:
            keys.create_consumer_key(work, 1, "of the test", "read")
        caught_up(stand)
        yield stand


def caught_up(stand: Stand) -> None:
    """Let the search index process all changes."""
    with stand.site.work() as work:
        while search_index.index_changes(work.tx, list(work.site.types)) + order_search_index.index_orders(
            work.tx, 500
        ):
            pass


def _fill(admin: Client) -> None:
    def made(path: str, members: dict[str, Any]) -> int:
        answer = admin.post(path, members)
        assert answer.status == 201, answer.json
        id: int = answer.json["id"]
        return id

    above = made("/cms/v2/pages", {"title": "Above", "status": "publish"})
    made("/cms/v2/pages", {"title": "Beneath", "status": "publish", "parent": above})
    category = made("/cms/v2/categories", {"name": "Low", "parent": made("/cms/v2/categories", {"name": "High"})})
    post = made("/cms/v2/posts", {"title": "One", "status": "publish", "categories": [category]})
    made("/cms/v2/comments", {"post": post, "content": "Well said"})
    menu = made("/cms/v2/menus", {"name": "Main"})
    made("/cms/v2/menu-items", {"title": "One", "menus": menu, "type": "custom", "url": "https://example.org/",
                                "status": "publish"})  # fmt: skip
    headers = {"content-type": "image/gif", "content-disposition": 'attachment; filename="dot.gif"'}
    assert admin.ask("POST", "/cms/v2/media", body=GIF, headers=headers).status == 201
    goods = {"type": "simple", "regular_price": "5", "status": "publish"}
    first = made("/shop/v3/products", {"name": "First", "sku": "one", **goods})
    made("/shop/v3/products", {"name": "Second", "sku": "two", **goods})
    parted = made("/shop/v3/products", {"name": "Parted", "type": "variable", "status": "publish", "attributes": [
        {"name": "Size", "options": ["S", "L"], "variation": True, "visible": True}]})  # fmt: skip
    made(
        f"/shop/v3/products/{parted}/variations",
        {"regular_price": "7", "attributes": [{"name": "Size", "option": "S"}]},
    )
    made("/shop/v3/coupons", {"code": "tenth", "discount_type": "percent", "amount": "10"})
    made("/shop/v3/taxes", {"country": "IT", "rate": "22", "name": "IVA"})
    zone = made("/shop/v3/shipping/zones", {"name": "Near"})
    assert admin.post(f"/shop/v3/shipping/zones/{zone}/methods", {"method_id": "flat_rate"}).status in (200, 201)
    made("/shop/v3/webhooks", {"topic": "order.created", "delivery_url": "https://example.org/hook", "secret": "s"})
    order = made("/shop/v3/orders", {
        "set_paid": True, "billing": {"email": "ada@example.org", "country": "IT"},
        "meta_data": [{"key": "k", "value": "v"}],
        "line_items": [{"product_id": first, "quantity": 2}], "coupon_lines": [{"code": "tenth"}],
    })  # fmt: skip
    made(f"/shop/v3/orders/{order}/refunds", {"amount": "1.00", "api_refund": False})


class Undone(Exception):
    """Reverts changes to the site, so that the next damage is done to a sound one."""


def told(work: UnitOfWork, name: str) -> str:
    rule = find_rule(name)
    assert rule is not None
    return "\n".join(rule.broken(work))


def test_every_rule_has_its_damage() -> None:
    assert DAMAGE.keys() | APART == {rule.name for rule in RULES}


def test_each_damage_is_named_and_what_can_be_mended_is(site: Stand) -> None:
    with site.site.work(read=True) as work:
        assert [f"{rule.name}: {line}" for rule in RULES for line in rule.broken(work)] == []
    wrong = [f"{name}: {what}" for name in DAMAGE if (what := damaged(site, name))]
    assert not wrong, "\n".join(wrong)


def damaged(site: Stand, name: str) -> str:
    """Return the problems of a rule whose damage is done and reverted."""
    statements, said = DAMAGE[name]
    rule = find_rule(name)
    assert rule is not None
    try:
        with site.site.work() as work:
            for statement in statements:
                if work.tx.run_and_count(Statement(text(statement))) == 0:
                    return f"{statement} changes nothing"
            found = told(work, name)
            if said not in found:
                return f"it says {found!r}"
            if rule.repair is not None:
                rule.repair(work)
                if told(work, name):
                    return f"it is not mended: {told(work, name)}"
            raise Undone
    except Undone:
        return "" if (rule.repair is not None) == ("`--repair`" in rule.way) else f"its way out is {rule.way!r}"
    except Exception as error:
        return f"{error!r}"


def test_a_file_that_is_gone_or_cut_is_named(site: Stand) -> None:
    files = site.site.files
    [name] = [one.name for one in files.list_files(UPLOADS_FOLDER)]
    with site.site.work(read=True) as work:
        path = Path(site.site.folder / "media" / name)
        path.write_bytes(GIF[:10])
        assert f"has 10 bytes instead of {len(GIF)}" in told(work, "files")
        files.delete(name)
        assert "is missing" in told(work, "files")


def expect_repaired(site: Stand, name: str) -> None:
    """Repair what a rule of an index finds; it finds nothing then, nor once the index has caught up."""
    rule = find_rule(name)
    assert rule is not None
    assert rule.repair is not None
    with site.site.work() as work:
        rule.repair(work)
        assert told(work, name) == ""
    caught_up(site)
    with site.site.work(read=True) as work:
        assert told(work, name) == ""


def test_an_index_of_searches_that_lost_records_reads_them_again(site: Stand, kind: str) -> None:
    if kind == "postgresql":
        pytest.skip("the database keeps its own index")
    with site.site.work() as work:
        assert told(work, "search-index") == ""
        assert work.tx.run_and_count(
            Statement(text("DELETE FROM search_entry WHERE record = (SELECT min(record) FROM search_entry)"))
        )
        assert "the index has not record" in told(work, "search-index")
    expect_repaired(site, "search-index")


def test_an_index_of_orders_that_lost_one_reads_it_again(site: Stand, kind: str) -> None:
    if kind == "postgresql":
        pytest.skip("the database keeps its own indexes")
    with site.site.work() as work:
        assert told(work, "order-index") == ""
        # An index that was made again and has nothing: its marks say that it has read all.
        work.tx.command("DROP TABLE order_search_index")
        work.tx.command(order_search_index.CREATE_ORDER_INDEX)
        work.tx.command("UPDATE counter SET value = value + 1000000 WHERE name = 'order_search'")
        assert "the last one is" in told(work, "order-index")
        assert "the index has not what order" in told(work, "order-index")
    expect_repaired(site, "order-index")


def test_the_documentation_lists_every_rule_as_it_is() -> None:
    page = (Path(__file__).parents[2] / "docs" / "checks.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    assert rows == [f"| `{rule.name}` | {rule.says} | {rule.way} |" for rule in RULES]
