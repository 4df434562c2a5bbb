"""What a scope excludes does not get through: every route of both profiles, alone, in a batch, embedded, derived."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from conftest import ACCOUNTS, Stand
from vetrina.access.sessions import browser_sessions, nonces
from vetrina.access.sessions.model import SessionClient
from vetrina.access.tokens.permissions import InsufficientScope
from vetrina.access.tokens.scopes import SCOPES, is_within_scopes
from vetrina.access.users import rules as users
from vetrina.backends import change_log
from vetrina.core.user import User
from vetrina.rest.call import Call, Request, Result
from vetrina.rest.route import Route
from vetrina.rest.validation import ParsedArguments
from vetrina.settings import Settings, load_profile
from vetrina.site import Site
from vetrina.site_factory import create_stand_in_site

from .conftest import TOKENS, FrontEnd

POSTS, ME = "/cms/v2/posts", "/cms/v2/users/me"
ROOT = "http://vetrina.test/en/cms-json"
OPEN = {TOKENS, f"{TOKENS}/refresh", f"{TOKENS}/revoke"}
OF_ACCOUNT = ("account", "sessions", "tokens", "second-factors", "passkeys", "identities")


def may_pass(scope: str, route: Route) -> bool:
    """Return whether a scope covers a route, by its namespace: said here a second time, and differently."""
    rest = route.path.removeprefix(f"/{route.namespace}").strip("/").split("/")[0]
    reads = tuple(route.methods) == ("GET",)
    return (
        route.path in OPEN
        or {
            "write": True,
            "read": reads,
            "orders": route.namespace in ("shop/store", "shop/store/v1"),
            "account": (route.namespace == "access/v1" and rest in OF_ACCOUNT) or (reads and route.path == ME),
        }[scope]
    )


@pytest.fixture(scope="module", params=["first", "second"])
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with all that a profile has."""
    folder = tmp_path_factory.mktemp(request.param)
    made = create_stand_in_site(load_profile(request.param), ACCOUNTS, folder, Settings(secret="secret of the tests"))
    yield made
    made.close()


def limited(site: Site, *scopes: str) -> User:
    """Return the administrator, limited by a token."""
    with site.work(read=True) as work:
        found = users.find_user_by_login(work.tx, "admin", site.context.roles)
    assert found is not None
    return msgspec.structs.replace(found, scopes=scopes)


@pytest.mark.parametrize("scope", SCOPES)
def test_every_route_is_open_to_the_scopes_that_cover_it_and_to_no_other(whole: Site, scope: str) -> None:
    routes = [route for place in whole.table.endpoints.values() for route in place.routes]
    refused = 0
    with whole.work(limited(whole, scope), read=True) as work:
        for route in routes:
            # Its own permission and handler would need arguments; what stands before them is asked here.
            bare = route.replace(handler=lambda call: Result(None), allow=lambda call: None)
            request = Request(route.methods[0], route.path, ROOT, "http://vetrina.test")
            call = Call(request, bare, ParsedArguments({}, frozenset()), {}, work, whole.dispatcher)
            try:
                whole.dispatcher.run_route(bare, call)
                passed = True
            except InsufficientScope:
                passed, refused = False, refused + 1
            assert passed == may_pass(scope, route), (scope, route.methods, route.path)
    assert (refused > 0) == (scope != "write")
    assert refused < len(routes)


@pytest.mark.parametrize("scope", [one for one in SCOPES if one != "write"])
def test_nothing_happens_on_a_route_that_a_scope_excludes(whole: Site, scope: str) -> None:
    """Each is called as a client would; a fault in the arguments is told before any right."""
    caller, asked, answered = limited(whole, scope), 0, set()
    with whole.work(read=True) as work:
        before = change_log.get_latest_sequence(work.tx)
    for place in whole.table.endpoints.values():
        for route in place.routes:
            if may_pass(scope, route):
                continue
            path = route.pattern
            for at in range(path.count("(?P<")):
                start = path.index("(?P<")
                depth, end = 0, start
                for end in range(start, len(path)):
                    depth += (path[end] == "(") - (path[end] == ")")
                    if depth == 0:
                        break
                path = f"{path[:start]}{at + 1}{path[end + 1 :]}"
            for method in route.methods:
                answer = whole.dispatcher.answer(Request(method, path, ROOT, "http://vetrina.test"), caller)
                code = answer.body["code"] if isinstance(answer.body, dict) else ""
                assert answer.status in (400, 403, 404), (method, path, answer.status)
                if answer.status != 400:
                    assert code in ("rest_insufficient_scope", "rest_no_route"), (method, path, code)
                asked += 1
                answered.add(code)
    assert asked > 100
    assert "rest_insufficient_scope" in answered
    with whole.work(read=True) as work:
        assert change_log.get_latest_sequence(work.tx) == before


@pytest.mark.parametrize(
    ("scopes", "method", "path", "covered"),
    [
        (("read",), "GET", "/cms/v2/posts/{id}", True),
        (("read",), "POST", "/cms/v2/posts/{id}", False),
        (("read", "orders"), "POST", "/shop/store/v1/checkout", True),
        (("orders",), "GET", "/shop/store/v1/order/{id}", True),
        (("orders",), "GET", "/shop/storehouse", False),
        (("orders",), "GET", "/shop/v3/orders", False),
        (("account",), "POST", "/access/v1/account", True),
        (("account",), "POST", "/access/v1/accounts", False),
        (("account",), "POST", "/access/v1/roles", False),
        (("account",), "POST", "/access/v1/users/{id}/second-factors", False),
        (("account",), "POST", "/cms/v2/users/me", False),
        ((), "GET", "/cms/v2/posts", False),
        (("unknown",), "GET", "/cms/v2/posts", False),
    ],
)  # fmt: skip
def test_what_a_scope_covers(scopes: tuple[str, ...], method: str, path: str, covered: bool) -> None:
    assert is_within_scopes(scopes, path, (method,)) == covered


