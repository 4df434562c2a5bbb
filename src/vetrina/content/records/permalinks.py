"""The public URLs of records, and the permanent identifier that is made of the first one.

Rules: docs/rules/slugs.md, 5 and 6; docs/rules/dates.md, 6; docs/rules/custom_types.md, 3; docs/rules/records.md, 14;
docs/rules/media.md, 7; docs/rules/translated_content.md, 3; docs/rules/site_settings.md, 5.
"""

from __future__ import annotations

from collections.abc import Sequence

from vetrina.access.roles.capabilities import may_read_record
from vetrina.content.records import ancestry, front_page
from vetrina.content.records.ancestry import RecordAncestor
from vetrina.content.records.model import Record
from vetrina.content.records.visibility import load_parents
from vetrina.content.translations.modes import TranslationMode, get_translation_mode
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times

_SHOWN = frozenset({"publish", "private"})


def get_home_url(work: UnitOfWork, record: Record) -> str:
    """Return the home URL in a record's language; for a record without one, in that of the work."""
    return work.home(get_shown_language(work, record))


def get_shown_language(work: UnitOfWork, record: Record) -> str:
    """Return the language in which a record is shown: its own, or that of the work if it has none."""
    shared = get_translation_mode(work, f"post_{record.type}") is TranslationMode.NOT_TRANSLATED
    return work.language if shared else record.language or work.language


def build_permalink(
    work: UnitOfWork, type: ContentType, record: Record, above: Sequence[RecordAncestor] | None = None
) -> str:
    """Return the URL of a record: by slug when it has a public one, by id otherwise.

    above: its ancestors, nearest first; None if not loaded yet.
    """
    if type.address == "attached":
        return build_attached_url(work, record, _find_holder_url(work, record))
    if record.status not in _SHOWN:
        return _build_numbered_url(get_home_url(work, record), type, record)
    if type.hierarchical and front_page.is_front_page(work, record):
        return get_home_url(work, record) + "/"
    return build_named_permalink(work, type, record, above)


def escape_guid(guid: str) -> str:
    """Return the permanent identifier of a record from its first change on: its first URL, escaped as in markup."""
    return guid.replace("&p=", "&#038;p=")


def build_named_permalink(
    work: UnitOfWork, type: ContentType, record: Record, above: Sequence[RecordAncestor] | None = None
) -> str:
    """Return the URL of a record by slug; the front page has that of the home."""
    return f"{get_home_url(work, record)}/{_build_directory(work, type, record, above)}{record.slug}/"


def build_attached_url(work: UnitOfWork, record: Record, above: str | None) -> str:
    """Return the URL of a record that is attached to another one.

    above: the URL of that record, empty when it is attached to none, None when there is no such record.
    """
    home = get_home_url(work, record)
    if above is None or "?" in above:
        return f"{home}/?attachment_id={record.id}"
    # A bare number would be read as a page of the parent.
    name = f"attachment/{record.slug}" if record.slug.isdecimal() else record.slug
    return f"{above or home + '/'}{name}/"


def _find_holder_url(work: UnitOfWork, record: Record) -> str | None:
    if not record.parent:
        return ""
    return find_parent_url(work, load_parents(work, [record]).get(record.parent))


def find_parent_url(work: UnitOfWork, parent: Record | None) -> str | None:
    """Return the URL of the parent of a file; None without a parent, and where the caller may not see its slug."""
    type = work.site.types.get(parent.type) if parent else None
    if parent is None or type is None or type.address == "attached" or not may_read_record(work.user, type, parent):
        return None
    return build_permalink(work, type, parent)


def build_permalink_template(
    work: UnitOfWork, type: ContentType, record: Record, above: Sequence[RecordAncestor] | None = None
) -> str:
    """Return the permalink with a placeholder for the slug; above: as in `build_permalink`."""
    home = get_home_url(work, record)
    if type.address == "attached":
        holder = _find_holder_url(work, record)
        return f"{holder}%postname%/" if holder and "?" not in holder else f"{home}/?attachment_id={record.id}"
    if record.status == "trash" and type.address == "dated":
        return _build_numbered_url(home, type, record)
    placeholder = "%postname%" if type.address == "dated" else "%pagename%"
    return f"{home}/{_build_directory(work, type, record, above)}{placeholder}/"


def _build_numbered_url(home: str, type: ContentType, record: Record) -> str:
    if type.address == "dated":
        return f"{home}/?p={record.id}"
    if type.address == "tree":
        return f"{home}/?page_id={record.id}"
    return f"{home}/?post_type={type.name}&p={record.id}"


def _build_directory(
    work: UnitOfWork, type: ContentType, record: Record, above: Sequence[RecordAncestor] | None
) -> str:
    if type.address == "dated":
        return times.format_iso(record.date)[:10].replace("-", "/") + "/"
    if type.address == "tree":
        names = (
            ancestry.list_ancestor_slugs(work, record.parent) if above is None else [one.slug for one in above[::-1]]
        )
        return "".join(slug + "/" for slug in names if slug)
    # A record without a language gets the URL in that of the reader.
    language = (
        work.language
        if get_translation_mode(work, f"post_{type.name}") is TranslationMode.NOT_TRANSLATED
        else record.language
    )
    return f"{work.get_type_slug(type.name, language)}/"
