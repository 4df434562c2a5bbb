"""Font families, their faces, and the files of these; the collections that families may be taken from.

A family is a record, a face is a record below it; what says them is kept as JSON. A file that came with a face goes
with it. Not here: what the JSON may say (design/fonts/settings.py), who may (the routes).
Rules: facts of the interface, "Fonts".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import Select, bindparam, func, select

from vetrina.backends.database import Statement
from vetrina.backends.file_store import NameTaken
from vetrina.backends.statement_cache import Among, Place, Shapes, listed
from vetrina.backends.tables.core import record as table
from vetrina.content.records import model as record_model
from vetrina.content.records.listing import InvalidPage
from vetrina.content.records.model import Record
from vetrina.content.types.model import ContentType
from vetrina.content.types.registry import FONT_FACE, FONT_FAMILY
from vetrina.core.unit_of_work import Frame, Work
from vetrina.design import site_records
from vetrina.design.fonts.settings import face_of, face_title, family_of, sources
from vetrina.design.themes.rules import BUILT_IN
from vetrina.kernel.errors import ApiError

__all__ = [
    "Collection", "FontQuery", "add_face", "add_family", "change_family", "collections", "face", "faces_of", "family",
    "font_kind", "keep_file", "listed_page", "remove_face", "remove_family", "settings_of",
]  # fmt: skip

_FOLDER: Final = "uploads/fonts/"
_KINDS: Final = {b"wOF2": "woff2", b"wOFF": "woff", b"OTTO": "otf", b"\0\1\0\0": "ttf", b"true": "ttf"}
_MOST_NAMES: Final = 1000  # numbers that are tried behind a name that others have

_PAGES = Shapes(most=64)
_FACES_OF = Statement(
    select(table.c.parent, table.c.id)
    .where(table.c.type == bindparam("type"), Among(table.c.parent, "parents"))
    .order_by(table.c.id)
)


class DuplicateFamily(ApiError):
    code = "rest_duplicate_font_family"
    message = "Another font family has the slug {slug!r}; send another slug, or change that family."


class DuplicateFace(ApiError):
    code = "rest_duplicate_font_face"
    message = "There is such a font face already; style, weight, width or range of letters must differ."


class InvalidFileType(ApiError):
    code = "rest_font_upload_invalid_file_type"
    message = "{name} is no font; send woff2, woff, otf or ttf."


class FontQuery(msgspec.Struct, frozen=True, kw_only=True):
    """What a list of families or faces asks for. parent: 0 for families."""

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


def family(work: Work, id: int) -> Record | None:
    """Return the family with a number."""
    return site_records.by_id(work, FONT_FAMILY, id)


def face(work: Work, id: int) -> Record | None:
    """Return the face with a number, of whatever family."""
    return site_records.by_id(work, FONT_FACE, id)


def settings_of(work: Work, of: Record) -> dict[str, Any]:
    """Return what says a family or a face; files that came with a face by their addresses."""
    found: dict[str, Any] = orjson.loads(of.content)
    if own := of.meta.get("files"):
        files, origin = work.frame.files, work.origin
        shown = [files.url(source, origin) if source in own else source for source in sources(found)]
        found["src"] = shown if isinstance(found["src"], list) else shown[0]
    return found


def add_family(work: Work, text: str) -> Record:
    """Store a new family and return it; text: what says it, checked. Raises DuplicateFamily."""
    settings = family_of(text)
    if site_records.with_slug(work, FONT_FAMILY, settings["slug"]):
        raise DuplicateFamily(slug=settings["slug"])
    new = site_records.blank(
        work, FONT_FAMILY, slug=settings["slug"], title=settings["name"], title_html=settings["name"],
        content=_written(settings),
    )  # fmt: skip
    return site_records.add(work, FONT_FAMILY, new)


def change_family(work: Work, old: Record, text: str) -> Record:
    """Store the members that a text says, and return the new state."""
    settings = family_of(text, settings_of(work, old))
    return site_records.change(
        work, FONT_FAMILY, old, title=settings["name"], title_html=settings["name"], content=_written(settings)
    )


def add_face(work: Work, parent: Record, text: str, files: Mapping[str, str]) -> Record:
    """Store a new face of a family and return it.

    text: what says it, checked. files: the names under which files that came along are kept, by what `src` calls them.
    Raises DuplicateFace.
    """
    settings = face_of(text)
    title = face_title(settings)
    slug = blake2b(title.encode(errors="replace"), digest_size=16).hexdigest()
    if site_records.with_slug(work, FONT_FACE, slug):
        raise DuplicateFace
    if files:
        kept = [files.get(source, source) for source in sources(settings)]
        settings["src"] = kept if isinstance(settings["src"], list) else kept[0]
    new = site_records.blank(
        work, FONT_FACE, slug=slug, title=title, parent=parent.id, content=_written(settings),
        meta={"files": list(files.values())} if files else {},
    )  # fmt: skip
    return site_records.add(work, FONT_FACE, new)


def remove_family(work: Work, old: Record) -> None:
    """Remove a family for good, with its faces and their files."""
    for below in site_records.children(work, FONT_FACE, old.id):
        remove_face(work, below)
    site_records.remove(work, FONT_FAMILY, old)


def remove_face(work: Work, old: Record) -> None:
    """Remove a face for good, with the files that came with it."""
    site_records.remove(work, FONT_FACE, old)
    files, names = work.frame.files, list(old.meta.get("files", ()))
    if names:
        work.afterwards(lambda: [files.delete(name) for name in names])


def faces_of(work: Work, families: Sequence[int]) -> dict[int, list[int]]:
    """Return the numbers of the faces of some families, by family, the oldest first."""
    work.uses(FONT_FACE.name)
    out: dict[int, list[int]] = {number: [] for number in families}
    for parent, id in work.tx.all(_FACES_OF, type=FONT_FACE.name, parents=listed(families)):
        out[parent].append(id)
    return out


def listed_page(work: Work, type: ContentType, query: FontQuery) -> tuple[list[Record], int]:
    """Return a page of families or of the faces of one, and the number of all that match. Raises InvalidPage."""
    work.uses(type.name)
    values: dict[str, Any] = {"type": type.name}
    if query.parent:
        values["parent"] = query.parent
    if query.include:
        values["include"] = listed(query.include)
    elif query.exclude:
        values["exclude"] = listed(query.exclude)
    if query.slugs:
        values["slugs"] = listed(query.slugs)
    by_include = query.orderby == "include" and bool(query.include)
    shape = tuple(values)
    total = int(work.tx.value(_PAGES.get((shape, "count"), lambda: _where(select(func.count()), values)), **values))
    start = abs(query.offset) if query.offset is not None else (query.page - 1) * query.per_page
    if query.offset is not None and start >= total:
        return [], 0
    last = -(-total // query.per_page)
    if query.page > last:
        if total:
            raise InvalidPage(page=query.page, last=last)
        return [], 0

    def build() -> Select[Any]:
        keys = [Place(table.c.id, "include")] if by_include else []
        tail = table.c.id.asc() if query.order == "asc" else table.c.id.desc()
        statement = _where(select(table), values).order_by(*keys, tail)
        return statement.limit(bindparam("limit")).offset(bindparam("start"))

    statement = _PAGES.get((shape, by_include, query.order), build)
    rows = work.tx.all(statement, **values, limit=query.per_page, start=start)
    return [record_model.of_row(row) for row in rows], total


def _where(statement: Select[Any], values: Mapping[str, Any]) -> Select[Any]:
    statement = statement.select_from(table).where(table.c.type == bindparam("type"))
    if "parent" in values:
        statement = statement.where(table.c.parent == bindparam("parent"))
    if "include" in values:
        statement = statement.where(Among(table.c.id, "include"))
    if "exclude" in values:
        statement = statement.where(~Among(table.c.id, "exclude"))
    if "slugs" in values:
        statement = statement.where(Among(table.c.slug, "slugs"))
    return statement


def _written(settings: Mapping[str, Any]) -> str:
    return orjson.dumps(settings).decode()


# -- files


def font_kind(path: Path, name: str) -> str:
    """Return the ending of a font by its bytes; name: as it was sent. Raises InvalidFileType."""
    with path.open("rb") as file:
        kind = _KINDS.get(file.read(4))
    if kind is None:
        raise InvalidFileType(name=name)
    return kind


def keep_file(frame: Frame, path: Path, stem: str, kind: str) -> str:
    """Keep a font's file and return the name under which it is kept; stem: its name without ending, cleaned."""
    for number in range(_MOST_NAMES):
        name = f"{_FOLDER}{stem}{f'-{number}' if number else ''}.{kind}"
        try:
            frame.files.put(name, path)
        except NameTaken:
            continue
        return name
    raise InvalidFileType(name=stem)


# -- collections


@dataclass(frozen=True, slots=True)
class Collection:
    """Families that somebody put together to choose from."""

    slug: str
    name: str
    description: str
    families: Sequence[Mapping[str, Any]]
    categories: Sequence[Mapping[str, str]]


@cache
def collections() -> Mapping[str, Collection]:
    """Return the collections that come with the software, by slug."""
    return {one.slug: one for one in _read(sorted((BUILT_IN / "font-collections").glob("*.json")))}


def _read(files: Iterable[Path]) -> Iterable[Collection]:
    for file in files:
        told = orjson.loads(file.read_bytes())
        yield Collection(
            file.stem, told["name"], told.get("description", ""), told["font_families"], told.get("categories", ())
        )
