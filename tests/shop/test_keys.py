"""Consumer keys over HTTP: as Basic credentials, as parameters, as OAuth 1.0a signatures."""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from vetrina.access.users import rules as users
from vetrina.shop.keys import rules as keys

_ORIGIN = "http://vetrina.test"
_PRODUCTS = "/en/cms-json/shop/v3/products"


@pytest.fixture
def key(site: Any) -> tuple[str, str]:
    """A read/write key of the administrator."""
    return _made(site, "read_write")


def _made(site: Any, permissions: str) -> tuple[str, str]:
    with site.site.work() as work:
        admin = users.find_user_by_login(work.tx, "admin")
        assert admin is not None
        _, key, secret = keys.create_consumer_key(work, admin.id, permissions)
    return key, secret


def _basic(pair: tuple[str, str]) -> dict[str, str]:
    return {"authorization": "Basic " + base64.b64encode(":".join(pair).encode()).decode()}


def _signed(pair: tuple[str, str], method: str, now: int, nonce: str = "abc", **query: str) -> dict[str, str]:
    """Return the query of a signed request to the products, as in RFC 5849."""
    return dict(_signed_pairs(pair, method, _PRODUCTS, now, [*query.items()], nonce=nonce))


def _signed_pairs(
    pair: tuple[str, str], method: str, path: str, now: int, sent: list[tuple[str, str]], *,
    nonce: str = "abc", form: list[tuple[str, str]] | None = None, **more: str,
) -> list[tuple[str, str]]:  # fmt: skip
    """Return the query of a signed request; form: pairs of its body. more: further parameters of the signature."""
    own = {
        "oauth_consumer_key": pair[0], "oauth_timestamp": str(now), "oauth_nonce": nonce,
        "oauth_signature_method": "HMAC-SHA256", **more,
    }  # fmt: skip
    told = [*sent, *own.items()]
    named = sorted((quote(name, safe=""), quote(value, safe="")) for name, value in [*told, *(form or ())])
    text = "&".join((method, quote(_ORIGIN + path, safe=""), quote("&".join(f"{a}={b}" for a, b in named), safe="")))
    signature = hmac.new(f"{quote(pair[1], safe='')}&".encode(), text.encode(), hashlib.sha256).digest()
    return [*told, ("oauth_signature", base64.b64encode(signature).decode())]


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
        assert keys.revoke_consumer_key(work, keys.list_consumer_keys(work)[0].id)
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
        from vetrina.backends.tables.taxes_shipping import shop_key

        row = work.tx.first(Statement(select(shop_key.c.digest, shop_key.c.secret)))
    assert key[0] not in row
    assert key[1] not in row[1]
    assert urlencode({"s": key[1]})[2:] not in row[1]


# -- what is verified is what is acted upon

_ROOT = "/en/cms-json"
_REFUSED = (401, "shop_rest_authentication_error")


@pytest.fixture
def tag(admin: Any) -> str:
    """The path of a tag, which is deleted permanently or not at all."""
    return f"/shop/v3/products/tags/{admin.post('/shop/v3/products/tags', {'name': 'Kept'}).json['id']}"


@pytest.mark.parametrize(
    "changed",
    [
        "force=true&{signed}", "{signed}&force=true", " force=true&{signed}", "{signed}&%20force=true",
        "force[]=true&{signed}", "{signed}&force[x]=true", "force.=true&{signed}", "{signed}&FORCE=true",
        "{signed}&_method=DELETE", "{signed}&&force=true",
    ],
)  # fmt: skip
def test_what_was_not_signed_is_not_done(
    anyone: Any, admin: Any, clock: Any, key: tuple[str, str], tag: str, changed: str
) -> None:
    signed = urlencode(_signed_pairs(key, "DELETE", _ROOT + tag, clock.now(), [("force", "false")]))
    answer = anyone.delete(tag, query=changed.format(signed=signed))
    assert (answer.status, answer.code) == _REFUSED
    assert admin.get(tag).status == 200


def test_a_name_that_was_signed_twice_is_read_in_the_order_of_the_signed_text(
    anyone: Any, admin: Any, clock: Any, key: tuple[str, str], tag: str
) -> None:
    """The signature does not say which of two values came last."""
    pairs = _signed_pairs(key, "DELETE", _ROOT + tag, clock.now(), [("force", "true"), ("force", "false")])
    answer = anyone.delete(tag, query=urlencode(pairs))
    assert (answer.status, answer.code) == _REFUSED
    assert "order" in answer.json["message"]
    assert admin.get(tag).status == 200


def test_a_list_is_signed_in_the_order_of_its_numbers(anyone: Any, clock: Any, key: tuple[str, str]) -> None:
    listed = [(f"include[{at}]", str(99 - at)) for at in range(12)]
    signed = _signed_pairs(key, "GET", _PRODUCTS, clock.now(), listed)
    assert anyone.get("/shop/v3/products", query=urlencode(signed)).status == 200
    signed = _signed_pairs(key, "GET", _PRODUCTS, clock.now(), listed, nonce="second")
    signed[0], signed[1] = signed[1], signed[0]
    assert anyone.get("/shop/v3/products", query=urlencode(signed)).status == 401


