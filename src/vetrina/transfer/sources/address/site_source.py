"""The records of a site, read over its interface: a `Source` (transfer/records.py).

What there is to read: transfer/sources/address/site_description.py. Pages: transfer/sources/address/paging.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from vetrina.kernel.integers import parse_digits
from vetrina.transfer.records import CollectionUnreadable, IdKind, Record, SkippedRecord, SourceDescription, SourceError
from vetrina.transfer.sources.address.collections import SHOP_GROUPS, SourceCollection
from vetrina.transfer.sources.address.connection import ReadRefused, SiteConnection
from vetrina.transfer.sources.address.list_queries import build_list_queries, has_pages, list_choices
from vetrina.transfer.sources.address.paging import PAGE_SIZE, ListReader, UnreadRecord, list_objects, map_in_order
from vetrina.transfer.sources.address.parents_first import order_parents_first
from vetrina.transfer.sources.address.site_description import ReadableSite, find_readable_site
from vetrina.transfer.sources.address.site_outline import get_objects
from vetrina.transfer.sources.address.translation_links import TranslationLinks
from vetrina.transfer.sources.shop_reports import read_shop_reports

# What says nothing of a record: links of the interface, and other products that are drawn at every reading.
_LEFT_OUT: Final = frozenset({"_links", "_embedded", "related_ids"})
_FILE_NAME: Final = re.compile(r"[^\w.\- ]")
_MAX_FILE_NAME: Final = 200  # characters, the last of them; file systems take few more
_NOT_SIGNED_IN: Final = 401
WHOLE_MEMBER: Final = "items"  # of a record that is a whole list
CONTENT_MEMBER: Final = "content"  # of a record that is a text
BY_LANGUAGE_MEMBER: Final = "by_language"  # of a record with values of its own in each language


class SiteSource:
    """A site as a source of records.

    report_skipped: told of each record that the site breaks on. revisions: whether those of content are read.
    """

    def __init__(
        self,
        connection: SiteConnection,
        *,
        report_skipped: Callable[[SkippedRecord], None] = lambda _: None,
        revisions: bool = False,
    ) -> None:
        self._connection, self._report_skipped, self._revisions = connection, report_skipped, revisions

    @property
    def key(self) -> str:
        """The root of the site's interface."""
        return self._connection.key

    @cached_property
    def _site(self) -> ReadableSite:
        return find_readable_site(self._connection, revisions=self._revisions)

    def describe(self) -> SourceDescription:
        """Return what the site holds and shows. Raises SourceError."""
        return self._site.description

    def find_greatest_ids(self) -> Mapping[IdKind, int]:
        """Return the greatest ids by kind, of the lists that can be read from their end. Raises SourceError."""
        wanted = [one for one in self._site.collections.values() if one.kind]
        found: dict[IdKind, int] = {}
        with self._open_pool() as pool:
            greatest = map_in_order(pool, self._connection.parallel, self._find_greatest_id, wanted)
            for collection, id in zip(wanted, greatest, strict=True):
                if collection.kind:
                    found[collection.kind] = max(id, found.get(collection.kind, 0))
        return found

    def _find_greatest_id(self, collection: SourceCollection) -> int:
        """Return the greatest id of a collection, 0 where it isn't to be had."""
        if collection.form == "value":
            return self._site.styles
        path, member = collection.resource, collection.number_member or collection.id_member
        size = 1
        if self._is_flat(collection):
            path = collection.flat
        elif collection.above:
            # The last records above name what lies below them.
            above, member = self._site.collections.get(collection.above, SHOP_GROUPS), collection.above_member
            collection, path, size = above, above.resource, PAGE_SIZE
        if not member:
            return 0
        greatest = 0
        for query in self._list_queries(collection, path, None):
            parameters = {**query.parameters, "_fields": member}
            if has_pages(self._site.outline, path):
                if query.parameters.get("orderby") != "id":
                    continue
                parameters |= {"order": "desc", "per_page": size}
            try:
                records = self._connection.ask(path, parameters).value
            except ReadRefused:
                continue
            for one in list_objects(records):
                greatest = max(greatest, *_list_numbers(one.get(member)))
        return greatest

    def count_records(self, resource: str, since: datetime | None = None) -> int | None:
        """Return how many records there are; None below other records, and where the site doesn't say.

        A record that every language shows counts once for each.
        """
        collection = self._find_collection(resource)
        path = collection.flat if self._is_flat(collection) else resource
        if collection.form != "list" or "{" in path:
            return None
        counts = []
        try:
            for query in self._list_queries(collection, path, since):
                pages = has_pages(self._site.outline, path)
                counts.append(ListReader(self._connection, path, query.parameters, pages=pages).count())
        except ReadRefused as error:
            raise self._explain(resource, error) from error
        return None if None in counts else sum(count for count in counts if count is not None)

    def read_records(self, resource: str, since: datetime | None = None) -> Iterator[Record]:
        """Give the records of a collection, parents before children. Raises SourceError."""
        collection = self._find_collection(resource)
        try:
            with self._open_pool() as pool:
                records = self._read_collection(collection, since, pool)
                yield from order_parents_first(records) if collection.is_hierarchical else records
        except ReadRefused as error:
            raise self._explain(resource, error) from error

    def fetch_file(self, record: Record, folder: Path) -> Path | None:
        """Put the file of a media record or a font face into a folder; None where the site doesn't give it."""
        for url in list_file_urls(record.values):
            path = folder / (name_file(url) or str(record.id))
            if self._connection.fetch_file(url, path):
                return path
        return None

    def read_reports(self) -> dict[str, Any]:
        """Return the totals of the shop's reports by their paths. Raises SourceError."""
        return read_shop_reports(self._ask_report)

    def _ask_report(self, path: str, query: dict[str, Any]) -> Any:
        """Return a report, None where the site has none or doesn't show it."""
        if not self._site.outline.has_path(path):
            return None
        try:
            return self._connection.ask(path, query).value
        except ReadRefused:
            return None

    def _find_collection(self, resource: str) -> SourceCollection:
        found = self._site.collections.get(resource)
        if found is None:
            raise SourceError(f"{self.key} has no {resource}, or doesn't show it")
        return found

    def _explain(self, resource: str, error: ReadRefused) -> SourceError:
        # An account or a key that is refused is so everywhere.
        kind = SourceError if error.status == _NOT_SIGNED_IN else CollectionUnreadable
        return kind(f"{self.key}: {resource} can't be read: {error}")

    @contextmanager
    def _open_pool(self) -> Iterator[ThreadPoolExecutor | None]:
        if self._connection.parallel < 2:
            yield None
            return
        with ThreadPoolExecutor(self._connection.parallel) as pool:
            yield pool

    # -- collections

    def _read_collection(
        self, collection: SourceCollection, since: datetime | None, pool: ThreadPoolExecutor | None
    ) -> Iterator[Record]:
        if collection.form == "value":
            yield self._read_value(collection)
        elif collection.form == "text":
            content = self._connection.ask(collection.resource).value
            yield Record(collection.resource, "", {CONTENT_MEMBER: content if isinstance(content, str) else ""})
        elif collection.form == "shared":
            yield from self._read_shared(collection)
        elif collection.form == "object":
            found = self._connection.ask(collection.resource, self._build_value_query(collection)).value
            for name, values in get_objects(found):
                yield Record(collection.resource, name, _select_members(values))
        elif self._is_flat(collection):
            for record in self._read_list(collection, collection.flat, since, pool):
                yield Record(
                    record.resource, record.id, record.values, record.language,
                    record.values.get(collection.flat_member) or 0,
                )  # fmt: skip
        elif collection.above:
            yield from self._read_below(collection, since, pool)
        else:
            yield from self._read_list(collection, collection.resource, since, pool)

    def _read_shared(self, collection: SourceCollection) -> Iterator[Record]:
        """Give the records of a list with the values that they have in each language."""
        found: dict[int | str, dict[str, Any]] = {}
        for query in self._list_queries(collection, collection.resource, None):
            reader = ListReader(
                self._connection, collection.resource, query.parameters,
                pages=has_pages(self._site.outline, collection.resource), id_member=collection.id_member,
            )  # fmt: skip
            for values in reader.read(None):
                if isinstance(values, UnreadRecord):
                    self._report_skipped(SkippedRecord(
                        collection.resource, values.id, values.position, values.reason, query.language
                    ))  # fmt: skip
                    continue
                id, own = _read_id(values, collection), _select_members(values)
                if id in found:
                    found[id].setdefault(BY_LANGUAGE_MEMBER, {})[query.language] = own.get("meta")
                else:
                    found[id] = own
        yield from (Record(collection.resource, id, values) for id, values in found.items())

    def _is_flat(self, collection: SourceCollection) -> bool:
        return bool(collection.flat) and self._site.outline.has_path(collection.flat)

    def _list_queries(self, collection: SourceCollection, path: str, since: datetime | None) -> list[Any]:
        context = self._site.contexts[collection.resource]
        return [*build_list_queries(self._site.outline, collection, path, context, since)]

    def _read_list(
        self, collection: SourceCollection, path: str, since: datetime | None, pool: ThreadPoolExecutor | None,
        parent: int | str = 0,
    ) -> Iterator[Record]:  # fmt: skip
        """Give the records of one list. parent: the record that it lies below."""
        template = collection.resource if parent else path
        queries = self._list_queries(collection, template, since)
        pages = has_pages(self._site.outline, template)
        seen: set[int | str] = set()
        links = self._open_links(collection, template)
        for query in queries:
            reader = ListReader(self._connection, path, query.parameters, pages=pages, id_member=collection.id_member)
            records = reader.read(pool)
            for values in records if links is None else links.add_links(query.language, query.parameters, records):
                if isinstance(values, UnreadRecord):
                    self._report_skipped(SkippedRecord(
                        collection.resource, values.id, values.position, values.reason, query.language
                    ))  # fmt: skip
                    continue
                id = _read_id(values, collection)
                if len(queries) > 1:
                    if id in seen:
                        continue
                    seen.add(id)
                language = values.get("lang")
                yield Record(
                    collection.resource, id, _select_members(values),
                    language if language in self._site.outline.languages else query.language, parent,
                )  # fmt: skip

    def _open_links(self, collection: SourceCollection, path: str) -> TranslationLinks | None:
        """Return what finds translations in a list; None where it has no languages or is not ordered by ids."""
        outline = self._site.outline
        arguments = outline.get_arguments(path)
        if not collection.per_language or collection.above or outline.language_parameter not in arguments:
            return None
        if "include" not in arguments or "include" not in list_choices(arguments, "orderby"):
            return None

        def report(language: str, error: ReadRefused) -> None:
            reason = f"which records are translations can't be read: {error}"
            self._report_skipped(SkippedRecord(collection.resource, 0, 0, reason, language))

        return TranslationLinks(self._connection, path, outline.languages, outline.language_parameter, report)

    def _read_below(
        self, collection: SourceCollection, since: datetime | None, pool: ThreadPoolExecutor | None
    ) -> Iterator[Record]:
        """Give the records below each record of another collection."""

        def read(parent: int | str) -> list[Record]:
            path = collection.fill(parent)
            try:
                if collection.form == "whole":
                    items = self._connection.ask(path).value
                    values = {WHOLE_MEMBER: [_select_members(item) for item in list_objects(items)]}
                    return [Record(collection.resource, parent, values, parent=parent)]
                return [*self._read_list(collection, path, None, None, parent)]
            except ReadRefused as error:
                if error.status == _NOT_SIGNED_IN:
                    # Password or key were withdrawn meanwhile, and are refused for every other record, too.
                    raise
                self._report_skipped(SkippedRecord(collection.resource, parent, 0, f"{path}: {error}"))
                return []

        for records in map_in_order(pool, self._connection.parallel * 2, read, self._list_parents(collection, since)):
            yield from records

    def _list_parents(self, collection: SourceCollection, since: datetime | None) -> Iterator[int | str]:
        """Give the ids of the records that have something below them."""
        above = self._site.collections.get(collection.above, SHOP_GROUPS)
        members = ",".join(filter(None, (above.id_member, collection.above_member)))
        context = self._site.contexts[above.resource]
        seen: set[int | str] = set()
        for query in build_list_queries(self._site.outline, above, above.resource, context, since):
            reader = ListReader(
                self._connection, above.resource, {**query.parameters, "_fields": members},
                pages=has_pages(self._site.outline, above.resource), id_member=above.id_member,
            )  # fmt: skip
            for values in reader.read(None):
                if isinstance(values, UnreadRecord):
                    continue
                id = _read_id(values, above)
                if id not in seen and (not collection.above_member or values.get(collection.above_member)):
                    seen.add(id)
                    yield id

    def _build_value_query(self, collection: SourceCollection) -> dict[str, Any]:
        return {"context": self._site.contexts[collection.resource]} if collection.edit else {}

    def _read_value(self, collection: SourceCollection) -> Record:
        path = collection.resource
        if path == "/cms/v2/global-styles":
            values = self._connection.ask(f"{path}/{self._site.styles}", self._build_value_query(collection)).value
            id: int | str = self._site.styles
        else:
            values, id = self._connection.ask(path).value, ""
        if not isinstance(values, dict):
            raise ReadRefused(0, "", "the answer is no object")
        return Record(path, id, _select_members(values))


