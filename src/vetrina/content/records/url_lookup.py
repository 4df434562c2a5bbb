"""Which record a public address of this site names.

Not here: the addresses themselves (content/records/permalinks.py), who may see what they name.
Rules: facts of the interface, "oEmbed": another query, a fragment or a missing stroke at the end change nothing, `?p=N`
names a record by its number; the home names the page that stands on the front, where one does.
"""

from __future__ import annotations

from urllib.parse import parse_qs, unquote, urlsplit

from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.core import record as table
from vetrina.content.records import front_page, permalinks
from vetrina.content.records import model as record_model
from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import Work
from vetrina.kernel import slugs

__all__ = ["named_by"]

_BY_SLUG = Statement(
    select(table).where(table.c.type == bindparam("type"), table.c.slug == bindparam("slug")).limit(bindparam("limit"))
)
_MOST_NAMESAKES = 100  # records of one type and slug: one a language, and for a tree one a branch
_LONGEST = 4096  # signs of an address; a longer one names nothing
_NUMBERS = ("p", "page_id", "attachment_id")


def named_by(work: Work, address: str) -> Record | None:
    """Return the record that a public address of this site names, whatever its status; None for none."""
    if len(address) > _LONGEST:
        return None
    try:
        parts = urlsplit(address)
        host = parts.netloc.lower().removeprefix("www.")
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or host != urlsplit(work.origin).netloc.lower().removeprefix("www."):
        return None
    asked = parse_qs(parts.query)
    number = next((asked[name][0] for name in _NUMBERS if name in asked), "")
    if number.isdecimal() and number.isascii() and len(number) < 16:
        found = record_model.by_id(work.tx, int(number))
        public = found is not None and found.type in work.frame.types and work.frame.types[found.type].public
        return found if public else None
    return _by_path(work, parts.path)


def _by_path(work: Work, path: str) -> Record | None:
    languages = work.frame.profile.languages
    segments = [segment for segment in path.split("/") if segment]
    if not segments or segments[0] not in languages:
        # The default language has its addresses with and without its directory.
        segments.insert(0, work.frame.profile.default_language)
    if len(segments) == 1:
        chosen = (
            front_page.in_language(work, "page_on_front", segments[0]) if work.option("show_on_front") == "page" else 0
        )
        return record_model.by_id(work.tx, chosen) if chosen else None
    slug, wanted = slugs.slugify(unquote(segments[-1])), _plain(segments)
    with work.speaking(segments[0]):
        return _named(work, slug, wanted)


def _named(work: Work, slug: str, wanted: list[str]) -> Record | None:
    for type in work.frame.types.values():
        if not type.public:
            continue
        work.uses(type.name)
        for row in work.tx.all(_BY_SLUG, type=type.name, slug=slug, limit=_MOST_NAMESAKES):
            found = record_model.of_row(row)
            places = [permalinks.link(work, type, found)]
            if type.hierarchical and front_page.is_front(work, found):
                places.append(permalinks.named(work, type, found))
            if any(_plain([part for part in urlsplit(place).path.split("/") if part]) == wanted for place in places):
                return found
    return None


def _plain(segments: list[str]) -> list[str]:
    return [unquote(segment).lower() for segment in segments]
