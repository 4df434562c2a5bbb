"""What reports do in the background: tables that follow the orders, rebuilding, files, sums that are kept."""

from __future__ import annotations

from vetrina.domain.background import Background

from . import export, facts, rebuilding, rollups

__all__ = ["BACKGROUND"]

BACKGROUND = Background(
    handlers={rebuilding.JOB: rebuilding.carry_on, export.JOB: export.carry_out},
    sweeps=(rollups.sweep,),
    settling=(facts.settle, rebuilding.settle),
)
