"""Every list of the interface has rows on a demo site, or a reason here why not."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from conftest import Client
from route_patterns import replace_groups

from .conftest import Demo

# Lists that stay empty, and why.
EMPTY = {
    "/access/v1/passkeys": "a passkey needs a device",
    "/access/v1/providers": "whoever runs the site registers it with a provider",
    "/access/v1/identities": "nobody of the demonstration signs in by a provider",
    "/access/v1/personal-data-requests": "nobody has asked about a demonstration",
    "/access/v1/sessions": "nobody is signed in with a browser",
    "/cms/v2/backups": "nobody has made a backup of a demonstration",
    "/cms/v2/block-directory/search": "no package brings blocks",
    "/cms/v2/redirects": "nothing of a demonstration has moved",
    "/cms/v2/webhooks": "a demonstration calls no other server",
    "/shop-admin/marketing/campaigns": "channels come with packages",
    "/shop-admin/marketing/campaign-types": "channels come with packages",
    "/shop-admin/marketing/channels": "channels come with packages",
    "/shop-admin/marketing/knowledge-base": "the local marketplace has no articles",
    "/shop-admin/marketing/misc-recommendations": "the local marketplace is bare",
    "/shop-admin/marketing/overview/installed-plugins": "modules come with packages",
    "/shop-admin/plugins/activate/status": "modules come with packages",
    "/shop-admin/plugins/install/status": "modules come with packages",
    "/shop/store/cart/coupons": "a cart is its visitor's alone",
    "/shop/store/cart/items": "a cart is its visitor's alone",
    "/shop/store/v1/cart/coupons": "a cart is its visitor's alone",
    "/shop/store/v1/cart/items": "a cart is its visitor's alone",
    "/shop/v3/marketplace/subscriptions": "the site has no account of the marketplace",
    "/mlang/tm/v1/ams/engines": "the site has no outside translation service",
}
# Lists beneath a record that stay empty, by their last part, and why.
EMPTY_BENEATH = {"/preview-links": "a token is told once, and whoever made the demonstration has sent it to nobody"}
# Required arguments of lists.
ASKED = {
    "/shop-admin/experiments/assignment": {"experiment_name": "any"},
    "/shop-admin/options": {"options": "shop_coming_soon"},
    "/cms/v2/block-directory/search": {"term": "table"},
    "/shop-analytics/data/download-ips": {"match": "192"},
    "/shop-analytics/reports/performance-indicators": {"stats": "revenue/total_sales"},
    "/shop-admin/marketing/recommendations": {"category": "extensions"},
}
# Lists that are refused, and why.
REFUSED = {
    "/access/v1/account/closing": "nobody of a demonstration closes an account",
    "/shop/v3/payments/": "the site is not connected to the payment service",
    "/mlang/tm/v1/ams/": "the site has no account with the translation service",
    "/mlang/tm/v1/tp/": "the site has no agency",
    "/connector/v4/": "the connector is offline until the profile names its service",
    "/shop-admin/settings/payments/shoppayments/": "no way of paying takes cards",
    "/shop-admin/plugins/connect-connector": "the connector is offline until the profile names its service",
    "/shop-admin/mobile-app/send-magic-link": "the connector is offline until the profile names its service",
    "/shop-admin/ai/": "the owner has not let texts be made up",
    "/shop/store/checkout": "a cart is its visitor's alone",
    "/shop/store/v1/checkout": "a cart is its visitor's alone",
    "/vendor/installer/v1/push/fetch-subscription": "it answers once in two hours, and another test may have asked",
    "/mlang/ate/v1/ate/proxy": "the site has no outside translation service",
}
LIMIT = 12  # parents that are tried until one has children


def paths(demo: Demo) -> Iterator[str]:
    """Return the paths of the index that can be read, with parameters as `{}`."""
    index = demo.admin.get("/").json
    for pattern, route in index["routes"].items():
        if any("GET" in one["methods"] for one in route["endpoints"]):
            yield replace_groups(pattern)


def answered(demo: Demo, path: str) -> tuple[int, Any]:
    answer = demo.admin.get(path, query=ASKED.get(path, {}))
    return answer.status, answer.json


def test_every_list_answers_something_or_has_its_reason(demo: Demo) -> None:
    empty, refused, lists = [], [], 0
    for path in paths(demo):
        if "{}" in path:
            continue
        status, body = answered(demo, path)
        named = (body or {}).get("data", {}).get("params") if status == 400 else None  # a required parameter
        if status != 200 and not named and not any(path.startswith(one) for one in REFUSED):
            refused.append((path, status, body))
        if status == 200 and isinstance(body, list):
            lists += 1
            if not body and path not in EMPTY:
                empty.append(path)
            assert not (body and path in EMPTY), f"{path} has something now; take it out of EMPTY"
    assert (empty, refused) == ([], [])
    assert lists > {"first": 20, "second": 90}[demo.profile]


def test_every_list_beneath_something_answers_something(demo: Demo) -> None:
    empty, lists = [], 0
    for path in paths(demo):
        above, hole, rest = path.partition("/{}/")
        if not hole or "{}" in rest or path.startswith(tuple(REFUSED)):
            continue
        found = parents(demo, above, path)
        bodies = [demo.admin.get(f"{above}/{one}/{rest}").json for one in found]
        if not any(isinstance(body, list) for body in bodies):
            continue
        lists += 1
        if not any(body for body in bodies if isinstance(body, list)) and not path.endswith(tuple(EMPTY_BENEATH)):
            empty.append(path)
    assert empty == []
    assert lists > {"first": 12, "second": 40}[demo.profile]


def parents(demo: Demo, above: str, path: str) -> list[Any]:
    """Return ids of possible parents: those in the list above."""
    kinds = {"/autosaves": "publish", "/revisions": "publish"}
    status = next((value for ending, value in kinds.items() if path.endswith(ending)), "")
    query = {"per_page": 100, **({"status": status} if status and "template" not in above else {})}
    if above == "/cms/v2/global-styles":
        theme = demo.admin.get("/cms/v2/themes", query={"status": "active"}).json[0]
        return [theme["_links"]["cms:user-global-styles"][0]["href"].rpartition("/")[2]]
    answer = demo.admin.get(above, query=query)
    listed = answer.json if isinstance(answer.json, list) else []
    marks = [one.get("id", one.get("slug")) for one in listed if isinstance(one, dict)]
    own = [one["id"] for one in listed if isinstance(one, dict) and own_of(one)]
    return [*own, *marks][:LIMIT]


def own_of(one: dict[str, Any]) -> bool:
    """Say whether a template was changed by the owner, a product has variations, or an order was refunded."""
    return one.get("source") == "custom" or bool(one.get("variations") or one.get("refunds"))


def test_what_is_shown_is_of_the_last_weeks_too(second: Demo) -> None:
    span = {"after": f"{date.today() - timedelta(days=30)}T00:00:00", "interval": "day"}
    totals = second.admin.get("/shop-analytics/reports/revenue/stats", query=span).json["totals"]
    assert totals["orders_count"] > 0
    assert totals["net_revenue"] > 0


def test_orders_are_in_every_status(second: Demo) -> None:
    counted = {one["slug"]: one["total"] for one in second.admin.get("/shop/v3/reports/orders/totals").json}
    # A checkout draft is deleted after a day.
    assert {name for name, total in counted.items() if not total} <= {"checkout-draft"}
    assert second.admin.get("/shop/v3/orders", query={"status": "trash"}).json
    assert second.admin.get("/shop/v3/refunds").json


def test_records_are_in_every_status(demo: Demo) -> None:
    for status in ("publish", "draft", "pending", "private", "future", "trash"):
        assert demo.admin.get("/cms/v2/posts", query={"status": status}).json, status


def test_jobs_are_in_several_states(demo: Demo) -> None:
    jobs = demo.admin.get("/mlang/tm/v1/jobs", query={"include_manual": True}).json["jobs"]
    assert {one["status"] for one in jobs} >= {1, 2, 10}
    assert any(one["needs_update"] for one in jobs)


def test_what_is_italian_has_an_original(demo: Demo) -> None:
    italian = Client(demo.site, root="/it/cms-json")
    italian.headers = demo.admin.headers
    for base in ("posts", "pages", "menus", "blocks", "navigation", "categories"):
        found = italian.get(f"/cms/v2/{base}").json
        assert found, base
        for one in found:
            assert (one["lang"], "en" in one["translations"]) == ("it", True), (base, one["id"])
