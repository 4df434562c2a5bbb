"""Error codes in the document: those raised far below a handler too, and no others."""

from __future__ import annotations

import functools
import importlib.util
from pathlib import Path
from typing import Any

import pytest

from conftest import Client
from vetrina.content.records import permissions
from vetrina.content.records.rules import EmptyRecordContent
from vetrina.content.records.trash import RecordAlreadyTrashed
from vetrina.rest.declared_errors import list_declared_errors


def _load_samples() -> Any:
    """Load functions that raise errors as a module of the server: errors of others are not looked for."""
    path = Path(__file__).with_name("raising_samples.py")
    spec = importlib.util.spec_from_file_location("vetrina.raising_samples", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SAMPLES = _load_samples()


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (SAMPLES.raise_below, (SAMPLES.Below,)),
        (SAMPLES.Room().through_itself, (SAMPLES.Here,)),
        (SAMPLES.Room().in_a_comprehension, (SAMPLES.Here,)),
        (SAMPLES.enclose(SAMPLES.raise_below), (SAMPLES.Below,)),
        (functools.partial(SAMPLES.enclose, SAMPLES.raise_below), (SAMPLES.Below,)),
        (SAMPLES.call_by_table, (SAMPLES.Below,)),
        (len, ()),
    ],
)
def test_errors_are_found_by_what_names_them(function: Any, expected: tuple[Any, ...]) -> None:
    assert list_declared_errors(function) == expected


@pytest.mark.parametrize(
    ("path", "method", "code", "status"),
    [
        ("/cms/v2/posts", "post", EmptyRecordContent.code, 400),
        ("/cms/v2/posts/{id}", "delete", RecordAlreadyTrashed.code, 410),
        ("/cms/v2/posts/{id}", "get", "rest_post_invalid_id", 404),
        ("/cms/v2", "get", "rest_invalid_namespace", 404),
    ],
)
def test_a_route_says_what_the_domain_raises(outside: Client, path: str, method: str, code: str, status: int) -> None:
    operation = outside.get("/openapi.json").json["paths"][path][method]
    assert {"code": code, "status": [status]} in operation["x-codes"]
    assert str(status) in operation["responses"]


def test_a_read_does_not_say_what_only_a_write_raises(outside: Client) -> None:
    operation = outside.get("/openapi.json").json["paths"]["/cms/v2/posts"]["get"]
    named = {one["code"] for one in operation["x-codes"]}
    assert named.isdisjoint({EmptyRecordContent.code, RecordAlreadyTrashed.code, permissions.CannotCreateRecord.code})


def test_what_any_request_may_meet_is_said_once(outside: Client) -> None:
    document = outside.get("/openapi.json").json
    everywhere = {one["code"] for one in document["x-codes-everywhere"]}
    assert {"rest_invalid_json", "incorrect_password", "too_many_failed_sign_ins"} <= everywhere
    assert "`rest_invalid_json` (400)" in document["components"]["responses"]["Everywhere"]["description"]
