"""Permissions of the shop's routes: what each kind of call is refused with.

Not here: who has the right (domain/shop/rights.py). Rules: facts, "Rights".
"""

from __future__ import annotations

from vetrina.declare.call import Call
from vetrina.domain.shop.rights import (
    CannotBatch,
    CannotCreate,
    CannotDelete,
    CannotEdit,
    CannotUpdate,
    CannotView,
    require,
)

__all__ = ["batching", "creating", "deleting", "editing", "updating", "viewing"]


def viewing(call: Call) -> None:
    """Permission to list and read."""
    require(call.work.user, CannotView)


def creating(call: Call) -> None:
    """Permission to add."""
    require(call.work.user, CannotCreate)


def editing(call: Call) -> None:
    """Permission to change."""
    require(call.work.user, CannotEdit)


def deleting(call: Call) -> None:
    """Permission to remove."""
    require(call.work.user, CannotDelete)


def batching(call: Call) -> None:
    """Permission to write several things at once."""
    require(call.work.user, CannotBatch)


def updating(call: Call) -> None:
    """Permission to run something, as a tool of the system status."""
    require(call.work.user, CannotUpdate)