def _read_id(values: dict[str, Any], collection: SourceCollection) -> int | str:
    """Return the id of a record; some sites write numbers as texts."""
    id: int | str = values[collection.id_member]
    number = parse_digits(id) if collection.kind and isinstance(id, str) else None
    return id if number is None else number


def name_file(url: str) -> str:
    """Return the name that the file of a URL gets, empty for none."""
    return _FILE_NAME.sub("-", unquote(urlsplit(url).path.rpartition("/")[2])).lstrip(".")[-_MAX_FILE_NAME:]


def list_file_urls(values: dict[str, Any]) -> Iterable[str]:
    """Give the URLs of the file of a media record, the one that was uploaded first, or of a font face."""
    face = values.get("font_face_settings")
    if isinstance(face, dict):
        sources = face.get("src")
        yield from [one for one in (sources if isinstance(sources, list) else [sources]) if isinstance(one, str)][:1]
        return
    url, details = values.get("source_url"), values.get("media_details")
    if not isinstance(url, str) or not url:
        return
    original = details.get("original_image") if isinstance(details, dict) else None
    if isinstance(original, str) and original:
        yield f"{url.rpartition('/')[0]}/{original}"
    yield url


def _list_numbers(value: Any) -> list[int]:
    """Return the ids in a member: one, or a list of them or of records; 0 for none."""
    items = value if isinstance(value, list) else [value]
    ids = (item.get("id") if isinstance(item, dict) else item for item in items)
    return [0, *(id for id in ids if isinstance(id, int))]


def _select_members(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in _LEFT_OUT}
