"""The other dialect over HTTP: names are translated in both directions, users' texts are left alone."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from conftest import Client, Stand, exchange
from vetrina.rest.dialects.name_positions import NAME_MEMBERS

from .conftest import BRAND

MARKUP = '<!-- wp:cms_block {"type":"cms_block"} --><p>cms_block at /cms/v2/posts</p><!-- /wp:cms_block -->'


def test_a_record_made_in_one_dialect_is_read_in_the_other(admin: Client, foreign: Client) -> None:
    made = foreign.post(
        "/wp/v2/blocks",
        {"title": "cms_block", "content": MARKUP, "status": "publish", "meta": {"wp_pattern_sync_status": "unsynced"}},
    )
    assert made.status == 201, made.json
    assert made.headers["location"] == f"http://vetrina.test{BRAND}/wp/v2/blocks/{made.json['id']}"
    assert made.json["type"] == "wp_block"
    assert made.json["wp_pattern_sync_status"] == "unsynced"
    assert made.json["content"]["raw"] == MARKUP
    assert made.json["title"]["raw"] == "cms_block"
    neutral = admin.get(f"/cms/v2/blocks/{made.json['id']}?context=edit")
    assert neutral.json["type"] == "cms_block"
    assert neutral.json["cms_pattern_sync_status"] == "unsynced"
    assert neutral.json["content"]["raw"] == MARKUP


def test_relations_and_addresses_are_turned(foreign: Client) -> None:
    links = foreign.get("/wp/v2/posts?context=edit").json
    foreign.post("/wp/v2/posts", {"title": "x"})
    record = foreign.get("/wp/v2/posts?context=edit&status=draft").json[0]
    links = record["_links"]
    assert links["self"][0]["href"] == f"http://vetrina.test{BRAND}/wp/v2/posts/{record['id']}"
    assert links["curies"] == [{"name": "wp", "href": "https://api.w.org/{rel}", "templated": True}]
    assert {"wp:attachment", "wp:term", "wp:action-publish"} <= links.keys()
    assert "cms" not in json.dumps(links)


def test_headers_are_turned(foreign: Client, stranger: Client) -> None:
    for number in range(3):
        foreign.post("/wp/v2/posts", {"title": f"t{number}", "status": "publish"})
    answer = stranger.get("/wp/v2/posts?per_page=1&page=2&order=asc")
    assert (answer.headers["x-wp-total"], answer.headers["x-wp-totalpages"]) == ("3", "3")
    assert answer.headers["access-control-expose-headers"] == "X-WP-Total, X-WP-TotalPages, Link"
    assert f"<http://vetrina.test{BRAND}/wp/v2/posts?per_page=1&page=3&order=asc>" in answer.headers["link"]
    root = stranger.get("/").headers["link"]
    assert root == f'<http://vetrina.test{BRAND}/>; rel="https://api.w.org/"'


def test_an_envelope_and_its_headers_are_turned(foreign: Client) -> None:
    foreign.post("/wp/v2/posts", {"title": "x", "status": "publish"})
    body = foreign.get("/wp/v2/posts?_envelope=1&per_page=1").json
    assert body["headers"]["X-WP-Total"] == 1
    assert "wp:term" in body["body"][0]["_links"]


def test_parameters_are_turned(foreign: Client) -> None:
    term = foreign.post("/wp/v2/wp_pattern_category", {"name": "Kind"}).json
    made = foreign.post(
        "/wp/v2/blocks", {"title": "x", "content": "y", "status": "publish", "wp_pattern_category": [term["id"]]}
    ).json
    assert made["wp_pattern_category"] == [term["id"]]
    assert [one["id"] for one in foreign.get(f"/wp/v2/blocks?wp_pattern_category={term['id']}").json] == [made["id"]]
    assert foreign.get(f"/wp/v2/blocks?wp_pattern_category[]={term['id'] + 9}").json == []
    assert foreign.get(f"/wp/v2/blocks?cms_pattern_category={term['id'] + 9}").json != []


def test_chosen_members_and_links_are_turned(foreign: Client) -> None:
    made = foreign.post("/wp/v2/posts", {"title": "x", "status": "publish"}).json
    path = f"/wp/v2/posts/{made['id']}"
    assert foreign.get(f"{path}?_fields=id,meta._acf_changed,_links.wp:term").json.keys() == {"id", "meta", "_links"}
    assert foreign.get(f"{path}?_fields[]=meta._acf_changed").json["meta"] == {"_acf_changed": False}
    for asked in ("wp:term", "https://api.w.org/term,wp:term", "author,wp:term"):
        assert "wp:term" in foreign.get(path, query={"_embed": asked}).json["_embedded"]


def test_a_choice_of_routes_is_turned(foreign: Client) -> None:
    found = foreign.get("/?_fields=routes./wp/v2/posts,namespaces").json
    assert list(found["routes"]) == ["/wp/v2/posts"]


def test_kinds_are_turned_in_paths_members_and_values(foreign: Client, stranger: Client) -> None:
    types = foreign.get("/wp/v2/types?context=edit").json
    assert types["wp_block"]["slug"] == "wp_block"
    assert types["wp_block"]["taxonomies"] == ["wp_pattern_category"]
    assert types["post"]["rest_namespace"] == "wp/v2"
    assert foreign.get("/wp/v2/types/wp_block").json["slug"] == "wp_block"
    assert foreign.get("/wp/v2/types/cms_block").status == 404
    assert foreign.get("/wp/v2/taxonomies/wp_pattern_category").json["types"] == ["wp_block"]
    about = foreign.post("/wp/v2/blocks", {"title": "x"}).json["_links"]["about"][0]["href"]
    assert about == f"http://vetrina.test{BRAND}/wp/v2/types/wp_block"


def test_a_slug_that_looks_like_a_name_is_its_authors(admin: Client, foreign: Client) -> None:
    made = foreign.post("/wp/v2/posts", {"title": "x", "slug": "wp_block", "status": "publish"}).json
    assert made["slug"] == "wp_block"
    assert admin.get(f"/cms/v2/posts/{made['id']}").json["slug"] == "wp_block"
    assert [one["id"] for one in foreign.get("/wp/v2/posts?slug=wp_block").json] == [made["id"]]
    assert foreign.get("/wp/v2/posts?slug=cms_block").json == []


def test_neutral_names_mean_nothing_in_the_other_dialect(foreign: Client, admin: Client) -> None:
    answer = foreign.get("/cms/v2/posts")
    assert (answer.status, answer.code) == (404, "rest_no_route")
    assert "GET /cms/v2/posts" in answer.json["message"]
    assert "GET /wp/v2/nothing" in foreign.get("/wp/v2/nothing").json["message"]
    assert admin.get("/wp/v2/posts").status == 404


def test_names_are_turned_in_pretty_answers(foreign: Client) -> None:
    made = foreign.post("/wp/v2/blocks", {"title": "x", "status": "publish"}).json["id"]
    for target in ("/wp/v2/blocks?_pretty", f"/wp/v2/blocks/{made}?_pretty"):
        content = foreign.get(target).content.decode()
        assert '"type": "wp_block"' in content
        assert "cms" not in content


def test_faults_name_parameters_as_they_were_sent(foreign: Client) -> None:
    answer = foreign.post("/wp/v2/posts", {"meta": {"_acf_changed": "perhaps"}})
    assert answer.status == 400
    assert "_ext" not in answer.content.decode()
    data = foreign.get("/wp/v2/blocks?wp_pattern_category=x").json["data"]
    assert list(data["params"]) == ["wp_pattern_category"] == list(data["details"])


def test_a_batch_is_turned(foreign: Client) -> None:
    answer = foreign.post("/batch/v1", {"requests": [
        {"path": "/wp/v2/blocks?_fields=id,type,meta", "body": {"title": "one", "meta": {"_acf_changed": True}}},
        {"path": "/wp/v2/wp_pattern_category", "body": {"name": "Kind"}},
        {"path": "/cms/v2/blocks", "body": {"title": "neutral"}},
    ]})  # fmt: skip
    assert answer.status == 207
    first, second, third = answer.json["responses"]
    assert (first["status"], first["body"]["type"], first["body"]["meta"]["_acf_changed"]) == (201, "wp_block", True)
    assert first["headers"]["Location"].startswith(f"http://vetrina.test{BRAND}/wp/v2/blocks/")
    assert second["body"]["taxonomy"] == "wp_pattern_category"
    assert third["body"]["code"] == "rest_no_route"


def test_a_form_and_an_upload_are_turned(foreign: Client) -> None:
    kind = {"content-type": "application/x-www-form-urlencoded"}
    made = foreign.ask("POST", "/wp/v2/posts", body=b"title=x&meta[_acf_changed]=1", headers=kind)
    assert made.json["meta"]["_acf_changed"] is True
    named = {"content-type": "text/plain", "content-disposition": 'attachment; filename="a.txt"'}
    upload = foreign.ask("POST", "/wp/v2/media?meta[_acf_changed]=1", body=b"text", headers=named)
    assert upload.status == 201, upload.json
    assert upload.headers["location"].startswith(f"http://vetrina.test{BRAND}/wp/v2/media/")


def test_options_are_turned(foreign: Client) -> None:
    body = foreign.options("/wp/v2/blocks").json
    assert body["namespace"] == "wp/v2"
    assert "wp_pattern_category" in body["schema"]["properties"]
    assert "acf-disabled" in body["schema"]["properties"]["status"]["enum"]
    assert body["endpoints"][0]["args"]["wp_pattern_category"]
    assert "cms" not in json.dumps(body["endpoints"])


def test_the_index_is_turned(both: Stand, stranger: Client, admin: Client) -> None:
    neutral, other = admin.get("/").json, stranger.get("/").json
    assert "wp/v2" in other["namespaces"]
    assert len(neutral["routes"]) == len(other["routes"])
    assert other["authentication"]["application-passwords"]["endpoints"]["authorization"].endswith(
        "/wp-admin/authorize-application.php"
    )
    assert not [at for at in other["routes"] if "cms" in at]
    links = other["routes"]["/wp/v2/posts"]["_links"]
    assert links == {"self": [{"href": f"http://vetrina.test{BRAND}/wp/v2/posts"}]}
    names = both.site.dialects[1].names  # type: ignore[union-attr]
    assert [names.pattern(at) for at in neutral["routes"]] == list(other["routes"])


def test_the_index_is_that_of_each_host(both: Stand) -> None:
    for host in ("one.test", "two.test"):
        _, _, content = exchange(both.site, "GET", f"{BRAND}/", headers={"host": host})
        assert json.loads(content)["routes"]["/"]["_links"]["self"][0]["href"] == f"http://{host}{BRAND}/"


def test_a_namespace_has_its_index(stranger: Client) -> None:
    assert "/wp/v2/posts/(?P<id>[\\d]+)" in stranger.get("/wp/v2").json["routes"]
    assert stranger.get("/wp/v2").json["namespace"] == "wp/v2"


@pytest.mark.parametrize(
    ("target", "root"),
    [
        ("/?rest_route=/wp/v2/posts", "/wp-json"),
        ("/it/?rest_route=/wp/v2/posts", "/it/wp-json"),
        ("/?rest_route=/cms/v2/posts", "/cms-json"),
        ("/?rest_route=/", "/cms-json"),
        ("/wp-json/wp/v2/posts", "/wp-json"),
        ("/it/wp-json/wp/v2/posts", "/it/wp-json"),
    ],
)
def test_every_door_has_its_root(both: Stand, target: str, root: str) -> None:
    status, headers, _ = exchange(both.site, "GET", target)
    assert status == 200
    assert dict(headers)["link"].startswith(f"<http://vetrina.test{root}/>")


def test_kept_answers_are_kept_in_each_dialect(admin: Client, both: Stand, stranger: Client) -> None:
    def answers() -> list[Any]:
        return [stranger.get("/wp/v2/posts").json, both.client().get("/cms/v2/posts").json]

    assert answers() == answers() == [[], []]
    admin.post("/cms/v2/posts", {"title": "x", "status": "publish"})
    for other, neutral in (answers(), answers()):
        assert "wp:term" in other[0]["_links"]
        assert "cms:term" in neutral[0]["_links"]


def test_a_site_without_the_dialect_has_no_such_door(site: Stand) -> None:
    assert site.client(root="/wp-json").get("/wp/v2/posts").status == 404


@pytest.mark.in_process("it looks into the folder of files")
def test_nothing_but_the_dialects_names_the_brand() -> None:
    """Outside the dialects, only block markup and the elements of export files have these letters."""
    from pathlib import Path

    import vetrina

    folder = Path(vetrina.__file__).parent
    word = re.compile(r"wp-json|wp/v2|wp:(?:term|items|attachment)|X-WP|wc/v3|woocommerce|jetpack|api\.w\.org", re.I)
    found = [
        str(file.relative_to(folder))
        for file in folder.rglob("*.py")
        if not {"dialects", "wxr_export"} & {*file.parts} and word.search(file.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_every_parameter_whose_values_are_names_is_known(both: Stand) -> None:
    dialect = both.site.dialects[1]
    assert dialect is not None

    def named(schema: Any) -> bool:
        if isinstance(schema, dict):
            values = [*schema.get("enum", ()), schema.get("default")]
            inside = [schema.get("items"), *(schema.get(word) or () for word in ("oneOf", "anyOf"))]
            found = any(isinstance(value, str) and dialect.names.word(value) != value for value in values)
            return found or any(named(one) for one in inside)
        return isinstance(schema, list) and any(named(one) for one in schema)

    unknown = {
        name
        for place in both.site.table.endpoints.values()
        for route in place.routes
        for name, field in route.args.items()
        if named(field.argument()) and name not in NAME_MEMBERS
    }
    assert unknown == set()


def test_guesses_are_slowed_in_both_under_one_code(admin: Client, stranger: Client) -> None:
    made = admin.post("/cms/v2/posts", {"title": "Door", "password": "sesame", "status": "publish"}).json
    for number in range(20):
        answer = stranger.get(f"/wp/v2/posts/{made['id']}", query={"password": f"{number}"})
        assert (answer.status, answer.code) == (403, "rest_post_incorrect_password")
    for client, path in ((stranger, "/wp/v2/posts"), (admin, "/cms/v2/posts")):
        answer = client.get(f"{path}/{made['id']}", query={"password": "sesame"})
        assert (answer.status, answer.code) == (429, "too_many_wrong_guesses")
