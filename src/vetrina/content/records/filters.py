"""The filters of a list as conditions of its statement: built once per shape, values bound.

The shape is which filters are set; values never are part of it. A condition is a function, called only when its shape
is new: building costs more than running the kept statement. Not here: order, pages and totals
(content/records/listing.py). Rules: facts of the interface, "Lists".
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from sqlalchemy import FromClause, and_, bindparam, literal_column, or_, select
from sqlalchemy.sql.elements import ColumnElement

from vetrina.access.roles.capabilities import may_edit_others
from vetrina.backends import search_index
from vetrina.backends.statement_cache import Among, Contains, Leading, Likely, listed
from vetrina.backends.tables.core import media, record, record_term, searchable
from vetrina.content.records import visibility_filters
from vetrina.content.records.model import NO_PASSWORD
from vetrina.content.records.query import RecordQuery, TermFilter
from vetrina.content.records.visibility_filters import Condition
from vetrina.content.search import relevance
from vetrina.content.search.terms import SearchTerms
from vetrina.content.terms import store as term_store
from vetrina.content.translations import language_shares
from vetrina.content.translations.language_shares import Share
from vetrina.content.translations.modes import Mode
from vetrina.core.unit_of_work import Work

__all__ = ["Filters"]

Build = Callable[[], ColumnElement[bool]]

_STATUS_AND_TERM = 2  # parts of the shape of a list that asks for statuses and one term alone
_STATUS_AND_TERMS = 3  # and of one that asks for any of several terms
_STANDARD = "standard"
# Written out: an index that leaves the standard format out is only used where a query says so in the same words.
_RARE = record.c.format != literal_column(f"'{_STANDARD}'")
# Filters whose few records an index names, or whose order one has.
_WALKED = frozenset({"status", ("author", 1), "include", ("include", 1), "slugs", ("slugs", 1)})
_ORDERED = {"date": frozenset({"after", "before"}), "modified": frozenset({"modified_after", "modified_before"})}
_HELD = record_term.alias("held")
_COLUMNS = {
    "post_title": searchable.c.title,
    "post_content": searchable.c.content,
    "post_excerpt": searchable.c.excerpt,
}


class Filters:
    """The filters of one query.

    shape: which filters are set. values: what they bind. by_term: whether one term leads, so that its index gives the
    records in their order. shares: the languages that the list is read in, one after the other.
    rights: what keeps out what the caller may not see.
    mixed: whether one condition says the languages. narrowed: whether the index of texts can name the records that a
    search may find.
    """

    def __init__(self, work: Work, query: RecordQuery) -> None:
        self.query = query
        self.values: dict[str, Any] = {"type": query.type, "wanted_language": work.language}
        self.shape: list[Any] = []
        self.by_term = False
        self.shares: tuple[Share, ...] = (Share(work.language),)
        self.mixed = False
        self.narrowed = False
        self._looked_up = True
        self._links: str | None = None
        self._conditions: list[Build] = []
        self._put_languages(work, query)
        if query.types:
            self._add("types", lambda: Among(record.c.type, "types"), types=listed(query.types))
        self._put_statuses(query)
        self._put_rights(work, query)
        self._put_left_out(work, query)
        self._put_dates(query)
        self._put_numbers(query)
        self._put_terms(work, query)
        self._put_files(query)
        if query.search:
            self._put_search(work, query, query.search)
        self.key = tuple(self.shape)

    def bound(self, share: Share) -> dict[str, Any]:
        """Return the values that the statement of a share binds."""
        return {**self.values, "language": share.language}

    def source(self, counting: bool = False, untranslated: bool = False) -> FromClause:
        """Return what the statement reads from; to count the records of a term, its links are enough."""
        if counting and self.by_term and len(self.shape) == _STATUS_AND_TERM and not untranslated:
            return record_term
        out: FromClause = record
        if self.by_term:
            out = record_term.join(record, record.c.id == record_term.c.record)
        if self.query.search:
            out = out.join(searchable, searchable.c.record == Leading(record.c.id))
        return out

    @property
    def walked(self) -> bool:
        """Say whether an index gives the records one after the other, so that the first ones are found at once."""
        if self.by_term:
            return len(self.key) == _STATUS_AND_TERM
        ordered = _ORDERED.get(self.query.orderby, frozenset())
        return all(part in _WALKED or part in ordered for part in self.key)

    def linked(self) -> list[ColumnElement[bool]] | None:
        """Return the conditions on links to terms that say all that is asked; None where records must be read."""
        if self._links is None or self.mixed or len(self.shape) != _STATUS_AND_TERMS:
            return None
        column, name, own = record_term.c.status, self._links, record_term.c
        status = column == bindparam("status") if "status" in self.shape else Among(column, "statuses")
        return [
            own.type == bindparam("type"), own.language == bindparam("language"), status, Among(own.term, name),
        ]  # fmt: skip

    def where(self, untranslated: bool = False, looked_up: bool = True) -> list[ColumnElement[bool]]:
        """Return the conditions of the statement of a share.

        looked_up: whether indexes of texts and terms shall name the records, because all that match are wanted; when
        they are met on the way through a list they are better asked one by one.
        """
        own = record_term if self.by_term else record
        always = [] if self.mixed else [own.c.language == bindparam("language")]
        if untranslated:
            always.append(language_shares.untranslated_of_all() if looked_up else language_shares.untranslated())
        if not self.query.types:
            always.insert(0, own.c.type == bindparam("type"))
        if self.narrowed and looked_up:
            always.append(search_index.narrowing(record.c.id))
        self._looked_up = looked_up
        return [*always, *(condition() for condition in self._conditions)]

    # -- one kind of filter after the other

    def _add(self, name: Any, condition: Build, **values: Any) -> None:
        self.shape.append(name)
        self.values.update(values)
        self._conditions.append(condition)

    def _put_languages(self, work: Work, query: RecordQuery) -> None:
        """Choose the shares of the list, or one condition where its order is not that of a column."""
        names = query.types or (query.type,)
        if all(language_shares.mode_here(work, name) is Mode.TRANSLATED for name in names):
            return
        if len(names) == 1 and not query.ranked:
            self.shares = language_shares.shares(work, names[0])
            return
        self.mixed = True
        modes, values = language_shares.by_type(work, names)
        self._add(modes, lambda: language_shares.condition(modes), **values)

    def _among(self, name: str, column: ColumnElement[Any], items: tuple[Any, ...], without: bool = False) -> None:
        """Keep the rows whose column is one of the items; a single one is compared, so that an index can order."""
        if len(items) == 1 and not without:
            self._add((name, 1), lambda: column == bindparam(name), **{name: items[0]})
        elif items:
            self._add(name, lambda: ~Among(column, name) if without else Among(column, name), **{name: listed(items)})

    def _compared(self, name: str, value: Any, compare: Callable[[Any], ColumnElement[bool]]) -> None:
        if value is not None:
            self._add(name, lambda: compare(bindparam(name)), **{name: value})

    def _put_statuses(self, query: RecordQuery) -> None:
        # Called late: which table's column it is depends on whether a term leads.
        def column() -> ColumnElement[Any]:
            return record_term.c.status if self.by_term else record.c.status

        if len(query.statuses) == 1:
            self._add("status", lambda: column() == bindparam("status"), status=query.statuses[0])
        elif query.statuses:
            self._add("statuses", lambda: Among(column(), "statuses"), statuses=listed(query.statuses))

    def _put_rights(self, work: Work, query: RecordQuery) -> None:
        self.rights = visibility_filters.reachable(work, query)
        for one in self.rights.conditions:
            self._add(one.shape, one.build, **one.values)

    def _put_left_out(self, work: Work, query: RecordQuery) -> None:
        """Leave out what a type shows in no list for readers; who edits such records lists them all."""
        for name in query.types or (query.type,):
            type = work.frame.types.get(name)
            left_out = type.left_out if type is not None else None
            if type is None or left_out is None or (query.verb and may_edit_others(work.user, type)):
                continue
            self._add(("left out", name), lambda left_out=left_out: ~left_out())  # type: ignore[misc]

    def _put_dates(self, query: RecordQuery) -> None:
        self._compared("after", query.after, record.c.date.__gt__)
        self._compared("before", query.before, record.c.date.__lt__)
        self._compared("modified_after", query.modified_after, record.c.modified.__gt__)
        self._compared("modified_before", query.modified_before, record.c.modified.__lt__)

    def _put_numbers(self, query: RecordQuery) -> None:
        self._among("include", record.c.id, query.include)
        if not query.include:
            self._among("exclude", record.c.id, query.exclude, without=True)
        if query.author_exclude:
            self._among("author_exclude", record.c.author, query.author_exclude, without=True)
        else:
            self._among("author", record.c.author, query.author)
        if query.parent:
            self._among("parent", record.c.parent, query.parent)
        else:
            self._among("parent_exclude", record.c.parent, query.parent_exclude, without=True)
        self._compared("menu_order", query.menu_order, record.c.menu_order.__eq__)
        self._among("slugs", record.c.slug, query.slugs)
        if query.sticky is not None and (query.sticky or not query.include):
            wanted = query.sticky
            # As the index of the sticky ones has it: `IS TRUE` would not be known for the same.
            self._add(("sticky", wanted), lambda: record.c.sticky if wanted else ~record.c.sticky)

    def _put_terms(self, work: Work, query: RecordQuery) -> None:
        """Add the filters by term and by format, all of which must hold or any."""
        groups: list[Build] = []
        for at, one in enumerate(query.terms):
            lists = self._term_lists(work, one)
            names = [f"terms_{at}_{number}" for number in range(len(lists))]
            lead = self._leads(query, one, lists)
            if len(query.terms) == len(lists) == 1 and not (one.without or query.formats or lead):
                self._links = names[0]
            self.values.update({name: listed(ids) for name, ids in zip(names, lists, strict=True)})
            self.shape.append((*names, one.without, lead))
            if lead:
                self.by_term = True
                self.values["leading_term"] = next(iter(lists[0]))
                self._conditions.append(lambda: record_term.c.term == bindparam("leading_term"))
                names = names[1:]
            # Terms that must all be there are one filter, whatever joins the taxonomies.
            if names:
                groups.append(partial(self._held, tuple(names), one.without))
        if query.formats:
            rare = _STANDARD not in query.formats
            self.shape.append(("formats", rare))
            self.values["formats"] = listed(query.formats)
            groups.append(lambda: and_(_RARE, _formats()) if rare else _formats())
        if query.other_formats:
            self.shape.append("other_formats")
            self.values["formats"] = listed(query.other_formats)
            groups.append(lambda: and_(_RARE, ~_formats()))
        if groups:
            join = or_ if query.any_taxonomy else and_
            self._add(("join", query.any_taxonomy), lambda: join(*(group() for group in groups)))

    def _term_lists(self, work: Work, one: TermFilter) -> list[set[int]]:
        """Return the lists of which a record must have a term each."""
        lists = [{id} for id in one.ids] if one.every else [set(one.ids)]
        return [term_store.descendants(work.tx, one.taxonomy, ids) | ids for ids in lists] if one.children else lists

    def _leads(self, query: RecordQuery, one: TermFilter, lists: list[set[int]]) -> bool:
        """Say whether the index of a single term can give the records of the list."""
        if self.by_term or one.without or query.any_taxonomy or query.search:
            return False
        return query.orderby == "date" and len(lists[0]) == 1

    def _held(self, names: tuple[str, ...], without: bool) -> ColumnElement[bool]:
        """Return that a record has terms of every bound list, or that it has none of the one."""
        if self._looked_up and not without:
            return and_(*(record.c.id.in_(select(_HELD.c.record).where(Among(_HELD.c.term, name))) for name in names))
        # By another name: a list that a term leads reads the links to terms itself.
        held = [select(1).where(_HELD.c.record == record.c.id, Among(_HELD.c.term, name)).exists() for name in names]
        return ~or_(*held) if without else and_(*held)

    def _put_files(self, query: RecordQuery) -> None:
        """Add the filter by the types of files: one of the kinds, or one of the types."""
        columns = {"media_kinds": media.c.kind, "mime_types": media.c.mime_type}
        asked = {name: items for name in columns if (items := getattr(query, name))}
        if asked:
            self._add(
                tuple(asked),
                lambda: record.c.id.in_(
                    select(media.c.record).where(or_(*(Among(columns[name], name) for name in asked)))
                ),
                **{name: listed(items) for name, items in asked.items()},
            )

    def _put_search(self, work: Work, query: RecordQuery, search: SearchTerms) -> None:
        names = query.search_columns or tuple(_COLUMNS)
        wanted = [f"wanted_{at}" for at in range(len(search.wanted))]
        unwanted = [f"unwanted_{at}" for at in range(len(search.unwanted))]
        self.values.update(zip(wanted + unwanted, search.wanted + search.unwanted, strict=True))
        self.shape.append((names, query.exact, query.in_names, len(wanted), len(unwanted)))
        narrow = search_index.narrowed(work.tx, search.wanted)
        if narrow is not None:
            self.narrowed = True
            self.values.update(narrow)

        shown = self._shown_texts(work, query) if work.user else None
        if shown is not None:
            self.shape.append(shown.shape)
            self.values.update(shown.values)

        def anywhere(name: str) -> ColumnElement[bool]:
            columns = [_COLUMNS[column] for column in names]
            if query.in_names:
                columns.append(searchable.c.names)
            if query.exact:
                found = [(column, column == bindparam(name)) for column in columns]
            else:
                found = [(column, Contains(column, name, looked_up=self._looked_up)) for column in columns]
            if shown is not None:
                # What a password protects is found by what everybody sees of it, which is its title.
                found = [
                    (column, one if column is searchable.c.title else and_(shown.build(), one)) for column, one in found
                ]
            anywhere = or_(*(one for _, one in found))
            return anywhere if query.exact or self._looked_up else Likely(anywhere)

        self._conditions += [partial(anywhere, name) for name in wanted]
        self._conditions += [partial(lambda name: ~anywhere(name), name) for name in unwanted]
        if query.rank is not None:
            told = {**relevance.values(search), "rank": query.rank}

            def ranked() -> ColumnElement[bool]:
                condition: ColumnElement[bool] = relevance.rank(search) == bindparam("rank")
                return condition if self._looked_up else Likely(condition)

            self._add("rank", ranked, **told)
        if not work.user:
            self._add("open", lambda: record.c.password == "")

    def _shown_texts(self, work: Work, query: RecordQuery) -> Condition | None:
        """Return the condition that the caller sees more of a record than its title; None where that holds for all."""
        names = query.types or (query.type,)
        types = [work.frame.types[name] for name in names if name in work.frame.types]
        reaches = [visibility_filters.reach(work.user, type, "edit") for type in types]
        if all(found.seen.issuperset(query.statuses) for found in reaches):
            return None
        editable = visibility_filters.within(work, [type.name for type in types], "edit", record, "editing")
        return visibility_filters.Condition(
            editable.shape,
            lambda: or_(or_(*(record.c.password == word for word in NO_PASSWORD)), editable.build()),
            editable.values,
        )


def _formats() -> ColumnElement[bool]:
    return Among(record.c.format, "formats")
