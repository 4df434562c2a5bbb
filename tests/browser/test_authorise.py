"""A user authorizes an application in a real browser, with its policies, cookies and redirects."""

from __future__ import annotations

import base64
import json
import urllib.request
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import expect

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
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def test_sign_in_approve_and_use_the_password(tab, served, program):
    tab.goto(asked(served, success_url=f"{program.root}/back?state=7"))
    signed_in(tab, served)
    expect(tab.get_by_role("heading", level=1)).to_have_text("Connect an application")
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
    expect(tab.get_by_role("alert")).to_have_text("The user name or the password is wrong.")
    expect(tab.get_by_label("User name or e-mail address")).to_have_value(served.login)
    assert tab.context.cookies()[0]["name"] == "cms_form"
    assert len(tab.context.cookies()) == 1


@pytest.mark.parametrize("member", ["success_url", "reject_url"])
@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "http://evil.example/", "https://good.example@evil.example/", "https://a:b@evil.example/",
     "//evil.example/", "data:text/html,<b>x</b>", "https:evil.example"],
)  # fmt: skip
def test_a_forged_address_is_refused(tab, served, member, address):
    answer = tab.goto(asked(served, **{member: address}))
    assert answer.status == 400
    expect(tab.get_by_role("heading", level=1)).to_contain_text("cannot be used")
    expect(tab.get_by_role("button")).to_have_count(0)


def test_an_address_that_was_changed_in_the_form_is_refused(tab, served, program):
    tab.goto(asked(served, success_url=f"{program.root}/back"))
    signed_in(tab, served)
    tab.wait_for_selector("input[name=success_url]", state="attached")
    tab.eval_on_selector("input[name=success_url]", f"field => field.value = '{program.root}/other'")
    tab.get_by_role("button", name="Yes, connect it").click()
    expect(tab.get_by_role("alert")).to_contain_text("comes from another site")
    assert not program.called


def test_a_session_and_its_nonce_call_the_interface(tab, served):
    tab.goto(f"{served.root}/admin/sign-in?redirect_to=/")
    signed_in(tab, served)
    tab.wait_for_url(f"{served.root}/")
    expect(tab.get_by_text("Signed in as admin")).to_be_visible()
    nonce = tab.request.get(f"{served.root}/admin/nonce").text()
    address = f"{served.root}/cms-json/cms/v2/users/me"
    assert tab.request.get(address).status == 401
    assert tab.request.get(address, headers={"X-CMS-Nonce": nonce}).status == 200
    tab.get_by_role("link", name="Sign out").click()
    tab.get_by_role("button", name="Sign out").click()
    tab.wait_for_url(f"{served.root}/")
    expect(tab.get_by_text("Signed in as admin")).to_have_count(0)
    assert tab.request.get(address, headers={"X-CMS-Nonce": nonce}).status == 403


def test_another_site_cannot_approve_for_somebody(tab, served, program):
    """Its form comes without the session's nonce, and the browser sends no cookie with it."""
    tab.goto(asked(served))
    signed_in(tab, served)
    tab.get_by_role("heading", name="Connect an application").wait_for()
    fields = {"app_name": "x", "success_url": f"{program.root}/back", "decision": "approve", "_cmsnonce": "0" * 20}
    inputs = "".join(f'<input name="{name}" value="{value}">' for name, value in fields.items())
    program.pages["/forged"] = f'<form method="post" action="{served.root}{PAGE}">{inputs}<button>win</button></form>'
    tab.goto(f"{program.root}/forged")
    tab.get_by_role("button", name="win").click()
    tab.wait_for_url(f"{served.root}/**")
    expect(tab.get_by_role("button", name="Sign in").or_(tab.get_by_role("alert")).first).to_be_visible()
    assert not any(path.startswith("/back") for path in program.called)


@pytest.mark.parametrize("path", ["/admin/authorize-application.php", "/admin/sign-in", "/admin/sign-out"])
def test_no_other_site_frames_what_asks(tab, served, program, path):
    program.pages["/frame"] = f'<iframe src="{served.root}{path}"></iframe>'
    tab.goto(f"{program.root}/frame")
    tab.wait_for_function("() => document.querySelector('iframe').contentWindow !== null")
    tab.wait_for_timeout(300)
    framed = [frame for frame in tab.frames if frame != tab.main_frame]
    assert [frame.locator("form").count() for frame in framed] == [0]
    assert any("frame-ancestors" in text or "X-Frame-Options" in text for text in tab.refused)


def test_no_script_reads_the_cookies_and_no_other_site_sends_them(tab, served):
    tab.goto(f"{served.root}/admin/sign-in?redirect_to=/")
    signed_in(tab, served)
    tab.wait_for_url(f"{served.root}/")
    cookies = tab.context.cookies()
    assert [cookie["name"] for cookie in cookies] == ["cms_session"]
    assert [(cookie["httpOnly"], cookie["sameSite"], cookie["path"]) for cookie in cookies] == [(True, "Lax", "/")]
    assert tab.evaluate("document.cookie") == ""
