"""The route of the catalogue file for tills: requests the file and returns its progress.

Not here: writing it (shop/products/catalogue_files.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times
from vetrina.kernel.errors import NoRoute
from vetrina.rest.call import Result
from vetrina.rest.derived_routes import guard_route
from vetrina.rest.fields import Boolean, Field, Integer, Number, Object, String
from vetrina.rest.route import WRITE, Route
from vetrina.shop.permissions import require_view_permission
from vetrina.shop.products import catalogue_files
from vetrina.shop.settings import rules as settings

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


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the route of the catalogue file."""
    args: dict[str, Field] = {
        "force": Boolean("Make another one though there is a finished one.", default=False),
        "_product_fields": String(
            "Members of products, with commas; by default all.", pattern=_FIELDS, max_length=2000, null="keep"
        ),
        "_variation_fields": String(
            "Members of variations, with commas; by default all.", pattern=_FIELDS, max_length=2000, null="keep"
        ),
    }
    create = Route(
        WRITE, f"/{_SPACE}/create", _create_catalog_file, args, require_view_permission, status=200, answers=_STATE
    )
    return (guard_route(create, _require_enabled, "while the shop sells at a counter too", errors=(NoRoute,)),)


def _require_enabled(call: Call) -> None:
    if not settings.is_setting_on(call.work, _FEATURE):
        raise NoRoute(method=call.request.method, path=call.request.path)


def _create_catalog_file(call: Call) -> Result:
    """Request the catalogue as a file and return its progress; a repeated request continues the same file."""
    work, args = call.work, call.args
    one = catalogue_files.request_catalog_file(
        work, args.get("_product_fields") or "", args.get("_variation_fields") or "", force=bool(args["force"])
    )
    done = one.state == "completed"
    return Result(
        {
            "scheduled_at": _format_moment(work, one.scheduled_at),
            "completed_at": _format_moment(work, one.completed_at) if done else None, "state": one.state,
            "progress": 100 if done else one.progress, "processed": one.processed, "total": one.total,
            "url": f"{work.origin}/shop/catalogue/{one.name}.json" if done else None,
        }
    )  # fmt: skip


def _format_moment(work: UnitOfWork, at: int) -> str:
    return times.format_iso(work.zone.to_local(at))


ROUTE_BUILDERS: dict[str, tuple[Callable[[SiteContext], tuple[Route, ...]], ...]] = {_SPACE: (build_routes,)}
