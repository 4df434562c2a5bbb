"""Ask a shop for its reports as the administration does, and say what processor time each answer takes.

    python benchmarks/report_answers.py FOLDER [--only WORD] [--times 3]

FOLDER is a shop (`vetrina demo second --site FOLDER --orders 1000000`); its administrator gets an application password
more. In process and without kept answers: milliseconds of the processor, of this process and, on PostgreSQL, of the
server's (its workers with it): the first time (statements are planned) and the least of the times after.
"""

from __future__ import annotations

import argparse
import sys
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from vetrina.settings import load_settings

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from processors import Processors
from shop_lists import open_as_admin

from conftest import exchange


def list_cases(today: date, product: int, category: int) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return the reports by name: path and arguments. today: the last day that has orders."""

    def until(days: int, **more: Any) -> dict[str, Any]:
        return {"after": f"{today - timedelta(days)}T00:00:00", "before": f"{today}T23:59:59", **more}

    def stats(interval: str, **more: Any) -> dict[str, Any]:
        return {"interval": interval, "per_page": 100, **more}

    month, quarter, year = (until(days) for days in (30, 91, 365))
    cases: dict[str, tuple[str, dict[str, Any]]] = {
        "revenue by day, a year": ("revenue/stats", {**year, **stats("day")}),
        "orders by day, a month": ("orders/stats", {**month, **stats("day")}),
        "orders by month, a year": ("orders/stats", {**year, **stats("month")}),
    }
    for by in ("product", "category", "coupon", "customer_type"):
        cases |= {
            f"orders by {by}, a month by day": ("orders/stats", {**month, **stats("day", segmentby=by)}),
            f"orders by {by}, a quarter by week": ("orders/stats", {**quarter, **stats("week", segmentby=by)}),
            f"orders by {by}, a year by month": ("orders/stats", {**year, **stats("month", segmentby=by)}),
        }
    for by in ("product", "category"):
        cases[f"products by {by}, a quarter by week"] = ("products/stats", {**quarter, **stats("week", segmentby=by)})
        cases[f"products by {by}, a year by month"] = ("products/stats", {**year, **stats("month", segmentby=by)})
    cases["variations by category, a year"] = ("variations/stats", {**year, **stats("month", segmentby="category")})
    for name, filters in (("a product", {"products": product}), ("a category", {"categories": category})):
        cases[f"products of {name}, a month by day"] = ("products/stats", {**month, **stats("day"), **filters})
        cases[f"products of {name}, a year by month"] = ("products/stats", {**year, **stats("month"), **filters})
        cases[f"list of products of {name}, a year"] = ("products", {**year, **filters})
    for name in ("coupons", "taxes", "downloads"):
        cases[f"{name} by month, a year"] = (f"{name}/stats", {**year, **stats("month")})
        cases[f"list of {name}, a year"] = (name, {**year})
    for name in ("products", "variations", "categories"):
        cases[f"list of {name}, a year"] = (name, {**year, "orderby": "items_sold"})
    cases["list of orders, a year, page 400"] = ("orders", {**year, "page": 400})
    cases["list of orders of a product, a year"] = ("orders", {**year, "product_includes": product})
    cases["stock"] = ("stock", {})
    for order in ("total_spend", "orders_count", "avg_order_value", "name"):
        cases[f"buyers of a year by {order}"] = ("customers", {**year, "orderby": order})
    cases["buyers of a year by total_spend, page 400"] = ("customers", {**year, "orderby": "total_spend", "page": 400})
    cases["buyers of a year by name, page 400"] = ("customers", {**year, "orderby": "name", "page": 400})
    cases["buyers of a year, of a country"] = (
        "customers", {**year, "orderby": "total_spend", "country_includes": "IT"}
    )  # fmt: skip
    cases["buyers of a year, two orders and more"] = (
        "customers", {**year, "orderby": "total_spend", "orders_count_min": 2}
    )  # fmt: skip
    cases["buyers of a year, searched"] = ("customers", {**year, "orderby": "total_spend", "search": "rossi"})
    cases["customers by total_spend"] = ("customers", {"orderby": "total_spend"})
    cases["customers of a country, two orders and more"] = (
        "customers", {"orderby": "total_spend", "country_includes": "IT", "orders_count_min": 2}
    )  # fmt: skip
    cases["averages of buyers, a year"] = ("customers/stats", {**year})
    cases["averages of customers"] = ("customers/stats", {})
    cases["leaderboards, a month"] = ("../leaderboards", {**month})
    cases["leaderboards, a year"] = ("../leaderboards", {**year})
    cases["indicators, a year"] = ("performance-indicators", {
        **year,
        "stats": "revenue/total_sales,revenue/net_revenue,orders/orders_count,orders/avg_order_value,"
        "products/items_sold,revenue/refunds,coupons/orders_count,coupons/amount,taxes/total_tax,taxes/order_tax,taxes/shipping_tax,"
        "revenue/shipping,downloads/download_count,variations/items_sold",
    })  # fmt: skip
    return cases


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--times", type=int, default=3, help="how often each is asked after the first time")
    args = parser.parse_args()
    client = open_as_admin(args.folder, "reports")
    # Of the reports, as their rows may be more than the orders (benchmarks/multiply_facts.py).
    newest = client.get("/shop-analytics/reports/orders", query={"per_page": 1, "after": "2000-01-01T00:00:00"}).json[
        0
    ]["date_created"]
    product = client.get("/shop/v3/products", query={"per_page": 1, "orderby": "popularity"}).json[0]
    # The last day is not over where the demonstration's story ends.
    cases = list_cases(date.fromisoformat(newest[:10]), product["id"], product["categories"][0]["id"])
    processors = Processors(load_settings(args.folder).database)
    print(f"{'':48} {'first':>8} {'of it the server':>17} {'again':>8} {'of it the server':>17}")
    for name, (path, query) in cases.items():
        if args.only not in name:
            continue
        taken = []
        for _ in range(1 + args.times):
            target = f"/cms-json/shop-analytics/reports/{path}?{urlencode(query)}".replace("reports/../", "")
            before = processors.read()
            status, _, content = exchange(client.site, "GET", target, b"", client.headers)
            taken.append([one - other for one, other in zip(processors.read(), before, strict=True)])
            assert status == 200, (name, status, content[:200])
        first, again = taken[0], min(taken[1:], key=sum)
        print(
            f"{name:48} {sum(first):5.0f} ms {first[1]:14.0f} ms {sum(again):5.0f} ms {again[1]:14.0f} ms", flush=True
        )
    client.site.close()


if __name__ == "__main__":
    main()
