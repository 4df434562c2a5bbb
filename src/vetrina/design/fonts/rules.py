"""Font families, their faces and files, and which faces are the same.

A family is a record, a face is a record below it; their settings are stored as JSON. A face's uploaded files are
deleted with it. The JSON: design/fonts/settings.py. Rules: docs/rules/fonts.md, 4, 6 and 7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import Select, bindparam, func, select

from vetrina.backends.database import Statement
from vetrina.backends.file_store import FileNameTaken
from vetrina.backends.statement_cache import InList, ListPosition, StatementCache, encode_list
from vetrina.backends.tables.records import record as table
from vetrina.content.records import model as record_model
from vetrina.content.records.listing import InvalidRecordPage
from vetrina.content.records.model import Record
from vetrina.content.types.model import ContentType
from vetrina.content.types.registry import FONT_FACE, FONT_FAMILY
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.design import site_records
from vetrina.design.fonts.settings import list_sources, load_font_settings, parse_face, parse_family
from vetrina.kernel.errors import ApiError

_FOLDER: Final = "uploads/fonts/"
_SIGNATURES: Final = {b"wOF2": "woff2", b"wOFF": "woff", b"OTTO": "otf", b"\0\1\0\0": "ttf", b"true": "ttf"}
_WEIGHTS: Final = {"": "400", "normal": "400", "bold": "700"}
_WIDTHS: Final = {
    "": "100%", "normal": "100%", "ultra-condensed": "50%", "extra-condensed": "62.5%", "condensed": "75%",
    "semi-condensed": "87.5%", "semi-expanded": "112.5%", "expanded": "125%", "extra-expanded": "150%",
    "ultra-expanded": "200%",
}  # fmt: skip
_WHOLE_RANGE: Final = "U+0-10FFFF"
_MAX_NAMES: Final = 1000  # suffixes that are tried for a name that is taken

_PAGE_STATEMENTS = StatementCache(most=64)
_FACES_OF = Statement(
    select(table.c.parent, table.c.id)
    .where(table.c.type == bindparam("type"), InList(table.c.parent, "parents"))
    .order_by(table.c.id)
)


class DuplicateFontFamily(ApiError):
    code = "rest_duplicate_font_family"
    message = "Another font family has the slug {slug!r}; send another slug, or change that family."


class DuplicateFontFace(ApiError):
    code = "rest_duplicate_font_face"
    message = "There is such a font face already; style, weight, width or range of letters must differ."


class InvalidFontFileType(ApiError):
    code = "rest_font_upload_invalid_file_type"
    message = "{name} is no font; send woff2, woff, otf or ttf."


class FontQuery(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of a list of families or faces. parent: 0 for families."""

    parent: int = 0
    page: int = 1
    per_page: int = 10
    offset: int | None = None
    include: tuple[int, ...] = ()
    exclude: tuple[int, ...] = ()
    slugs: tuple[str, ...] = ()
    order: str = "desc"
    orderby: str = "id"


# -- families and faces


def find_family(work: UnitOfWork, id: int) -> Record | None:
    """Return the family with an id."""
    return site_records.find_entry(work, FONT_FAMILY, id)


def find_face(work: UnitOfWork, id: int) -> Record | None:
    """Return the face with an id, of any family."""
    return site_records.find_entry(work, FONT_FACE, id)


def create_family(work: UnitOfWork, text: str, *, id: int = 0) -> Record:
    """Create a family and return it. Raises DuplicateFontFamily.

    text: its settings as JSON, checked. id: a free one that it takes, 0 for the next one.
    """
    settings = parse_family(text)
    if site_records.list_entries_by_slug(work, FONT_FAMILY, settings["slug"]):
        raise DuplicateFontFamily(slug=settings["slug"])
    new = site_records.build_entry(
        work, FONT_FAMILY, id=id, slug=settings["slug"], title=settings["name"], title_html=settings["name"],
        content=_encode_settings(settings),
    )  # fmt: skip
    return site_records.insert_entry(work, FONT_FAMILY, new)


def update_family(work: UnitOfWork, old: Record, text: str) -> Record:
    """Store the settings given as JSON, and return the new state."""
    settings = parse_family(text, load_font_settings(work, old))
    return site_records.update_entry(
        work, FONT_FAMILY, old, title=settings["name"], title_html=settings["name"], content=_encode_settings(settings)
    )


def create_face(work: UnitOfWork, parent: Record, text: str, files: Mapping[str, str], *, id: int = 0) -> Record:
    """Create a face of a family and return it.

    text: its settings as JSON, checked. files: names of stored files, by the references in `src`.
    id: a free one that it takes, 0 for the next one.
    Raises DuplicateFontFace.
    """
    settings = parse_face(text)
    title = _build_face_title(settings)
    slug = blake2b(title.encode(errors="replace"), digest_size=16).hexdigest()
    if site_records.list_entries_by_slug(work, FONT_FACE, slug):
        raise DuplicateFontFace
    if files:
        sources = [files.get(source, source) for source in list_sources(settings)]
        settings["src"] = sources if isinstance(settings["src"], list) else sources[0]
    new = site_records.build_entry(
        work, FONT_FACE, id=id, slug=slug, title=title, parent=parent.id, content=_encode_settings(settings),
        meta={"files": list(files.values())} if files else {},
    )  # fmt: skip
    return site_records.insert_entry(work, FONT_FACE, new)


