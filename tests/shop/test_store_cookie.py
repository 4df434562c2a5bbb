"""A browser's cart: its page sends a cookie and `Nonce`, never `Cart-Token`."""

from __future__ import annotations

from http.cookies import SimpleCookie
from typing import Any

from conftest import Answer, Client, SetClock, Stand
from vetrina.shop.cart import tokens

from .store import STORE, Visitor, sold


class Browser:
    """Stores cookies, and sends them back with the nonce of the last response."""

    def __init__(self, client: Client) -> None:
        self.client, self.cookies, self.nonce = client, dict[str, str](), ""

    def ask(self, method: str, path: str, json: Any = None, *, nonce: bool = True) -> Answer:
        headers = {"cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if nonce:
            headers["nonce"] = self.nonce
        answer = self.client.ask(method, STORE + path, json=json, headers=headers)
        self.nonce = answer.headers.get("nonce", self.nonce)
        for name, one in SimpleCookie(answer.headers.get("set-cookie", "")).items():
            self.cookies[name] = one.value
        return answer

    def names(self) -> list[str]:
        return [line["name"] for line in self.ask("GET", "/cart").json["items"]]


def test_a_browser_keeps_its_cart_by_a_cookie(site: Stand, manager: Client) -> None:
    id, one, other = sold(manager), Browser(site.client()), Browser(site.client())
    first = one.ask("GET", "/cart")
    morsel = SimpleCookie(first.headers["set-cookie"])["cms_cart"]
    assert (morsel["httponly"], morsel["samesite"], morsel["path"]) == (True, "Lax", "/")
    assert int(morsel["max-age"]) == tokens.TOKEN_LIFETIME
    assert morsel.value == first.headers["cart-token"]
    assert one.ask("POST", "/cart/add-item", {"id": id, "quantity": 2}).status == 201
    assert (one.names(), other.names()) == (["Cup"], [])
    # The same cookie is not sent again.
    assert "set-cookie" not in one.ask("GET", "/cart").headers


def test_a_cookie_names_a_cart_and_proves_nothing(site: Stand, manager: Client) -> None:
    id, one = sold(manager), Browser(site.client())
    one.ask("GET", "/cart")
    answer = one.ask("POST", "/cart/add-item", {"id": id}, nonce=False)
    assert (answer.status, answer.code) == (401, "shop_rest_missing_nonce")
    assert one.names() == []


def test_a_token_goes_before_a_cookie(site: Stand, manager: Client) -> None:
    id, one, visitor = sold(manager), Browser(site.client()), Visitor(site)
    one.ask("GET", "/cart")
    visitor.add(id)
    headers = {"cookie": f"cms_cart={one.cookies['cms_cart']}", **visitor.headers}
    answer = site.client().get(f"{STORE}/cart", headers=headers)
    assert [line["name"] for line in answer.json["items"]] == ["Cup"]
    assert "set-cookie" not in answer.headers


def test_a_cookie_of_nobody_is_as_none_however_often_it_comes(site: Stand, manager: Client, clock: SetClock) -> None:
    id, one = sold(manager), Browser(site.client())
    for at in range(60):
        one.cookies["cms_cart"] = f"a.b.{at}"
        assert one.ask("GET", "/cart").status == 200
    clock.forward(60)  # neither wrong nor right guesses are remembered that long
    assert one.ask("POST", "/cart/add-item", {"id": id}).status == 201
    assert one.names() == ["Cup"]


def test_a_stale_cookie_is_as_none(site: Stand, manager: Client, clock: SetClock) -> None:
    id, one = sold(manager), Browser(site.client())
    one.ask("GET", "/cart")
    one.ask("POST", "/cart/add-item", {"id": id})
    clock.forward(tokens.TOKEN_LIFETIME + 3601)
    assert one.ask("GET", "/cart").json["items"] == []


def test_who_signs_in_takes_the_cart_of_the_cookie_along(site: Stand, manager: Client) -> None:
    id, one = sold(manager), Browser(site.client())
    one.ask("GET", "/cart")
    one.ask("POST", "/cart/add-item", {"id": id})
    one.client = site.client("customer")
    assert one.names() == ["Cup"]
    assert "set-cookie" not in one.ask("GET", "/cart").headers


def test_members_of_a_batch_are_about_the_cart_of_the_whole(site: Stand, manager: Client) -> None:
    id, one = sold(manager), Browser(site.client())
    one.nonce = Browser(site.client()).ask("GET", "/cart").headers["nonce"]
    add = {"method": "POST", "path": f"{STORE}/cart/add-item", "body": {"id": id, "quantity": 1}}
    # There was no cart before: all members get the same one, which the browser then keeps.
    answer = one.ask("POST", "/batch", {"requests": [add, add]})
    assert [each["status"] for each in answer.json["responses"]] == [201, 201]
    assert one.ask("GET", "/cart").json["items"][0]["quantity"] == 2


def test_a_token_of_the_whole_holds_for_members_with_headers_of_their_own(site: Stand, manager: Client) -> None:
    id, visitor = sold(manager), Visitor(site)
    nonce = visitor.get("/cart").headers["nonce"]
    add = {
        "method": "POST", "path": f"{STORE}/cart/add-item", "body": {"id": id}, "headers": {"Nonce": nonce},
    }  # fmt: skip
    assert visitor.post("/batch", {"requests": [add]}).json["responses"][0]["status"] == 201
    assert [line["name"] for line in visitor.get("/cart").json["items"]] == ["Cup"]
