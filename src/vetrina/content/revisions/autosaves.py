"""Autosaves: the one unsaved version per author that outlives a closed window.

Not here: revisions that a save keeps (content/revisions/rules.py), who may read one (the routes).
Rules: facts of the interface, "Autosaves".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import orjson
from sqlalchemy import bindparam, select, update

from vetrina.access.roles.capabilities import unfiltered
from vetrina.backends.database import Statement
from vetrina.backends.tables.core import revision as table
from vetrina.content.records import input as record_input
from vetrina.content.records import meta as record_meta
from vetrina.content.records import rules as records
from vetrina.content.records.model import Record
from vetrina.content.revisions import rules as revisions
from vetrina.content.revisions.rules import Revision
from vetrina.content.text import sanitizing
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import Work
from vetrina.kernel.folding import fold

__all__ = ["newest", "of_record", "save"]

_TEXTS = ("title", "title_key", "content", "excerpt", "search_key")
_WRITTEN = (*_TEXTS, "meta", "date", "date_gmt", "modified", "modified_gmt")

_OF_RECORD = Statement(
    select(table)
    .where(table.c.parent == bindparam("parent"), table.c.autosave.is_(True))
    .order_by(table.c.date_gmt.desc(), table.c.id.desc())
)
_WRITE = Statement(
    update(table).where(table.c.id == bindparam("of")).values({name: bindparam(name) for name in _WRITTEN})
)


def of_record(work: Work, parent: int) -> list[Revision]:
    """Return the autosaves of a record, of every author, the newest first."""
    return [revisions.of_row(row) for row in work.tx.all(_OF_RECORD, parent=parent)]


def newest(work: Work, parent: int) -> Revision | None:
    """Return the newest autosave of a record, whoever made it."""
    row = work.tx.first(_OF_RECORD, parent=parent)
    return revisions.of_row(row) if row else None


def save(work: Work, type: ContentType, of: Record, given: Mapping[str, Any]) -> Record | Revision:
    """Keep what is being written, and return where: in the caller's own draft itself, or in an autosave beside.

    Raises what a change of the record raises, where the draft itself is changed.
    """
    if of.status in ("draft", "auto-draft") and of.author == work.user.id:
        return records.change(work, type, of, given)
    texts = _texts(work, type, given)
    kept = next((one for one in of_record(work, of.id) if one.author == work.user.id), None)
    footnotes = record_meta.changed(type, {}, given.get("meta"), work.user)
    if kept is None:
        new = revisions.insert_new(
            work, of, author=work.user.id, autosave=True,
            texts=(texts.get("title", ""), texts.get("content", ""), texts.get("excerpt", "")),
            kept={**of.meta, **footnotes},
        )  # fmt: skip
        revisions.recount(work, of)
        work.note("revision", new.id, "created")
        return new
    stored = record_meta.shown(type, of.meta)
    differs = any(revisions.evened(text) != revisions.evened(getattr(of, name)) for name, text in texts.items()) or any(
        value != stored.get(name) for name, value in footnotes.items() if name == "footnotes"
    )
    if not differs:
        return kept
    new = msgspec.structs.replace(
        kept, **texts, title_key=fold(texts.get("title", kept.title)), meta={**kept.meta, **footnotes},
        date=work.local_now, date_gmt=work.now, modified=work.local_now, modified_gmt=work.now,
    )  # fmt: skip
    new = msgspec.structs.replace(new, search_key=revisions.search_key(new.title, new.content, new.excerpt))
    values = {name: getattr(new, name) for name in _WRITTEN}
    values["meta"] = orjson.dumps({name: value for name, value in new.meta.items() if name == "footnotes"}).decode()
    work.tx.run(_WRITE, of=kept.id, **values)
    work.note("revision", new.id, "changed")
    return new


def _texts(work: Work, type: ContentType, given: Mapping[str, Any]) -> dict[str, str]:
    out = {}
    for name, feature, clean in (
        ("title", "title", sanitizing.title),
        ("content", "editor", sanitizing.content),
        ("excerpt", "excerpt", sanitizing.excerpt),
    ):
        text = record_input.raw_text(name, given[name]) if type.has(feature) and name in given else None
        if text is not None:
            text = text if unfiltered(work.user) else clean(text)
            out[name] = text.strip() if name == "title" else text
    return out
