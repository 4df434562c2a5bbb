"""No secret that a route takes is in the audit trail: every route that declares one is called with marked ones.

What is secret by other means (keys of a shop, cards, passwords of records): tests/shop/test_audited_shop.py. Rules:
docs/rules/audit.md, 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select

from conftest import Client, Stand, standing
from vetrina.backends.database import Statement
from vetrina.backends.tables.audit import audit_entry
from vetrina.rest.openapi import split_pattern
from vetrina.settings import load_profile

from .samples import arguments

_EVERYTHING = Statement(select(audit_entry))
_MARK = "zqsecretqz"
PASSWORD = f"{_MARK} of somebody"


@pytest.fixture
def site(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    profile = load_profile("first", {"accounts.registration": "open"})
    with standing(request, profile) as stand:
        yield stand


def list_secret_calls(site: Stand) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield method, path and arguments of a call of each route that takes secrets, the secrets marked."""
    for endpoint in site.site.table.endpoints.values():
        for route in endpoint.routes:
            if not route.arguments.secrets:
                continue
            path, holes = split_pattern(endpoint.pattern)
            given = arguments(route.args, dict(holes), every=True)
            given |= dict.fromkeys(route.arguments.secrets, PASSWORD)
            for name in holes:
                path = path.replace(f"{{{name}}}", "00000000-0000-4000-8000-000000000000")
            yield route.methods[0], path, given


def test_no_declared_secret_is_in_any_entry(site: Stand, admin: Client, author: Client) -> None:
    me = author.get("/cms/v2/users/me").json["id"]
    assert admin.post(f"/cms/v2/users/{me}", {"password": PASSWORD}).status == 200
    good, calls = 0, list(list_secret_calls(site))
    assert len(calls) > 12
    for method, path, given in calls:
        for client in (author, site.client()):
            answer = client.ask(method, path, json={"login": "author", "email": "ada@example.org", **given})
            assert answer.status < 500, (method, path, answer.json)
            good += answer.status < 300
    assert good > 4
    with site.site.work(read=True) as work:
        rows = str(work.tx.all(_EVERYTHING))
    assert "author" in rows
    assert _MARK not in rows
