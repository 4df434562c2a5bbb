"""The filters of a list as SQL conditions: built once per shape, values bound.

The shape says which filters are set and never contains a value. A condition is a function, called only for a new shape:
building costs more than running a cached statement. Not here: order, pages and totals (content/records/listing.py).
Rules: docs/rules/lists.md, 6 to 10; docs/rules/slugs.md, 8; docs/rules/translated_content.md,
20; docs/rules/custom_types.md, 5.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from sqlalchemy import FromClause, and_, bindparam, false, literal_column, or_, select
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends import search_index
from vetrina.backends.statement_cache import InList, UnindexedColumn, encode_list
from vetrina.backends.tables.records import media, record, searchable
from vetrina.backends.tables.terms import record_term
from vetrina.content.custom_fields.value_conditions import FIELD_SHAPE, LEADING
from vetrina.content.records import list_languages, visibility_filters
from vetrina.content.records.field_conditions import FieldConditions
from vetrina.content.records.list_languages import LanguageShare
from vetrina.content.records.query import RecordQuery, TermFilter
from vetrina.content.records.search_conditions import SearchConditions
from vetrina.content.search.terms import SearchTerms
from vetrina.content.terms import store as term_store
from vetrina.content.translations.modes import TranslationMode, get_translation_mode
from vetrina.core.unit_of_work import UnitOfWork

ConditionBuilder = Callable[[], ColumnElement[bool]]

_STATUS_AND_TERM = 2  # length of the shape of a list filtered by status and a single term
_STATUS_AND_TERMS = 3  # length of the shape of a list filtered by status and any of several terms
_STANDARD = "standard"
# A literal: a partial index that excludes the standard format is only used if the query has the same expression.
_NON_STANDARD_FORMAT = record.c.format != literal_column(f"'{_STANDARD}'")
# Filters for which an index finds the few records, or whose index also gives the order.
_INDEXED_FILTERS = frozenset({"status", ("author", 1), "include", ("include", 1), "slugs", ("slugs", 1)})
_INDEXED_BY_ORDER = {
    "date": frozenset({"after", "before"}),
    "modified": frozenset({"modified_after", "modified_before"}),
}
_TERM_LINK = record_term.alias("held")


class RecordFilters:
    """The filters of one query.

    shape: which filters are set. values: their bound values. by_term: whether the list reads from the links of a single
    term, whose index gives the order. leading_field: the place of the filter by an own field whose rows give it, None
    for none. shares: the languages of the list, read one after the other. rights: the conditions that exclude what the
    caller may not see. fields: those on own fields. mixed: whether one condition covers all languages. narrowed: if
    the text index can find the records of the search.
    """

    def __init__(self, work: UnitOfWork, query: RecordQuery) -> None:
        self.query = query
        self.values: dict[str, Any] = {"type": query.type, "wanted_language": work.language}
        self.shape: list[Any] = []
        self.by_term = False
        self.leading_field: int | None = None
        self.shares: tuple[LanguageShare, ...] = (LanguageShare(work.language),)
        self.mixed = False
        self.narrowed = False
        self.statuses = tuple(dict.fromkeys(query.statuses))
        self._looked_up = True
        self._own: FromClause = record
        self._part: int | None = None
        self._led: int | None = None
        self.fields = FieldConditions(work, query)
        self._links: str | None = None
        self._conditions: list[ConditionBuilder] = []
        self._put_languages(work, query)
        if query.types:
            self._add("types", lambda: InList(record.c.type, "types"), types=encode_list(query.types))
        self._put_statuses(query)
        self._put_rights(work, query)
        self._put_left_out(work, query)
        self._put_dates(query)
        self._put_numbers(query)
        self._put_terms(work, query)
        self._put_files(query)
        self._put_missing_translations(work, query)
        self._put_fields(query)
        if query.search:
            self._put_search(work, query, query.search)
        self.key = tuple(self.shape)

    def bind_values(self, share: LanguageShare) -> dict[str, Any]:
        """Return the bound values of the statement of a share."""
        return {**self.values, "language": share.language}

    def source(self, counting: bool = False, untranslated: bool = False, led: int | None = None) -> FromClause:
        """Return the FROM clause; to count the records of a term, its links are enough; led: as in `where`."""
        if counting and self.by_term and len(self.shape) == _STATUS_AND_TERM and not untranslated:
            return record_term
        if counting and led is not None and self._has_only_fields and not untranslated:
            return LEADING
        out: FromClause = record
        if led is not None:
            out = LEADING.join(record, record.c.id == LEADING.c.record)
        elif self.by_term:
            out = record_term.join(record, record.c.id == record_term.c.record)
        if self.query.search:
            out = out.join(searchable, searchable.c.record == UnindexedColumn(record.c.id))
        return out

    @property
    def is_walked(self) -> bool:
        """Return whether an index gives the records in order, so that the first ones are found at once."""
        if self.by_term or self.leading_field is not None:
            return len(self.key) == _STATUS_AND_TERM
        ordered = _INDEXED_BY_ORDER.get(self.query.orderby, frozenset())
        return all(part in _INDEXED_FILTERS or part in ordered for part in self.key)

    def build_link_conditions(self) -> list[ColumnElement[bool]] | None:
        """Return the conditions on term links that express the whole query; None where records must be read."""
        if self._links is None or self.mixed or len(self.shape) != _STATUS_AND_TERMS:
            return None
        column, name, own = record_term.c.status, self._links, record_term.c
        status = column == bindparam("status") if "status" in self.shape else InList(column, "statuses")
        return [
            own.type == bindparam("type"), own.language == bindparam("language"), status, InList(own.term, name),
        ]  # fmt: skip

    @property
    def _has_only_fields(self) -> bool:
        """Return whether the rows of own fields express the whole query."""
        if self.mixed or self.query.types:
            return False
        return all(part in ("status", "statuses") or part[0] == FIELD_SHAPE for part in self.key)

    @property
    def is_divided(self) -> bool:
        """Return whether the list has several statuses, of which no index gives the common order."""
        return "statuses" in self.shape

    def where(
        self, untranslated: bool = False, looked_up: bool = True, led: int | None = None, part: int | None = None
    ) -> list[ColumnElement[bool]]:
        """Return the WHERE conditions of the statement of a share.

        looked_up: whether the text and term indexes are to find the records, because all matches are wanted; while
        walking a list in order, testing each record is cheaper. led: the place of the own field's filter that is read.
        part: the place of the one status that is read, None for all of them.
        """
        own = LEADING if led is not None else record_term if self.by_term else record
        self._own, self._led, self._part = own, led, part
        always = [] if self.mixed else [own.c.language == bindparam("language")]
        if untranslated:
            always.append(
                list_languages.build_untranslated_set_condition()
                if looked_up
                else list_languages.build_untranslated_condition()
            )
        if not self.query.types:
            always.insert(0, own.c.type == bindparam("type"))
        if self.narrowed and looked_up:
            always.append(search_index.build_search_condition(record.c.id))
        self._looked_up = looked_up
        return [*always, *(condition() for condition in self._conditions)]

    # -- one method per kind of filter

    def _add(self, name: Any, condition: ConditionBuilder, **values: Any) -> None:
        self.shape.append(name)
        self.values.update(values)
        self._conditions.append(condition)

    def _put_languages(self, work: UnitOfWork, query: RecordQuery) -> None:
        """Choose the shares of the list, or add one condition where it is not ordered by a column."""
        names = query.types or (query.type,)
        if all(list_languages.resolve_effective_mode(work, name) is TranslationMode.TRANSLATED for name in names):
            return
        if len(names) == 1 and not query.is_ranked:
            self.shares = list_languages.list_language_shares(work, names[0])
            return
        self.mixed = True
        modes, values = list_languages.group_types_by_mode(work, names)
        self._add(modes, lambda: list_languages.build_language_condition(modes), **values)

    def _add_among(self, name: str, column: ColumnElement[Any], items: tuple[Any, ...], without: bool = False) -> None:
        """Keep the rows whose column is one of the items; a single one is compared, so that an index can order."""
        if len(items) == 1 and not without:
            self._add((name, 1), lambda: column == bindparam(name), **{name: items[0]})
        elif items:
            self._add(
                name, lambda: ~InList(column, name) if without else InList(column, name), **{name: encode_list(items)}
            )

    def _add_comparison(self, name: str, value: Any, compare: Callable[[Any], ColumnElement[bool]]) -> None:
        if value is not None:
            self._add(name, lambda: compare(bindparam(name)), **{name: value})

    def _put_statuses(self, query: RecordQuery) -> None:
        # Evaluated late: the table depends on what leads.
        def column() -> ColumnElement[Any]:
            return self._own.c.status

        def among() -> ColumnElement[bool]:
            if self._part is None:
                return InList(column(), "statuses")
            is_one: ColumnElement[bool] = column() == bindparam(f"one_status_{self._part}")
            return is_one

        if len(query.statuses) == 1:
            self._add("status", lambda: column() == bindparam("status"), status=query.statuses[0])
        elif query.statuses:
            each = {f"one_status_{at}": status for at, status in enumerate(self.statuses)}
            self._add("statuses", among, statuses=encode_list(query.statuses), **each)

    def _put_rights(self, work: UnitOfWork, query: RecordQuery) -> None:
        self.rights = visibility_filters.build_list_rights(work, query)
        for one in self.rights.conditions:
            self._add(one.shape, one.build, **one.values)

    def _put_left_out(self, work: UnitOfWork, query: RecordQuery) -> None:
        """Leave out what a type hides from the lists of readers."""
        for name in query.types or (query.type,):
            type = work.site.types.get(name)
            if type is None or type.left_out is None:
                continue
            languages = (None,) if self.mixed else tuple(share.language for share in self.shares)
            if visibility_filters.hides_records(work, query, type, languages):
                self._add(("left out", name), partial(_negate, type.left_out))

    def _put_dates(self, query: RecordQuery) -> None:
        self._add_comparison("after", query.after, record.c.date.__gt__)
        self._add_comparison("before", query.before, record.c.date.__lt__)
        self._add_comparison("modified_after", query.modified_after, record.c.modified.__gt__)
        self._add_comparison("modified_before", query.modified_before, record.c.modified.__lt__)

    def _put_numbers(self, query: RecordQuery) -> None:
        self._add_among("include", record.c.id, query.include)
        if not query.include:
            self._add_among("exclude", record.c.id, query.exclude, without=True)
        if query.author_exclude:
            self._add_among("author_exclude", record.c.author, query.author_exclude, without=True)
        else:
            self._add_among("author", record.c.author, query.author)
        if query.parent:
            self._add_among("parent", record.c.parent, query.parent)
        else:
            self._add_among("parent_exclude", record.c.parent, query.parent_exclude, without=True)
        self._add_comparison("menu_order", query.menu_order, record.c.menu_order.__eq__)
        self._add_among("slugs", record.c.slug, query.slugs)
        if query.sticky is not None and (query.sticky or not query.include):
            wanted = query.sticky
            # Worded like the partial index of sticky records: `IS TRUE` would not match it.
            self._add(("sticky", wanted), lambda: record.c.sticky if wanted else ~record.c.sticky)

    def _put_terms(self, work: UnitOfWork, query: RecordQuery) -> None:
        """Add the filters by term and by format, joined by AND or OR."""
        groups: list[ConditionBuilder] = []
        for at, term_filter in enumerate(query.terms):
            lists = self._build_term_lists(work, term_filter)
            names = [f"terms_{at}_{number}" for number in range(len(lists))]
            lead = self._can_lead(query, term_filter, lists)
            if len(query.terms) == len(lists) == 1 and not (term_filter.without or query.formats or lead):
                self._links = names[0]
            self.values.update({name: encode_list(ids) for name, ids in zip(names, lists, strict=True)})
            self.shape.append((*names, term_filter.without, lead))
            if lead:
                self.by_term = True
                self.values["leading_term"] = next(iter(lists[0]))
                self._conditions.append(lambda: record_term.c.term == bindparam("leading_term"))
                names = names[1:]
            # Terms that are all required make one filter, whatever joins the taxonomies.
            if names:
                groups.append(partial(self._build_held_condition, tuple(names), term_filter.without))
        if query.formats:
            rare = _STANDARD not in query.formats
            self.shape.append(("formats", rare))
            self.values["formats"] = encode_list(query.formats)
            groups.append(
                lambda: and_(_NON_STANDARD_FORMAT, _build_formats_condition()) if rare else _build_formats_condition()
            )
        if query.other_formats:
            self.shape.append("other_formats")
            self.values["formats"] = encode_list(query.other_formats)
            groups.append(lambda: and_(_NON_STANDARD_FORMAT, ~_build_formats_condition()))
        if groups:
            join = or_ if query.any_taxonomy else and_
            self._add(("join", query.any_taxonomy), lambda: join(*(group() for group in groups)))

    def _build_term_lists(self, work: UnitOfWork, term_filter: TermFilter) -> list[set[int]]:
        """Return sets of term ids; a record must have a term of each."""
        lists = [{id} for id in term_filter.ids] if term_filter.every else [set(term_filter.ids)]
        return (
            [term_store.list_descendant_ids(work.tx, term_filter.taxonomy, ids) | ids for ids in lists]
            if term_filter.children
            else lists
        )

    def _can_lead(self, query: RecordQuery, term_filter: TermFilter, lists: list[set[int]]) -> bool:
        """Return whether the index of a single term can give the records in the order of the list."""
        if self.by_term or term_filter.without or query.any_taxonomy or query.search:
            return False
        return query.orderby == "date" and len(lists[0]) == 1

    def _build_held_condition(self, names: tuple[str, ...], without: bool) -> ColumnElement[bool]:
        """Return the condition that a record has terms of every bound list or, `without`, of none."""
        if self._looked_up and not without:
            return and_(
                *(record.c.id.in_(select(_TERM_LINK.c.record).where(InList(_TERM_LINK.c.term, name))) for name in names)
            )
        # Under an alias: a list led by a term reads the links to terms itself.
        held = [
            select(1).where(_TERM_LINK.c.record == record.c.id, InList(_TERM_LINK.c.term, name)).exists()
            for name in names
        ]
        return ~or_(*held) if without else and_(*held)

    def _put_files(self, query: RecordQuery) -> None:
        """Add the filter by media kind or MIME type; one match is enough."""
        columns = {"media_kinds": media.c.kind, "mime_types": media.c.mime_type}
        wanted = {name: items for name in columns if (items := getattr(query, name))}

        def is_wanted() -> ColumnElement[bool]:
            any_of = or_(*(InList(columns[name], name) for name in wanted))
            if self._looked_up:
                return record.c.id.in_(select(media.c.record).where(any_of))
            return select(1).where(media.c.record == record.c.id, any_of).exists()

        if wanted:
            self._add(tuple(wanted), is_wanted, **{name: encode_list(items) for name, items in wanted.items()})

    def _put_missing_translations(self, work: UnitOfWork, query: RecordQuery) -> None:
        """Keep what has no translation in a language; what all languages share lacks none."""
        if not query.untranslated_in:
            return
        if get_translation_mode(work, f"post_{query.type}") is TranslationMode.NOT_TRANSLATED:
            self._add("shared", false)
            return
        drafts = query.verb == "edit"
        self._add(
            ("untranslated", drafts),
            lambda: list_languages.build_missing_condition(drafts=drafts, looked_up=self._looked_up),
            untranslated_in=query.untranslated_in,
        )

    def _put_fields(self, query: RecordQuery) -> None:
        """Add the filters by own fields, and choose the one whose rows give the order of the list."""
        for at, shape in enumerate(self.fields.shapes):
            self._add(shape, partial(self._build_field_condition, at))
        self.values.update(self.fields.values)
        if query.sort_field or not (self.by_term or self.mixed or query.search):
            self.leading_field = self.fields.choose_leading(query.orderby)

    def _build_field_condition(self, at: int) -> ColumnElement[bool]:
        return self.fields.build_condition(at, self._led)

    def _put_search(self, work: UnitOfWork, query: RecordQuery, search: SearchTerms) -> None:
        found = SearchConditions(work, query, search)
        self.narrowed = found.narrowed
        self.shape += found.shape
        self.values.update(found.values)
        self._conditions += [partial(self._build_search_condition, found, name, wanted) for name, wanted in found.names]
        if query.rank is not None:
            self._add(
                "rank", lambda: found.build_rank_condition(self._looked_up), **found.build_rank_values(query.rank)
            )
        if not work.user:
            self._add("open", lambda: record.c.password == "")

    def _build_search_condition(self, found: SearchConditions, name: str, wanted: bool) -> ColumnElement[bool]:
        condition = found.build_condition(name, self._looked_up)
        return condition if wanted else ~condition


def _negate(build: Callable[[], ColumnElement[bool]]) -> ColumnElement[bool]:
    return ~build()


def _build_formats_condition() -> ColumnElement[bool]:
    return InList(record.c.format, "formats")
