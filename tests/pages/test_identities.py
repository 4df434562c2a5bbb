"""Accounts of providers at the own account: connected, listed, removed; and where people find the providers."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

import pytest

from conftest import ORIGIN, Stand
from identity_provider import CLIENT, IdentityProvider
from vetrina.access.users import rules as users

from .conftest import Page, Visitor
from .test_single_sign_on import (
    BEGIN,
    account_of,
    came_back,
    configured,
    is_signed_in,
    local,
    provider as provider,
    stand as stand,
    words as words,
)

IDENTITIES = "/en/cms-json/access/v1/identities"
LINK = f"{BEGIN}?link=1"


def interface(visitor: Visitor, method: str, path: str) -> Any:
    """Ask the interface as the browser's session; the answer's JSON, with its status."""
    import orjson

    nonce = visitor.get("/admin/nonce")
    headers = {"x-cms-nonce": nonce.text} if nonce.status == 200 else {}
    page = visitor.ask(method, path, **headers)
    return page.status, orjson.loads(page.content)


def signed_in(stand: Stand, login: str = "editor") -> Visitor:
    visitor = Visitor(stand)
    with stand.site.work() as work:
        user = users.find_user_by_login(work.tx, login)
        assert user is not None
        users.update_user(work, user, password="a word that people keep")
    assert visitor.sign_in(login, "a word that people keep").status == 303
    return visitor


def confirmed(visitor: Visitor) -> str:
    """Return the address of the link on the page that asks whether to connect the provider."""
    page = visitor.get(LINK)
    assert page.status == 200, page.text
    found = page.text.partition('<a href="?')[2].partition('"')[0].replace("&amp;", "&")
    assert "_cmsnonce=" in found
    return f"{BEGIN}?{found}"


def connected(visitor: Visitor, provider: IdentityProvider) -> Page:
    return visitor.get(local(provider.authorize(visitor.get(confirmed(visitor)).location)))


@pytest.mark.every_database
def test_an_account_is_connected_and_signs_in_by_the_provider(stand: Stand, provider: IdentityProvider) -> None:
    visitor = signed_in(stand)
    assert interface(visitor, "GET", IDENTITIES) == (200, [])
    page = connected(visitor, provider)
    assert (page.status, "The House is connected" in page.text) == (200, True)
    user = account_of(stand)
    assert user is not None
    assert (user.login, user.roles) == ("editor", ("editor",))
    other = Visitor(stand)
    assert came_back(other, provider).location == "/admin/"
    status, [one] = interface(other, "GET", IDENTITIES)
    assert (status, one["provider"], one["label"], one["email"]) == (200, "house", "The House", "ada@example.com")
    assert one["made_account"] is False
    assert "ada-1" not in str(one)
    # Twice is once.
    assert connected(visitor, provider).status == 200
    assert len(interface(visitor, "GET", IDENTITIES)[1]) == 1


def test_connecting_needs_a_session_its_nonce_and_the_same_person(stand: Stand, provider: IdentityProvider) -> None:
    assert Visitor(stand).get(LINK).location == f"/admin/sign-in?redirect_to={quote(f'{LINK}&redirect_to=', safe='')}"
    visitor = signed_in(stand)
    assert visitor.get(f"{LINK}&_cmsnonce=forged").status == 200
    # The nonce of the interface is another one, and another session's, too.
    assert visitor.get(f"{LINK}&_cmsnonce={visitor.get('/admin/nonce').text}").status == 200
    assert signed_in(stand, "author").get(confirmed(visitor)).status == 200
    address = local(provider.authorize(visitor.get(confirmed(visitor)).location))
    other = signed_in(stand, "author")
    visitor.cookies["cms_session"] = other.cookies["cms_session"]
    page = visitor.get(address)
    assert (page.status, "Nothing was connected" in page.text, account_of(stand)) == (403, True, None)
    address = local(provider.authorize(other.get(confirmed(other)).location))
    del other.cookies["cms_session"]
    assert other.get(address).status == 403


def test_an_identity_belongs_to_one_account(stand: Stand, provider: IdentityProvider) -> None:
    assert connected(signed_in(stand), provider).status == 200
    page = connected(signed_in(stand, "author"), provider)
    assert (page.status, "another account of this site" in page.text) == (409, True)
    user = account_of(stand)
    assert user is not None
    assert user.login == "editor"


def test_the_last_way_in_stays(stand: Stand, provider: IdentityProvider) -> None:
    visitor = Visitor(stand)
    came_back(visitor, provider)
    _, [one] = interface(visitor, "GET", IDENTITIES)
    assert one["made_account"] is True
    status, refused = interface(visitor, "DELETE", f"{IDENTITIES}/{one['id']}")
    assert (status, refused["code"]) == (409, "rest_last_way_in")
    provider.person = {**provider.person, "sub": "ada-2"}
    assert connected(visitor, provider).status == 200
    status, gone = interface(visitor, "DELETE", f"{IDENTITIES}/{one['id']}")
    assert (status, gone["deleted"], gone["previous"]["id"]) == (200, True, one["id"])
    [left] = interface(visitor, "GET", IDENTITIES)[1]
    assert interface(visitor, "DELETE", f"{IDENTITIES}/{left['id']}")[0] == 409
    with_password = signed_in(stand, "ada")
    assert interface(with_password, "DELETE", f"{IDENTITIES}/{left['id']}")[0] == 200
    # Who was removed is a stranger with a taken address.
    assert came_back(Visitor(stand), provider).status == 409


def test_identities_of_others_are_nobodys_business(stand: Stand, provider: IdentityProvider) -> None:
    visitor = signed_in(stand)
    connected(visitor, provider)
    [one] = interface(visitor, "GET", IDENTITIES)[1]
    other = signed_in(stand, "admin")
    assert interface(other, "GET", IDENTITIES) == (200, [])
    assert interface(other, "DELETE", f"{IDENTITIES}/{one['id']}")[0] == 404
    assert interface(Visitor(stand), "GET", IDENTITIES)[0] == 401
    assert interface(Visitor(stand), "DELETE", f"{IDENTITIES}/{one['id']}")[0] == 401
    with stand.site.work() as work:
        user = users.find_user_by_login(work.tx, "editor")
        assert user is not None
        users.delete_user(work, user)
    assert account_of(stand) is None


def test_everybody_sees_which_providers_there_are(stand: Stand) -> None:
    status, found = interface(Visitor(stand), "GET", "/en/cms-json/access/v1/providers")
    assert (status, found) == (200, [{"name": "house", "label": "The House", "url": f"{ORIGIN}{BEGIN}"}])


def test_the_forms_lead_to_each_provider(stand: Stand) -> None:
    page = Visitor(stand).get("/admin/sign-in?redirect_to=%2Fit%2Fnotizie")
    assert f'href="{BEGIN}?redirect_to=%2Fit%2Fnotizie"' in page.text
    assert "Sign in with The House" in page.text
    posted = stand.client("editor").post(
        "/cms/v2/pages", {"status": "publish", "title": "Members", "slug": "members",
                          "content": '<!-- wp:loginout {"displayLoginAsForm":true} /-->'},
    )  # fmt: skip
    assert posted.status == 201
    shown = Visitor(stand).get(urlsplit(posted.json["link"]).path)
    assert f'href="{ORIGIN}{BEGIN}?redirect_to=' in shown.text
    assert "Accedi con The House" in Visitor(stand).get("/admin/sign-in", **{"accept-language": "it"}).text


def test_without_providers_the_forms_are_as_they_were(site: Stand) -> None:
    page = Visitor(site).get("/admin/sign-in")
    assert "<nav" not in page.text
    assert interface(Visitor(site), "GET", "/en/cms-json/access/v1/providers") == (200, [])


@configured(sign_out_there=True)
def test_signing_out_ends_the_session_of_the_provider_if_the_profile_wants_that(
    stand: Stand, provider: IdentityProvider
) -> None:
    visitor = Visitor(stand)
    came_back(visitor, provider)
    form = visitor.get("/admin/sign-out")
    assert f"form-action 'self' {provider.url}" in form.headers["content-security-policy"]
    left = visitor.post("/admin/sign-out", form.form)
    address, _, query = left.location.partition("?")
    assert address == f"{provider.url}/end"
    assert dict(parse_qsl(query)) == {"client_id": CLIENT, "post_logout_redirect_uri": f"{ORIGIN}/"}
    assert not is_signed_in(visitor)
    # Who signs in with a password afterwards is led home.
    again = signed_in(stand)
    assert again.post("/admin/sign-out", again.get("/admin/sign-out").form).location == "/"


def test_signing_out_stays_here_otherwise(stand: Stand, provider: IdentityProvider) -> None:
    visitor = Visitor(stand)
    came_back(visitor, provider)
    form = visitor.get("/admin/sign-out")
    assert provider.url not in form.headers["content-security-policy"]
    assert visitor.post("/admin/sign-out", form.form).location == "/"
