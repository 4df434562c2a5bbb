"""Every readable route answers a demo site's content as the OpenAPI document says, in every context.

Required members are there, null stands where it is allowed, a closed set has no other value. Not here: requests that
nobody sends (tests/openapi/test_answers_fit.py), writes (tests/permissions/test_every_route.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from openapi.readable_routes import ORIGIN, ROOT, ReadableRoutes
from openapi.shapes import Document, choose_context
from vetrina.core.user import User
from vetrina.rest.call import Request
from vetrina.rest.openapi import SiteDescription, build_openapi_document, split_pattern

from .conftest import Demo

_PLAIN = re.compile(r"\{[^{}]*\}")
_NUMBER = re.compile(r"\[\d+\]")


def test_what_is_answered_has_what_the_document_says(demo: Demo) -> None:
    site = demo.site
    document = Document(build_openapi_document(site.index, SiteDescription("", "", {})))
    admin = site.sign_in(Request("GET", "/", ROOT, ORIGIN, "en", headers=demo.admin.headers))
    nobody = site.sign_in(Request("GET", "/", ROOT, ORIGIN, "en"))
    counts = {caller.id: 0 for caller in (admin, nobody)}
    faults: dict[str, None] = {}
    for caller in (admin, nobody):
        for fault in _iterate_faults(demo, document, caller, counts):
            faults.setdefault(fault)
    assert not faults, "\n".join(faults)
    assert counts[admin.id] > 500
    assert counts[nobody.id] > 50


def _iterate_faults(demo: Demo, document: Document, caller: User, counts: dict[int, int]) -> Iterator[str]:
    paths = {_PLAIN.sub("{}", path): path for path in document.read["paths"]}
    for endpoint, context, answer in ReadableRoutes(demo.site, caller).read_all():
        path = paths[_PLAIN.sub("{}", split_pattern(endpoint.pattern)[0])]
        operation: dict[str, Any] = document.read["paths"][path]["get"]
        schema = document.answer(path, "GET", answer.status)
        if answer.raw_content is not None or schema is None:
            continue
        counts[caller.id] += answer.status == 200
        contexts = operation.get("x-contexts", {})
        expected = [schema, choose_context(schema, contexts, context)] if answer.status == 200 else [schema]
        # What a route answers fits its own schema in every context but embed, which leaves more out.
        for one in expected[1:] if context == "embed" else expected:
            for stray in document.strays(one, answer.body):
                # Members that are not described are found by tests/permissions/test_every_route.py.
                if not stray.endswith("is not described"):
                    yield f"{path} {context} {answer.status} {_NUMBER.sub('[]', stray)}"
