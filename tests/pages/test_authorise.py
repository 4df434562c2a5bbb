"""The authorize-application flow, and the URLs that it may redirect to."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from conftest import Client
from vetrina.pages import application_return_urls as return_urls

PAGE = "/admin/authorize-application.php"
BACK = "https://app.example/back?state=7&password=old#part"
APP_ID = "11111111-2222-4333-8444-555555555555"


def wish(**members: str) -> str:
    return f"{PAGE}?{urlencode({'app_name': 'My app', **members})}"


def test_a_stranger_signs_in_first_and_comes_back(visitor):
    asked = wish(success_url=BACK, app_id=APP_ID)
    answer = visitor.get(asked)
    assert answer.status == 303
    assert answer.location.startswith("/admin/sign-in?redirect_to=")
    form = visitor.follow(answer).form
    assert parse_qs(urlsplit(form["redirect_to"]).query) == parse_qs(urlsplit(asked).query)


@pytest.mark.every_database
def test_who_approves_is_led_back_with_a_password_that_works(visitor, house):
    visitor.sign_in()
    question = visitor.get(wish(success_url=BACK, app_id=APP_ID))
    assert question.status == 200
    assert "My app asks to act on this site in your name (author)." in question.text
    assert "https://app.example" in question.headers["content-security-policy"]
    answer = visitor.post(PAGE, {**question.form, "app_name": "My phone", "decision": "approve"})
    assert answer.status == 303
    back = urlsplit(answer.location)
    told = parse_qs(back.query)
    assert (back.netloc, back.path, back.fragment) == ("app.example", "/back", "part")
    assert (told["state"], told["site_url"], told["user_login"]) == (["7"], ["http://vetrina.test"], ["author"])
    (password,) = told["password"]
    phone = Client(house.site, "author", password)
    made = phone.get("/cms/v2/users/me/application-passwords/introspect").json
    assert (made["name"], made["app_id"]) == ("My phone", APP_ID)


def test_without_an_address_the_password_is_shown_once(visitor, house):
    visitor.sign_in()
    question = visitor.get(wish())
    answer = visitor.post(PAGE, {**question.form, "decision": "approve"})
    assert answer.status == 200
    assert answer.headers["cache-control"] == "no-store"
    password = answer.text.partition('id="application-password">')[2].partition("<")[0]
    assert Client(house.site, "author", password).get("/cms/v2/users/me").status == 200


@pytest.mark.parametrize(
    "members, location",
    [
        ({"success_url": "https://a.example/x?y=1"}, "https://a.example/x?y=1&success=false"),
        ({"success_url": "https://a.example/", "reject_url": "myapp://no"}, "myapp://no"),
    ],
)
def test_who_refuses_gives_nothing(visitor, house, members, location):
    visitor.sign_in()
    own = "/cms/v2/users/me/application-passwords"
    before = len(house.client("author").get(own).json)
    question = visitor.get(wish(**members))
    answer = visitor.post(PAGE, {**question.form, "decision": "reject"})
    assert (answer.status, answer.location) == (303, location)
    assert len(house.client("author").get(own).json) == before


def test_who_refuses_without_an_address_is_told(visitor):
    visitor.sign_in()
    answer = visitor.post(PAGE, {**visitor.get(wish()).form, "decision": "reject"})
    assert answer.status == 200
    assert "Application refused" in answer.text


@pytest.mark.parametrize("changed", [{"success_url": "https://evil.example/"}, {"app_id": APP_ID}, {"_cmsnonce": ""}])
def test_a_form_that_was_changed_is_refused(visitor, house, changed):
    visitor.sign_in()
    form = {**visitor.get(wish(success_url=BACK)).form, **changed, "decision": "approve"}
    answer = visitor.post(PAGE, form)
    assert answer.status == 403
    assert len(house.client("author").get("/cms/v2/users/me/application-passwords").json) == 1


def test_another_sessions_form_is_refused(visitor):
    visitor.sign_in("editor")
    form = visitor.get(wish(success_url=BACK)).form
    visitor.cookies.clear()
    visitor.sign_in("author")
    assert visitor.post(PAGE, {**form, "decision": "approve"}).status == 403


def test_an_application_needs_a_name(visitor):
    visitor.sign_in()
    form = {**visitor.get(f"{PAGE}?app_name=").form, "app_name": "<b></b>", "decision": "approve"}
    answer = visitor.post(PAGE, form)
    assert answer.status == 400
    assert "Give the application a name." in answer.text


@pytest.mark.parametrize("name", ["success_url", "reject_url"])
def test_a_forged_address_is_refused_before_anybody_signs_in(visitor, name):
    answer = visitor.get(wish(**{name: "javascript:alert(document.cookie)"}))
    assert answer.status == 400
    assert "javascript" not in answer.text


@pytest.mark.parametrize("app_id", ["seven", "1" * 32, "{11111111-2222-4333-8444-555555555555}"])
def test_an_app_id_is_a_uuid(visitor, app_id):
    assert visitor.get(wish(app_id=app_id)).status == 400


def test_what_a_program_says_of_itself_is_text(visitor):
    visitor.sign_in()
    text = visitor.get(wish(app_name='"><script>alert(1)</script>')).text
    assert "<script>" not in text


@pytest.mark.parametrize(
    "address",
    [
        "https://app.example/back", "https://app.example:8443/?a=b", "HTTPS://APP.example/", "https://[2001:db8::1]/",
        "http://localhost:3000/", "http://127.0.0.1/", "http://127.1.2.3:9/", "http://[::1]:8080/x",
        "http://app.localhost/", "myapp://callback", "com.example.app:/oauth", "com.example.app://x?y=1", "wordpress://",
    ],
)  # fmt: skip
def test_good_addresses(address):
    assert return_urls.is_safe_return_url(address)


@pytest.mark.parametrize(
    "address",
    [
        "http://app.example/", "http://127.0.0.1.evil.example/", "http://localhost.evil.example/", "http://10.0.0.1/",
        "javascript:alert(1)", "JavaScript:alert(1)", "java\tscript:alert(1)", " javascript:alert(1)",
        "data:text/html,x", "vbscript:x", "file:///etc/passwd", "blob:https://x/1", "view-source:https://x/",
        "about:blank", "ftp://x/", "ws://x/", "mailto:a@b.example", "ms-msdt:x", "//evil.example/", "/path",
        "evil.example", "", ":x", "https:x", "https:///x", "https://", "https:/x", "https://user@evil.example/",
        "https://good.example\\@evil.example/", "https://good.example@evil.example/", "https://x\n.example/",
        "https://x example/", "https://x/\u0000", "https://;script-src *.example/", "https://x.example:99999/",
        "https://[::1/", "https://bücher.example/", "https://x.example/" + "x" * 2000, "1app://x", "my_app://x",
        "myapp://a@b/",
    ],
)  # fmt: skip
def test_forged_addresses(address):
    assert not return_urls.is_safe_return_url(address)


@pytest.mark.parametrize(
    "address, expected",
    [
        ("https://a.example/", "https://a.example/?k=v%26w"),
        ("https://a.example/x?k=1&l=2#f", "https://a.example/x?l=2&k=v%26w#f"),
        ("myapp://", "myapp://?k=v%26w"),
        ("com.example.app:/oauth", "com.example.app:/oauth?k=v%26w"),
    ],
)
def test_answers_join_the_query(address, expected):
    assert return_urls.append_query(address, {"k": "v&w"}) == expected


@pytest.mark.parametrize(
    "address, expected",
    [
        ("https://A.example:8443/x", "https://a.example:8443"),
        ("http://[::1]:80/", "http:"),
        ("myapp://x", "myapp:"),
        ("", ""),
    ],
)
def test_the_place_in_a_policy(address, expected):
    assert return_urls.build_url_source(address) == expected
