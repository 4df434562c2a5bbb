"""Permissions of the shop's routes: what each kind of call is refused with.

Not here: who has the right (shop/rights.py). Rules: facts, "Rights".
"""

from __future__ import annotations

from collections.abc import Callable

from vetrina.kernel.errors import Refused
from vetrina.rest.call import Call
from vetrina.shop.rights import CannotBatch, CannotCreate, CannotDelete, CannotEdit, CannotUpdate, CannotView, require

__all__ = ["Permission", "batching", "creating", "deleting", "editing", "of_known", "updating", "viewing"]

Permission = Callable[[Call], None]


def viewing(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require(call.work.user, CannotView)


def creating(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require(call.work.user, CannotCreate)


def editing(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require(call.work.user, CannotEdit)


def deleting(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require(call.work.user, CannotDelete)


def batching(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require(call.work.user, CannotBatch)


def of_known(known: Callable[[Call], object]) -> tuple[Permission, Permission, Permission]:
    """Return the permissions to read, change and remove one thing; one that is not there is told by the handler.

    known: whether the thing that a call names is there.
    """

    def asked(refusal: type[Refused]) -> Permission:
        def allow(call: Call) -> None:
            """Those who run the shop (`manage_shop`)."""
            if known(call):
                require(call.work.user, refusal)

        return allow

    return asked(CannotView), asked(CannotEdit), asked(CannotDelete)


def updating(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require(call.work.user, CannotUpdate)
