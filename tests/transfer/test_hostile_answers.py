"""A site that answers with nonsense ends an import with a sentence, or is read past it: never with a traceback."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from conftest import Stand
from vetrina.cli.site_connection import LocalConnection
from vetrina.transfer.importing import import_records
from vetrina.transfer.options import ImportOptions
from vetrina.transfer.records import Record, SkippedRecord, SourceError
from vetrina.transfer.sources.address.answer_text import decode_answer
from vetrina.transfer.sources.address.connection import ReadRefused, SourceReply
from vetrina.transfer.sources.address.paging import ListReader, UnreadRecord
from vetrina.transfer.sources.address.site_source import SiteSource
from vetrina.transfer.target.writing import compute_fingerprint

from .old_catalogue import fill_catalogue, list_damage, open_shop

pytestmark = pytest.mark.in_process("both sites are read without HTTP")

SEEDS = 3
NONSENSE: list[Any] = [
    None, True, 0, -1, 2**53, 2**64 - 1, 1.5, "", "0", "abc", "x" * 3000, "2020-13-45T99:99:99", "http://[bad/",
    [], {}, [[]], [1, "a", {}], {"raw": 5}, {"id": {}}, {"": ""}, [[[[[[]]]]]],
]  # fmt: skip


class LyingConnection(LocalConnection):
    """A site, parts of whose answers are replaced by nonsense at random."""

    def __init__(self, stand: Stand, seed: int) -> None:
        super().__init__(stand.site)
        self._random = random.Random(seed)

    def ask(self, path: str, query: Mapping[str, Any] | None = None, *, patient: bool = True) -> SourceReply:
        reply = super().ask(path, query, patient=patient)
        total = self._random.choice([reply.total] * 9 + [None, 0, 10**12])
        return SourceReply(self._spoil(reply.value), total, reply.pages)

    def _spoil(self, value: Any) -> Any:
        if self._random.random() < 0.005:
            return self._random.choice(NONSENSE)
        if isinstance(value, dict):
            return {name: self._spoil(one) for name, one in value.items() if self._random.random() > 0.001}
        return [self._spoil(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("seed", range(SEEDS))
def test_nonsense_in_answers_ends_with_a_sentence_or_a_report(prepared_shop: Path, tmp_path: Path, seed: int) -> None:
    old, new = (open_shop(prepared_shop, tmp_path, name) for name in ("old", "new"))
    try:
        fill_catalogue(old)
        unread: list[SkippedRecord] = []
        source = SiteSource(LyingConnection(old, seed), report_skipped=unread.append)
        with suppress(SourceError):
            report = json.dumps(import_records(new.site, source, ImportOptions(), unread=unread).to_json())
            # An order comes as the site tells it, whose total and items may each be nonsense; the report says so.
            told = "the order came to something else than its items, and still does" in report
            assert told == any("its items come to" in one for one in list_damage(new))
        assert [one for one in list_damage(new) if "its items come to" not in one] == []
    finally:
        old.site.close()
        new.site.close()


class ListConnection:
    """Answers a list by page numbers: page -> (value, pages)."""

    key, parallel, signed_in, has_shop_key = "http://old.example", 1, False, False

    def __init__(self, answers: Any) -> None:
        self._answers = answers
        self.asked = 0

    def ask(self, path: str, query: Mapping[str, Any] | None = None, *, patient: bool = True) -> SourceReply:
        self.asked += 1
        assert self.asked < 1000
        query = query or {}
        value, pages = self._answers(query.get("page", 1), query["per_page"])
        return SourceReply(value, None, pages)

    def fetch_file(self, url: str, path: Path) -> bool:
        return False


def read(connection: ListConnection) -> list[Any]:
    return [*ListReader(connection, "/cms/v2/posts", {}, pages=True).read(None)]


def list_page(number: int, size: int) -> list[dict[str, Any]]:
    return [{"id": id} for id in range((number - 1) * size + 1, number * size + 1)]


@pytest.mark.parametrize("pages", [None, 10**12])
def test_a_site_that_gives_the_same_page_for_ever_is_left(pages: int | None) -> None:
    with pytest.raises(ReadRefused, match="the same records on every page"):
        read(ListConnection(lambda number, size: (list_page(1, size), pages)))


def test_pages_that_are_announced_and_empty_come_to_an_end() -> None:
    connection = ListConnection(lambda number, size: (list_page(1, size) if number == 1 else [], 10**12))
    with pytest.raises(ReadRefused, match="20 pages in a row"):
        read(connection)


def test_records_without_an_id_are_told_and_the_others_come() -> None:
    page = [{"id": 1}, {"slug": "none"}, {"id": {}}, 5, {"id": "7"}, {"id": True}]
    found = read(ListConnection(lambda number, size: (page, 1)))
    assert [one for one in found if isinstance(one, dict)] == [{"id": 1}, {"id": "7"}]
    assert [one.position for one in found if isinstance(one, UnreadRecord)] == [2, 3, 4, 6]


@pytest.mark.parametrize("value", [5, "text", True])
def test_an_answer_that_is_no_list_is_no_empty_one(value: Any) -> None:
    found = read(ListConnection(lambda number, size: (value, None)))
    assert found
    assert all(isinstance(one, UnreadRecord) and "no list" in one.reason for one in found)


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>", b'{"a": "\\ud800"}', b"[" * 100_000, b"[" * 2000 + b"]" * 2000, b"{" * 200, b"[1, NaN]", b"\xff"],
)
def test_what_is_no_json_has_no_value(body: bytes) -> None:
    assert decode_answer(body) is None


@pytest.mark.parametrize("value", ["\ud800", 2**64])
def test_values_that_json_has_no_form_for_are_the_record_s_fault(value: Any) -> None:
    with pytest.raises(ValueError, match="can't be kept"):
        compute_fingerprint(Record("/cms/v2/posts", 1, {"title": value}))
