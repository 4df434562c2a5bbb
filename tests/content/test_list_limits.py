"""Limits of lists, bodies of reads and joined terms: refused before any work."""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import urlencode

import pytest

from conftest import Answer, Client, Stand, exchange

POSTS = "/cms/v2/posts"
JSON = {"content-type": "application/json"}
FORM = {"content-type": "application/x-www-form-urlencoded"}


def named(answer: Answer) -> list[str]:
    """Return the parameters that a response refuses."""
    assert (answer.status, answer.code) == (400, "rest_invalid_param"), (answer.status, answer.content[:200])
    assert all("at most" in text for text in answer.json["data"]["params"].values())
    return list(answer.json["data"]["params"])


# -- what Found 5 and 10 name


def test_a_filter_joins_only_so_many_terms(anyone: Client) -> None:
    def asked(terms: int, **more: Any) -> Answer:
        return anyone.ask("GET", POSTS, json={"categories": {"terms": [*range(terms)], "operator": "AND", **more}})

    assert named(asked(999)) == ["categories"]
    assert named(asked(101, include_children=True)) == ["categories"]
    assert asked(100).status == asked(100, include_children=True).status == 200


def test_a_million_numbers_are_refused_at_once(anyone: Client) -> None:
    begun = time.process_time()
    answer = anyone.ask("GET", POSTS, json={"include": [*range(1_000_000)]})
    assert (answer.status, answer.code) == (413, "rest_request_too_large")
    assert time.process_time() - begun < 2  # most of it to build the body


@pytest.mark.parametrize("name", ["include", "exclude", "author", "slug", "status", "tags", "categories"])
def test_a_list_of_a_filter_has_a_maximum(anyone: Client, name: str) -> None:
    for value in ([*range(1001)], ",".join(map(str, range(1001))), " ".join(map(str, range(1001)))):
        assert named(anyone.ask("GET", POSTS, json={name: value})) == [name]
        assert named(anyone.ask("POST", f"{POSTS}?_method=GET", json={name: value})) == [name]


def test_comments_of_many_records_are_refused(anyone: Client) -> None:
    assert named(anyone.ask("GET", "/cms/v2/comments", json={"post": [*range(1001)]})) == ["post"]


def test_as_many_as_the_maximum_are_taken(anyone: Client) -> None:
    full = [*range(1, 1001)]
    assert anyone.ask("GET", POSTS, json={"include": full, "exclude": full, "slug": list(map(str, full))}).status == 200
    assert anyone.ask("GET", POSTS, json={"include": f" ,{', '.join(map(str, full))}, "}).status == 200


def test_brackets_make_lists_that_are_counted(anyone: Client, admin: Client) -> None:
    pairs = [(f"include[{at}]", "1") for at in range(1001)]
    body = urlencode([*pairs, *((f"categories[terms][{at}]", "1") for at in range(1001))]).encode()
    answer = anyone.ask("GET", POSTS, query="include[]=1&" * 1100)
    assert named(answer) == ["include"]
    answer = admin.ask("POST", "/batch/v1", body=body, headers=FORM)
    assert {"include", "categories"} & set(answer.json["data"]["params"]) == set()  # not a list on this route
    assert named(admin.ask("POST", POSTS, body=urlencode([(f"tags[{at}]", "1") for at in range(1001)]).encode(),
                           headers=FORM)) == ["tags"]  # fmt: skip


@pytest.mark.parametrize("name", ["_fields", "_embed"])
def test_what_every_route_takes_has_a_maximum_too(anyone: Client, name: str) -> None:
    assert named(anyone.get(POSTS, query=f"{name}=" + "a," * 1001)) == [name]
    assert anyone.get(POSTS, query=f"{name}=" + "a," * 1000).status == 200


def test_lists_that_nobody_declares_are_counted(anyone: Client, admin: Client) -> None:
    assert named(anyone.ask("GET", POSTS, json={"unknown": {"a": [[0] * 1001]}})) == ["unknown"]
    assert named(admin.post(POSTS, {"unknown": [0] * 10_001})) == ["unknown"]
    assert named(admin.ask("POST", POSTS, body=b"[" + b"0," * 10_001 + b"0]", headers=JSON)) == ["body"]
    assert named(admin.post(POSTS, {f"a{at}": 0 for at in range(10_001)})) == ["body"]


