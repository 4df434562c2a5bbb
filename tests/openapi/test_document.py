"""The OpenAPI document: valid, complete, in the names of the requested dialect."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from conftest import Client, Stand
from vetrina.rest.json_schema import modernize_schema
from vetrina.rest.openapi import split_pattern

from .conftest import filled
from .validation import validate_document

DIALECTS = ("neutral", "wordpress")
# Places in responses that may contain anything, by profile: data of others, of each setting or block.
# A new route describes its responses; these may only decrease.
# The index of every namespace has two, a webhook tells of anything, a block has attributes, and every type and taxonomy
# that search engines are told of has terms of schema.org in `seo.computed.json_ld`.
FREE = {"first": 98, "second": 821}


def plain(path: str) -> str:
    """Return a path without the names of its parameters."""
    return re.sub(r"\{[^{}]*\}", "{}", path)


def document(outside: Client, dialect: str, space: str = "") -> Any:
    answer = outside.get(f"/openapi/{space}.json?dialect={dialect}" if space else f"/openapi.json?dialect={dialect}")
    assert answer.status == 200, answer.content
    return answer.json


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_document_is_valid(outside: Client, dialect: str) -> None:
    validate_document(document(outside, dialect))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_namespace_has_a_valid_document_of_its_own(stand: Stand, outside: Client, dialect: str) -> None:
    whole, parts = document(outside, dialect), {}
    for space in stand.client(root="/cms-json").get("/").json["namespaces"]:
        part = document(outside, dialect, space)
        validate_document(part)
        parts.update(part["paths"])
    assert parts == {path: item for path, item in whole["paths"].items() if path not in ("/", "/batch/v1")}


@pytest.mark.parametrize(("dialect", "root"), [("neutral", "/cms-json"), ("wordpress", "/wp-json")])
def test_every_route_and_argument_of_the_index_is_in_it(stand: Stand, outside: Client, dialect: str, root: str) -> None:
    found = {plain(path): item for path, item in document(outside, dialect)["paths"].items()}
    for pattern, entry in stand.client(root=root).get("/").json["routes"].items():
        path, holes = split_pattern(pattern)
        for endpoint in entry["endpoints"]:
            for method in endpoint["methods"]:
                operation = found[plain(path)][method.lower()]
                named = {one.get("name") for one in operation["parameters"]} | {name for name, _ in holes}
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


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """The document of the other profile."""
    stand = filled(tmp_path_factory.mktemp("shop"), "second")
    yield document(Client(stand.site, root=""), "neutral")
    stand.site.close()


def test_the_document_of_the_other_profile_is_valid(shop: dict[str, Any]) -> None:
    assert any(path.startswith("/shop/") for path in shop["paths"])
    validate_document(shop)


def test_no_path_is_told_twice(shop: dict[str, Any]) -> None:
    """OpenAPI treats paths as equal that differ only in the names of their parameters."""
    assert len({plain(path) for path in shop["paths"]}) == len(shop["paths"])


def test_every_operation_says_what_it_is_and_what_it_answers(outside: Client, shop: dict[str, Any]) -> None:
    for found in (document(outside, "neutral"), shop):
        for path, item in found["paths"].items():
            for method, operation in item.items():
                assert operation["summary"], (method, path)
                good = [told for status, told in operation["responses"].items() if status.startswith("2")]
                assert good, (method, path)
                for told in good:
                    schema = told.get("content", {}).get("application/json", {}).get("schema")
                    assert schema is None or {"$ref", "type", "anyOf"} & {*schema}, (method, path)
                    assert schema or "204" in operation["responses"], (method, path)


def test_what_may_hold_anything_becomes_no_more(outside: Client, shop: dict[str, Any]) -> None:
    documents = {"first": document(outside, "neutral"), "second": shop}
    places = {name: sorted(free(found)) for name, found in documents.items()}
    more = {name: found for name, found in places.items() if len(found) > FREE[name]}
    assert more == {}, {name: len(found) for name, found in more.items()}


def free(found: dict[str, Any]) -> set[str]:
    """Return the places in responses that may contain anything, by record or operation."""
    out: set[str] = set()

    def look(schema: Any, at: str) -> None:
        if isinstance(schema, dict):
            if schema.get("additionalProperties") is True:
                out.add(at)
            for word in ("properties", "anyOf"):
                inner = schema.get(word, {})
                for name, one in inner.items() if isinstance(inner, dict) else enumerate(inner):
                    look(one, f"{at}.{name}" if word == "properties" else at)
            for word in ("items", "additionalProperties"):
                look(schema.get(word), at)

    for name, schema in found["components"]["schemas"].items():
        look(schema, re.sub("(Edit|Embed)$", "", name))
    for path, item in found["paths"].items():
        for method, operation in item.items():
            for status, told in operation["responses"].items():
                look(told.get("content", {}).get("application/json", {}).get("schema"), f"{method} {path} {status}")
    return out


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
    assert split_pattern(pattern) == (path, holes)


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
    assert modernize_schema(old) == new


def test_a_word_is_no_number_where_another_route_takes_numbers(shop: dict[str, Any]) -> None:
    """A resource found by id and by slug has one path, whose parameter takes either."""
    (operation,) = shop["paths"]["/shop/store/v1/products/{id}"].values()
    assert "/shop/store/v1/products/{slug}" not in shop["paths"]
    number, word = operation["parameters"][0]["schema"]["anyOf"]
    assert number["type"] == "integer"
    assert re.match(word["pattern"], "2-cups")
    assert not re.match(word["pattern"], "22")
    told = {one["code"] for one in operation["x-codes"]}
    assert {"shop_rest_product_invalid_id", "shop_rest_product_invalid_slug"} <= told
