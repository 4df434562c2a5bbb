"""Everything that responses of the administration link to exists: images and pages."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest
from PIL import Image

from conftest import Answer, Client, Stand, standing
from pages.conftest import PASSWORD, Visitor
from vetrina.access.users import rules as users
from vetrina.settings import load_profile

BRAND = "/en/wp-json"
ROUTES = (
    "/shop-admin/payment-gateway-suggestions?force_default_suggestions=true", "/shop-admin/onboarding/free-extensions",
    "/shop-admin/marketing/recommended?per_page=100", "/shop-admin/marketing/recommendations?category=channels",
    "/shop-admin/shipping-partner-suggestions?force_default_suggestions=true",
    "/shop-admin/marketing/recommendations?category=extensions",
)  # fmt: skip
PICTURES = frozenset({"image", "image_72x72", "image_url", "icon", "thumbnail_url", "square_image"})


def pictures(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for one in value:
            yield from pictures(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            if name in PICTURES and isinstance(one, str):
                yield one
            else:
                yield from pictures(one)


def named(client: Client, words: Any) -> set[str]:
    found: set[str] = set()
    for country in ("US:CA", "IT", "MX", "DE", "AU"):
        words("/shop/v3/settings/general/shop_default_country", {"value": country})
        for route in ROUTES:
            answer = client.get(route)
            assert answer.status == 200, (route, answer.json)
            found |= set(pictures(answer.json))
    return found


def fetched(site: Stand, address: str, method: str = "GET") -> Answer:
    parts = urlsplit(address)
    return site.client(root="").ask(method, parts.path)


@pytest.fixture
def both(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    """A shop that speaks the dialect of existing sites too."""
    profile = msgspec.structs.replace(load_profile("second"), dialects=("neutral", "wordpress"))
    with standing(request, profile, "_shop") as stand:
        yield stand


def test_every_picture_that_is_suggested_is_there(site: Stand, admin: Client) -> None:
    found = named(admin, admin.put)
    assert len(found) > 25
    for address in sorted(found):
        answer = fetched(site, address)
        assert answer.status == 200, address
        assert answer.headers["x-content-type-options"] == "nosniff"
        if address.endswith(".png"):
            assert Image.open(io.BytesIO(answer.content)).size == (72, 72)
            assert answer.headers["content-type"] == "image/png"
        else:
            assert answer.headers["content-type"] == "image/svg+xml"
            assert answer.content.startswith(b"<svg ")
            assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert fetched(site, address, "HEAD").content == b""


def test_pictures_are_there_in_the_words_of_existing_sites(both: Stand) -> None:
    client = both.client("admin", root=BRAND)
    suggested = client.get("/wc-admin/payment-gateway-suggestions?force_default_suggestions=true")
    assert suggested.status == 200, suggested.json
    found = set(pictures(suggested.json))
    assert found
    assert {fetched(both, one).status for one in found} == {200}


@pytest.mark.parametrize("name", ["none.png", "onboarding/../stripe.png", "stripe.png/", "STRIPE.png", ""])
def test_other_pictures_are_not_there(site: Stand, name: str) -> None:
    assert fetched(site, f"http://vetrina.test/cms-content/plugins/shop/assets/images/{name}").status == 404


def test_pages_that_answers_lead_to_are_there(site: Stand, admin: Client) -> None:
    tasks = [task for one in admin.get("/shop-admin/onboarding/tasks").json for task in one["tasks"]]
    found = [
        *(task["actionUrl"] for task in tasks if task["actionUrl"]),
        admin.post("/shop-admin/onboarding/tasks/create_homepage", {}).json["edit_post_link"],
        admin.post("/shop-admin/plugins/connect-shoppay", {}).json["connectUrl"],
    ]
    assert len(found) > 4
    with site.site.work() as work:
        user = users.find_user_by_login(work.tx, "admin")
        assert user is not None
        users.update_user(work, user, password=PASSWORD)
    stranger, owner = Visitor(site), Visitor(site)
    for address in found:
        parts = urlsplit(address)
        led = stranger.get(f"{parts.path}?{parts.query}")
        assert (led.status, led.location.partition("?")[0]) == (302, "/admin/sign-in"), address
        back = parse_qs(urlsplit(led.location).query)["redirect_to"][0]
        shown = owner.get(back) if owner.cookies else owner.follow(owner.sign_in("admin", PASSWORD, back))
        if "shoppay-connect" in address:
            assert (shown.status, "<h1>Administration</h1>" in shown.text) == (200, True), address
        else:
            assert (shown.status, shown.location.startswith("/admin/")) == (302, True), address


@pytest.mark.parametrize(
    "query", ["a=" + "x" * 5000, "redirect_to=https://evil.example", "a[b]=1", "a=%22%3E%3Cscript%3E"]
)
def test_addresses_of_the_administration_lead_nowhere_else(site: Stand, query: str) -> None:
    led = Visitor(site).get(f"/admin/admin.php?{query}")
    assert led.status == 302
    assert led.location.startswith("/admin/sign-in?redirect_to=%2Fadmin%2Fadmin.php")
    assert "<script" not in led.location
