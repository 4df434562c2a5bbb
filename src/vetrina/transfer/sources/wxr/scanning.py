"""The first pass over an export file: where its parts are, and by what they refer to each other.

Of each part it keeps where it begins and ends, so that a file of any size is read in flat memory.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final
from xml.parsers import expat

from vetrina.transfer.records import IdKind, SourceError

from .elements import ElementNames, build_parser
from .extension_fields import get_language_fields
from .reviews import RATING, is_review
from .xml_bytes import XmlByteReplacer

_CHUNK: Final = 1 << 18  # bytes
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")  # marks that a file begins with
MAX_PART: Final = 64 << 20  # bytes of one part; it is in memory while it is read
_MAX_TOLD: Final = 1 << 16  # characters of what a part says of itself here
_ENCODING: Final = re.compile(rb"""\s*<\?xml[^>]*?\bencoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_ENCODINGS: Final = ("utf-8", "us-ascii", "iso-8859-1")  # in which a part of a file can be read alone
_PARTS: Final = {
    "export:author": "author", "export:category": "category", "export:tag": "tag", "export:term": "term",
    "item": "item",
}  # fmt: skip
_META: Final = frozenset({"export:postmeta", "export:termmeta"})
_COMMENT: Final = "export:comment"
_COMMENT_META: Final = "export:commentmeta"
_FIELD_NAME: Final = "export:meta_key"
_FIELD_VALUE: Final = "export:meta_value"
_SITE: Final = (
    "title", "description", "link", "language", "export:base_site_url", "export:base_blog_url", "export:wxr_version",
)  # fmt: skip
_TOLD: Final = frozenset(
    {
        "export:post_id", "export:post_type", "export:comment_id", "export:attachment_url", "dc:creator", "category",
        "export:term_id", "export:tag_slug", "export:category_nicename", "export:term_slug", "export:term_taxonomy",
        "export:author_id", "export:author_login", "export:comment_type",
    }
)  # fmt: skip
_PART_DEPTH: Final = 2  # elements around a part: the feed and its channel
_MAX_DEPTH: Final = 100  # elements inside each other
_MAX_ID_DIGITS: Final = 15


class PartList:
    """Where the parts of one kind are in the file, in bytes."""

    def __init__(self) -> None:
        self._starts, self._ends = array("q"), array("q")

    def add(self, start: int, end: int) -> None:
        """Add a part. end: where its closing tag begins."""
        self._starts.append(start)
        self._ends.append(end)

    def __len__(self) -> int:
        return len(self._starts)

    def __getitem__(self, at: int) -> tuple[int, int]:
        return self._starts[at], self._ends[at]


@dataclass
class ExportIndex:
    """What a file holds.

    site: texts about the site by element. parts: authors, categories, tags and terms by kind. items: by post type.
    commented: the items with comments; comments: their number. reviewed: the products with reviews; reviews: their
    number. terms: id of each declared term by taxonomy and slug;
    named_terms: name by taxonomy and slug of terms that only items name. authors: id by login of declared authors;
    creators: logins that items name. greatest_ids: by kind of the journal. upload_folders: addresses of the folders of
    all uploads. languages: codes that parts name. groups: ids of translations of each other, by kind and group.
    too_large: kind, post type and id of parts that are larger than MAX_PART, and left out. bad_bytes: how many no XML
    may have.
    """

    encoding: str = "utf-8"
    namespaces: dict[str, str] = field(default_factory=dict)
    site: dict[str, str] = field(default_factory=dict)
    parts: dict[str, PartList] = field(default_factory=dict)
    items: dict[str, PartList] = field(default_factory=dict)
    commented: PartList = field(default_factory=PartList)
    comments: int = 0
    reviewed: PartList = field(default_factory=PartList)
    reviews: int = 0
    terms: dict[tuple[str, str], str] = field(default_factory=dict)
    named_terms: dict[tuple[str, str], str] = field(default_factory=dict)
    authors: dict[str, str] = field(default_factory=dict)
    creators: dict[str, None] = field(default_factory=dict)
    greatest_ids: dict[IdKind, int] = field(default_factory=dict)
    upload_folders: dict[str, None] = field(default_factory=dict)
    languages: dict[str, None] = field(default_factory=dict)
    groups: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    too_large: list[tuple[str, str, str]] = field(default_factory=list)
    bad_bytes: int = 0


