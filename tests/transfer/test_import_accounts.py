"""What accounts bring with them beside names and roles: their own fields, and what pages keep for them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from conftest import Stand, made
from custom_field_profile import build_profile
from vetrina.access.users import rules as users
from vetrina.cli.site_connection import LocalConnection
from vetrina.multilingual.jobs import translators as job_translators
from vetrina.transfer.importing import import_records
from vetrina.transfer.options import ImportOptions
from vetrina.transfer.records import IdKind, Record, SourceDescription
from vetrina.transfer.report import ImportReport
from vetrina.transfer.sources.address.site_source import SiteSource

pytestmark = pytest.mark.in_process("both sites are read without HTTP")

USERS = "/cms/v2/users"


@pytest.fixture
def sites(tmp_path: Path) -> Iterator[tuple[Stand, Stand]]:
    """A site whose accounts have fields of their own, and the empty one that it moves into."""
    stands = []
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        stands.append(Stand(made(tmp_path / name, build_profile(), url=f"https://{name}.example")))
    yield stands[0], stands[1]
    for one in stands:
        one.site.close()


def bring(old: Stand, new: Stand, **options: Any) -> ImportReport:
    return import_records(new.site, SiteSource(LocalConnection(old.site)), ImportOptions(**options))


def find_meta(stand: Stand, login: str) -> dict[str, Any]:
    answer = stand.client("admin").get(USERS, query={"context": "edit", "search": login})
    [found] = [one for one in answer.json if one["username"] == login]
    meta: dict[str, Any] = found["meta"]
    return meta


def add_cook(old: Stand, **meta: Any) -> int:
    account = {"username": "cook", "email": "cook@example.net", "password": "a long pass word 1"}
    answer = old.client("admin").post(USERS, {**account, "meta": meta})
    assert answer.status == 201, answer.json
    id: int = answer.json["id"]
    return id


def test_own_fields_and_preferences_of_an_account_come(sites: tuple[Stand, Stand]) -> None:
    old, new = sites
    add_cook(old, title="Cook", badge="gold", persisted_preferences={"core": {"top": True}})
    assert not bring(old, new).refusals
    assert find_meta(new, "cook") == find_meta(old, "cook")
    assert find_meta(new, "cook")["title"] == "Cook"
    assert find_meta(new, "cook")["persisted_preferences"] == {"core": {"top": True}}


def test_an_account_of_an_empty_site_takes_the_fields_of_the_one_that_it_stands_for(
    sites: tuple[Stand, Stand],
) -> None:
    old, new = sites
    old.client("editor").post(f"{USERS}/me", {"meta": {"title": "Chief", "persisted_preferences": {"core": {}}}})
    bring(old, new)
    assert find_meta(new, "editor") == find_meta(old, "editor")
    assert find_meta(new, "editor")["title"] == "Chief"


def test_an_account_of_a_site_with_content_keeps_its_fields(sites: tuple[Stand, Stand]) -> None:
    old, new = sites
    old.client("editor").post(f"{USERS}/me", {"meta": {"title": "Chief"}})
    new.client("editor").post(f"{USERS}/me", {"meta": {"title": "Ours"}})
    bring(old, new, keep_ids=False)
    assert find_meta(new, "editor")["title"] == "Ours"


def test_fields_that_change_there_change_here(sites: tuple[Stand, Stand]) -> None:
    old, new = sites
    cook = add_cook(old, title="Cook", badge="gold")
    bring(old, new)
    old.client("admin").post(f"{USERS}/{cook}", {"meta": {"title": "Chief", "badge": None}})
    assert bring(old, new).resources[USERS].updated == 1
    assert find_meta(new, "cook") == find_meta(old, "cook")


def test_a_field_that_is_not_known_here_is_told_where_it_says_something(sites: tuple[Stand, Stand]) -> None:
    _, new = sites
    report = import_records(new.site, OneAccount({"shoe_size": "42", "empty": "", "_hidden": "x"}))
    assert dict(report.notes) == {"the extra field 'shoe_size' is not known here": 1}


def test_a_site_without_a_shop_says_so_of_the_customers_of_reports(sites: tuple[Stand, Stand]) -> None:
    _, new = sites
    report = import_records(new.site, OneAccount({}))
    assert report.left_out == {"/shop-analytics/reports/customers": "this site has no shop"}


class OneAccount:
    """A source of one account, and of what a shop has."""

    key = "one account"

    def __init__(self, meta: dict[str, Any]) -> None:
        self._record = Record(USERS, 700, {"username": "cook", "email": "cook@example.net", "meta": meta})

    def describe(self) -> SourceDescription:
        return SourceDescription("One", (), (USERS, "/shop-analytics/reports/customers"), {}, {})

    def find_greatest_ids(self) -> dict[IdKind, int]:
        return {}

    def count_records(self, resource: str, since: datetime | None = None) -> int:
        return 1

    def read_records(self, resource: str, since: datetime | None = None) -> Iterator[Record]:
        yield self._record

    def fetch_file(self, record: Record, folder: Path) -> None:
        return None


def test_what_an_account_may_beside_its_roles_comes(sites: tuple[Stand, Stand]) -> None:
    old, new = sites
    cook = add_cook(old, title="Cook")
    with old.site.work() as work:
        account = users.find_user(work.tx, cook)
        assert account is not None
        job_translators.grant_language_pair(work, account, "en", "it")
    bring(old, new)
    shown = [
        one.client("admin").get(f"{USERS}/{cook}", query={"context": "edit"}).json["extra_capabilities"]
        for one in sites
    ]
    assert shown[1] == shown[0]
    assert shown[1]["translate"] is True
