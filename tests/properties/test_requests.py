"""Any request is answered: never with a server error, and a refusal says what is wrong.

Routes and arguments are drawn from the tables of both profiles, so new routes are covered when they are declared.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings, strategies as st

from conftest import ORIGIN, Client, Stand, exchange, made
from vetrina.rest.route import Route
from vetrina.settings import load_profile

BUDGET = 3500  # requests of one run over all arguments of a profile
ROOT = "/en/cms-json"
CODE = re.compile(r"[a-z0-9_]+")


def many(share: float) -> settings:
    """Return settings for a multiple of the loaded profile's examples."""
    return settings(max_examples=round(settings().max_examples * share))


LONE_SURROGATE = "\ud800"
JSON_VALUES: list[Any] = [
    None, True, False, 0, -1, 1, 2**31, 2**53, 2**63, 2**64, 10**30, -(2**63) - 1, 1.5, 1e308, -0.0,
    "", " ", "x", "0", "-1", "1.5", "1e400", "9" * 5000, "a\0b", "\U0001f600", LONE_SURROGATE, "a" * 70_000,
    "'\"--;<script>%00", "\u202e\ufeff\uffff", "a,,b,", "0000-00-00T00:00:00", "9999-12-31T23:59:59-14:00",
    "0001-01-01T00:00:00+14:00", "2024-10-27T02:30:00", "2024-02-30T25:00:00",
    [], [[]], [[[1]]], [None], [{}], [True], ["x"], [0], [-1], [2**70], ["\0"], ["a,b"], [1] * 3000,
    {}, {"a": 1}, {"": ""}, {"a": {"b": [{}]}}, {"raw": None}, {"raw": []}, {"raw": {}}, {"raw": 1}, {"raw": "x\0"},
    {"terms": []}, {"terms": [2**70]}, {"terms": "x"}, {"terms": {}, "operator": "AND"}, {"rendered": "x"},
]  # fmt: skip
QUERY_VALUES = [
    "", "=", "=x", "[]=", "[]=x", "[a]=1", "[a][b][]=1", "[0][0]=1", "[=1", "]=1", "[[]]=1", "[raw]=x", "[raw][]=x",
    "[terms][]=9", "[terms]=9", "[operator]=AND", "=%00", "=%FF%FE", "=%ED%A0%80", "=" + "9" * 400, "=-1", "=1e3",
    "=1e400", "=NaN", "=inf", "=0x10", "=%2B1", "=2024-01-01T00:00:00", "=0000-01-01T00:00:00", "=" + "a" * 9000,
    "=true", "=a,b,,c", "=%F0%9F%98%80", "[" + "][".join("a" * 60) + "]=1", "=1&NAME[]=2", "[]=1&NAME=2",
]  # fmt: skip


@pytest.fixture(scope="module", params=["first", "second"])
def stand(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stand]:
    site = made(tmp_path_factory.mktemp("requests"), load_profile(request.param), secret="secret of the tests")
    yield Stand(site)
    site.close()


@pytest.fixture(scope="module")
def numbers(stand: Stand) -> dict[str, str]:
    """Values of path parameters: a post with its revision and autosave, a page, and so on."""
    admin = stand.client("admin")
    post = admin.post("/cms/v2/posts", {"title": "One", "content": "Text", "status": "publish"}).json["id"]
    admin.post(f"/cms/v2/posts/{post}", {"content": "Text of a revision"})
    revision = admin.get(f"/cms/v2/posts/{post}/revisions").json[0]["id"]
    autosave = stand.client("editor").post(f"/cms/v2/posts/{post}/autosaves", {"title": "Two"}).json["id"]
    page = admin.post("/cms/v2/pages", {"title": "A page", "status": "publish", "password": "open"}).json["id"]
    term = admin.post("/cms/v2/tags", {"name": "A tag"}).json["id"]
    return {
        "posts": str(post), "pages": str(page), "revisions": str(revision), "autosaves": str(autosave),
        "tags": str(term), "templates": "theme//single", "categories": "1", "users": "5", "customers": "5",
        "type": "post", "status": "publish", "taxonomy": "category",
    }  # fmt: skip


def endpoints(stand: Stand) -> list[tuple[str, Route]]:
    return [(pattern, route) for pattern, place in stand.site.table.endpoints.items() for route in place.routes]


