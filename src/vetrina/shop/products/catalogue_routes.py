"""The catalogue as a file, for tills: asked for, and told how far it is.

Not here: how it is written (shop/products/catalogue_files.py). Rules: the shapes that apps know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel import times
from vetrina.kernel.errors import NoRoute
from vetrina.rest.call import Call, Result
from vetrina.rest.derived_routes import guarded
from vetrina.rest.fields import Boolean, Field, Integer, Number, Object, String
from vetrina.rest.route import WRITE, Route
from vetrina.shop.products import catalogue_files
from vetrina.shop.rights import CannotView, require
from vetrina.shop.settings import rules as settings

__all__ = ["ROOMS"]

_SPACE: Final = "shop/pos/v1/catalog"
_FEATURE: Final = "shop_feature_point_of_sale_enabled"
_FIELDS: Final = r"^[A-Za-z0-9_.,\s-]*$"

_STATE: Final = Object(properties={
    "scheduled_at": String("When it was asked for.", format="date-time"),
    "completed_at": String("When it was done.", format="date-time", nullable=True),
    "state": String(enum=("scheduled", "in_progress", "completed", "failed")),
    "progress": Number("Per cent."), "processed": Integer("Products and variations that are in it."),
    "total": Integer("How many there will be."),
    "url": String("Where it is fetched, by whoever knows the address.", nullable=True),
})  # fmt: skip


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the route of the catalogue's file."""
    args: dict[str, Field] = {
        "force": Boolean("Make another one though there is a finished one.", default=False),
        "_product_fields": String(
            "Members of products, with commas; by default all.", pattern=_FIELDS, max_length=2000, null="keep"
        ),
        "_variation_fields": String(
            "Members of variations, with commas; by default all.", pattern=_FIELDS, max_length=2000, null="keep"
        ),
    }
    create = Route(WRITE, f"/{_SPACE}/create", _create, args, _may_sell, status=200, answers=_STATE)
    return (guarded(create, _is_on, "while the shop sells at a counter too", errors=(NoRoute,)),)


def _may_sell(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require(call.work.user, CannotView)


def _is_on(call: Call) -> None:
    if not settings.is_on(call.work, _FEATURE):
        raise NoRoute(method=call.request.method, path=call.request.path)


def _create(call: Call) -> Result:
    """Ask for the catalogue as a file, and say how far it is; asked again, the same file goes on."""
    work, args = call.work, call.args
    one = catalogue_files.begin(
        work, args.get("_product_fields") or "", args.get("_variation_fields") or "", force=bool(args["force"])
    )
    done = one.state == "completed"
    return Result(
        {
            "scheduled_at": _moment(work, one.scheduled_at),
            "completed_at": _moment(work, one.completed_at) if done else None, "state": one.state,
            "progress": 100 if done else one.progress, "processed": one.processed, "total": one.total,
            "url": f"{work.origin}/shop/catalogue/{one.name}.json" if done else None,
        }
    )  # fmt: skip


def _moment(work: Work, at: int) -> str:
    return times.iso(work.zone.to_local(at))


ROOMS: dict[str, tuple[Callable[[Frame], tuple[Route, ...]], ...]] = {_SPACE: (routes,)}
