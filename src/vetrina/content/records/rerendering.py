"""Stored markup that an earlier version rendered, rendered again in the background, a few records at a time.

A reader gets such a record as this version renders it (content/records/model.py); here its row is updated.
Not here: rendering (content/text/rendering.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import bindparam, select, update

from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import raise_sequence
from vetrina.backends.tables.records import counter, record as table
from vetrina.content.records import model as record_model
from vetrina.content.records.model import UNRENDERED
from vetrina.content.text.rendering import RENDERER_VERSION
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.integers import MAX_SAFE_INTEGER

RENDER_TEXTS_JOB: Final = "texts.render"
_BATCH_SIZE: Final = 200  # records per transaction
_COUNTER: Final = f"rendered by {RENDERER_VERSION}"  # the last record that was looked at; LARGEST when done

_SELECT_MARK = Statement(select(counter.c.value).where(counter.c.name == bindparam("name")))
_SELECT_OUTDATED = Statement(
    select(table.c.id)
    .where(table.c.id > bindparam("after"), table.c.renderer != UNRENDERED, table.c.renderer != RENDERER_VERSION)
    .order_by(table.c.id)
    .limit(_BATCH_SIZE)
)
_RENDERED_COLUMNS = ("title_html", "content_html", "excerpt_html", "renderer")
# Skips a record that was saved, and so rendered, in the meantime.
_UPDATE = Statement(
    update(table)
    .where(table.c.id == bindparam("of"), table.c.version == bindparam("seen"))
    .values({name: bindparam(name) for name in _RENDERED_COLUMNS})
)


def rerender_outdated_texts(work: UnitOfWork) -> None:
    """Update the next records whose markup another version rendered; does nothing once all are done."""
    mark = int(work.tx.value(_SELECT_MARK, name=_COUNTER) or 0)
    if mark == MAX_SAFE_INTEGER:
        return
    ids = [int(id) for id in work.tx.column(_SELECT_OUTDATED, after=mark)]
    for id, one in record_model.find_records(work.tx, ids).items():
        work.tx.run(_UPDATE, of=id, seen=one.version, **{name: getattr(one, name) for name in _RENDERED_COLUMNS})
    raise_sequence(work.tx, ids[-1] if len(ids) == _BATCH_SIZE else MAX_SAFE_INTEGER, _COUNTER)
    if len(ids) == _BATCH_SIZE:
        job_queue.enqueue_job(work.tx, RENDER_TEXTS_JOB, {}, due=work.now, now=work.now, key=RENDER_TEXTS_JOB)


def run_rerender_job(work: UnitOfWork, arguments: Mapping[str, Any]) -> None:
    """Update the next records; the job that continues an unfinished periodic job."""
    rerender_outdated_texts(work)
