"""The OpenAPI document: valid, complete, in the names of the dialect that is asked for."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import validate

from conftest import Client, Stand
from vetrina.declare.describe import split
from vetrina.declare.json_schema import modern

from .conftest import filled

DIALECTS = ("neutral", "wordpress")


def document(outside: Client, dialect: str, space: str = "") -> Any:
    answer = outside.get(f"/openapi/{space}.json?dialect={dialect}" if space else f"/openapi.json?dialect={dialect}")
    assert answer.status == 200, answer.content
    return answer.json


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_document_is_valid(outside: Client, dialect: str) -> None:
    validate(document(outside, dialect))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_namespace_has_a_valid_document_of_its_own(stand: Stand, outside: Client, dialect: str) -> None:
    whole, parts = document(outside, dialect), {}
    for space in stand.client(root="/cms-json").get("/").json["namespaces"]:
        part = document(outside, dialect, space)
        validate(part)
        parts.update(part["paths"])
    assert parts == {path: item for path, item in whole["paths"].items() if path not in ("/", "/batch/v1")}


@pytest.mark.parametrize(("dialect", "root"), [("neutral", "/cms-json"), ("wordpress", "/wp-json")])
def test_every_route_and_argument_of_the_index_is_in_it(stand: Stand, outside: Client, dialect: str, root: str) -> None:
    found = document(outside, dialect)
    for pattern, entry in stand.client(root=root).get("/").json["routes"].items():
        path, _ = split(pattern)
        for endpoint in entry["endpoints"]:
            for method in endpoint["methods"]:
                operation = found["paths"][path][method.lower()]
                named = {one.get("name") for one in operation["parameters"]}
                body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
                named |= set(body.get("schema", {}).get("properties", ()))
                assert set(endpoint["args"]) <= named, (path, method)


def test_the_other_dialect_has_its_names_only(outside: Client) -> None:
    text = json.dumps(document(outside, "wordpress"))
    assert re.findall(r'"/?cms[/:_-][^"]*"', text.replace('"cms-site-health-test"', "")) == []
    assert '"X-WP-Total"' in text
    assert "/en/wp-json" in text


def test_every_operation_says_its_codes(outside: Client) -> None:
    found = document(outside, "neutral")
    meant = {one["code"]: one["meaning"] for one in found["x-error-codes"]}
    for path, item in found["paths"].items():
        for method, operation in item.items():
            assert operation["x-codes"], (method, path)
            assert all(meant[one["code"]] for one in operation["x-codes"])
    codes = [one["code"] for one in found["paths"]["/cms/v2/posts/{id}"]["delete"]["x-codes"]]
    assert "rest_cannot_delete" in codes


def test_the_document_of_the_other_profile_is_valid(tmp_path: Path) -> None:
    stand = filled(tmp_path, "second")
    try:
        validate(document(Client(stand.site, root=""), "neutral"))
    finally:
        stand.site.close()


def test_operations_have_names_of_their_own(outside: Client) -> None:
    names = [one["operationId"] for item in document(outside, "neutral")["paths"].values() for one in item.values()]
    assert len(names) == len(set(names))


def test_a_document_may_be_kept_and_read_from_elsewhere(outside: Client) -> None:
    first = outside.get("/openapi.json")
    assert first.headers["access-control-allow-origin"] == "*"
    again = outside.get("/openapi.json", headers={"if-none-match": first.headers["etag"]})
    assert (again.status, again.content) == (304, b"")


def test_an_unknown_namespace_has_no_document(outside: Client) -> None:
    assert outside.get("/openapi/nothing/v1.json").status == 404


def test_documents_are_only_read(outside: Client) -> None:
    answer = outside.post("/openapi.json", {})
    assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize(
    ("pattern", "path", "holes"),
    [
        ("/x/(?P<id>[\\d]+)", "/x/{id}", [("id", "[\\d]+")]),
        (
            "/x/(?P<id>([^\\/)(]+(?:\\/[)]+)?)[\\/\\w%-]+)/y",
            "/x/{id}/y",
            [("id", "([^\\/)(]+(?:\\/[)]+)?)[\\/\\w%-]+")],
        ),
        ("/x/(?P<a>(?:[\\d]+|me))/(?P<b>\\w+)", "/x/{a}/{b}", [("a", "(?:[\\d]+|me)"), ("b", "\\w+")]),
    ],
)
def test_holes_are_found(pattern: str, path: str, holes: list[tuple[str, str]]) -> None:
    assert split(pattern) == (path, holes)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"type": "integer", "minimum": 0, "exclusiveMinimum": True}, {"type": "integer", "exclusiveMinimum": 0}),
        ({"type": "array", "default": "publish", "items": "string"},
         {"type": "array", "default": ["publish"], "items": {"type": "string"}}),
        ({"type": "string", "enum": ["edit"], "default": "view"}, {"type": "string", "enum": ["edit"]}),
        ({"type": "object", "properties": {"a": {"type": "string", "required": True}}},
         {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}),
        ({"type": "mixed", "readonly": True}, {"readOnly": True}),
    ],
)  # fmt: skip
def test_schemas_are_written_as_today(old: dict[str, Any], new: dict[str, Any]) -> None:
    assert modern(old) == new


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_word_is_no_number_where_another_route_takes_numbers(tmp_path: Path, dialect: str) -> None:
    stand = filled(tmp_path, "second")
    try:
        paths = document(Client(stand.site, root=""), dialect, "shop/store/v1")["paths"]
    finally:
        stand.site.close()
    number, word = (
        next(item for path, item in paths.items() if path.endswith(f"/products/{{{name}}}")) for name in ("id", "slug")
    )
    assert number["get"]["parameters"][0]["schema"]["type"] == "integer"
    pattern = word["get"]["parameters"][0]["schema"]["pattern"]
    assert re.match(pattern, "2-cups")
    assert not re.match(pattern, "22")
