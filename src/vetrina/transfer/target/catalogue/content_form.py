"""A product or variation as content: what its record is written from has other names in a shop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from vetrina.content.text import sanitizing
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.transfer.target.content import write_content
from vetrina.transfer.target.incoming_record import IncomingRecord
from vetrina.transfer.target.member_values import list_fields

# What content keeps in extra fields of its own while it is in the trash.
TRASH_FIELDS: Final = frozenset({"_cms_trash_meta_status", "_cms_trash_meta_time", "_cms_desired_post_slug"})
_NAMES: Final = {
    "date_created": "date", "date_created_gmt": "date_gmt", "date_modified": "modified",
    "date_modified_gmt": "modified_gmt", "menu_order": "menu_order", "post_password": "password", "slug": "slug",
    "source_language": "source_language", "status": "status", "translations": "translations",
}  # fmt: skip


def write_as_content(one: IncomingRecord, type: ContentType, given: Mapping[str, Any], language: str = "") -> int:
    """Write the record of a product or variation and return its id here. Raises RecordSkipped, InvalidParam.

    given: members as content has them, beside those that only have another name in a shop. language: if not that of
    the record.
    """
    renamed = {own: one.values[name] for name, own in _NAMES.items() if name in one.values}
    trashed = {name: value for name, value in list_fields(one.values.get("meta_data")) if name in TRASH_FIELDS}
    record = replace(one.record, values={**renamed, "meta": trashed, **given})
    # It shares with the product's what is missing and what is told of it.
    content = replace(one, record=record)
    written = write_content(content, type, language=language)
    one.retried |= content.retried
    return written.target


def clean_text(one: IncomingRecord, member: str) -> str:
    """Return a text as the rules of products take it."""
    return sanitizing.sanitize_content(one.get_text(member))


def get_type(work: UnitOfWork, declared: ContentType) -> ContentType:
    """Return a type of the shop as the site has it."""
    return work.site.types[declared.name]
