"""The block patterns that pages of a shop start from."""

from __future__ import annotations

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.design.themes import active_theme
from vetrina.kernel.errors import PermissionDenied
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Object
from vetrina.rest.response_fields import build_text_fields
from vetrina.rest.route import READ, Route
from vetrina.shop.rights import require_shop_capability


class CannotViewShopPatterns(PermissionDenied):
    code = "rest_forbidden"
    message = "You may not see this; sign in as one who runs the shop."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the route of the patterns that shop pages start from."""
    return (
        Route(
            READ, "/shop/private/patterns", _list_patterns, {}, _require_patterns_permission,
            answers=Array(items=Object(properties=build_text_fields("slug", "title", "content"))),
        ),
    )  # fmt: skip


def _require_patterns_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require_shop_capability(call.work.user, CannotViewShopPatterns)


def _list_patterns(call: Call) -> Result:
    """List the theme's patterns for shop pages."""
    found = active_theme.get_active_theme(call.work.site).patterns
    return Result([{"slug": one.name, "title": one.title, "content": one.content} for one in found])
