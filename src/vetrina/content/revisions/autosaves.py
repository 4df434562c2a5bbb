"""Autosaves: one unsaved version per author and record, which survives a closed window.

Not here: revisions (content/revisions/rules.py), permissions (content/revisions/routes.py).
Rules: docs/rules/revisions.md, 6 to 8 and 10; docs/rules/kinds.md, 8; docs/rules/custom_types.md, 4.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import msgspec
import orjson
from sqlalchemy import bindparam, select, update

from vetrina.access.roles.capabilities import may_write_unfiltered_html
from vetrina.backends.database import Statement
from vetrina.backends.tables.records import revision as table
from vetrina.content.custom_fields import field_values
from vetrina.content.records import meta as record_meta, rules as records, stored_texts
from vetrina.content.records.model import Record
from vetrina.content.revisions import rules as revisions
from vetrina.content.revisions.rules import Revision
from vetrina.content.text import sanitizing
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.folding import fold_text

_TEXTS = ("title", "title_key", "content", "excerpt", "search_key")
_WRITTEN = (*_TEXTS, "meta", "date", "date_gmt", "modified", "modified_gmt")

_OF_RECORD = Statement(
    select(table)
    .where(table.c.parent == bindparam("parent"), table.c.autosave.is_(True))
    .order_by(table.c.date_gmt.desc(), table.c.id.desc())
)
_UPDATE = Statement(
    update(table).where(table.c.id == bindparam("of")).values({name: bindparam(name) for name in _WRITTEN})
)


class AutosaveNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_post_no_autosave"
    message = "There is no autosave of the record {id}."


def list_autosaves(work: UnitOfWork, parent: int) -> list[Revision]:
    """Return the autosaves of a record, of every author, newest first."""
    return [revisions.row_to_revision(row) for row in work.tx.all(_OF_RECORD, parent=parent)]


def find_newest_autosave(work: UnitOfWork, parent: int) -> Revision | None:
    """Return the newest autosave of a record, of any author."""
    row = work.tx.first(_OF_RECORD, parent=parent)
    return revisions.row_to_revision(row) if row else None


def get_autosave(work: UnitOfWork, parent: int) -> Revision:
    """Return the autosave that a route shows: the newest of the record, whatever number the address has.

    Raises AutosaveNotFound.
    """
    found = find_newest_autosave(work, parent)
    if found is None:
        raise AutosaveNotFound(id=parent)
    return found


def save_autosave(work: UnitOfWork, type: ContentType, of: Record, given: Mapping[str, Any]) -> Record | Revision:
    """Store unsaved texts and return where they went: the caller's own draft itself, or an autosave of the record.

    Raises what `update_record` raises, where the draft itself is changed.
    """
    if of.status in ("draft", "auto-draft") and of.author == work.user.id:
        return records.update_record(work, type, of, given)
    texts = _sanitize_texts(work, type, given)
    kept = next((one for one in list_autosaves(work, of.id) if one.author == work.user.id), None)
    written, emptied = _read_meta(work, type, of, given)
    if kept is None:
        new = revisions.insert_revision(
            work, of, author=work.user.id, autosave=True,
            texts=(texts.get("title", ""), texts.get("content", ""), texts.get("excerpt", "")),
            kept=_merge_meta(of.meta, written, emptied),
        )  # fmt: skip
        revisions.recount_revisions(work, of)
        work.note("revision", new.id, "created")
        return new
    stored = {**record_meta.serialize_meta(work.site, type, of.meta), **of.meta}
    differs = any(
        revisions.normalize_blanks(text) != revisions.normalize_blanks(getattr(of, name))
        for name, text in texts.items()
    )
    compared = revisions.select_kept_meta(work, type.name, written)
    differs = differs or any(value != stored.get(name) for name, value in compared.items())
    # Own fields are compared with the autosave, too: a value may go back to that of the record.
    own = {name: value for name, value in compared.items() if name != "footnotes"}
    differs = differs or any(value != kept.meta.get(name) for name, value in own.items())
    differs = differs or not emptied.isdisjoint(kept.meta)
    if not differs:
        return kept
    new = msgspec.structs.replace(
        kept, **texts, title_key=fold_text(texts.get("title", kept.title)),
        meta=_merge_meta(kept.meta, written, emptied),
        date=work.local_now, date_gmt=work.now, modified=work.local_now, modified_gmt=work.now,
    )  # fmt: skip
    new = msgspec.structs.replace(new, search_key=revisions.build_search_key(new.title, new.content, new.excerpt))
    values = {name: getattr(new, name) for name in _WRITTEN}
    values["meta"] = orjson.dumps(revisions.select_kept_meta(work, type.name, new.meta)).decode()
    work.tx.run(_UPDATE, of=kept.id, **values)
    work.note("revision", new.id, "changed")
    return new


def _read_meta(
    work: UnitOfWork, type: ContentType, of: Record, given: Mapping[str, Any]
) -> tuple[dict[str, Any], frozenset[str]]:
    """Return the meta fields that a write gives a value, and the names of the site's own that it empties."""
    named = {name for part in field_values.MEMBERS if isinstance(given.get(part), Mapping) for name in given[part]}
    merged = record_meta.merge_meta(work, type, of.meta, given)
    own = {one.name for one in work.site.custom_fields.get(type.name, ())}
    written = {name: value for name, value in merged.items() if name in named}
    return written, frozenset((named & own) - written.keys())


def _merge_meta(kept: Mapping[str, Any], written: Mapping[str, Any], emptied: Collection[str]) -> dict[str, Any]:
    return {**{name: value for name, value in kept.items() if name not in emptied}, **written}


def _sanitize_texts(work: UnitOfWork, type: ContentType, given: Mapping[str, Any]) -> dict[str, str]:
    out = {}
    for name, feature, clean in (
        ("title", "title", sanitizing.sanitize_title),
        ("content", "editor", sanitizing.sanitize_content),
        ("excerpt", "excerpt", sanitizing.sanitize_excerpt),
    ):
        text = stored_texts.extract_raw_text(name, given[name]) if type.has(feature) and name in given else None
        if text is not None:
            text = text if may_write_unfiltered_html(work.user) else clean(text)
            out[name] = text.strip() if name == "title" else text
    return out
