"""The public addresses of records.

Rules: facts of the interface, "Slugs, links, templates"; the profile's addresses.
"""

from __future__ import annotations

from vetrina.domain.work import Work
from vetrina.kernel import slugs, times

from . import ancestry, naming
from .record import Record
from .types import ContentType

__all__ = ["generated_slug", "link", "template"]

_SHOWN = frozenset({"publish", "private"})


def link(work: Work, type: ContentType, record: Record) -> str:
    """Return the address of a record: by its name when it has a public one, by its number else."""
    home = work.home(record.language)
    if record.status not in _SHOWN:
        return _by_number(home, type, record)
    if type.hierarchical and record.id == work.option("page_on_front"):
        return home + "/"
    return f"{home}/{_directory(work, type, record)}{record.slug}/"


def template(work: Work, type: ContentType, record: Record) -> str:
    """Return the address with a placeholder for the name."""
    home = work.home(record.language)
    if record.status == "trash" and type.address == "dated":
        return _by_number(home, type, record)
    placeholder = "%postname%" if type.address == "dated" else "%pagename%"
    return f"{home}/{_directory(work, type, record)}{placeholder}/"


def generated_slug(work: Work, type: ContentType, record: Record) -> str:
    """Return the slug that the title would give, in letters."""
    slug = slugs.slugify(record.title) or str(record.id)
    return slugs.readable(
        naming.free(work.tx, type, slug, language=record.language, parent=record.parent, id=record.id)
    )


def _by_number(home: str, type: ContentType, record: Record) -> str:
    if type.address == "dated":
        return f"{home}/?p={record.id}"
    if type.address == "tree":
        return f"{home}/?page_id={record.id}"
    return f"{home}/?post_type={type.name}&p={record.id}"


def _directory(work: Work, type: ContentType, record: Record) -> str:
    if type.address == "dated":
        return times.iso(record.date)[:10].replace("-", "/") + "/"
    if type.address == "tree":
        return "".join(slug + "/" for slug in ancestry.of_ancestors(work.tx, record.parent) if slug)
    return f"{type.name}/"
