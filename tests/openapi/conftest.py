"""A test site with both dialects and a record of several kinds, and requests for its documents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from conftest import ACCOUNTS, Client, Stand
from vetrina.settings import Settings, load_profile
from vetrina.site_factory import create_stand_in_site
from vetrina.system.bootstrap import InitialAccount


def filled(folder: Path, profile: str = "first") -> Stand:
    """Return a test site with both dialects and a record of several kinds."""
    spoken = msgspec.structs.replace(load_profile(profile), dialects=("neutral", "wordpress"))
    of_shops = [role for role in ("customer", "shop_manager") if role in spoken.roles]
    more = [InitialAccount(role, role, f"{role}@example.org", f"{role} pass word") for role in of_shops]
    stand = Stand(create_stand_in_site(spoken, [*ACCOUNTS, *more], folder, Settings()))
    admin = stand.client("admin")
    post = admin.post("/cms/v2/posts", {"title": "x", "status": "publish"}).json["id"]
    for base, body in (
        ("pages", {"title": "x", "status": "publish"}), ("blocks", {"title": "x", "content": "y", "status": "publish"}),
        ("categories", {"name": "x"}), ("tags", {"name": "x"}), ("comments", {"post": post, "content": "x"}),
        ("menus", {"name": "x"}),
    ):  # fmt: skip
        answer = admin.post(f"/cms/v2/{base}", body)
        assert answer.status == 201, answer.json
    if of_shops:
        _fill_shop(admin)
    return stand


def _fill_shop(admin: Client) -> None:
    """Create something of each kind in the shop, so that its lists are not empty."""
    made_one: dict[str, int] = {}
    for base, body in (
        ("products", {"name": "x", "regular_price": "10", "type": "variable", "attributes": _CHOICE}),
        ("customers", {"email": "buyer@example.org", "username": "buyer"}), ("coupons", {"code": "x", "amount": "5"}),
        ("taxes", {"country": "IT", "rate": "22"}), ("shipping/zones", {"name": "x"}),
        ("products/categories", {"name": "x"}), ("products/tags", {"name": "x"}),
        ("products/attributes", {"name": "x"}),
        ("webhooks", {"topic": "order.created", "delivery_url": "https://example.org/"}),
    ):  # fmt: skip
        answer = admin.post(f"/shop/v3/{base}", body)
        assert answer.status == 201, answer.json
        made_one[base] = answer.json["id"]
    product = made_one["products"]
    variation = {"regular_price": "9", "attributes": [{"name": "size", "option": "one"}]}
    review = {"product_id": product, "review": "x", "reviewer": "x", "reviewer_email": "x@example.org", "rating": 5}
    ordered = {"status": "completed", "line_items": [{"product_id": product, "quantity": 2}]}
    for path, body in (
        (f"products/{product}/variations", variation), ("products/reviews", review), ("orders", ordered),
    ):  # fmt: skip
        answer = admin.post(f"/shop/v3/{path}", body)
        assert answer.status == 201, answer.json
    order = answer.json["id"]
    for part, body in (("notes", {"note": "x"}), ("refunds", {"amount": "1", "api_refund": False})):
        assert admin.post(f"/shop/v3/orders/{order}/{part}", body).status == 201


_CHOICE = [{"name": "size", "options": ["one", "two"], "variation": True}]


@pytest.fixture(scope="module")
def stand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stand]:
    stand = filled(tmp_path_factory.mktemp("papers"))
    yield stand
    stand.site.close()


@pytest.fixture
def fresh(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Stand]:
    """A site that a test may wear out; its profile is the parameter."""
    stand = filled(tmp_path, getattr(request, "param", "first"))
    yield stand
    stand.site.close()


@pytest.fixture
def outside(stand: Stand) -> Client:
    """An anonymous client for URLs outside the interface's roots."""
    return Client(stand.site, root="")
