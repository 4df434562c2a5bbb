"""Records as answers show them, kept as JSON text: a list is one statement that finds ids, and a joining of bytes.

Only what depends on nothing but the record, its surroundings and the form that was asked for is kept: of published
records that everybody may read, without a password, in the contexts `view` and `embed`. What asked who reads is kept
for visitors alone; the methods that a reader may use are filled in. When a kept record is true:
backends/fragment_cache.py. Why: docs/decisions/fragments.md.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, Final, NamedTuple

import orjson

from vetrina.access.roles.capabilities import is_read_by_all, is_type_read_by_all
from vetrina.content.previews.addresses import PARAMETER
from vetrina.content.records import listing as record_listing, model as record_model, visibility
from vetrina.content.records.model import Record
from vetrina.content.records.passwords import is_password_protected
from vetrina.content.records.precondition_arguments import build_state_tag
from vetrina.content.records.query import RecordQuery
from vetrina.content.records.views import RecordView, list_writing_methods
from vetrina.content.types.model import ContentType
from vetrina.core.call import Call
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.compact_bytes import compact_bytes
from vetrina.rest.call import UNCACHED, Result
from vetrina.rest.encoded_body import EncodedBody
from vetrina.rest.field_selection import FieldSelection, parse_field_selection, select_fields
from vetrina.rest.fields import EMBED, VIEW
from vetrina.rest.paging import build_page_headers
from vetrina.rest.resource import Links
from vetrina.rest.serializer import Serializer

# Stands in a text where the methods of the reader belong; nobody can know it, so no record can have it.
_METHODS: Final = secrets.token_hex(16)
_METHODS_TEXT: Final = orjson.dumps([_METHODS])
_OF_VISITORS: Final = orjson.dumps(["GET"])
_OVERHEAD: Final = 600  # bytes of a kept record beside its text, about
_ID_BYTES: Final = 40  # of a record's id in a page
_MAX_KEY: Final = 1000  # bytes of the arguments of a page that is kept
_NUMBERS: Final = count(1)  # of texts
_CHOOSING: Final = frozenset(
    {"password", "excerpt_length", PARAMETER}
)  # arguments that change what is shown of a record
_FORM: Final = "form of kept records"  # in the lookups of a call
_POSITION: Final = "position of the change log"  # in the lookups of a call
_Items = frozenset[tuple[str, int]]


class ShownRecord(NamedTuple):
    """A record as answers show it. text: with the methods of visitors, methods: where these are, 0 for nowhere.

    number: of the text (rest/encoded_body.py).

    for_all: whether every reader sees the same, not visitors alone. copied: characters of cached renderings in it.
    kinds, items: what an answer with it was made from (core/unit_of_work.py). link, state: what an answer that has it
    alone tells beside. The others are what rights over it depend on.
    """

    id: int
    text: bytes
    number: int
    methods: int
    for_all: bool
    copied: int
    kinds: frozenset[str]
    items: _Items
    link: str
    state: str
    author: int
    status: str
    trashed_status: str
    language: str


class _FoundPage(NamedTuple):
    """Which records a page of a list has. total: records of the whole list. number, size: of the page.

    for_all: whether every reader finds the same, not visitors alone. kinds: what finding them was made from.
    """

    ids: Sequence[int]
    total: int
    number: int
    size: int
    for_all: bool
    kinds: frozenset[str]


class _Form(NamedTuple):
    """How records are to be shown. number: of the form in the cache. alone: whether an answer has one record."""

    number: int
    context: str
    wanted: FieldSelection | None
    alone: bool


class RecordFragments:
    """The kept records of one type. load_view: (call, records) -> their view. build_links: (view, record) -> links."""

    def __init__(
        self,
        type: ContentType,
        serializer: Serializer,
        load_view: Callable[[Call, Sequence[Record]], RecordView],
        build_links: Callable[[RecordView, Record], Links],
    ) -> None:
        self._type, self._serializer, self._load_view, self._build_links = type, serializer, load_view, build_links
        self._may_keep = is_type_read_by_all(type)

    def list_records(self, call: Call, build_query: Callable[[Call], RecordQuery]) -> Result | None:
        """Return the result that has a page of records, None where it has to be made of values.

        build_query: returns the query that the arguments of the call describe, where the page is not known.
        """
        form = self._find_form(call, alone=False)
        if form is None:
            return None
        work, cache = call.work, call.work.site.fragments
        page, rows = self._find_kept_page(call), dict[int, Record]()
        if page is None:
            page, rows = self._find_page(call, build_query, whole=not cache.is_warm(form.number))
        ids, position = page.ids, work.site.change_log.catch_up(work.tx)
        kept: list[ShownRecord | None] = cache.get_all(form.number, ids, work.tx)
        shown = {one.id: one for one in kept if one is not None and self._may_use(work, one)}
        if len(shown) < len(ids):
            missing = [id for id in ids if id not in shown]
            rows |= record_model.find_records(work.tx, [id for id in missing if id not in rows])
            seen = [rows[id] for id in missing if visibility.may_view_record(work, self._type, rows[id], {})]
            shown |= {one.id: one for one in self._show(call, form, seen, position)}
        body = self._join_texts(work, [shown[id] for id in ids if id in shown], is_list=True)
        headers, links = build_page_headers(call, page.total, page.size, page.number)
        return Result(body if body.records else [], headers=headers, links=links)

    def find_kept(self, call: Call, expect: Callable[[Call], None]) -> ShownRecord | None:
        """Return the kept record that a read addresses, None where there is none for this reader.

        expect: expects what showing the record takes besides it, where it is not kept.
        """
        form, id = self._find_form(call, alone=True), call.args.get("id")
        # Rights are asked for, too, where the number itself is refused.
        if form is None or not isinstance(id, int):
            expect(call)
            return None
        work, cache = call.work, call.work.site.fragments
        probable = cache.may_have(form.number, id)
        if not probable:
            record_model.expect_record(work.tx, id)
            expect(call)
        call.lookups[_POSITION] = work.site.change_log.catch_up(work.tx)
        kept: ShownRecord | None = cache.get_all(form.number, (id,), work.tx)[0]
        if kept is not None and self._may_use(work, kept):
            call.lookups[self] = kept
            return kept
        if probable:
            expect(call)
        return None

    def read_record(self, call: Call, load: Callable[[Call], Record]) -> Result | None:
        """Return the result that has the record that a read addresses, None where it has to be made of values.

        load: returns the record, where it is not kept.
        """
        form = self._find_form(call, alone=True)
        if form is None or _POSITION not in call.lookups:
            return None
        found: ShownRecord | None = call.lookups.get(self)
        if found is None:
            found = self._show(call, form, (load(call),), call.lookups[_POSITION])[0]
        result = Result(self._join_texts(call.work, (found,), is_list=False), state=found.state)
        if self._type.public:
            result.links.append(f'<{found.link}>; rel="alternate"; type=text/html')
        return result

    def _find_form(self, call: Call, alone: bool) -> _Form | None:
        """Return how a call wants records shown, None where nothing may be kept of that."""
        if _FORM in call.lookups:
            known: _Form | None = call.lookups[_FORM]
            return known
        found = call.lookups[_FORM] = self._describe_form(call, alone)
        return found

    def _describe_form(self, call: Call, alone: bool) -> _Form | None:
        request, work, args = call.request, call.work, call.args
        if not self._may_keep or not request.takes_text or request.inner or work.writes or not work.site.fragments:
            return None
        context = args.get("context")
        if context not in (VIEW, EMBED) or not _CHOOSING.isdisjoint(call.raw):
            return None
        for name in _CHOOSING:
            if args.get(name) is not None:
                return None
        wanted = parse_field_selection(request.raw("_fields"))
        if wanted is not None and not wanted.is_cached:
            return None
        # A single record has all of its links, a list those that are named. And what is kept of a list may name some
        # more sources than it has, those of its neighbours.
        by_itself = alone and (work.site.profile.cache_tags or (wanted is not None and wanted.has_links()))
        names = None if wanted is None else wanted.names
        form = self._type.name, work.root, work.origin, work.language, context, names, by_itself
        return _Form(work.site.fragments.number_form(form), context, wanted, alone)

    def _may_use(self, work: UnitOfWork, kept: ShownRecord) -> bool:
        return (kept.for_all or not work.is_signed_in) and work.budget.pay_kept(kept.copied)

    def _join_texts(self, work: UnitOfWork, records: Sequence[ShownRecord], is_list: bool) -> EncodedBody:
        """Return the body of records, with the methods that the reader may use on them."""
        for kinds in {one.kinds for one in records}:
            work.uses(*kinds)
        if not work.is_signed_in:
            work.items.update(*(one.items for one in records))
            return EncodedBody([one.text for one in records], is_list, tuple([one.number for one in records]))
        texts = [self._put_methods(work, one) if one.methods else one.text for one in records]
        return EncodedBody(texts, is_list)

    def _put_methods(self, work: UnitOfWork, one: ShownRecord) -> bytes:
        methods = orjson.dumps(["GET", *list_writing_methods(work.user, self._type, one)])
        return one.text[: one.methods] + methods + one.text[one.methods + len(_OF_VISITORS) :]

    # -- the pages of lists

    def _find_kept_page(self, call: Call) -> _FoundPage | None:
        """Return the page that a call asks for, None where it is not known to this process or not for this reader."""
        work, cache = call.work, call.work.site.fragments
        key = _name_page(call)
        form = self._number_pages(work)
        if key is None or not cache.may_have(form, key):
            return None
        page: _FoundPage | None = cache.get_all(form, (key,), work.tx)[0]
        if page is None or (work.is_signed_in and not page.for_all):
            return None
        work.uses(*page.kinds)
        return page

    def _find_page(
        self, call: Call, build_query: Callable[[Call], RecordQuery], whole: bool
    ) -> tuple[_FoundPage, dict[int, Record]]:
        """Return a page, and those of its records that were read with it; it is kept where others may be shown it."""
        work = call.work
        kinds, items = work.kinds, work.items
        work.kinds, work.items, work.reader_counts = set(), set(), False
        try:
            query = build_query(call)
            ids, rows, total = record_listing.list_record_ids(work, query, whole=whole)
            made_from, is_of_kinds = frozenset(work.kinds), not work.items
        finally:
            kinds |= work.kinds
            items |= work.items
            work.kinds, work.items = kinds, items
        page = _FoundPage(tuple(ids), total, query.page, query.per_page, not work.reader_counts, made_from)
        if is_of_kinds and (page.for_all or not work.is_signed_in):
            self._keep_page(call, page)
        return page, rows

    def _keep_page(self, call: Call, page: _FoundPage) -> None:
        work, cache, key = call.work, call.work.site.fragments, _name_page(call)
        if key is None or not page.kinds.isdisjoint(UNCACHED):
            return
        work.confirm_options()
        size = _OVERHEAD + len(key) + _ID_BYTES * len(page.ids)
        position = work.site.change_log.catch_up(work.tx)
        cache.put(self._number_pages(work), key, position, page.kinds | {self._type.name}, page, size)

    def _number_pages(self, work: UnitOfWork) -> int:
        return work.site.fragments.number_form(("pages", self._type.name, work.root, work.language))

    # -- what is not kept yet

    def _show(self, call: Call, form: _Form, rows: Sequence[Record], position: int) -> list[ShownRecord]:
        """Return records as the answer shows them, and keep those that others may be shown."""
        if not rows:
            return []
        work, budget = call.work, call.work.budget
        kinds, items = work.kinds, work.items
        work.kinds, work.items, work.reader_counts = set(), set(), False
        shown: dict[int, ShownRecord] = {}
        kept: list[ShownRecord] = []
        shared: _Items | None = None
        try:
            view = self._load_view(call, rows)
            view.methods = [_METHODS]
            # The first reads what several need; those that are rendered at each reading come last and are not kept.
            for row in sorted(rows, key=lambda row: row.dynamic):
                worked, copied = budget.worked, budget.copied
                text = orjson.dumps(self._serialize(form, view, row))
                view.get_link(row)  # which an answer tells beside the text, with all that it is made from
                items |= work.items
                if shared is None:
                    of_terms = {(term.taxonomy, term.id) for found in view.terms.values() for term in found}
                    shared = frozenset(work.items - of_terms)
                sources = shared.union(work.items if shown else (), self._list_own_sources(view, row))
                work.items = set()
                one = self._build_shown(text, view, row, budget.copied - copied, frozenset(work.kinds), sources)
                shown[row.id] = one
                if budget.worked == worked and is_read_by_all(self._type, row) and not is_password_protected(row):
                    kept.append(one)
        finally:
            kinds |= work.kinds
            work.kinds, work.items = kinds, items
        if kept and not budget.is_exceeded and not (work.reader_counts and work.is_signed_in):
            self._keep(work, form, kept, position)
        return [shown[row.id] for row in rows]

    def _keep(self, work: UnitOfWork, form: _Form, records: Sequence[ShownRecord], position: int) -> None:
        made_from = {self._type.name}.union(*(one.kinds for one in records))
        made_from |= {kind for one in records for kind, _ in one.items}
        if not made_from.isdisjoint(UNCACHED):
            return
        # What was made of options that are no longer true must not stay.
        work.confirm_options()
        for_all, cache = not work.reader_counts, work.site.fragments
        for one in records:
            size = len(one.text) + _OVERHEAD
            cache.put(form.number, one.id, position, frozenset(made_from), one._replace(for_all=for_all), size)

    def _serialize(self, form: _Form, view: RecordView, row: Record) -> dict[str, Any]:
        wanted = form.wanted
        body: dict[str, Any] = self._serializer.serialize(row, view, form.context, wanted)
        links = self._build_links(view, row) if wanted is None or wanted.has_links() else {}
        if links and not form.alone:
            body["_links"] = links
        if wanted is not None:
            body = select_fields(body, wanted.tree)
        if links and form.alone:
            body["_links"] = links
        return body

    def _build_shown(
        self, text: bytes, view: RecordView, row: Record, copied: int, kinds: frozenset[str], items: _Items
    ) -> ShownRecord:
        methods = text.find(_METHODS_TEXT)
        if methods >= 0:
            text = text[:methods] + _OF_VISITORS + text[methods + len(_METHODS_TEXT) :]
        return ShownRecord(
            row.id, compact_bytes(text), next(_NUMBERS), max(methods, 0), False, copied, kinds, items,
            view.get_link(row),
            build_state_tag(row), row.author, row.status, row.trashed_status, row.language,
        )  # fmt: skip

    def _list_own_sources(self, view: RecordView, row: Record) -> list[tuple[str, int]]:
        return [(self._type.name, row.id), *((term.taxonomy, term.id) for term in view.terms.get(row.id, ()))]


def _name_page(call: Call) -> bytes | None:
    """Return the arguments that a list was asked for by as a key, None for those that are too long for one."""
    try:
        key = orjson.dumps(call.raw)
    except orjson.JSONEncodeError:
        return None  # numbers or letters that JSON has not
    return key if len(key) <= _MAX_KEY else None
