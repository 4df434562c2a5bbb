"""A person connects a program, in a real browser: policies, cookies and redirects as browsers hold to them."""

from __future__ import annotations

import base64
import json
import urllib.error
import urllib.request
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

PAGE = "/admin/authorize-application.php"


def asked(served, **members: str) -> str:
    return f"{served.root}{PAGE}?{urlencode({'app_name': 'My app', **members})}"


def signed_in(tab, served, password: str = "") -> None:
    tab.get_by_label("User name or e-mail address").fill(served.login)
    tab.get_by_label("Password").fill(password or served.password)
    tab.get_by_role("button", name="Sign in").click()


def me(served, login: str, password: str) -> dict[str, object]:
    pair = base64.b64encode(f"{login}:{password}".encode()).decode()
    request = urllib.request.Request(
        f"{served.root}/cms-json/cms/v2/users/me", headers={"Authorization": f"Basic {pair}"}
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def test_sign_in_approve_and_use_the_password(tab, served, program):
    tab.goto(asked(served, success_url=f"{program.root}/back?state=7"))
    signed_in(tab, served)
    assert tab.get_by_role("heading", level=1).inner_text() == "Connect an application"
    tab.get_by_role("button", name="Yes, connect it").click()
    tab.wait_for_url(f"{program.root}/back**")
    told = parse_qs(urlsplit(next(path for path in program.called if path.startswith("/back"))).query)
    assert (told["state"], told["site_url"]) == (["7"], [served.root])
    assert me(served, told["user_login"][0], told["password"][0])["name"] == "admin"


def test_without_an_address_the_password_is_on_the_page(tab, served):
    tab.goto(asked(served))
    signed_in(tab, served)
    tab.get_by_role("button", name="Yes, connect it").click()
    password = tab.locator("#application-password").inner_text()
    assert me(served, served.login, password)["name"] == "admin"
    assert not tab.refused


def test_reject(tab, served, program):
    tab.goto(asked(served, success_url=f"{program.root}/back", reject_url=f"{program.root}/no"))
    signed_in(tab, served)
    tab.get_by_role("button", name="No, refuse").click()
    tab.wait_for_url(f"{program.root}/no")
    assert not any("password" in path for path in program.called)


def test_a_wrong_password_is_told_and_gives_nothing(tab, served, program):
    tab.goto(asked(served, success_url=f"{program.root}/back"))
    signed_in(tab, served, "wrong")
    assert tab.get_by_role("alert").inner_text() == "The user name or the password is wrong."
    assert tab.get_by_label("User name or e-mail address").input_value() == served.login
    assert tab.context.cookies()[0]["name"] == "cms_form"
    assert len(tab.context.cookies()) == 1


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "http://evil.example/", "https://good.example@evil.example/"]
)
def test_a_forged_address_is_refused(tab, served, address):
    answer = tab.goto(asked(served, success_url=address))
    assert answer.status == 400
    assert "cannot be used" in tab.get_by_role("heading", level=1).inner_text()
    assert tab.get_by_role("button").count() == 0


def test_an_address_that_was_changed_in_the_form_is_refused(tab, served, program):
    tab.goto(asked(served, success_url=f"{program.root}/back"))
    signed_in(tab, served)
    tab.wait_for_selector("input[name=success_url]", state="attached")
    tab.eval_on_selector("input[name=success_url]", f"field => field.value = '{program.root}/other'")
    tab.get_by_role("button", name="Yes, connect it").click()
    assert "comes from another site" in tab.get_by_role("alert").inner_text()
    assert not program.called


def test_a_session_and_its_nonce_call_the_interface(tab, served):
    tab.goto(f"{served.root}/admin/sign-in")
    signed_in(tab, served)
    tab.wait_for_url(f"{served.root}/")
    assert "Signed in as admin" in tab.get_by_role("contentinfo").inner_text()
    nonce = tab.request.get(f"{served.root}/admin/nonce").text()
    address = f"{served.root}/cms-json/cms/v2/users/me"
    assert tab.request.get(address).status == 401
    assert tab.request.get(address, headers={"X-CMS-Nonce": nonce}).status == 200
    tab.get_by_role("link", name="Sign out").click()
    tab.get_by_role("button", name="Sign out").click()
    tab.wait_for_url(f"{served.root}/")
    assert tab.request.get(address, headers={"X-CMS-Nonce": nonce}).status == 403