# -- writes


def test_lists_in_writes_have_a_maximum_but_data_of_a_record_may_be_long(admin: Client) -> None:
    assert named(admin.post(POSTS, {"title": "x", "categories": [1] * 1001})) == ["categories"]
    blocks = {"title": "x", "content": {"raw": "y", "more": [0] * 10_001}}
    assert named(admin.post(POSTS, blocks)) == ["content"]
    preferences = {"persisted_preferences": {"open": [f"panel-{at}" for at in range(5_000)]}}
    assert admin.post("/cms/v2/users/me", {"meta": preferences}).status == 200


# -- bodies


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
@pytest.mark.parametrize("kind", [JSON, FORM, {"content-type": "text/plain"}])
def test_the_body_of_a_read_is_small(anyone: Client, method: str, kind: dict[str, str]) -> None:
    answer = anyone.ask(method, POSTS, body=b" " * (64 << 10) + b"{}", headers=kind)
    assert answer.status == 413
    assert anyone.ask(method, POSTS, body=b" " * 60_000 + b"{}", headers=kind).status == 200


@pytest.mark.parametrize("way", ["parameter", "header"])
def test_a_write_that_is_made_a_read_has_the_bound_of_a_read(anyone: Client, way: str) -> None:
    target, headers = (f"{POSTS}?_method=GET", JSON) if way == "parameter" else (
        POSTS, {**JSON, "x-http-method-override": "get"})  # fmt: skip
    assert anyone.ask("POST", target, body=b" " * (64 << 10) + b"{}", headers=headers).status == 413


def test_a_large_body_of_a_read_is_not_waited_for(site: Stand) -> None:
    headers = {**JSON, "content-length": str(1 << 20)}
    status, _, _ = exchange(site.site, "GET", f"/en/cms-json{POSTS}", b"{}", headers)
    assert status == 413


def test_bodies_of_millions_of_entries_are_refused_before_they_are_decoded(anyone: Client, admin: Client) -> None:
    for body in (b"[" + b"[]," * 1_000_000 + b"[]]", b'{"a":[' + b"{}," * 900_000 + b"{}]}",
                 b"{" + b",".join(b'"%d":0' % at for at in range(300_000)) + b"}"):  # fmt: skip
        begun = time.process_time()
        answer = anyone.ask("POST", POSTS, body=body, headers=JSON)
        assert (answer.status, answer.code) == (400, "rest_invalid_json")
        assert "values" in answer.json["message"]
        assert time.process_time() - begun < 1
    text = '[,{"\\' * 100_000
    assert admin.post(POSTS, {"title": "x", "content": text}).json["content"]["raw"]


def test_a_multipart_body_has_so_many_fields(admin: Client) -> None:
    field = b'--b\r\nContent-Disposition: form-data; name="a[]"\r\n\r\nx\r\n'
    kind = {"content-type": "multipart/form-data; boundary=b"}
    answer = admin.ask("POST", POSTS, body=field * 1001 + b"--b--\r\n", headers=kind)
    assert (answer.status, answer.code) == (400, "rest_invalid_multipart")
    title = b'--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nx\r\n'
    assert admin.ask("POST", POSTS, body=title + field * 999 + b"--b--\r\n", headers=kind).status == 201


# -- what is asked for in a language other than the default one


def test_terms_are_listed_in_the_order_of_their_originals(site: Stand, admin: Client) -> None:
    italian = site.client("admin", "/it/cms-json")
    one = admin.post("/cms/v2/categories", {"name": "One"}).json["id"]
    uno = italian.post("/cms/v2/categories", {"name": "Uno", "translations": {"en": one}}).json["id"]
    for query in ({"include": one, "orderby": "include"}, {"slug": "one", "orderby": "include_slugs"}):
        answer = italian.get("/cms/v2/categories", query=query)
        assert (answer.status, [term["id"] for term in answer.json]) == (200, [uno])
