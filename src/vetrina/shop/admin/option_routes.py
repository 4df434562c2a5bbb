"""Routes of options by name: read as `options=a,b`, written as an object.

Not here: the names (shop/admin/option_names.py). Rules: docs/rules/shop_admin.md, 6 and 7: one name outside the list
refuses the whole request, for everybody.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Result
from vetrina.rest.route import CHANGE, READ, Route
from vetrina.shop.admin import options as admin_options, permissions as admin_permissions, responses as admin_responses
from vetrina.shop.rights import CannotUpdateShop, CannotViewShop
from vetrina.shop.settings.rules import InvalidSettingValue

_PATH: Final = "/shop-admin/options"


class OptionNamesMissing(ApiError):
    code = "shop_rest_cannot_view"
    message = "Name the options with commas between them, as `options`."


class OptionsNotObject(ApiError):
    code = "shop_rest_cannot_update"
    message = "Send a JSON object with the options' new values by name."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of options."""
    return (
        Route(
            READ, _PATH, _read_options, {}, _require_options_read_permission, errors=(OptionNamesMissing,),
            answers=admin_responses.OPTIONS,
        ),
        Route(
            CHANGE, _PATH, _update_options, {}, _require_options_write_permission,
            errors=(OptionsNotObject, admin_options.MalformedOption, InvalidSettingValue),
            answers=admin_responses.CHANGED_OPTIONS,
        ),
    )  # fmt: skip


def _parse_names(call: Call) -> list[str]:
    """Return the requested options. Raises OptionNamesMissing."""
    text = call.request.query.get("options")
    if not isinstance(text, str):
        raise OptionNamesMissing
    return text.split(",")


def _parse_values(call: Call) -> dict[str, Any]:
    """Return the options to write. Raises OptionsNotObject."""
    request = call.request
    written = request.body.strip()
    # Some clients encode an empty object as an empty list.
    if not request.json and not written.startswith(b"{") and written != b"[]":
        raise OptionsNotObject
    return request.json


def _require_options_read_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`), and only options that the administration may touch."""
    admin_permissions.require_view_permission(call)
    if not all(admin_options.is_option_allowed(call.work, name) for name in _parse_names(call)):
        raise CannotViewShop(bool(call.work.user))


def _require_options_write_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`), and only options that the administration may touch."""
    admin_permissions.require_update_permission(call)
    if not all(admin_options.is_option_allowed(call.work, name) for name in _parse_values(call)):
        raise CannotUpdateShop(bool(call.work.user))


def _read_options(call: Call) -> Result:
    """Read options of the site by name."""
    return Result(admin_options.load_options(call.work, _parse_names(call)))


def _update_options(call: Call) -> Result:
    """Set options of the site by name."""
    return Result(admin_options.save_options(call.work, _parse_values(call)))
