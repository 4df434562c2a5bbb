"""The public addresses of records.

Rules: facts of the interface, "Slugs, links, templates"; the profile's addresses.
"""

from __future__ import annotations

from collections.abc import Sequence

from vetrina.access.roles.capabilities import may_read
from vetrina.content.records import ancestry, front_page
from vetrina.content.records import slugs as record_slugs
from vetrina.content.records.ancestry import Above
from vetrina.content.records.model import Record, by_id
from vetrina.content.translations.modes import Mode, mode
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import Work
from vetrina.kernel import slugs, times

__all__ = ["above", "attached", "generated_slugs", "home_of", "language_of", "link", "named", "template"]

_SHOWN = frozenset({"publish", "private"})


def home_of(work: Work, record: Record) -> str:
    """Return the address of the home in a record's language; of what has none, in that of the work."""
    return work.home(language_of(work, record))


def language_of(work: Work, record: Record) -> str:
    """Return the language in which a record is shown: its own, or that of the work for what has none."""
    shared = mode(work, f"post_{record.type}") is Mode.NOT_TRANSLATED
    return work.language if shared else record.language or work.language


def link(work: Work, type: ContentType, record: Record, above: Sequence[Above] | None = None) -> str:
    """Return the address of a record: by its name when it has a public one, by its number else.

    above: what stands above it, the nearest first; None where nobody has looked yet.
    """
    if type.address == "attached":
        return attached(work, record, _address_above(work, record))
    if record.status not in _SHOWN:
        return _by_number(home_of(work, record), type, record)
    if type.hierarchical and front_page.is_front(work, record):
        return home_of(work, record) + "/"
    return named(work, type, record, above)


def named(work: Work, type: ContentType, record: Record, above: Sequence[Above] | None = None) -> str:
    """Return the address of a record by its name, which the front page leaves for the home."""
    return f"{home_of(work, record)}/{_directory(work, type, record, above)}{record.slug}/"


def attached(work: Work, record: Record, above: str | None) -> str:
    """Return the address of a record that hangs on another one.

    above: that one's address, empty when it hangs on none, None when there is no such record.
    """
    home = home_of(work, record)
    if above is None or "?" in above:
        return f"{home}/?attachment_id={record.id}"
    # A number by itself would be read as a page of what stands above.
    name = f"attachment/{record.slug}" if record.slug.isdecimal() else record.slug
    return f"{above or home + '/'}{name}/"


def _address_above(work: Work, record: Record) -> str | None:
    if not record.parent:
        return ""
    return above(work, by_id(work.tx, record.parent))


def above(work: Work, parent: Record | None) -> str | None:
    """Return the address of what a file hangs on; None for none, and where its name is not for the caller."""
    type = work.frame.types.get(parent.type) if parent else None
    if parent is None or type is None or type.address == "attached" or not may_read(work.user, type, parent):
        return None
    return link(work, type, parent)


def template(work: Work, type: ContentType, record: Record, above: Sequence[Above] | None = None) -> str:
    """Return the address with a placeholder for the name; above: as in `link`."""
    home = home_of(work, record)
    if type.address == "attached":
        holder = _address_above(work, record)
        return f"{holder}%postname%/" if holder and "?" not in holder else f"{home}/?attachment_id={record.id}"
    if record.status == "trash" and type.address == "dated":
        return _by_number(home, type, record)
    placeholder = "%postname%" if type.address == "dated" else "%pagename%"
    return f"{home}/{_directory(work, type, record, above)}{placeholder}/"


def generated_slugs(work: Work, type: ContentType, records: Sequence[Record]) -> dict[int, str]:
    """Return the slugs that their titles would give records, in letters, by number."""
    wanted = [(one, slugs.slugify(one.title) or str(one.id)) for one in records]
    return {
        id: slugs.readable(slug) for id, slug in record_slugs.free_each(work.tx, type, wanted, work.frame.types).items()
    }


def _by_number(home: str, type: ContentType, record: Record) -> str:
    if type.address == "dated":
        return f"{home}/?p={record.id}"
    if type.address == "tree":
        return f"{home}/?page_id={record.id}"
    return f"{home}/?post_type={type.name}&p={record.id}"


def _directory(work: Work, type: ContentType, record: Record, above: Sequence[Above] | None) -> str:
    if type.address == "dated":
        return times.iso(record.date)[:10].replace("-", "/") + "/"
    if type.address == "tree":
        names = ancestry.of_ancestors(work.tx, record.parent) if above is None else [one.slug for one in above[::-1]]
        return "".join(slug + "/" for slug in names if slug)
    # What has no language of its own is addressed in that of the reader.
    spoken = work.language if mode(work, f"post_{type.name}") is Mode.NOT_TRANSLATED else record.language
    return f"{work.slug_of(type.name, spoken)}/"