def filled(pattern: str, numbers: Mapping[str, str]) -> str:
    """Return a path that the pattern matches: each parameter by its name, or by the fixed part before it."""
    path = ""
    while "(?P<" in pattern:
        fixed, _, rest = pattern.partition("(?P<")
        name, _, rest = rest.partition(">")
        path += fixed
        path += numbers.get(name) or numbers.get(path.strip("/").rpartition("/")[2], "1")
        pattern = rest[closing(rest) + 1 :]
    return path + pattern


def closing(pattern: str) -> int:
    """Return the end of the bracket that was opened before a regular expression."""
    depth, in_class, at = 1, False, 0
    while depth:
        sign = pattern[at]
        if sign == "\\":
            at += 1
        elif in_class:
            in_class = sign != "]"
        else:
            in_class = sign == "["
            depth += {"(": 1, ")": -1}.get(sign, 0)
        at += 1
    return at - 1


def words(value: Any) -> bytes:
    """Return JSON as no careful client writes it: any number, any character, escaped."""
    return json.dumps(value, ensure_ascii=True).encode()


def required(route: Route, but: str) -> dict[str, Any]:
    return {name: "x" for name, field in route.args.items() if field.required and name != but}


def unsound(answer: tuple[int, list[tuple[str, str]], bytes], head: bool = False, overridden: bool = False) -> str:
    """Return what is wrong with a response, whatever the request was; empty for nothing.

    head: HEAD was requested. overridden: by a parameter or a header, so that the client still waits for a body.
    """
    status, pairs, content = answer
    headers = {name.lower(): value for name, value in pairs}
    kind = headers["content-type"].partition(";")[0]
    if status == 204:
        # It has no content and no Content-Length (RFC 9110, 8.6).
        return f"content of a 204: {content[:80]!r}" if content or "content-length" in headers else ""
    if int(headers["content-length"]) != len(content) and (not head or overridden):
        return f"content-length {headers['content-length']} of {len(content)} bytes"
    if head or kind not in ("application/json", "application/javascript"):
        # Another example may have closed the shop; its pages say so, and when to come back.
        closed = (
            status == 503
            and headers.get("retry-after") == "3600"
            and (head or b"opens soon" in content or b"apre presto" in content)
        )
        return "" if status < 500 or closed else f"status {status}"
    if kind == "application/javascript":
        content = content[content.index(b"(") + 1 : -1] if content.startswith(b"/**/") else content
    try:
        body = json.loads(content)
    except ValueError:
        return f"{kind} that cannot be read: {content[:80]!r}"
    if isinstance(body, dict) and set(body) == {"body", "status", "headers"}:
        status, body = body["status"], body["body"]
    if status < 400:
        return ""
    if status < 500 and isinstance(body, dict) and (body.get("success") is False or set(body) <= {"message"}):
        return ""  # As the marketplace refuses, and as the installer reports a subscription.
    if not isinstance(body, dict) or not CODE.fullmatch(str(body.get("code"))) or not body.get("message"):
        return f"status {status} without a code and a message: {content[:80]!r}"
    if status >= 500 and (status, body["code"].removeprefix("shop_")) != (501, "rest_trash_not_supported"):
        return f"status {status}: {body}"
    params = (body.get("data") or {}).get("params")
    if body["code"] in ("rest_invalid_param", "rest_missing_callback_param") and not params:
        return f"{body['code']} names nothing: {body}"
    return ""


