"""How a foreign site is asked: politely, patiently, and down to the one record that it breaks on."""

from __future__ import annotations

import base64
import hmac
import json
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from foreign_host import Host, answer, outbound_to
from vetrina.transfer.records import SkippedRecord, SourceError
from vetrina.transfer.sources.address.http_connection import SourceCredentials, build_url, read_retry_after
from vetrina.transfer.sources.address.open_address import open_address
from vetrina.transfer.sources.address.request_pacer import RequestPacer
from vetrina.transfer.sources.address.request_signatures import sign_read
from vetrina.transfer.sources.address.site_source import SiteSource

ADDRESS = "http://old.example"
PER_PAGE = {"page": {"type": "integer"}, "per_page": {"type": "integer"}, "orderby": {"enum": ["date", "id"]}}
INDEX = {
    "name": "Old", "url": ADDRESS, "home": ADDRESS, "namespaces": ["wp/v2"],
    "routes": {
        "/wp/v2/posts": {"endpoints": [{"methods": ["GET"], "args": PER_PAGE}]},
        r"/wp/v2/posts/(?P<id>[\d]+)": {"endpoints": [{"methods": ["GET"], "args": {}}]},
    },
}  # fmt: skip
TYPES = {"post": {"slug": "post", "rest_base": "posts", "rest_namespace": "wp/v2"}}
NOTICE = b"<br />\n<b>Notice</b>: called {too early} in [functions] on line 6\n"


