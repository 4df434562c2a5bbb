"""How a background job is shown: nothing of it that is somebody's business. Rules: docs/rules/server.md, 2."""

from __future__ import annotations

from typing import Any, Final

from vetrina.kernel.redaction import redact_text
from vetrina.kernel.times import format_iso
from vetrina.rest.fields import EDIT, EMBED, VIEW, AnyOf, Array, Boolean, Field, Integer, Object, String
from vetrina.rest.serializer import Serializer, read_attributes
from vetrina.system.jobs import rules
from vetrina.system.jobs.long_jobs import PROGRESS

_EVERY: Final = (VIEW, EDIT, EMBED)


def _declare_date(help: str, *, nullable: bool = False) -> String:
    return String(help, context=_EVERY, format="date-time", readonly=True, nullable=nullable)


_PROGRESS_FIELD: Final = Object(
    "How far it is, while it runs and says so; otherwise null.",
    properties={
        "step": String("What it does now."),
        "done": Integer("How much of that is done."),
        "of": Integer("How much there is, 0 where that is unknown."),
    },
    context=_EVERY, readonly=True, extra={"type": ["object", "null"]},
)  # fmt: skip
JOB_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the job.", context=_EVERY, readonly=True),
    "kind": String("What it does, by the program's name of it.", context=_EVERY, readonly=True),
    "state": String("How far it is.", context=_EVERY, enum=rules.JOB_STATES, readonly=True),
    "attempts": Integer("How often it was tried.", context=_EVERY, readonly=True),
    "max_attempts": Integer("After how many attempts it is given up.", context=_EVERY, readonly=True),
    "error": String(
        "Why the last attempt failed, without addresses, keys and paths; empty where none has.", context=_EVERY,
        readonly=True,
    ),
    "arguments": Object(
        "What it is about: numbers, and names of the program; every other text is masked.", context=_EVERY,
        readonly=True, additional=AnyOf("", (String(), Integer(), Boolean(), Array(items=Integer()))),
        extra={"properties": {}},
    ),
    "progress": _PROGRESS_FIELD,
    "can_retry": Boolean("Whether it can be tried again.", context=_EVERY, readonly=True),
    "can_cancel": Boolean("Whether it can be taken away.", context=_EVERY, readonly=True),
    "due_gmt": _declare_date("When it is due, in GMT."),
    "created_gmt": _declare_date("When it was asked for, in GMT."),
    "started_gmt": _declare_date("When it was last begun, in GMT; null where it never was.", nullable=True),
    "finished_gmt": _declare_date("When it was done or given up, in GMT; null where it was not yet.", nullable=True),
}  # fmt: skip


def _format_optional(date: int | None) -> str | None:
    return None if date is None else format_iso(date)


def _read_progress(job: Any) -> dict[str, Any] | None:
    found: dict[str, Any] | None = job.arguments.get(PROGRESS) if job.state == "running" else None
    return found


JOB_SERIALIZER: Final = Serializer(
    JOB_FIELDS,
    {
        **read_attributes("id", "kind", "state", "attempts"),
        "max_attempts": lambda one, work: rules.MAX_ATTEMPTS,
        "error": lambda one, work: redact_text(one.last_error),
        "arguments": lambda one, work: rules.show_arguments(one.arguments),
        "progress": lambda one, work: _read_progress(one),
        "can_retry": lambda one, work: rules.can_retry(one),
        "can_cancel": lambda one, work: rules.can_delete(one),
        "due_gmt": lambda one, work: format_iso(one.due),
        "created_gmt": lambda one, work: format_iso(one.created),
        "started_gmt": lambda one, work: _format_optional(one.started),
        "finished_gmt": lambda one, work: _format_optional(one.finished),
    },
)
