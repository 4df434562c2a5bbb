"""Consumer keys over HTTP: as Basic credentials, as parameters, as OAuth 1.0a signatures."""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from vetrina.domain.access import users
from vetrina.domain.shop import keys

_ORIGIN = "http://vetrina.test"
_PRODUCTS = "/en/cms-json/shop/v3/products"


@pytest.fixture
def key(site: Any) -> tuple[str, str]:
    """A key that may read and write, of the administrator."""
    return _made(site, "read_write")


def _made(site: Any, permissions: str) -> tuple[str, str]:
    with site.site.work() as work:
        admin = users.by_login_or_email(work.tx, "admin")
        assert admin is not None
        _, key, secret = keys.create(work, admin.id, permissions)
    return key, secret


def _basic(pair: tuple[str, str]) -> dict[str, str]:
    return {"authorization": "Basic " + base64.b64encode(":".join(pair).encode()).decode()}


def _signed(pair: tuple[str, str], method: str, now: int, nonce: str = "abc", **query: str) -> dict[str, str]:
    """Return the query of a signed request, as RFC 5849 makes it."""
    told = {
        **query, "oauth_consumer_key": pair[0], "oauth_timestamp": str(now), "oauth_nonce": nonce,
        "oauth_signature_method": "HMAC-SHA256",
    }  # fmt: skip
    named = sorted((quote(name, safe=""), quote(value, safe="")) for name, value in told.items())
    text = "&".join(
        (method, quote(_ORIGIN + _PRODUCTS, safe=""), quote("&".join(f"{a}={b}" for a, b in named), safe=""))
    )
    signature = hmac.new(f"{quote(pair[1], safe='')}&".encode(), text.encode(), hashlib.sha256).digest()
    return {**told, "oauth_signature": base64.b64encode(signature).decode()}


def test_a_key_signs_in_as_basic_credentials(site: Any, anyone: Any, key: tuple[str, str]) -> None:
    assert anyone.get("/shop/v3/products", headers=_basic(key)).status == 200
    wrong = anyone.get("/shop/v3/products", headers=_basic((key[0], "cs_wrong")))
    assert (wrong.status, wrong.code) == (401, "shop_rest_authentication_error")


def test_a_key_holds_on_the_shops_routes_only(anyone: Any, key: tuple[str, str]) -> None:
    assert anyone.get("/cms/v2/users/me", headers=_basic(key)).status == 401


def test_a_key_in_the_query_is_not_answered_from_what_is_kept(site: Any, anyone: Any, key: tuple[str, str]) -> None:
    query = {"consumer_key": key[0], "consumer_secret": key[1]}
    assert anyone.get("/shop/v3/products", query=query).status == 200
    with site.site.work() as work:
        assert keys.revoke(work, keys.listed(work)[0].id)
    assert anyone.get("/shop/v3/products", query=query).status == 401


def test_a_key_may_read_or_write_or_both(site: Any, anyone: Any) -> None:
    read, write = _basic(_made(site, "read")), _basic(_made(site, "write"))
    assert anyone.get("/shop/v3/products", headers=read).status == 200
    assert anyone.post("/shop/v3/products", {"name": "Lamp"}, headers=read).code == "shop_rest_authentication_error"
    assert anyone.post("/shop/v3/products", {"name": "Lamp"}, headers=write).status == 201
    assert anyone.get("/shop/v3/products", headers=write).status == 401


def test_a_signature_signs_in_once(anyone: Any, clock: Any, key: tuple[str, str]) -> None:
    query = _signed(key, "GET", clock.now(), per_page="5", search="a b")
    assert anyone.get("/shop/v3/products", query=query).status == 200
    again = anyone.get("/shop/v3/products", query=query)
    assert (again.status, again.code) == (401, "shop_rest_authentication_error")


def test_parameters_that_are_written_twice_may_be_signed_once(anyone: Any, clock: Any, key: tuple[str, str]) -> None:
    query = _signed(key, "GET", clock.now(), per_page="5", search="a b")
    text = urlencode({"per_page": "5", "search": "a b"}) + "&" + urlencode(query)
    assert anyone.get("/shop/v3/products", query=text).status == 200
    other = _signed(key, "GET", clock.now(), nonce="other", per_page="5")
    assert anyone.get("/shop/v3/products", query=urlencode(other) + "&per_page=6").status == 401


@pytest.mark.parametrize("change", ["oauth_signature", "oauth_nonce", "per_page", "oauth_consumer_key"])
def test_a_signature_that_was_tampered_with_is_refused(
    anyone: Any, clock: Any, key: tuple[str, str], change: str
) -> None:
    query = _signed(key, "GET", clock.now(), per_page="5")
    query[change] = {"per_page": "6"}.get(change, query[change] + "x")
    assert anyone.get("/shop/v3/products", query=query).status == 401


@pytest.mark.parametrize("off", [-1000, 1000])
def test_a_signature_is_made_now(anyone: Any, clock: Any, key: tuple[str, str], off: int) -> None:
    assert anyone.get("/shop/v3/products", query=_signed(key, "GET", clock.now() + off)).status == 401


def test_a_signature_may_stand_in_the_header(anyone: Any, clock: Any, key: tuple[str, str]) -> None:
    told = _signed(key, "GET", clock.now(), nonce="header")
    header = "OAuth " + ", ".join(f'{name}="{quote(value, safe="")}"' for name, value in told.items())
    assert anyone.get("/shop/v3/products", headers={"authorization": header}).status == 200


def test_a_secret_does_not_lie_open_in_the_database(site: Any, key: tuple[str, str]) -> None:
    with site.site.work(read=True) as work:
        from sqlalchemy import select

        from vetrina.backends.database import Statement
        from vetrina.backends.tables_shop import shop_key

        row = work.tx.first(Statement(select(shop_key.c.digest, shop_key.c.secret)))
    assert key[0] not in row
    assert key[1] not in row[1]
    assert urlencode({"s": key[1]})[2:] not in row[1]
