"""Stored markup that an earlier version rendered: rendered once more, so that what holds for new texts holds for old.

Whoever reads such a record gets it as this version renders it (content/records/model.py). Here its row is brought up,
in the background, a few at a time. Not here: rendering (content/text/rendering.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import bindparam, select, update

from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import raise_to
from vetrina.backends.tables.core import counter
from vetrina.backends.tables.core import record as table
from vetrina.content.records import model as record_model
from vetrina.content.records.model import UNRENDERED
from vetrina.content.text.rendering import RENDERER_VERSION
from vetrina.core.unit_of_work import Work
from vetrina.kernel.integers import LARGEST

__all__ = ["JOB", "carry_on", "sweep"]

JOB: Final = "texts.render"
_FEW: Final = 200  # records of one transaction
_COUNTER: Final = f"rendered by {RENDERER_VERSION}"  # the last record that was looked at; LARGEST when all were

_MARK = Statement(select(counter.c.value).where(counter.c.name == bindparam("name")))
_OLD = Statement(
    select(table.c.id)
    .where(table.c.id > bindparam("after"), table.c.renderer != UNRENDERED, table.c.renderer != RENDERER_VERSION)
    .order_by(table.c.id)
    .limit(_FEW)
)
_RENDERED = ("title_html", "content_html", "excerpt_html", "renderer")
# Whoever saved the record meanwhile rendered it too.
_WRITE = Statement(
    update(table)
    .where(table.c.id == bindparam("of"), table.c.version == bindparam("seen"))
    .values({name: bindparam(name) for name in _RENDERED})
)


def sweep(work: Work) -> None:
    """Bring up a few more records whose markup another version rendered; once all are, nothing is looked for."""
    mark = int(work.tx.value(_MARK, name=_COUNTER) or 0)
    if mark == LARGEST:
        return
    ids = [int(id) for id in work.tx.column(_OLD, after=mark)]
    for id, one in record_model.by_ids(work.tx, ids).items():
        work.tx.run(_WRITE, of=id, seen=one.version, **{name: getattr(one, name) for name in _RENDERED})
    raise_to(work.tx, ids[-1] if len(ids) == _FEW else LARGEST, _COUNTER)
    if len(ids) == _FEW:
        job_queue.put(work.tx, JOB, {}, due=work.now, now=work.now, key=JOB)


def carry_on(work: Work, arguments: Mapping[str, Any]) -> None:
    """Bring up the next records; the job of a sweep that was not done."""
    sweep(work)