class OldSite:
    """A site of 230 posts in brand names; `before` may answer a request first, and says whether it did.

    broken: ids that the site breaks on.
    """

    def __init__(self, *broken: int, page: bytes = b"", link: str = "") -> None:
        self.broken, self.page, self.link = frozenset(broken), page, link
        self.before: Callable[[BaseHTTPRequestHandler], bool] = lambda handler: False

    def __call__(self, handler: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(handler.path)
        path = parts.path.removeprefix("/blog/wp-json").rstrip("/")
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if self.before(handler):
            return
        if parts.path in ("/", "/blog"):
            answer(handler, self.page, Content_Type="text/html", **({"Link": self.link} if self.link else {}))
        elif not parts.path.startswith("/blog/wp-json"):
            answer(handler, b"{}", 404)
        elif path == "":
            answer(handler, NOTICE + json.dumps(INDEX).encode())
        elif path in ("/wp/v2/types", "/wp/v2/taxonomies"):
            answer(handler, json.dumps(TYPES if path.endswith("types") else {}).encode())
        elif path == "/wp/v2/posts":
            self._list_posts(handler, query)
        else:
            answer(handler, b'{"code": "rest_no_route", "message": "None."}', 404)

    def _list_posts(self, handler: BaseHTTPRequestHandler, query: dict[str, str]) -> None:
        size, number = int(query.get("per_page", 10)), int(query.get("page", 1))
        ids = [*range(1, 231)][(number - 1) * size : number * size]
        if query.get("_fields") != "id" and self.broken.intersection(ids):
            answer(handler, b'{"code": "internal_server_error", "message": "It broke."}', 500)
            return
        records = [{"id": id, "slug": f"p{id}", "type": "wp_block", "_links": {}} for id in ids]
        answer(handler, json.dumps(records).encode(), X_WP_Total="230", X_WP_TotalPages=str(-(-230 // size)))


LINKED = '<http://old.example/feed>; rel="alternate", <http://old.example/blog/wp-json/>; rel="https://api.w.org/"'


def read(host: Host, **words: Any) -> SiteSource:
    return open_address(ADDRESS, client=outbound_to(host), **words)


@pytest.mark.parametrize(
    ("link", "page"),
    [
        (LINKED, b""),
        ("", b"<html lang=en><link href='/blog/wp-json/' rel='https://api.w.org/'></html>"),
    ],
)  # fmt: skip
def test_the_root_is_where_the_site_says(link: str, page: bytes) -> None:
    old = OldSite(page=page, link=link)
    with Host(old) as host:
        source = read(host)
        assert source.key == "http://old.example/blog/wp-json"
        assert source.describe().resources == ("/cms/v2/posts",)
        assert source.describe().title == "Old"


def test_a_root_that_redirects_is_the_one_that_it_leads_to() -> None:
    def answer_there(handler: BaseHTTPRequestHandler) -> None:
        if handler.headers["Host"] == "old.example":
            answer(handler, b"", 301, Location=f"http://www.old.example{handler.path}")
        else:
            OldSite()(handler)

    with Host(answer_there) as host:
        source = open_address(f"{ADDRESS}/blog/wp-json", client=outbound_to(host))
    assert source.key == "http://www.old.example/blog/wp-json"


def test_an_address_without_an_interface_is_told() -> None:
    with (
        Host(lambda handler: answer(handler, b"<html></html>", Content_Type="text/html")) as host,
        pytest.raises(SourceError, match="no interface is found"),
    ):
        open_address(ADDRESS, client=outbound_to(host))


def test_all_pages_are_read_in_the_order_of_ids_and_in_neutral_names() -> None:
    old = OldSite(link=LINKED)
    with Host(old) as host:
        records = [*read(host).read_records("/cms/v2/posts")]
    assert [record.id for record in records] == [*range(1, 231)]
    assert records[0].values == {"id": 1, "slug": "p1", "type": "cms_block"}


def test_a_record_that_the_site_breaks_on_is_skipped_alone() -> None:
    old = OldSite(137, link=LINKED)
    skipped: list[SkippedRecord] = []
    with Host(old) as host:
        records = [*read(host, report_skipped=skipped.append).read_records("/cms/v2/posts")]
    assert [record.id for record in records] == [id for id in range(1, 231) if id != 137]
    assert [(one.resource, one.id, one.position) for one in skipped] == [("/cms/v2/posts", 137, 137)]
    assert "It broke." in skipped[0].reason


def test_a_busy_site_is_left_alone_as_long_as_it_asks() -> None:
    old = OldSite(link=LINKED)
    waited: list[float] = []

    def refuse_once(handler: BaseHTTPRequestHandler) -> bool:
        if "page=2" not in handler.path:
            return False
        waited.append(time.monotonic())
        if len(waited) == 1:
            answer(handler, b"{}", 429, Retry_After="1")
        return len(waited) == 1

    with Host(old) as host:
        source = read(host, parallel=1)
        source.describe()
        old.before = refuse_once
        assert len([*source.read_records("/cms/v2/posts")]) == 230
    assert len(waited) == 2
    assert waited[1] - waited[0] >= 0.99


def test_a_site_that_wants_to_be_left_for_long_ends_the_reading() -> None:
    old = OldSite(link=LINKED)
    with Host(old) as host:
        source = read(host)
        source.describe()

        def refuse(handler: BaseHTTPRequestHandler) -> bool:
            answer(handler, b"{}", 503, Retry_After="7200")
            return True

        old.before = refuse
        with pytest.raises(SourceError, match="7200 seconds"):
            [*source.read_records("/cms/v2/posts")]


def test_credentials_that_are_withdrawn_meanwhile_end_the_reading() -> None:
    old = OldSite(link=LINKED)
    revisions = r"/wp/v2/posts/(?P<parent>[\d]+)/revisions"
    routes: dict[str, Any] = {**INDEX["routes"], revisions: {"endpoints": [{"methods": ["GET"], "args": {}}]}}

    def refuse_revisions(handler: BaseHTTPRequestHandler) -> bool:
        path = urlsplit(handler.path).path
        if path.rstrip("/") == "/blog/wp-json":
            answer(handler, json.dumps({**INDEX, "routes": routes}).encode())
        elif path.endswith("/revisions"):
            answer(handler, b'{"code": "rest_not_logged_in", "message": "Sign in."}', 401)
        else:
            return False
        return True

    old.before = refuse_revisions
    with Host(old) as host:
        source = read(host, revisions=True)
        with pytest.raises(SourceError, match="Sign in"):
            [*source.read_records("/cms/v2/posts/{parent}/revisions")]
    refused = [path for _, path, _, _ in host.asked if path.endswith("/revisions")]
    assert len(refused) < 20  # of 230, those that were under way


def test_a_connection_that_breaks_is_tried_again() -> None:
    old = OldSite(link=LINKED)
    broken: list[str] = []

    def hang_up_once(handler: BaseHTTPRequestHandler) -> bool:
        if broken:
            return False
        broken.append(handler.path)
        return True

    with Host(old) as host:
        source = read(host)
        source.describe()
        old.before = hang_up_once
        assert len([*source.read_records("/cms/v2/posts")]) == 230
    assert len(broken) == 1


def test_a_rate_spaces_requests_whoever_asks() -> None:
    now, slept = [100.0], []

    def sleep(seconds: float) -> None:
        slept.append(round(seconds, 3))
        now[0] += seconds

    pacer = RequestPacer(4, clock=lambda: now[0], sleep=sleep)
    for _ in range(3):
        pacer.wait_turn()
    assert slept == [0.25, 0.25]
    pacer.hold_back(5)
    pacer.wait_turn()
    assert slept == [0.25, 0.25, 5]


def test_a_root_with_paths_as_a_parameter_is_asked_by_it() -> None:
    assert build_url("http://old.example/?rest_route=", "/wp/v2/posts", {"status": ["draft", "trash"]}) == (
        "http://old.example/?rest_route=/wp/v2/posts&status=draft%2Ctrash"
    )


def test_keys_are_sent_over_tls_and_sign_elsewhere() -> None:
    keys = SourceCredentials("anna", "application password", "ck_1", "cs_1")
    url, headers = keys.sign("/shop/v3/orders", "https://old.example/wp-json/wc/v3/orders?page=2")
    assert (url, headers) == (
        "https://old.example/wp-json/wc/v3/orders?page=2", {"Authorization": "Basic Y2tfMTpjc18x"},
    )  # fmt: skip
    url, headers = keys.sign("/shop/v3/orders", "http://old.example/wp-json/wc/v3/orders?page=2")
    assert url.startswith("http://old.example/wp-json/wc/v3/orders?page=2&oauth_consumer_key=ck_1&oauth_nonce=")
    assert "cs_1" not in url
    assert headers == {}
    again, _ = keys.sign("/shop/v3/orders", "http://old.example/wp-json/wc/v3/orders?page=2")
    assert again != url
    assert keys.sign("/cms/v2/posts", "http://old.example/wp-json/wp/v2/posts")[1] == {
        "Authorization": "Basic YW5uYTphcHBsaWNhdGlvbiBwYXNzd29yZA=="
    }


def test_a_signature_is_the_one_of_the_rules() -> None:
    # Computed by the base string of RFC 5849: GET, the address without its port, the sorted parameters.
    url = sign_read("http://Old.example:80/?rest_route=/wc/v3/orders&status=any%2Ctrash", "ck", "s&t", now=7, nonce="n")
    signed = parse_qs(urlsplit(url).query)["oauth_signature"][0]
    text = "&".join([
        "GET", "http%3A%2F%2Fold.example%2F",
        "oauth_consumer_key%3Dck%26oauth_nonce%3Dn%26oauth_signature_method%3DHMAC-SHA256%26oauth_timestamp%3D7"
        "%26rest_route%3D%252Fwc%252Fv3%252Forders%26status%3Dany%252Ctrash",
    ])  # fmt: skip
    assert base64.b64decode(signed) == hmac.digest(b"s%26t&", text.encode(), "sha256")


def test_a_time_to_come_back_is_seconds_or_a_date() -> None:
    assert read_retry_after("12") == 12
    assert read_retry_after("Thu, 01 Jan 1970 00:00:00 GMT") == 0
    assert read_retry_after("soon") is None
    assert read_retry_after("") is None


def test_what_is_no_site_says_what_it_answered() -> None:
    with (
        Host(lambda handler: answer(handler, b"<html></html>", 403, Content_Type="text/html")) as host,
        pytest.raises(SourceError, match=r"asked were:\n  http://old.example/wp-json: status 403, text/html\n"),
    ):
        open_address(ADDRESS, client=outbound_to(host))


def test_a_link_to_where_nothing_is_yet_is_passed_over() -> None:
    link = '<http://127.0.0.1:1/wp-json/>; rel="https://api.w.org/"'
    with Host(OldSite(link=link)) as host:
        source = open_address(f"{ADDRESS}/blog", client=outbound_to(host))
    assert source.key == "http://old.example/blog/wp-json"