def test_a_signature_is_not_used_again_under_another_nonce_in_the_header(
    anyone: Any, clock: Any, key: tuple[str, str]
) -> None:
    told = _signed(key, "GET", clock.now())
    assert anyone.get("/shop/v3/products", query=told).status == 200
    other = {**told, "oauth_nonce": "another", "oauth_timestamp": str(clock.now() + 1)}
    header = "OAuth " + ", ".join(f'{name}="{quote(value, safe="")}"' for name, value in other.items())
    again = anyone.get("/shop/v3/products", query=told, headers={"authorization": header})
    assert (again.status, again.code) == _REFUSED


@pytest.mark.parametrize("name", ["oauth_timestamp", "oauth_nonce"])
@pytest.mark.parametrize("value", ["9" * 5000, "1" * 20, "-1", "\u0661", "1e9", "\0", " ", "x" * 300 + "\n"])
def test_a_moment_or_nonce_that_is_none_is_refused(
    anyone: Any, clock: Any, key: tuple[str, str], name: str, value: str
) -> None:
    signed = _signed_pairs(key, "GET", _PRODUCTS, clock.now(), [], **{name: value})
    answer = anyone.get("/shop/v3/products", query=urlencode(signed))
    assert (answer.status, answer.code) == _REFUSED or (name, value) in (("oauth_nonce", "-1"), ("oauth_nonce", "1e9"),
                                                                        ("oauth_nonce", "1" * 20))  # fmt: skip


def test_a_form_is_signed_with_the_address(anyone: Any, clock: Any, key: tuple[str, str]) -> None:
    kind = {"content-type": "application/x-www-form-urlencoded"}
    form = [("name", "Lamp"), ("regular_price", "5")]
    signed = _signed_pairs(key, "POST", _PRODUCTS, clock.now(), [], form=form)
    body = urlencode(form).encode()
    made = anyone.ask("POST", "/shop/v3/products", query=urlencode(signed), body=body, headers=kind)
    assert (made.status, made.json["name"]) == (201, "Lamp")
    for at, other in enumerate(
        (b"name=Lamp&regular_price=6", b"name=Lamp", body + b"&status=draft", b"", b"x=1&" + body)
    ):
        signed = _signed_pairs(key, "POST", _PRODUCTS, clock.now(), [], form=form, nonce=f"n{at}")
        answer = anyone.ask("POST", "/shop/v3/products", query=urlencode(signed), body=other, headers=kind)
        assert (answer.status, answer.code) == _REFUSED, other


def test_a_body_that_is_not_signed_changes_nothing_that_is(
    anyone: Any, admin: Any, clock: Any, key: tuple[str, str], tag: str
) -> None:
    for at, (method, body) in enumerate(
        [("DELETE", {"force": True}), ("DELETE", [1]), ("GET", {"context": "edit"}), ("PUT", {"description": "other"})]
    ):
        sent = [("description", "signed")] if method == "PUT" else []
        signed = _signed_pairs(key, method, _ROOT + tag, clock.now(), sent, nonce=f"n{at}")
        answer = anyone.ask(method, tag, query=urlencode(signed), json=body)
        assert (answer.status, answer.code) == _REFUSED, (method, body)
    signed = _signed_pairs(key, "PUT", _ROOT + tag, clock.now(), [], nonce="json")
    answer = anyone.put(tag, {"description": "as clients do it"}, query=urlencode(signed))
    assert (answer.status, answer.json["description"]) == (200, "as clients do it")
    assert admin.get(tag).json["description"] == "as clients do it"


def test_a_body_that_is_not_signed_leads_nowhere_else(
    anyone: Any, admin: Any, clock: Any, key: tuple[str, str], tag: str
) -> None:
    """An id in the body takes precedence over that of the path, which alone is signed."""
    other = admin.post("/shop/v3/products/tags", {"name": "Other"}).json["id"]
    own = int(tag.rpartition("/")[2])
    for at, (id, status) in enumerate([(other, 401), (str(other), 401), (own, 200), (str(own), 200), (None, 200)]):
        signed = _signed_pairs(key, "PUT", _ROOT + tag, clock.now(), [], nonce=f"n{at}")
        answer = anyone.put(tag, {"id": id, "description": "changed"}, query=urlencode(signed))
        assert (answer.status, answer.code) == (status, _REFUSED[1] if status == 401 else None)
    assert admin.get(f"/shop/v3/products/tags/{other}").json["description"] == ""


def test_a_body_may_be_signed_as_a_whole(anyone: Any, clock: Any, key: tuple[str, str]) -> None:
    body = b'{"name":"Lamp"}'
    hash = base64.b64encode(hashlib.sha256(body).digest()).decode()
    kind = {"content-type": "application/json"}
    for at, (other, status) in enumerate([(body, 201), (b'{"name":"Pwned"}', 401), (b"", 401)]):
        signed = _signed_pairs(key, "POST", _PRODUCTS, clock.now(), [], nonce=f"n{at}", oauth_body_hash=hash)
        answer = anyone.ask("POST", "/shop/v3/products", query=urlencode(signed), body=other, headers=kind)
        assert answer.status == status, other


@pytest.mark.parametrize("sent", [{"x-http-method-override": "DELETE"}, {"x-http-method-override": "delete"}])
def test_another_method_is_another_request(
    anyone: Any, admin: Any, clock: Any, key: tuple[str, str], tag: str, sent: dict[str, str]
) -> None:
    signed = _signed_pairs(key, "POST", _ROOT + tag, clock.now(), [("force", "true")])
    answer = anyone.ask("POST", tag, query=urlencode(signed), headers=sent)
    assert (answer.status, answer.code) == _REFUSED
    assert admin.get(tag).status == 200
