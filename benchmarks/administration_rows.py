"""Rows that fill the lists of the administration: so many of each kind, put straight into their tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from build import COMMON_WORD, index
from sqlalchemy import Table, bindparam, insert

from vetrina.backends.database import Statement, Transaction
from vetrina.backends.id_sequences import allocate_ids
from vetrina.backends.tables import audit, core, glossary, multilingual, redirects, strings
from vetrina.content.records import model as record_model
from vetrina.settings import Settings, load_profile
from vetrina.site import Site

FIRST_DAY = 1_262_304_000  # 2010-01-01, in seconds since 1970
_BATCH = 5_000
_Row = dict[str, Any]


def fill_lists(folder: Path, rows: int) -> None:
    """Put so many things of each kind into a site that has posts."""
    secret = "secret of the benchmarks"
    site = Site(load_profile("first"), Settings(secret=secret, database=""), folder, durable=False)
    with site.database.begin_write() as tx:
        post = next(iter(record_model.find_records(tx, range(1, 1000)).values()))
        for taxonomy in ("post_tag", "category", "nav_menu"):
            _insert(tx, core.term, (_make_term(taxonomy, number) for number in allocate_ids(tx, rows, "term")))
        _insert(tx, core.account, map(_make_account, allocate_ids(tx, rows, "account")))
        comments = allocate_ids(tx, rows, "comment")
        _insert(tx, core.comment, (_make_comment(number, post.id) for number in comments))
        for kind in ("attachment", "page", "intervento", "cms_block"):
            _insert_records(tx, post, kind, rows)
        for table, make in _PLAIN.items():
            _insert(tx, table, map(make, range(1, rows + 1)))
    index(site)
    site.close()


def _insert(tx: Transaction, table: Table, rows: Iterable[_Row]) -> None:
    statement: Statement | None = None
    for part in _cut(rows):
        statement = statement or Statement(insert(table).values({name: bindparam(name) for name in part[0]}))
        tx.run_each(statement, part)


def _cut(rows: Iterable[_Row]) -> Iterator[list[_Row]]:
    part: list[_Row] = []
    for row in rows:
        part.append(row)
        if len(part) == _BATCH:
            yield part
            part = []
    if part:
        yield part


def _insert_records(tx: Transaction, post: record_model.Record, kind: str, rows: int) -> None:
    """Add records of a type, with what the index of texts and the counts of lists have of them."""
    status = "inherit" if kind == "attachment" else "publish"
    numbers = allocate_ids(tx, rows)
    for first in range(0, rows, _BATCH):
        part = numbers[first : first + _BATCH]
        record_model.insert_records(tx, [_make_record(post, kind, status, number) for number in part])
    if kind == "attachment":
        _insert(tx, core.media, map(_make_file, numbers))
    _insert(tx, core.searchable, map(_make_searchable, numbers))
    _insert(tx, core.change, (_make_change(kind, number) for number in numbers))
    _insert(tx, core.tally, [{"type": kind, "status": status, "language": "en", "author": 1, "count": rows}])


def _make_word(number: int) -> str:
    """Return a word by which one row of ten is found."""
    return COMMON_WORD if number % 10 == 0 else "plain"


def _make_name(number: int, what: str) -> str:
    """Return a name whose order is not that of the numbers."""
    return f"{_make_word(number)} {what} {number * 7919 % 1_000_003}"


def _make_term(taxonomy: str, number: int) -> _Row:
    name = _make_name(number, "term")
    return {
        "id": number, "taxonomy": taxonomy, "language": "en", "translations": number, "name": name, "name_key": name,
        "slug": f"term-{number}", "description": "", "parent": 0, "count": number % 50, "meta": "{}",
        "source_language": "",
    }  # fmt: skip


def _make_account(number: int) -> _Row:
    login, name = f"person{number}", _make_name(number, "person")
    blank = dict.fromkeys(("first_name", "last_name", "url", "description", "locale", "password"), "")
    return {
        **blank, "id": number, "login": login, "login_key": login, "email": f"{login}@example.org",
        "email_key": f"{login}@example.org", "slug": login, "name": name, "name_key": name, "nickname": name,
        "roles": '["subscriber"]', "capabilities": "{}", "registered": FIRST_DAY + number * 400, "meta": "{}",
    }  # fmt: skip


def _make_comment(number: int, post: int) -> _Row:
    text, at = f"{_make_word(number)} words {number}", FIRST_DAY + number * 400
    blank = dict.fromkeys(("author_url", "author_ip", "author_user_agent", "kept_status", "shelved_status"), "")
    return {
        **blank, "id": number, "post": post, "parent": 0, "author": 0, "author_name": f"Guest {number}",
        "author_email": f"guest{number}@example.org", "date": at + 3600, "date_gmt": at, "content": text,
        "content_html": f"<p>{text}</p>", "status": "approved", "type": "comment", "meta": "{}",
        "email_key": f"guest{number}@example.org", "search_key": text,
    }  # fmt: skip


def _make_record(post: record_model.Record, kind: str, status: str, number: int) -> record_model.Record:
    at, title = FIRST_DAY + number * 400, _make_name(number, kind)
    return msgspec.structs.replace(
        post, id=number, type=kind, status=status, translations=number, slug=f"{kind}-{number}", title=title,
        title_key=title, title_html=title, content="", content_html="", excerpt_html="", date=at + 3600, date_gmt=at,
        modified=at + 3600, modified_gmt=at, guid=f"http://127.0.0.1/?p={number}",
    )  # fmt: skip


def _make_file(number: int) -> _Row:
    return {
        "record": number, "file": f"2010/01/document-{number}.pdf", "original": "", "kind": "application",
        "mime_type": "application/pdf", "width": 0, "height": 0, "filesize": 1000, "alt_text": "", "sizes": "{}",
        "details": "{}",
    }  # fmt: skip


def _make_searchable(number: int) -> _Row:
    return {"record": number, "title": _make_name(number, "record"), "content": "", "excerpt": ""}


def _make_change(kind: str, number: int) -> _Row:
    return {"kind": kind, "item": str(number), "action": "created", "at": FIRST_DAY}


def _make_redirect(number: int) -> _Row:
    at = FIRST_DAY + number
    return {
        "id": number, "language": "", "source": f"/{_make_word(number)}/{number * 7919 % 1_000_003}", "prefix": False,
        "target": f"/en/{number}", "record": 0, "status": 301, "active": number % 3 > 0, "origin": "manual",
        "hits": number % 1000, "last_hit": at, "created": at, "modified": at,
    }  # fmt: skip


def _make_job(number: int) -> _Row:
    at = FIRST_DAY + number
    return {
        "kind": ("mail", "webhook", "publish_record")[number % 3], "arguments": "{}", "due": at,
        "state": "failed" if number % 10 == 0 else "done", "attempts": 1, "last_error": "", "created": at,
        "started": at, "finished": at,
    }  # fmt: skip


def _make_audit_entry(number: int) -> _Row:
    return {
        "at": FIRST_DAY + number, "account": 1, "login": "admin", "source": "session", "credential": "",
        "address": "127.0.0.1", "agent": "", "action": ("created", "changed", "removed")[number % 3],
        "kind": ("post", "option", "user")[number % 3], "item": str(number), "title": "", "changes": "[]",
    }  # fmt: skip


def _make_glossary_entry(number: int) -> _Row:
    return {
        "id": number, "term": _make_name(number, "term"), "source_language": "en", "language": "it",
        "translation": f"parola {number}", "note": "", "case_sensitive": False, "created": FIRST_DAY,
        "modified": FIRST_DAY,
    }  # fmt: skip


def _make_string(number: int) -> _Row:
    return {
        "key": f"key {number}", "domain": f"domain {number % 5}", "name": f"name {number}", "context": "",
        "language": "en", "value": _make_name(number, "string"), "plural": "", "kind": "LINE", "words": 3,
    }  # fmt: skip


def _make_translation_status(number: int) -> _Row:
    at, title = FIRST_DAY + number, _make_name(number, "job")
    blank = dict.fromkeys(("md5", "service_status", "review", "previous", "editor", "batch_key"), "")
    zero = dict.fromkeys(("translation", "service_number", "service_revision", "retries", "batch", "translator"), 0)
    return {
        **blank, **zero, "rid": number, "type": "post", "element_type": "post_post", "element": number,
        "source_language": "en", "target_language": "it", "job": number, "status": (1, 2, 10)[number % 3],
        "needs_update": False, "service": "local", "title": title, "title_key": title, "automatic": False, "sent": at,
        "deadline": 0,
    }  # fmt: skip


def _make_translation_job(number: int) -> _Row:
    zero = dict.fromkeys(("translator", "editor_job", "edited", "completed", "words", "costs", "synchronised"), 0)
    return {
        **zero, "id": number, "rid": number, "translated": False, "manager": 1, "title": _make_name(number, "job"),
        "note": "", "editor": "", "automatic": False, "sent": FIRST_DAY + number, "deadline": 0, "service_data": "",
    }  # fmt: skip


_PLAIN: dict[Table, Callable[[int], _Row]] = {
    redirects.redirect: _make_redirect,
    core.job: _make_job,
    audit.audit_entry: _make_audit_entry,
    glossary.mlang_glossary: _make_glossary_entry,
    strings.mlang_string: _make_string,
    multilingual.mlang_status: _make_translation_status,
    multilingual.mlang_job: _make_translation_job,
}
