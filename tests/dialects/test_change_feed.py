"""The change feed in the other dialect: its URLs lead into every namespace of it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from conftest import Client, Stand, standing
from vetrina.settings import load_profile

from .conftest import BRAND


@pytest.fixture
def shop(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    with standing(request, msgspec.structs.replace(load_profile("second"), dialects=("neutral", "wordpress"))) as stand:
        yield stand


def list_urls(client: Client, feed: str, since: int) -> set[str]:
    """Return the URLs of what changed after a cursor."""
    entries = client.get(feed, query={"since": since}).json["changes"]
    return {one["href"] for one in entries if one["href"]}


def test_urls_of_the_shop_are_in_the_dialect_too(shop: Stand) -> None:
    foreign, admin = shop.client("admin", root=BRAND), shop.client("admin")
    since = foreign.get("/wp/v2/changes").json["next"]
    product = foreign.post("/wc/v3/products", {"name": "Lamp", "regular_price": "5"}).json["id"]
    order = foreign.post("/wc/v3/orders", {"line_items": [{"product_id": product}]}).json["id"]
    post = foreign.post("/wp/v2/posts", {"title": "Lamps", "status": "publish"}).json["id"]
    own = {f"/wc/v3/products/{product}", f"/wc/v3/orders/{order}", f"/wp/v2/posts/{post}"}
    urls = list_urls(foreign, "/wp/v2/changes", since)
    assert {f"http://vetrina.test{BRAND}{path}" for path in own} <= urls
    assert all(foreign.get(url.partition(BRAND)[2]).status == 200 for url in urls)
    neutral = list_urls(admin, "/cms/v2/changes", since)
    assert f"http://vetrina.test{admin.root}/shop/v3/orders/{order}" in neutral
