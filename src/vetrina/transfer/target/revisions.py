"""Revisions of content, where an import asks for them: they come once, and never change."""

from __future__ import annotations

from vetrina.content.records import model as record_model
from vetrina.content.revisions import rules as revisions
from vetrina.content.types.model import ContentType

from .addresses import rewrite_addresses, rewrite_content
from .content import choose_record_id, resolve_author
from .extra_fields import merge_record_fields
from .incoming_record import IncomingRecord, RecordSkipped
from .journal import RECORD
from .outcome import Written

_AUTOSAVE = "-autosave-"  # in the slug of one that was not saved


def write_revision(one: IncomingRecord, type: ContentType) -> Written:
    """Write a revision or an autosave. Raises ReferenceMissing, RecordSkipped."""
    work = one.work
    parent = one.require(RECORD, one.record.parent or one.values.get("parent"), "record")
    of = record_model.find_record(work.tx, parent)
    if of is None or of.type != type.name:
        raise RecordSkipped("its record is not here")
    if one.target and revisions.find_revision(work.tx, one.target) is not None:
        return Written(one.target)
    texts = (
        one.get_text("title"), rewrite_content(one, one.get_text("content")),
        rewrite_addresses(one, one.get_text("excerpt")),
    )  # fmt: skip
    new = revisions.insert_revision(
        work, of, author=resolve_author(one), autosave=_AUTOSAVE in one.get_text("slug"), texts=texts,
        kept=merge_record_fields(one, type, {}), id=choose_record_id(one), saved=one.read_dates("date"),
    )  # fmt: skip
    revisions.recount_revisions(work, of)
    return Written(new.id)