# -- over HTTP


def sign_in(house: Stand, *scopes: str, login: str = "admin") -> FrontEnd:
    made = FrontEnd(house)
    assert made.sign_in(login, scopes=list(scopes)).status == 200
    return made


def test_a_token_to_read_writes_nothing(house: Stand) -> None:
    reader = sign_in(house, "read")
    id = sign_in(house, "write").post(POSTS, {"title": "Draft"}).json["id"]
    shown = reader.get(f"{POSTS}/{id}?context=edit")
    assert (shown.status, shown.json["title"]["raw"], shown.headers["allow"]) == (200, "Draft", "GET")
    for method, path, body in (
        ("POST", f"{POSTS}/{id}", {"title": "X"}), ("PUT", f"{POSTS}/{id}", {"title": "X"}),
        ("PATCH", f"{POSTS}/{id}", {"title": "X"}), ("DELETE", f"{POSTS}/{id}", None), ("POST", POSTS, {"title": "X"}),
        ("POST", "/cms/v2/users/me", {"password": "mine now"}), ("POST", "/cms/v2/settings", {"title": "X"}),
    ):  # fmt: skip
        refused = reader.ask(method, path, json=body)
        assert (refused.status, refused.code) == (403, "rest_insufficient_scope")
        assert refused.headers["www-authenticate"] == 'Bearer error="insufficient_scope"'
    overridden = reader.get(f"{POSTS}/{id}", headers={"x-http-method-override": "DELETE"})
    assert overridden.code == "rest_insufficient_scope"
    assert reader.post(f"{POSTS}/{id}?_method=DELETE").code == "rest_insufficient_scope"
    assert reader.get(f"{POSTS}/{id}?context=edit").json["title"]["raw"] == "Draft"


def test_a_scope_holds_in_batches_too(house: Stand) -> None:
    parts = {"requests": [{"method": "POST", "path": POSTS, "body": {"title": "X"}}]}
    assert sign_in(house, "read", "account").post("/batch/v1", parts).code == "rest_insufficient_scope"
    (inner,) = sign_in(house, "write").post("/batch/v1", parts).json["responses"]
    assert inner["status"] == 201


def test_a_scope_holds_for_what_is_embedded(house: Stand) -> None:
    """A record that the token does not cover is not shown inside one that it covers."""
    account, reader = sign_in(house, "account"), sign_in(house, "read")
    house.client("admin").post(POSTS, {"title": "One", "status": "publish"})
    posts = reader.get(f"{POSTS}?_embed&per_page=1").json
    assert posts[0]["_embedded"]["author"][0]["name"]
    assert account.get(ME).status == 200
    assert account.get(POSTS).code == "rest_insufficient_scope"


def test_options_tell_what_the_token_may_do(house: Stand) -> None:
    assert sign_in(house, "read").ask("OPTIONS", POSTS).headers["allow"] == "GET"
    assert "POST" in sign_in(house, "write").ask("OPTIONS", POSTS).headers["allow"]
    assert "allow" not in sign_in(house, "orders").ask("OPTIONS", POSTS).headers


@pytest.mark.parametrize("scope", SCOPES)
def test_every_token_may_sign_itself_out_and_go_on(house: Stand, scope: str) -> None:
    made = sign_in(house, scope)
    assert made.refresh().json["scope"] == scope
    assert made.delete(TOKENS).json == {"deleted": True}
    assert made.get(ME).code == "rest_token_session_ended"


def test_a_scope_gives_no_right_that_the_account_has_not(house: Stand) -> None:
    made = sign_in(house, "write", login="subscriber")
    refused = made.post(POSTS, {"title": "X"})
    assert (refused.status, refused.code) == (403, "rest_cannot_create")


def test_a_page_of_a_session_gives_its_script_a_token_that_ends_with_the_session(house: Stand) -> None:
    site, client = house.site, house.client()
    user = limited(site)
    with site.work(user) as work:
        cookie = browser_sessions.start_browser_session(work, user, SessionClient("127.0.0.1", "browser"))
    name, _, value = cookie.split(";")[0].partition("=")
    nonce = nonces.create_nonce(site.context, value.partition(".")[2])
    page = {"cookie": f"{name}={value}", "x-cms-nonce": nonce}
    assert client.post(TOKENS, {"scopes": ["read"]}, headers={"cookie": page["cookie"]}).code == "rest_sign_in_needed"
    answer = client.post(TOKENS, {"scopes": ["read"]}, headers=page)
    assert answer.status == 200
    assert "refresh_token" not in answer.json
    bearer = {"authorization": f"Bearer {answer.json['access_token']}"}
    assert client.get(ME, headers=bearer).json["slug"] == "admin"
    assert client.post(POSTS, {"title": "X"}, headers=bearer).code == "rest_insufficient_scope"
    assert client.delete(TOKENS, headers=page).json == {"deleted": True}
    assert client.get(ME, headers=bearer).code == "rest_token_session_ended"
