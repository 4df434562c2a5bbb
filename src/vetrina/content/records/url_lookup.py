"""The record that a public URL of this site names.

Not here: building the URLs (content/records/permalinks.py), who may see what they name.
Rules: docs/rules/oembed.md, 2: another query, a fragment or a missing slash at the end change nothing, `?p=N` names a
record by its id; the home names the page that is set as front page, if any.
"""

from __future__ import annotations

from urllib.parse import parse_qs, unquote, urlsplit

from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.records import record as table
from vetrina.content.records import front_page, model as record_model, permalinks
from vetrina.content.records.model import Record
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import slugs
from vetrina.kernel.site_paths import remove_base_path

_BY_SLUG = Statement(
    select(table).where(table.c.type == bindparam("type"), table.c.slug == bindparam("slug")).limit(bindparam("limit"))
)
_MAX_NAMESAKES = 100  # records of one type and slug: one per language and, in a tree, one per branch
_DATED_SEGMENTS = 5  # of an address: language, year, month, day, slug
_MAX_URL_LENGTH = 4096  # characters of a URL; a longer one names nothing
_ID_PARAMETERS = ("p", "page_id", "attachment_id")


def find_record_by_url(work: UnitOfWork, address: str) -> Record | None:
    """Return the record that a public URL of this site names, whatever its status; None for none."""
    if len(address) > _MAX_URL_LENGTH:
        return None
    try:
        parts = urlsplit(address)
        host = parts.netloc.lower().removeprefix("www.")
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or host != urlsplit(work.origin).netloc.lower().removeprefix("www."):
        return None
    base = work.base_path
    if base and parts.path != base and not parts.path.startswith(f"{base}/"):
        return None
    arguments = parse_qs(parts.query)
    id = next((arguments[name][0] for name in _ID_PARAMETERS if name in arguments), "")
    if id.isdecimal() and id.isascii() and len(id) < 16:
        found = record_model.find_record(work.tx, int(id))
        if found is not None:
            work.uses_items(found.type, (found.id,))
        public = found is not None and found.type in work.site.types and work.site.types[found.type].public
        return found if public else None
    return _find_by_path(work, remove_base_path(base, parts.path))


def _find_by_path(work: UnitOfWork, path: str) -> Record | None:
    languages = work.site.profile.languages
    segments = [segment for segment in path.split("/") if segment]
    if not segments or segments[0] not in languages:
        # The default language has URLs with and without its directory.
        segments.insert(0, work.site.profile.default_language)
    if len(segments) == 1:
        chosen = (
            front_page.resolve_page_in_language(work, "page_on_front", segments[0])
            if work.option("show_on_front") == "page"
            else 0
        )
        return record_model.find_record(work.tx, chosen) if chosen else None
    slug, wanted = slugs.slugify(unquote(segments[-1])), _normalize_segments(segments)
    with work.use_language(segments[0]):
        return _find_by_slug(work, slug, wanted)


def _find_by_slug(work: UnitOfWork, slug: str, wanted: list[str]) -> Record | None:
    for type in work.site.types.values():
        if not type.public or not _may_have_address(work, type, wanted):
            continue
        for row in work.tx.all(_BY_SLUG, type=type.name, slug=slug, limit=_MAX_NAMESAKES):
            found = record_model.row_to_record(row)
            places = [permalinks.build_permalink(work, type, found)]
            if type.hierarchical and front_page.is_front_page(work, found):
                places.append(permalinks.build_named_permalink(work, type, found))
            work.uses_items(type.name, (found.id,))
            if any(
                _normalize_segments([part for part in _get_path(work, place).split("/") if part]) == wanted
                for place in places
            ):
                return found
        # Nothing of this type has the address, but may get it.
        work.uses(type.name)
    return None


def _may_have_address(work: UnitOfWork, type: ContentType, segments: list[str]) -> bool:
    """Return whether the address of a record of a type can have these segments, the language first."""
    if type.address == "dated":
        return len(segments) == _DATED_SEGMENTS and all(one.isdecimal() for one in segments[1:4])
    return True


def _get_path(work: UnitOfWork, address: str) -> str:
    return remove_base_path(work.base_path, urlsplit(address).path)


def _normalize_segments(segments: list[str]) -> list[str]:
    return [unquote(segment).lower() for segment in segments]