def asked(client: Client, method: str, target: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> str:
    named = {**client.headers, **(headers or {})}
    overridden = "_method=head" in target or named.get("x-http-method-override") == "HEAD"
    answer = exchange(client.site, method, target, body, named)
    if is_prescribed(target, answer):
        return ""
    return unsound(answer, method == "HEAD" or overridden, overridden and method != "HEAD")


def is_prescribed(target: str, answer: tuple[int, list[tuple[str, str]], bytes]) -> bool:
    """Return whether an answer that would be unsound elsewhere is the one that the interface prescribes here."""
    if "/scheduled-installs/" in target and (answer[0], answer[2]) == (404, b"null"):
        return True  # An unknown job.
    # The proxy returns the other server's response, which may be empty; an envelope says so.
    return "/ate/proxy" in target and "_envelope" in target and b'"body":null' in answer[2].replace(b" ", b"")


def callers(stand: Stand) -> list[Client]:
    return [stand.client("admin"), stand.client(), stand.client("contributor")]


# -- every argument of every route


def test_no_json_value_of_any_argument_makes_a_fault(stand: Stand, numbers: dict[str, str]) -> None:
    wrong = []
    values = itertools.cycle(JSON_VALUES)
    arguments = [(pattern, route, name) for pattern, route in endpoints(stand) for name in route.args]
    clients = itertools.cycle(callers(stand)[:2])
    for pattern, route, name in arguments:
        path = ROOT + filled(pattern, numbers)
        for value in itertools.islice(values, max(2, BUDGET // len(arguments))):
            body = words({**required(route, name), name: value})
            problem = asked(next(clients), route.methods[0], path, body, {"content-type": "application/json"})
            if problem:
                wrong.append(f"{route.methods[0]} {path} {body[:100]!r}: {problem}")
    assert not wrong, "\n".join(wrong)


def test_no_query_value_of_any_argument_makes_a_fault(stand: Stand, numbers: dict[str, str]) -> None:
    wrong = []
    values = itertools.cycle(QUERY_VALUES)
    arguments = [(pattern, route, name) for pattern, route in endpoints(stand) for name in route.args]
    clients = itertools.cycle(callers(stand)[:2])
    for pattern, route, name in arguments:
        path = ROOT + filled(pattern, numbers)
        for value in itertools.islice(values, max(2, BUDGET // len(arguments))):
            text = quote(name) + value.replace("NAME", quote(name))
            problem = asked(next(clients), route.methods[-1], f"{path}?{text}")
            if problem:
                wrong.append(f"{route.methods[-1]} {path}?{text[:100]}: {problem}")
    assert not wrong, "\n".join(wrong)


SCALARS = st.sampled_from([value for value in JSON_VALUES if not isinstance(value, (list, dict))])
TREES = st.recursive(
    SCALARS | st.integers() | st.floats() | st.text(max_size=8),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(max_size=6), below, max_size=3),
    max_leaves=8,
)


@many(2.5)
@given(data=st.data())
def test_no_combination_of_arguments_makes_a_fault(stand: Stand, numbers: dict[str, str], data: st.DataObject) -> None:
    pattern, route = data.draw(st.sampled_from(endpoints(stand)))
    names = st.sampled_from(sorted(route.args) or ["x"])
    members = data.draw(st.dictionaries(names, TREES, max_size=5))
    query = data.draw(st.lists(st.tuples(names, st.sampled_from(QUERY_VALUES)), max_size=3))
    client = data.draw(st.sampled_from(callers(stand)))
    method = data.draw(st.sampled_from(route.methods))
    target = ROOT + filled(pattern, numbers) + "?" + "&".join(quote(name) + value for name, value in query)
    assert not asked(client, method, target, words(members), {"content-type": "application/json"})


_OF_A_SERVICE = "/mlang/tm/v1/ate"  # not available on sites without a translation service


@many(0.5)
@given(data=st.data())
def test_an_invalid_argument_is_named(stand: Stand, data: st.DataObject) -> None:
    # Some of the other routes look up the object in their path before they validate parameters.
    paged = [
        one for one in endpoints(stand)
        if "page" in one[1].args and "(?P<" not in one[0] and not one[0].startswith(_OF_A_SERVICE)
    ]  # fmt: skip
    pattern, route = data.draw(st.sampled_from(paged))
    page = data.draw(st.sampled_from(["", "x", "0", "-1", "1.5"]))
    answer = stand.client("admin").get(pattern, query={**required(route, "page"), "page": page})
    assert (answer.status, answer.code) == (400, "rest_invalid_param")
    assert list(answer.json["data"]["params"]) == list(answer.json["data"]["details"]) == ["page"]


# -- paths, queries that every route has, headers


PIECES = st.sampled_from(
    ["", "/", "//", "cms", "v2", "posts", "pages", "users", "me", "batch", "1", "0", "-1", "999999999999999999999999",
     "%00", "%2F", "%", "%ff", "..", ".", "\0", "{id}", "(?P<id>[\\d]+)", "é", " ", ":", "a" * 3000, "revisions",
     "autosaves", "index.php", "it", "en", "cms-json", "?", "\ud83d"]
)  # fmt: skip


@many(2)
@given(st.lists(PIECES, max_size=7), st.sampled_from(["/en/cms-json/cms/v2/", "/cms-json/", "/"]), st.booleans())
def test_any_path_is_answered(stand: Stand, pieces: list[str], root: str, as_parameter: bool) -> None:
    path = quote("/".join(pieces), safe="/%", errors="surrogatepass")
    target = f"/?rest_route=/{path}" if as_parameter else root + path
    for method in ("GET", "POST", "OPTIONS"):
        assert not asked(stand.client("admin"), method, target)


SHARED = (
    "_fields", "_embed", "_envelope", "_jsonp", "_method", "_pretty", "_locale", "context", "password",
    "mlang_language", "id", "_cmsnonce", "namespace", "rest_route",
)  # fmt: skip
SHARED_VALUES = (
    "", "1", "a.b.c", "....", ".a", "a,,b", "é", "\0", "title.raw,title", "_links.self", "cms:term,author", "GET",
    "head", "options", "post", "alert(1)", "a.b", "it", "xx", "edit", "embed", "help", "/cms/v2/posts", "//", "0",
)  # fmt: skip


@many(2)
@given(data=st.data())
def test_any_shared_parameters_are_answered(stand: Stand, numbers: dict[str, str], data: st.DataObject) -> None:
    pattern, _ = data.draw(st.sampled_from(endpoints(stand)))
    pairs = data.draw(
        st.lists(
            st.tuples(
                st.sampled_from(SHARED), st.sampled_from(["", "[]", "[a]", "[0][b]"]), st.sampled_from(SHARED_VALUES)
            ),
            min_size=1,
            max_size=4,
        )
    )
    method = data.draw(st.sampled_from(["GET", "POST", "HEAD", "OPTIONS"]))
    query = "&".join(f"{name}{brackets}={quote_plus(value)}" for name, brackets, value in pairs)
    client = data.draw(st.sampled_from(callers(stand)))
    assert not asked(client, method, f"{ROOT}{filled(pattern, numbers)}?{query}")


HEADERS: dict[str, list[str]] = {
    "origin": ["", "null", "http://a.example", "javascript:x", "a b", "\x00", "é", "a" * 9000],
    "if-match": ["", "*", '"', 'W/"1"', ", ,", "é"],
    "if-unmodified-since": ["", "soon", "Sun, 06 Nov 1994 08:49:37 +9999", "Mon, 99 Foo 2024",
                            "Thu, 01 Jan 0001 00:00:00 +2300", "Fri, 31 Dec 9999 23:59:59 -2359",
                            "Sun, 06 Nov 99999 08:49:37 GMT"],
    "x-http-method-override": ["", "get", "DELETE", "HEAD", "TRACE", "a b", "é"],
    "authorization": ["", "Basic", "Basic ", "Basic !!!", "Basic YTpi", "Bearer x", "basic " + "A" * 9000,
                      "Basic //46AA==", "Basic YWRtaW46"],
    "content-type": ["", ";", "application/json; charset=utf-16", "application/foo+json", "multipart/form-data",
                     "multipart/form-data; boundary=", "application/x-www-form-urlencoded", "é/é"],
    "host": ["", "a b", "[::1", "a/b", "::", "é", "a" * 9000],
    "x-cms-nonce": ["", "0"],
    "accept": ["", "text/html", "*/*;q=x"],
    "content-length": ["", "x", "-1", "1e3", "9" * 30],
}  # fmt: skip


@many(2)
@given(data=st.data())
def test_any_headers_are_answered(stand: Stand, numbers: dict[str, str], data: st.DataObject) -> None:
    pattern, route = data.draw(st.sampled_from(endpoints(stand)))
    names = data.draw(st.lists(st.sampled_from(sorted(HEADERS)), min_size=1, max_size=4, unique=True))
    headers = {name: data.draw(st.sampled_from(HEADERS[name])) for name in names}
    client = data.draw(st.sampled_from(callers(stand)))
    method = data.draw(st.sampled_from([*route.methods, "OPTIONS", "TRACE", "get"]))
    assert not asked(client, method, ROOT + filled(pattern, numbers), words({"title": "x"}), headers)


# -- bodies


def field(name: str, value: bytes = b"x", mark: bytes = b"--x", more: str = "") -> bytes:
    return mark + f'\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n'.encode() + value + b"\r\n"


BODIES = {
    "broken JSON": b'{"title":',
    "JSON with a byte order mark": b"\xef\xbb\xbf{}",
    "JSON in UTF-16": '{"title":"x"}'.encode("utf-16"),
    "a lone surrogate": b'{"title":"\\ud800"}',
    "a bare text": b'"x"',
    "a bare number": b"1",
    "null": b"null",
    "a list": b'["title"]',
    "the same name twice": b'{"title":"a","title":{"raw":"b"},"status":"draft","status":"x"}',
    "not a number": b'{"page":NaN}',
    "more than infinite": b'{"page":1e999,"title":-1e999}',
    "five thousand digits": b'{"page":' + b"9" * 5000 + b"}",
    "deep lists": b"[" * 100_000,
    "deep objects": b'{"meta":' * 5000 + b"1" + b"}" * 5000,
    "as deep as allowed": b'{"meta":' + b"[" * 60 + b"]" * 60 + b"}",
    "only brackets": b"a[[[[=1&]=2&[=3&[]=4",
    "many fields": b"&".join(b"a[]=1" for _ in range(5000)),
    "deep brackets": b"a" + b"[x]" * 500 + b"=1",
    "bytes that are no text": bytes(range(256)),
    "parts": field("title") + field("content[raw]") + b"--x--\r\n",
    "parts that do not end": field("title") + field("content"),
    "a part without a name": b"--x\r\nContent-Disposition: form-data\r\n\r\nx\r\n--x--",
    "a part without headers": b"--x\r\n\r\n\r\n--x--",
    "parts of another boundary": field("title", mark=b"--y") + b"--y--",
    "a file": field("file", b"\0" * 100, more='; filename="\0.png"') + b"--x--\r\n",
    "a thousand parts": field("a[]") * 1000 + b"--x--\r\n",
    "a batch of anything": words({"requests": [
        {"path": "/cms/v2/posts", "body": {"title": {"raw": ["x"]}}}, {"path": "//"}, {"path": "http://[::1"},
        {"path": "/cms/v2/posts?%5B=1&a[[=2"}, {"path": "?x"}, {"path": ""}, {"path": "/batch/v1", "body": {}},
        {"path": "/cms/v2/posts", "method": "DELETE", "headers": {"If-Match": ["x"]}}, {"path": "\0"}, {"path": "é"}]}),
}  # fmt: skip
KINDS = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain")


@pytest.mark.parametrize("name", BODIES)
def test_any_body_is_answered(stand: Stand, numbers: dict[str, str], name: str) -> None:
    for kind in KINDS:
        for pattern, method in (("/cms/v2/posts", "POST"), ("/batch/v1", "POST"), ("/cms/v2/users", "GET"),
                                ("/cms/v2/pages/(?P<id>[\\d]+)", "PUT"), ("/cms/v2/tags", "POST")):  # fmt: skip
            for client in callers(stand)[:2]:
                assert not asked(client, method, ROOT + filled(pattern, numbers), BODIES[name], {"content-type": kind})


@many(1)
@given(body=st.binary(max_size=200), kind=st.sampled_from(KINDS))
def test_any_bytes_are_answered(stand: Stand, body: bytes, kind: str) -> None:
    assert not asked(stand.client("admin"), "POST", f"{ROOT}/cms/v2/posts", body, {"content-type": kind})


@pytest.mark.parametrize("length", ["", "7", str(10 << 20)], ids=["none", "a lie", "true"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_body_of_ten_megabytes_is_refused_whatever_it_claims(stand: Stand, kind: str, length: str) -> None:
    headers = {**stand.client("admin").headers, "content-type": kind, "content-length": length, "host": ORIGIN[7:]}
    status, _, content = exchange(stand.site, "POST", f"{ROOT}/cms/v2/posts", b"x" * (10 << 20), headers)
    assert (status, json.loads(content)["code"]) == (413, "rest_request_too_large")


@many(1)
@given(data=st.data())
def test_any_batch_is_answered(stand: Stand, numbers: dict[str, str], data: st.DataObject) -> None:
    members = []
    for _ in range(data.draw(st.integers(0, 4))):
        pattern, route = data.draw(st.sampled_from(endpoints(stand)))
        names = st.sampled_from(sorted(route.args) or ["x"])
        members.append({
            "path": filled(pattern, numbers) + data.draw(st.sampled_from(["", "?", "?id=x", "?[]=1", "/", "//"])),
            "method": data.draw(st.sampled_from(["POST", "PUT", "PATCH"])),
            "body": data.draw(st.dictionaries(names, TREES, max_size=3)),
        })  # fmt: skip
    mode = data.draw(st.sampled_from(["normal", "require-all-validate"]))
    body = words({"requests": members, "validation": mode})
    assert not asked(stand.client("admin"), "POST", f"{ROOT}/batch/v1", body, {"content-type": "application/json"})
