"""Shops that move: a new empty one, an old one with a catalogue of every kind of thing, and how the two compare."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Final

from conftest import Client, SetClock, Stand
from pictures import picture
from vetrina.cli.site_connection import LocalConnection
from vetrina.settings import Settings, load_profile
from vetrina.site import Site
from vetrina.system.integrity_rules import RULES
from vetrina.transfer.compare.comparison import RecordDifference, SourceComparison
from vetrina.transfer.importing import import_records
from vetrina.transfer.options import ImportOptions
from vetrina.transfer.report import ImportReport
from vetrina.transfer.sources.address.site_source import SiteSource

PRODUCTS = "/shop/v3/products"
SECRET: Final = "secret of the tests"
CATALOGUE = (PRODUCTS, "/shop/v3/taxes", "/shop/v3/coupons")


def open_shop(
    prepared: Path, folder: Path, name: str, *, profile: str = "second", clock: SetClock | None = None
) -> Stand:
    """Return a new shop in a folder of its own, or a site of another profile, a copy of a prepared one."""
    (folder / name).mkdir()
    shutil.copy(prepared / "site.sqlite", folder / name / "site.sqlite")
    settings = Settings(secret=SECRET, url=f"https://{name}.example")
    return Stand(Site(load_profile(profile), settings, folder / name, clock=clock, durable=False))


def put_in(client: Client, path: str, **members: Any) -> dict[str, Any]:
    """Return the record that was made."""
    answer = client.post(path, members)
    assert answer.status in (200, 201), answer.json
    found: dict[str, Any] = answer.json
    return found


def fill_catalogue(old: Stand) -> dict[str, int]:
    """Fill a shop with a catalogue and return the ids of its products by their names."""
    admin = old.client("admin")
    headers = {"content-disposition": 'attachment; filename="cup.jpg"'}
    images = [admin.post("/cms/v2/media", body=picture(40, 20), headers=headers).json["id"] for _ in range(3)]
    put_in(admin, "/shop/v3/taxes/classes", name="Books")
    put_in(admin, "/shop/v3/taxes", country="IT", rate="4", name="IVA", postcodes=["39100", "391*"], cities=["Bolzano"],
           **{"class": "books"}, priority=2, compound=True, shipping=False, order=3)  # fmt: skip
    put_in(admin, f"{PRODUCTS}/shipping_classes", name="Heavy")
    above = put_in(admin, f"{PRODUCTS}/categories", name="Table", display="both", menu_order=4, image={"id": images[0]})
    category = put_in(admin, f"{PRODUCTS}/categories", name="Cups", parent=above["id"], description="To drink from")
    other = put_in(admin, f"{PRODUCTS}/categories", name="Bargains")
    tag, brand = (put_in(admin, f"{PRODUCTS}/{base}", name="Blue")["id"] for base in ("tags", "brands"))
    colour = put_in(admin, f"{PRODUCTS}/attributes", name="Colour", slug="colour", order_by="name", has_archives=True)
    terms = f"{PRODUCTS}/attributes/{colour['id']}/terms"
    # The slug of the one is the name of the other.
    put_in(admin, terms, name="Red", slug="crimson", menu_order=2)
    put_in(admin, terms, name="Crimson", slug="red")
    shared = {"id": colour["id"], "options": ["Red", "Crimson"], "visible": True, "variation": True, "position": 1}
    local = {"name": "Size & form", "options": ["Small", "Large"], "variation": True}
    ids: dict[str, int] = {}
    switch = "/shop/v3/settings/advanced/shop_feature_cost_of_goods_sold_enabled"
    assert admin.put(switch, {"value": "yes"}).status == 200

    def sell(name: str, **members: Any) -> int:
        ids[name] = int(put_in(admin, PRODUCTS, name=name, **members)["id"])
        return ids[name]

    cup = sell(
        "Cup", sku="CUP", regular_price="12.50", sale_price="9.90", date_on_sale_from_gmt="2020-01-01T00:00:00",
        date_on_sale_to_gmt="2099-01-01T22:59:59", manage_stock=True, stock_quantity=3, low_stock_amount=1,
        backorders="notify", weight="0.3", dimensions={"length": "1", "width": "2", "height": "3"}, tax_class="books",
        categories=[{"id": category["id"]}], tags=[{"id": tag}], brands=[{"id": brand}], shipping_class="heavy",
        images=[{"id": id} for id in images], global_unique_id="978-1", purchase_note="<p>Wash by hand.</p>",
        catalog_visibility="catalog", featured=True, sold_individually=True, menu_order=7,
        description="<p>A cup.</p>", short_description="<p>Blue.</p>", date_created_gmt="2021-03-04T05:06:07",
        cost_of_goods_sold={"values": [{"defined_value": 4.5}]},
        meta_data=[{"key": "kiln", "value": {"heat": 1200}}, {"key": "_maker", "value": "Ada"}],
    )  # fmt: skip
    jar = sell(
        "Jar", type="variable", sku="JAR", attributes=[local, shared],
        default_attributes=[{"id": colour["id"], "option": "crimson"}, {"name": "Size & form", "option": "Large"}],
    )  # fmt: skip
    for price, option, stock in (("20", "Red", 0), ("25", "Crimson", 5)):
        put_in(
            admin, f"{PRODUCTS}/{jar}/variations", sku=f"JAR-{option}", regular_price=price, manage_stock=True,
            stock_quantity=stock, image={"id": images[1]}, description="One of them", menu_order=int(price),
            attributes=[{"id": colour["id"], "option": option.replace("Red", "crimson").replace("Crimson", "red")},
                        {"name": "Size & form", "option": "Small"}],
        )  # fmt: skip
    sell("Manual", virtual=True, downloadable=True, regular_price="3", download_limit=2, download_expiry=30,
         downloads=[{"id": "a-file", "name": "As PDF", "file": "https://files.example/manual.pdf"}])  # fmt: skip
    sell("Elsewhere", type="external", external_url="https://other.example/x", button_text="There", regular_price="8")
    sell("Unfinished", status="draft")
    sell("Thrown away", status="trash", sku="GONE")
    sell("Set", type="grouped", grouped_products=[cup, jar], reviews_allowed=False)
    # What it names has a greater number.
    assert admin.put(f"{PRODUCTS}/{cup}", {"upsell_ids": [ids["Set"]], "cross_sell_ids": [jar]}).status == 200
    for stars, status in ((5, "approved"), (2, "approved"), (1, "hold")):
        put_in(admin, f"{PRODUCTS}/reviews", product_id=cup, review=f"Worth {stars}", reviewer="Ada", rating=stars,
               reviewer_email="ada@example.org", status=status)  # fmt: skip
    put_in(
        admin, "/shop/v3/coupons", code="Tea", amount="10", discount_type="percent", product_ids=[cup],
        excluded_product_categories=[other["id"]], email_restrictions=["*@example.org"], usage_limit=50,
        minimum_amount="5", date_expires="2099-05-06T00:00:00", description="For tea",
        meta_data=[{"key": "campaign", "value": "spring"}],
    )  # fmt: skip
    for customer in ("ada@example.org", "bea@example.org"):
        put_in(admin, "/shop/v3/orders", status="processing", billing={"email": customer},
               line_items=[{"product_id": cup, "quantity": 1}], coupon_lines=[{"code": "tea"}])  # fmt: skip
    # It comes before the products there, and has an id after theirs here.
    put_in(admin, "/cms/v2/templates", slug="narrow", title="Narrow", content="<p>Narrow</p>")
    return ids


def bring(old: Stand, new: Stand, **options: Any) -> ImportReport:
    return import_records(new.site, SiteSource(LocalConnection(old.site)), ImportOptions(**options))


def list_differences(old: Stand, new: Stand) -> list[RecordDifference]:
    sources = (SiteSource(LocalConnection(one.site)) for one in (old, new))
    found = SourceComparison(*sources, only=CATALOGUE).run()
    # The setting that shows them comes with the settings.
    return [one for one in found if {member.member for member in one.members} != {"cost_of_goods_sold"}]


def list_damage(shop: Stand) -> list[str]:
    """Return what `vetrina check` finds."""
    with shop.site.work(read=True) as work:
        return [found for rule in RULES for found in rule.broken(work)]
