"""The block that signs in or out, on the pages of a site without a shop."""

from __future__ import annotations

import pytest

from conftest import ORIGIN

from .conftest import PASSWORD

PAGE = "/en/a-page/"


@pytest.fixture
def show(write):
    """Store a page with the block, with these attributes."""

    def stored(attributes=""):
        write("pages", title="A page", slug="a-page", content=f"<!-- wp:loginout {attributes} /-->")

    return stored


def test_a_link_leads_to_the_sites_own_page_and_back(visitor, show):
    show()
    shown = visitor.get(PAGE)
    assert f'href="{ORIGIN}/admin/sign-in?redirect_to=%2Fen%2Fa-page%2F">Log in</a>' in shown.text
    assert shown.headers["cache-control"] != "no-store"
    assert visitor.sign_in(back=PAGE).location == PAGE
    assert f'<a href="{ORIGIN}/admin/sign-out">Log out</a>' in visitor.get(PAGE).text


def test_a_link_may_lead_back_to_nowhere(visitor, show):
    show('{"redirectToCurrent":false}')
    assert f'href="{ORIGIN}/admin/sign-in">Log in</a>' in visitor.get(PAGE).text


def test_the_form_signs_in_on_its_page(visitor, show):
    show('{"displayLoginAsForm":true}')
    shown = visitor.get(PAGE)
    assert shown.headers["cache-control"] != "no-store"
    assert (shown.text.count('type="password"'), "set-cookie" in shown.headers) == (1, False)
    sent = {"_form": "sign-in", "redirect_to": PAGE, "login": "author", "password": PASSWORD}
    assert visitor.post(PAGE, sent, origin="https://evil.example").status == 403
    wrong = visitor.post(PAGE, {**sent, "password": "a guess"}, origin=ORIGIN)
    assert (wrong.status, wrong.headers["cache-control"]) == (403, "no-store")
    assert ('role="alert"' in wrong.text, 'value="author"' in wrong.text) == (True, True)
    assert visitor.post(PAGE, sent, origin=ORIGIN).location == f"{ORIGIN}{PAGE}"
    assert "Log out" in visitor.get(PAGE).text


def test_signing_in_is_slowed_there_as_elsewhere(house, visitor, show):
    show('{"displayLoginAsForm":true}')
    for guess in range(house.site.context.profile.limits.sign_in_failures):
        sent = {"_form": "sign-in", "login": "author", "password": f"guess {guess}"}
        assert visitor.post(PAGE, sent, origin=ORIGIN).status == 403
    refused = visitor.post(PAGE, {"_form": "sign-in", "login": "author", "password": PASSWORD}, origin=ORIGIN)
    assert (refused.status, refused.headers["retry-after"].isdecimal()) == (429, True)
    assert visitor.sign_in().status == 429
