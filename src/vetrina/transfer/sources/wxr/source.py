"""An export file as the source of an import."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, Final
from xml.parsers import expat

from vetrina.content.types import registry
from vetrina.transfer.records import IdKind, Record, SourceDescription, SourceError

from .elements import ElementNames, ExportElement, parse_element
from .files import FileLocator
from .records import FORMATS, SITE_TAXONOMIES, RecordBuilder, get_taxonomy_path, get_type_path
from .scanning import ExportIndex, PartList, scan_export

_USERS: Final = "/cms/v2/users"
_COMMENTS: Final = "/cms/v2/comments"
_SETTINGS: Final = "/cms/v2/settings"
_TERM_KINDS: Final = {"category": ("category",), "post_tag": ("tag",)}  # other taxonomies: `term`
_CLOSING: Final = 80  # bytes within which a closing tag ends
_FIRST: Final = (registry.ATTACHMENT.name, registry.PAGE.name, registry.POST.name)  # types, before the others


class ExportFileSource:
    """Records of an export file. files: folder of its uploads, None to fetch them. allow_private: from any network."""

    def __init__(self, path: Path, files: Path | None = None, allow_private: bool = False) -> None:
        self._path, self._names = path, ElementNames()
        self._locator = FileLocator(files, allow_private)

    @cached_property
    def _index(self) -> ExportIndex:
        return scan_export(self._path)

    @cached_property
    def _builder(self) -> RecordBuilder:
        return RecordBuilder(self._index)

    @property
    def key(self) -> str:
        """The site that the file was exported from, so that a later export of it is the same source."""
        site = self._index.site
        url = site.get("export:base_blog_url") or site.get("link")
        return f"wxr:{url.rstrip('/')}" if url else f"wxr:{self._path.resolve()}"

    def describe(self) -> SourceDescription:
        """Return what the file holds. Raises SourceError."""
        index = self._index
        named = (index.site.get(name, "") for name in ("export:base_blog_url", "export:base_site_url", "link"))
        urls = [url.rstrip("/") for url in (*index.upload_folders, *named) if url.startswith(("http://", "https://"))]
        types, taxonomies = self._types, self._taxonomies
        return SourceDescription(
            title=index.site.get("title", "") or self._path.name,
            urls=tuple(dict.fromkeys(urls)),
            resources=tuple(self._resources),
            types={name: {"slug": name, "rest_base": get_type_path(name).rpartition("/")[2]} for name in types},
            taxonomies={
                name: {"slug": name, "rest_base": get_taxonomy_path(name).rpartition("/")[2]} for name in taxonomies
            },
            languages=self._languages,
        )

    def find_greatest_ids(self) -> Mapping[IdKind, int]:
        """Return the greatest ids that the file names, by kind."""
        return self._index.greatest_ids

    def count_records(self, resource: str, since: datetime | None = None) -> int | None:
        """Return how many records a collection has."""
        index = self._index
        if resource == _USERS:
            return len(index.parts.get("author", ())) + len(self._named_authors)
        if resource == _COMMENTS:
            return index.comments
        if resource == _SETTINGS:
            return 1
        what, name = self._resources[resource]
        if what == "type":
            return len(index.items[name])
        known = sum(1 for taxonomy, _ in index.terms if taxonomy == name)
        return known + sum(1 for taxonomy, _ in index.named_terms if taxonomy == name)

    def read_records(self, resource: str, since: datetime | None = None) -> Iterator[Record]:
        """Yield the records of a collection; a file does not tell what changed. Raises SourceError."""
        try:
            with self._path.open("rb") as file:
                yield from self._read(file, resource)
        except OSError as error:
            raise SourceError(f"{self._path} cannot be read: {error.strerror or error}") from None
        except (expat.ExpatError, IndexError):
            raise SourceError(f"{self._path} was changed while it was read") from None

    def fetch_file(self, record: Record, folder: Path) -> Path | None:
        """Put the original file of an attachment into a folder and return its path, None where it isn't to be had."""
        return self._locator.fetch(record, folder)

    @cached_property
    def _languages(self) -> tuple[str, ...]:
        """The codes of the languages, that of the site first; none where parts tell none."""
        found, own = self._index.languages, self._index.site.get("language", "").lower()
        return tuple(sorted(found, key=lambda code: not own.startswith(code.lower())))

    @cached_property
    def _types(self) -> dict[str, str]:
        """The types of the items: their names in the file by the neutral ones, files and pages first."""
        found = {self._builder.translate_name(name): name for name in self._index.items}
        order = {name: at for at, name in enumerate(_FIRST)}
        return dict(sorted(found.items(), key=lambda one: (order.get(one[0], len(order)), one[0])))

    @cached_property
    def _taxonomies(self) -> dict[str, str]:
        """The taxonomies: their names in the file by the neutral ones."""
        named = dict.fromkeys(taxonomy for taxonomy, _ in (*self._index.terms, *self._index.named_terms))
        neutral = {self._builder.translate_name(name): name for name in named if name and name != FORMATS}
        return {name: own for name, own in neutral.items() if name not in SITE_TAXONOMIES}

    @cached_property
    def _resources(self) -> dict[str, tuple[str, str]]:
        """The collections in the order in which they come: what each is, and its name in the file."""
        out = {_USERS: ("users", "")}
        out |= {get_taxonomy_path(name): ("taxonomy", own) for name, own in self._taxonomies.items()}
        items = {get_type_path(name): ("type", own) for name, own in self._types.items()}
        last = {path: items.pop(path) for path in (registry.MENU_ITEM.path,) if path in items}
        return {**out, **items, _COMMENTS: ("comments", ""), **last, _SETTINGS: ("settings", "")}

    @cached_property
    def _named_authors(self) -> list[str]:
        return [login for login in self._index.creators if login not in self._index.authors]

    def _read(self, file: BinaryIO, resource: str) -> Iterator[Record]:
        index, builder = self._index, self._builder
        what, name = self._resources[resource]
        if what == "users":
            yield from map(builder.build_user, self._read_parts(file, index.parts.get("author", PartList())))
            yield from map(builder.build_named_user, self._named_authors)
        elif what == "taxonomy":
            yield from self._read_terms(file, name)
        elif what == "type":
            yield from map(builder.build_item, self._read_parts(file, index.items[name]))
        elif what == "comments":
            for part in self._read_parts(file, index.commented):
                yield from builder.iterate_comments(part)
        else:
            yield builder.build_settings()

    def _read_terms(self, file: BinaryIO, taxonomy: str) -> Iterator[Record]:
        """Yield the terms of a taxonomy: those declared in its own elements, in common ones, and by items only."""
        neutral = self._builder.translate_name(taxonomy)
        seen: set[Any] = set()
        for kind in (*_TERM_KINDS.get(taxonomy, ()), "term"):
            for part in self._read_parts(file, self._index.parts.get(kind, PartList())):
                record = self._builder.build_term(kind, part)
                if record.values["taxonomy"] == neutral and record.id not in seen:
                    seen.add(record.id)
                    yield record
        for (of, slug), name in self._index.named_terms.items():
            if of == taxonomy:
                yield self._builder.build_named_term(of, slug, name)

    def _read_parts(self, file: BinaryIO, places: PartList) -> Iterator[ExportElement]:
        index = self._index
        for start, end in _iterate(places):
            file.seek(start)
            text = file.read(end - start + _CLOSING)
            whole = text[: text.index(b">", end - start) + 1]
            yield parse_element(whole, self._names, index.encoding, index.namespaces)


def _iterate(places: PartList) -> Iterable[tuple[int, int]]:
    return (places[at] for at in range(len(places)))