def scan_export(path: Path) -> ExportIndex:
    """Return what an export file holds. Raises SourceError, with the line of a fault."""
    try:
        with path.open("rb") as file:
            return _ExportScanner(path).scan(file)
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror or error}") from None


def read_term_key(kind: str, texts: Mapping[str, str]) -> tuple[str, str]:
    """Return taxonomy and slug of a declared term. texts: by element."""
    if kind == "category":
        return "category", texts.get("export:category_nicename") or ""
    if kind == "tag":
        return "post_tag", texts.get("export:tag_slug") or ""
    return texts.get("export:term_taxonomy") or "", texts.get("export:term_slug") or ""


def read_item_term(attributes: Mapping[str, str]) -> tuple[str, str] | None:
    """Return taxonomy and slug of a term that an item has; None where version 1.0 names it a second time."""
    slug, taxonomy = attributes.get("nicename"), attributes.get("domain") or "category"
    return ("post_tag" if taxonomy == "tag" else taxonomy, slug) if slug else None


class _ExportScanner:
    """The state of the pass: the elements that are open, and what is known of the part that is read."""

    def __init__(self, path: Path) -> None:
        self._path, self._index, self._names = path, ExportIndex(), ElementNames()
        self._open: list[str] = []
        self._start = 0
        self._text: list[str] | None = None
        self._length = 0
        self._attributes: dict[str, str] = {}
        self._told: dict[str, str] = {}
        self._comments: list[str] = []
        self._comment_kinds: list[tuple[str, bool]] = []  # type, and whether it has stars
        self._language_fields = get_language_fields()
        self._field = ""

    def scan(self, file: BinaryIO) -> ExportIndex:
        """Read the whole file. Raises SourceError."""
        chunk = file.read(_CHUNK)
        if chunk.startswith(_UTF_16):
            raise SourceError(f"{self._path} is written in UTF-16; save it in UTF-8 and try again")
        declared = _ENCODING.match(chunk.removeprefix(b"\xef\xbb\xbf"))
        self._index.encoding = declared[1].decode().lower() if declared else "utf-8"
        if self._index.encoding not in _ENCODINGS:
            raise SourceError(f"{self._path} is written in {self._index.encoding}; save it in UTF-8 and try again")
        bad = XmlByteReplacer(self._index.encoding)
        parser = self._parser = build_parser()
        parser.StartElementHandler, parser.EndElementHandler = self._begin_element, self._end_element
        parser.CharacterDataHandler, parser.StartNamespaceDeclHandler = self._add_text, self._declare
        try:
            while chunk:
                parser.Parse(bad.replace(chunk), False)
                if file.tell() - max(parser.CurrentByteIndex, 0) > MAX_PART:
                    raise SourceError("a tag does not end; it is no export file")
                chunk = file.read(_CHUNK)
            parser.Parse(bad.replace(b"", last=True), True)
        except expat.ExpatError as error:
            what = expat.errors.messages.get(error.code, str(error))
            raise SourceError(f"{self._path}, line {error.lineno}: {what}; it is no whole export file") from None
        except SourceError as error:
            raise SourceError(f"{self._path}, line {parser.CurrentLineNumber}: {error}") from None
        self._index.bad_bytes = bad.replaced
        if "export:wxr_version" not in self._index.site and not self._index.items:
            raise SourceError(f"{self._path} is a feed, but no export file: it says no version and has no items")
        return self._index

    def _declare(self, prefix: str | None, uri: str) -> None:
        if len(self._open) < _PART_DEPTH:
            self._index.namespaces[prefix or ""] = uri

    def _begin_element(self, told: str, attributes: dict[str, str]) -> None:
        name, depth = self._names[told], len(self._open)
        if depth >= _MAX_DEPTH:
            raise SourceError(f"more than {_MAX_DEPTH} elements are inside each other; it is no export file")
        if not depth and name != "rss":
            raise SourceError(f"it begins with <{told.rpartition(' ')[2]}>, an export file with <rss>")
        if depth == _PART_DEPTH and name in _PARTS:
            self._start = self._parser.CurrentByteIndex
            self._told, self._comments, self._comment_kinds = {}, [], []
        self._open.append(name)
        if name == _COMMENT and depth == _PART_DEPTH + 1:
            self._comment_kinds.append(("", False))
        if name in _TOLD or (depth == _PART_DEPTH and name in _SITE) or self._is_looked_at_field(name, depth):
            self._text, self._length, self._attributes = [], 0, attributes

    def _is_looked_at_field(self, name: str, depth: int) -> bool:
        """Return whether an element is the name of an extra field, or the value that tells a language."""
        if depth == _PART_DEPTH + 3 and self._open[-2] == _COMMENT_META:
            return name == _FIELD_NAME
        if depth != _PART_DEPTH + 2 or self._open[-2] not in _META:
            return False
        told = (self._language_fields.code, self._language_fields.group)
        return name == _FIELD_NAME or (name == _FIELD_VALUE and self._field in told)

    def _add_text(self, text: str) -> None:
        if self._text is not None and self._length < _MAX_TOLD:
            self._text.append(text)
            self._length += len(text)

    def _end_element(self, told: str) -> None:
        name = self._open.pop()
        depth = len(self._open) - _PART_DEPTH
        text, self._text = None if self._text is None else "".join(self._text).strip(), None
        if depth == 0 and name in _PARTS:
            self._end_part(_PARTS[name])
        elif text is None:
            return
        elif depth == 0:
            self._index.site.setdefault(name, text)
        elif depth == 1:
            self._note(name, text)
        elif depth == 2 and name == "export:comment_id":
            self._comments.append(text)
        elif name == "export:comment_type" and self._open[-1] == _COMMENT and self._comment_kinds:
            self._comment_kinds[-1] = text, self._comment_kinds[-1][1]
        elif name == _FIELD_NAME and self._open[-1] == _COMMENT_META:
            if text == RATING and self._comment_kinds:
                self._comment_kinds[-1] = self._comment_kinds[-1][0], True
        elif depth == 2 and name == _FIELD_NAME:
            self._field = text
        elif depth == 2 and name == _FIELD_VALUE:
            self._note_language(text)

    def _note(self, name: str, text: str) -> None:
        """Keep what a part says of itself."""
        if name != "category":
            self._told[name] = text
        elif (key := read_item_term(self._attributes)) is not None and key not in self._index.terms:
            self._index.named_terms.setdefault(key, text)

    def _note_language(self, text: str) -> None:
        if self._field == self._language_fields.code:
            self._index.languages.setdefault(text)
        else:
            self._told[self._field] = text

    def _note_translation(self, kind: str, id: str) -> None:
        """Keep that a part is a translation of others."""
        if group := self._told.get(self._language_fields.group):
            self._index.groups.setdefault((kind, group), []).append(id)

    def _end_part(self, kind: str) -> None:
        index, told = self._index, self._told
        place = self._start, self._parser.CurrentByteIndex
        if place[1] - place[0] > MAX_PART:
            index.too_large.append((kind, told.get("export:post_type", ""), told.get("export:post_id", "")))
            return
        if kind == "item":
            self._end_item(place)
            return
        index.parts.setdefault(kind, PartList()).add(*place)
        if kind == "author":
            login, id = told.get("export:author_login", ""), told.get("export:author_id", "")
            index.authors[login] = id or login
            self._raise_id("user", id)
            return
        taxonomy, slug = read_term_key(kind, told)
        id = told.get("export:term_id", "")
        index.terms[taxonomy, slug] = id or f"{taxonomy}:{slug}"
        index.named_terms.pop((taxonomy, slug), None)
        self._raise_id("term", id)
        self._note_translation("term", index.terms[taxonomy, slug])

    def _end_item(self, place: tuple[int, int]) -> None:
        index, told = self._index, self._told
        index.items.setdefault(told.get("export:post_type") or "post", PartList()).add(*place)
        self._raise_id("record", told.get("export:post_id", ""))
        self._note_translation("record", told.get("export:post_id", ""))
        if creator := told.get("dc:creator"):
            index.creators.setdefault(creator)
        before, sign, _ = told.get("export:attachment_url", "").partition("/uploads/")
        if sign:
            index.upload_folders.setdefault(f"{before}/uploads")
        if self._comments:
            type = told.get("export:post_type") or ""
            reviews = sum(is_review(type, *kind) for kind in self._comment_kinds)
            index.reviews += reviews
            index.comments += len(self._comment_kinds) - reviews
            if reviews:
                index.reviewed.add(*place)
            if len(self._comment_kinds) > reviews:
                index.commented.add(*place)
            for id in self._comments:
                self._raise_id("comment", id)

    def _raise_id(self, kind: IdKind, text: str) -> None:
        if text.isascii() and text.isdecimal() and len(text) <= _MAX_ID_DIGITS:
            self._index.greatest_ids[kind] = max(int(text), self._index.greatest_ids.get(kind, 0))
