"""Translations of a site whose records do not name them: each language is asked for the ids of the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from conftest import Client, Stand
from vetrina.cli.site_connection import LocalConnection
from vetrina.transfer.importing import import_records
from vetrina.transfer.records import SkippedRecord
from vetrina.transfer.report import ImportReport
from vetrina.transfer.sources.address.connection import ReadRefused, SourceReply
from vetrina.transfer.sources.address.site_source import SiteSource

pytestmark = pytest.mark.in_process("the site is read without HTTP")

POSTS, CATEGORIES = "/cms/v2/posts", "/cms/v2/categories"
SILENT = ("lang", "translations", "source_language")


class SilentConnection(LocalConnection):
    """A site whose records do not show their language; it notes which ids it was asked for."""

    def __init__(self, site: Any) -> None:
        super().__init__(site)
        self.asked: list[list[str]] = []

    def ask(self, path: str, query: Mapping[str, Any] | None = None, *, patient: bool = True) -> SourceReply:
        reply = super().ask(path, query, patient=patient)
        if path == POSTS and query and "include" in query:
            self.asked.append(query["include"])
        if not isinstance(reply.value, list):
            return reply
        shown = [{name: value for name, value in one.items() if name not in SILENT} for one in reply.value]
        return reply._replace(value=shown)


def add(client: Client, path: str, title: str, **members: Any) -> int:
    named = {"name": title} if path == CATEGORIES else {"title": title, "status": "publish"}
    answer = client.post(path, {**named, **members})
    assert answer.status == 201, answer.json
    id: int = answer.json["id"]
    return id


def link(client: Client, path: str, id: int, other: int) -> None:
    assert client.put(f"{path}/{id}", {"translations": {"it": {"id": other}}}).status == 200


def bring(connection: SilentConnection, new: Stand) -> ImportReport:
    report = import_records(new.site, SiteSource(connection))
    assert report.refusals == []
    return report


def list_links(stand: Stand, path: str) -> dict[int, int]:
    """Return the Italian translation of each record of a list that has one."""
    shown = stand.client("admin").get(path, query={"per_page": 100, "status": ["publish", "draft"]}).json
    return {one["id"]: one["translations"]["it"]["id"] for one in shown if "it" in one["translations"]}


@pytest.mark.parametrize("linked", [[], [3], [0, 6], [0, 1, 2, 3, 4, 5, 6], [1, 2, 5]])
def test_translations_are_found_where_no_member_names_them(site: Stand, new: Stand, linked: list[int]) -> None:
    admin, italian = site.client("admin"), site.client("admin", "/it/cms-json")
    english = [add(admin, POSTS, f"Quay {at}", status="draft" if at == 3 else "publish") for at in range(7)]
    for at in reversed(linked):
        link(admin, POSTS, english[at], add(italian, POSTS, f"Molo {at}"))
    add(italian, POSTS, "Alone")
    connection = SilentConnection(site.site)
    bring(connection, new)
    assert list_links(new, POSTS) == list_links(site, POSTS)
    assert len(list_links(new, POSTS)) == len(linked)
    if len(linked) in (0, 7):
        assert len(connection.asked) == 1


def test_translations_of_terms_are_found(site: Stand, new: Stand) -> None:
    admin, italian = site.client("admin"), site.client("admin", "/it/cms-json")
    terms = [add(admin, CATEGORIES, f"Quays {at}") for at in range(3)]
    link(admin, CATEGORIES, terms[1], add(italian, CATEGORIES, "Moli"))
    bring(SilentConnection(site.site), new)
    assert list_links(new, CATEGORIES)[terms[1]] == list_links(site, CATEGORIES)[terms[1]]


def test_a_link_that_is_made_later_is_found_with_the_next_run(site: Stand, new: Stand) -> None:
    admin, italian = site.client("admin"), site.client("admin", "/it/cms-json")
    english, other = add(admin, POSTS, "Quay"), add(italian, POSTS, "Molo")
    bring(SilentConnection(site.site), new)
    assert list_links(new, POSTS) == {}
    link(admin, POSTS, english, other)
    bring(SilentConnection(site.site), new)
    assert list_links(new, POSTS) == {english: other}


def test_what_says_its_translations_is_not_asked_for_them(site: Stand, new: Stand) -> None:
    class TellingConnection(SilentConnection):
        """Shows all members."""

        def ask(self, path: str, query: Mapping[str, Any] | None = None, *, patient: bool = True) -> SourceReply:
            super().ask(path, query, patient=patient)
            return LocalConnection.ask(self, path, query, patient=patient)

    add(site.client("admin"), POSTS, "Quay")
    connection = TellingConnection(site.site)
    bring(connection, new)
    assert connection.asked == []


def test_a_language_that_is_not_listed_by_ids_is_told_once(site: Stand, new: Stand) -> None:
    class PartlyRefusingConnection(SilentConnection):
        """Lists no Italian records by their ids."""

        def ask(self, path: str, query: Mapping[str, Any] | None = None, *, patient: bool = True) -> SourceReply:
            if path == POSTS and query and "include" in query and "it" in query.values():
                raise ReadRefused(403, "rest_forbidden", "Not in this order.")
            return super().ask(path, query, patient=patient)

    admin, italian = site.client("admin"), site.client("admin", "/it/cms-json")
    english = [add(admin, POSTS, f"Quay {at}") for at in range(120)]
    link(admin, POSTS, english[0], add(italian, POSTS, "Molo"))
    skipped: list[SkippedRecord] = []
    report = import_records(new.site, SiteSource(PartlyRefusingConnection(site.site), report_skipped=skipped.append))
    assert report.refusals == []
    assert list_links(new, POSTS) == {}
    assert [(one.resource, one.language, one.reason) for one in skipped if one.resource == POSTS] == [
        (POSTS, "it", "which records are translations can't be read: Not in this order. (403 rest_forbidden)")
    ]
