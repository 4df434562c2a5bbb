"""Every address of the site that a response names is served: links, pictures, pages, actions, redirects.

Asked are all routes of a shop's index that need no number, as an administrator sees them, and then what they name.
Which pictures and pages suggestions and tasks have: test_nothing_named_is_missing.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from conftest import Client, Stand
from shop.store import Visitor, payable, sold

ORIGIN = "http://vetrina.test"
ROOT = "/en/cms-json"
ADDRESS = re.compile(r"http://vetrina\.test(?::80)?(/[^\s\"'<>\\]*)?")


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for one in value.values():
            yield from texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from texts(one)
    elif isinstance(value, str):
        yield value


def named(value: Any) -> set[str]:
    """Return the addresses of the site that a response names, without fragments."""
    found = {match[0] for text in texts(value) for match in ADDRESS.finditer(text.replace("&amp;", "&"))}
    return {one.partition("#")[0].rstrip(".,;:)") for one in found}


@pytest.fixture
def filled(site: Stand, admin: Client) -> Client:
    """A shop with something of every kind; returns the administrator."""
    payable(admin)
    image = admin.ask(
        "POST", "/cms/v2/media", body=PICTURE,
        headers={"content-type": "image/gif", "content-disposition": 'attachment; filename="a.gif"'},
    ).json["id"]  # fmt: skip
    group = admin.post("/shop/v3/products/categories", {"name": "Cups", "image": {"id": image}}).json["id"]
    cup = sold(admin, "Cup", categories=[{"id": group}], images=[{"id": image}])
    shirt = admin.post(
        "/shop/v3/products",
        {"name": "Shirt", "type": "variable", "images": [{"id": image}],
         "attributes": [{"name": "Size", "variation": True, "options": ["S", "L"]}]},
    ).json["id"]  # fmt: skip
    admin.post(
        f"/shop/v3/products/{shirt}/variations", {"regular_price": "4", "attributes": [{"name": "Size", "option": "S"}]}
    )
    admin.post("/shop/v3/coupons", {"code": "less", "amount": "1"})
    admin.post("/shop/v3/taxes", {"rate": "10"})
    post = admin.post("/cms/v2/posts", {"title": "Post", "status": "publish", "featured_media": image}).json["id"]
    admin.post(f"/cms/v2/posts/{post}", {"content": "Changed"})
    admin.post("/cms/v2/comments", {"post": post, "content": "Yes"})
    admin.post("/cms/v2/pages", {"title": "Page", "status": "publish"})
    menu = admin.post("/cms/v2/menus", {"name": "Main"}).json["id"]
    admin.post("/cms/v2/menu-items", {"title": "Home", "url": f"{ORIGIN}/en/", "status": "publish", "menus": menu})
    admin.post("/shop/v3/products/reviews", {
        "product_id": cup, "review": "Good", "reviewer": "Ann", "reviewer_email": "ann@example.org", "rating": 5,
    })  # fmt: skip
    visitor = Visitor(site)
    visitor.add(cup)
    placed = visitor.pay()
    assert placed.status == 200, placed.json
    order = placed.json["order_id"]
    admin.post(f"/shop/v3/orders/{order}/refunds", {"amount": "1", "api_refund": False})
    return admin


PICTURE = bytes.fromhex("47494638396101000100800000000000ffffff21f90401000000002c000000000100010000020144003b")


# Addresses that answer 404 although responses name them, and why; each pattern has to be named.
NOT_SERVED = {
    r"/en/cms-json/cms/v2/font-families/\(\?P": "a pattern, as the recordings have it",
    r"/en/cms-json/cms/v2/global-styles": "the recordings name a list that is none",
    r"/en/cms-json/shop/v3/variations/\d+": "the recordings name it; a variation is beneath its product",
    r"/en/cms-json/shop-analytics/orders/\d+": "the recordings name it in the row of a refund",
    r"/en/cms-json/shop(/v[12]|-analytics)/orders/\d+/actions/email_templates": "the recordings name it",
    r"/en/cms-json/shop-admin/mobile-app/(continents|countries|currencies)": "the recordings name them",
    r"/en/cms-json/shop-analytics/reports/(categories/stats|downloads/files)": "the recordings name them",
    r"/en/cms-json/access/v1/account/closing": "an account that nobody closes",
    r"/en/author/[\w-]+/": "an author without posts has no archive",
    r"/en/\d+/\d+/\d+/navigation/": "a navigation has no page",
    r"/cms-content/themes/portico": "a folder",
    r"/en/\?p=\d+": "a revision has no page",
    r"/en/product/%pagename%/": "a pattern",
}


def is_served(reader: Client, address: str) -> tuple[bool, Any]:
    """Return whether an address is served, by any method, and what it answers."""
    parts = urlsplit(address)
    target = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
    answer = reader.get(target)
    if answer.status < 400 or (answer.status < 500 and answer.status not in (404, 410)):
        return True, answer.json if answer.status == 200 and ROOT in parts.path else None
    # Actions take other methods than GET, and a path with a wrong number is told apart from one that is no route.
    other = answer.code == "rest_no_route" or target.endswith("/batch")
    return other and bool((reader.options(target).json or {}).get("methods")), None


def test_every_address_that_a_response_names_is_served(site: Stand, filled: Client) -> None:
    index = filled.get("/").json
    plain = sorted(path for path, route in index["routes"].items() if "GET" in route["methods"] and "(?P<" not in path)
    assert len(plain) > 250
    found: dict[str, str] = {}
    for path in plain[1:]:
        for address in named(filled.get(path).json):
            found.setdefault(address, path)
    reader, missing = site.client("admin", root=""), {}
    waiting = sorted(found)
    while waiting:
        address = waiting.pop()
        served, body = is_served(reader, address)
        if not served:
            missing[address] = found[address]
        # What an item of the interface names is looked at too, and no further.
        elif found[address] in plain:
            for more in named(body) - found.keys():
                found[more] = address
                waiting.append(more)
    known = {path: [one for one in missing if re.fullmatch(ORIGIN + path, one)] for path in NOT_SERVED}
    excused = {one for held in known.values() for one in held}
    assert {address: source for address, source in missing.items() if address not in excused} == {}
    assert [path for path, held in known.items() if not held] == []
    assert len(found) > 300