def _build_face_title(face: Mapping[str, Any]) -> str:
    """Return what identifies a face, whatever its files: family, style, weight, width, Unicode range."""
    weight, width = face.get("fontWeight", ""), face.get("fontStretch", "")
    letters = face.get("unicodeRange") or _WHOLE_RANGE
    return ";".join(
        (
            face["fontFamily"].replace('"', "").lower(),
            (face.get("fontStyle") or "normal").lower(),
            _WEIGHTS.get(weight.lower(), weight),
            _WIDTHS.get(width.lower(), width),
            ",".join(part.strip().upper() for part in letters.split(",")),
        )
    )


def delete_family(work: UnitOfWork, old: Record) -> None:
    """Delete a family for good, with its faces and their files."""
    for below in site_records.list_child_entries(work, FONT_FACE, old.id):
        delete_face(work, below)
    site_records.delete_entry(work, FONT_FAMILY, old)


def delete_face(work: UnitOfWork, old: Record) -> None:
    """Delete a face for good, with its uploaded files."""
    site_records.delete_entry(work, FONT_FACE, old)
    files, names = work.site.files, list(old.meta.get("files", ()))
    if names:
        work.run_after_commit(lambda: [files.delete(name) for name in names])


def list_face_ids(work: UnitOfWork, families: Sequence[int]) -> dict[int, list[int]]:
    """Return the ids of the faces of some families, by family, the oldest first."""
    work.uses(FONT_FACE.name)
    out: dict[int, list[int]] = {number: [] for number in families}
    for parent, id in work.tx.all(_FACES_OF, type=FONT_FACE.name, parents=encode_list(families)):
        out[parent].append(id)
    return out


def list_fonts(work: UnitOfWork, type: ContentType, query: FontQuery) -> tuple[list[Record], int]:
    """Return a page of families or of the faces of one, and the total. Raises InvalidRecordPage."""
    work.uses(type.name)
    values: dict[str, Any] = {"type": type.name}
    if query.parent:
        values["parent"] = query.parent
    if query.include:
        values["include"] = encode_list(query.include)
    elif query.exclude:
        values["exclude"] = encode_list(query.exclude)
    if query.slugs:
        values["slugs"] = encode_list(query.slugs)
    by_include = query.orderby == "include" and bool(query.include)
    shape = tuple(values)
    count = _PAGE_STATEMENTS.get((shape, "count"), lambda: _add_font_filters(select(func.count()), values))
    total = int(work.tx.value(count, **values))
    start = abs(query.offset) if query.offset is not None else (query.page - 1) * query.per_page
    if query.offset is not None and start >= total:
        return [], 0
    last = -(-total // query.per_page)
    if query.page > last:
        if total:
            raise InvalidRecordPage(page=query.page, last=last)
        return [], 0

    def build() -> Select[Any]:
        keys = [ListPosition(table.c.id, "include")] if by_include else []
        tail = table.c.id.asc() if query.order == "asc" else table.c.id.desc()
        statement = _add_font_filters(select(table), values).order_by(*keys, tail)
        return statement.limit(bindparam("limit")).offset(bindparam("start"))

    statement = _PAGE_STATEMENTS.get((shape, by_include, query.order), build)
    rows = work.tx.all(statement, **values, limit=query.per_page, start=start)
    return [record_model.row_to_record(row) for row in rows], total


def _add_font_filters(statement: Select[Any], values: Mapping[str, Any]) -> Select[Any]:
    statement = statement.select_from(table).where(table.c.type == bindparam("type"))
    if "parent" in values:
        statement = statement.where(table.c.parent == bindparam("parent"))
    if "include" in values:
        statement = statement.where(InList(table.c.id, "include"))
    if "exclude" in values:
        statement = statement.where(~InList(table.c.id, "exclude"))
    if "slugs" in values:
        statement = statement.where(InList(table.c.slug, "slugs"))
    return statement


def _encode_settings(settings: Mapping[str, Any]) -> str:
    return orjson.dumps(settings).decode()


# -- files


def detect_font_kind(path: Path, name: str) -> str:
    """Return the file extension of a font by its bytes; name: as sent. Raises InvalidFontFileType."""
    with path.open("rb") as file:
        kind = _SIGNATURES.get(file.read(4))
    if kind is None:
        raise InvalidFontFileType(name=name)
    return kind


def store_font_file(site: SiteContext, path: Path, stem: str, kind: str) -> str:
    """Store a font file and return its name in the store; stem: its name without extension, sanitized."""
    for number in range(_MAX_NAMES):
        name = f"{_FOLDER}{stem}{f'-{number}' if number else ''}.{kind}"
        try:
            site.files.put(name, path)
        except FileNameTaken:
            continue
        return name
    raise InvalidFontFileType(name=stem)
