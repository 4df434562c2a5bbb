"""Schemathesis calls every operation of both documents: no server error, no response outside its schema or statuses.

In the suite an operation gets one request or a few. The long form sends as many as given, split where wanted, and uses
the callers that the short form leaves out:

    VETRINA_EXAMPLES=50 pytest tests/openapi/test_answers_fit.py                    # everything; an hour
    VETRINA_EXAMPLES=50 VETRINA_PATHS=/shop/v3,/shop/v2 pytest -n0 tests/openapi/test_answers_fit.py -k second
"""

from __future__ import annotations

import json
import os
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.transport import Response
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from conftest import Stand, exchange
from vetrina.rest.call import Request

CHECKS = (
    not_a_server_error, status_code_conformance, content_type_conformance, response_headers_conformance,
    response_schema_conformance,
)  # fmt: skip
BUDGET = 400  # requests of one test, shared by its operations
EXAMPLES = int(os.environ.get("VETRINA_EXAMPLES", "0"))  # requests per operation in the long form
PATHS = tuple(filter(None, os.environ.get("VETRINA_PATHS", "").split(",")))
# The path parameter may contain a slash, which OpenAPI cannot express.
WITH_A_STROKE = {"/cms/v2/block-renderer/{name}", "/wp/v2/block-renderer/{name}"}
CONTENT = ("/cms", "/oembed", "/mlang", "/vendor")
ORIGIN = "http://vetrina.test"
ROOTS = {"neutral": "/en/cms-json", "wordpress": "/en/wp-json"}
POSITIVE, NEGATIVE = GenerationMode.POSITIVE, GenerationMode.NEGATIVE

# Callers, documents, and the number of requests in the suite; 0 is for the long form only.
ASKED = (
    ("first", "admin", POSITIVE, "neutral", BUDGET),
    ("first", "admin", NEGATIVE, "neutral", BUDGET // 2),
    ("first", "admin", POSITIVE, "wordpress", BUDGET // 4),
    ("first", "subscriber", POSITIVE, "neutral", 0),
    ("first", "", POSITIVE, "neutral", BUDGET // 4),
    ("second", "admin", POSITIVE, "neutral", BUDGET // 2),
    ("second", "admin", NEGATIVE, "neutral", 0),
    ("second", "admin", POSITIVE, "wordpress", 0),
    ("second", "shop_manager", POSITIVE, "neutral", 0),
    ("second", "customer", POSITIVE, "neutral", 0),
    ("second", "", POSITIVE, "neutral", 0),
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("fresh", "login", "mode", "dialect", "budget"),
    [one for one in ASKED if one[-1] or EXAMPLES],
    indirect=["fresh"],
    ids=lambda value: value.value if isinstance(value, GenerationMode) else str(value) or "nobody",
)
def test_every_operation_answers_as_the_document_says(
    fresh: Stand, login: str, mode: GenerationMode, dialect: str, budget: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = f"{ORIGIN}{ROOTS[dialect]}"
    asked = Request("GET", "/", base, ORIGIN, "en", headers=fresh.client(login).headers)
    caller = fresh.site.sign_in(asked)
    # Whatever the requests delete, their own account included, the caller stays the same.
    monkeypatch.setattr(fresh.site.app._runner, "_sign_in", lambda request: caller)
    _, _, content = exchange(fresh.site, "GET", f"/openapi.json?dialect={dialect}")
    document = schemathesis.openapi.from_dict(json.loads(content))
    operations = [found.ok() for found in document.get_all_operations()]
    if PATHS:
        operations = [one for one in operations if one.path.startswith(PATHS)]
    elif "shop/v3" in fresh.site.index.namespaces:
        # What both profiles have was tested on the first.
        operations = [one for one in operations if not one.path.startswith(CONTENT)]
    if not EXAMPLES and budget < len(operations):
        # Not the same ones each time: the callers of a profile share them.
        start = sum(map(ord, f"{login}{dialect}"))
        operations = operations[start % (len(operations) // budget + 1) :: len(operations) // budget + 1]
    examples = EXAMPLES or max(1, budget // max(1, len(operations)))

    def answered(case: Any) -> Response:
        words = case.as_transport_kwargs(base_url=base)
        known = ("method", "url", "headers", "params", "json", "data", "files")
        sent = requests.Request(**{name: words[name] for name in known if name in words}).prepare()
        body = sent.body or b""
        status, pairs, text = exchange(
            fresh.site, str(sent.method), str(sent.url).removeprefix(ORIGIN),
            body if isinstance(body, bytes) else body.encode(), dict(sent.headers),
        )  # fmt: skip
        headers: dict[str, list[str]] = {}
        for name, value in pairs:
            headers.setdefault(name, []).append(value)
        return Response(status, headers, text, sent, 0.0, verify=False)

    skipped, wrong, count = set(), [], 0
    for operation in operations:

        @settings(
            max_examples=examples, deadline=None, database=None, derandomize=True, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(case=operation.as_strategy(generation_mode=mode))
        def ask(case: Any) -> None:
            nonlocal count
            count += 1
            response = answered(case)
            # Prescribed for a type without a trash: a refusal, not an error.
            if response.status_code == 501 and b'rest_trash_not_supported"' in response.content:
                return
            # The document says that these leave members out (docs/decisions/openapi.md).
            asked = case.query or {}
            partial = "_fields" in asked or asked.get("context") == "embed" or "fields" in asked
            checks = [one for one in CHECKS if not (partial and one is response_schema_conformance)]
            try:
                case.validate_response(response, checks=checks)
            except BaseExceptionGroup as errors:
                wrong.append(f"{case.method} {case.path}: {response.status_code} {errors.exceptions}")

        try:
            ask()
        except Unsatisfiable:
            skipped.add(operation.path)
    assert not wrong, "\n".join(wrong)
    assert skipped <= WITH_A_STROKE
    assert count > len(operations) // 2
