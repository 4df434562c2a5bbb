"""What reports do in the background: tables that follow the orders, rebuilding, files, sums that are kept."""

from __future__ import annotations

from vetrina.domain.background import Background

from . import admin_notes, export, facts, keeping, month_keeping, rebuilding

__all__ = ["BACKGROUND"]

BACKGROUND = Background(
    handlers={rebuilding.JOB: rebuilding.carry_on, export.JOB: export.carry_out},
    errands={month_keeping.JOB: month_keeping.ERRAND},
    sweeps=(keeping.sweep, month_keeping.ask_for),
    settling=(facts.settle, rebuilding.settle, admin_notes.settle),
)
