"""Rights in another dialect: batches, method overrides and signatures require the same as in the neutral names."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode

import msgspec
import pytest

from conftest import ACCOUNTS, Client, Stand
from vetrina.access.users import rules as users
from vetrina.settings import Settings, load_profile
from vetrina.shop.keys import rules as keys
from vetrina.site_factory import create_stand_in_site
from vetrina.system.bootstrap import InitialAccount

from .conftest import BRAND

ORIGIN = "http://vetrina.test"
MANAGER = InitialAccount("manager", "shop_manager", "manager@example.org", "manager pass word")


@pytest.fixture
def shop(tmp_path: Any) -> Iterator[Stand]:
    profile = msgspec.structs.replace(load_profile("second"), dialects=("neutral", "wordpress"))
    site = create_stand_in_site(profile, [*ACCOUNTS, MANAGER], tmp_path, Settings(secret="secret of the tests"))
    yield Stand(site)
    site.close()


@pytest.mark.parametrize(
    "target", ["/wc/v3/customers/batch", "/wc/v2/customers/batch", "/wc-analytics/customers/batch"]
)
@pytest.mark.parametrize("by_query", [False, True])
def test_a_batch_of_the_shop_does_not_take_over_an_account(shop: Stand, target: str, by_query: bool) -> None:
    manager = shop.client("manager", root="/en/" if by_query else BRAND)
    path, query = ("", {"rest_route": target}) if by_query else (target, {})
    members = {"update": [{"id": 1, "password": "Pwned-12345", "email": "x@y.example"}], "delete": [1]}
    answer = manager.post(path, members, query=query)
    if target.startswith("/wc-analytics"):
        assert answer.code == "rest_no_route"
    else:
        codes = [one["error"]["code"] for verb in members for one in answer.json[verb]]
        assert codes == ["woocommerce_rest_cannot_edit", "woocommerce_rest_cannot_delete"]
    assert shop.client("admin").get("/cms/v2/users/me").status == 200


@pytest.mark.parametrize("path", ["/wp/v2/posts/{id}", "/wp/v2/posts/{id}?_method=POST", "/WP/v2/posts/{id}"])
@pytest.mark.parametrize("method", ["DELETE", "PUT", "POST"])
def test_a_batch_asks_for_the_same_rights_in_either_name(both: Stand, admin: Client, path: str, method: str) -> None:
    id = admin.post("/cms/v2/posts", {"title": "of the administrator", "status": "publish"}).json["id"]
    contributor = both.client("contributor", root=BRAND)
    member = {"method": method, "path": path.format(id=id), "body": {"title": "other"}}
    alone = contributor.ask(method, f"/wp/v2/posts/{id}", json={"title": "other"})
    for sent in ({}, {"x-http-method-override": "POST"}):
        (one,) = contributor.post("/batch/v1", {"requests": [member]}, headers=sent).json["responses"]
        assert (one["status"], one["body"]["code"]) == (alone.status, alone.code)
    assert alone.status == 403
    assert admin.get(f"/cms/v2/posts/{id}").json["title"]["rendered"] == "of the administrator"


@pytest.mark.parametrize("named", ["?_method=DELETE", "?rest_route=/wp/v2/users", "?_method=GET"])
def test_a_member_is_the_request_that_it_names(both: Stand, admin: Client, named: str) -> None:
    """A method or path override of a single request is just a parameter of a member."""
    id = admin.post("/cms/v2/posts", {"title": "Kept", "status": "publish"}).json["id"]
    member = {"path": f"/wp/v2/posts/{id}{named}", "body": {"title": "Changed"}}
    headers = {"X-HTTP-Method-Override": "DELETE"}
    foreign = both.client("admin", root=BRAND)
    (one,) = foreign.post("/batch/v1", {"requests": [{**member, "headers": headers}]}).json["responses"]
    assert (one["status"], one["body"]["title"]["raw"]) == (200, "Changed")
    assert admin.get(f"/cms/v2/posts/{id}").status == 200


@pytest.mark.parametrize("front", ["", "force=true&", "wpml_language=it&"])
def test_a_signature_covers_what_is_written_in_the_clients_names(shop: Stand, front: str) -> None:
    with shop.site.work() as work:
        admin = users.find_user_by_login(work.tx, "admin")
        assert admin is not None
        _, key, secret = keys.create_consumer_key(work, admin.id, "read_write")
    id = shop.client("admin").post("/shop/v3/products/tags", {"name": "Kept"}).json["id"]
    path = f"/wc/v3/products/tags/{id}"
    own = {
        "description": "signed", "oauth_consumer_key": key, "oauth_nonce": "abc",
        "oauth_signature_method": "HMAC-SHA1", "oauth_timestamp": str(shop.site.context.clock.now()),
    }  # fmt: skip
    joined = "&".join(f"{name}={quote(value, safe='')}" for name, value in sorted(own.items()))
    text = f"PUT&{quote(ORIGIN + BRAND + path, safe='')}&{quote(joined, safe='')}"
    made = base64.b64encode(hmac.new(f"{secret}&".encode(), text.encode(), hashlib.sha1).digest()).decode()
    answer = shop.client(root=BRAND).put(path, query=front + urlencode({**own, "oauth_signature": made}))
    assert answer.status == (401 if front else 200), answer.json
