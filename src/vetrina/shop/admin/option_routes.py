"""Options by name: read as `options=a,b`, written as an object.

Not here: which there are (shop/admin/option_names.py). Rules: facts, "Options": one name outside the list
refuses the whole request, for everybody.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import Frame
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Call, Result
from vetrina.rest.route import CHANGE, READ, Route
from vetrina.shop.admin import options as admin_options
from vetrina.shop.admin import permissions as admin_permissions
from vetrina.shop.admin import responses as admin_responses
from vetrina.shop.rights import CannotUpdate, CannotView
from vetrina.shop.settings.rules import InvalidValue

__all__ = ["routes"]

_PATH: Final = "/shop-admin/options"


class OptionsMissing(ApiError):
    code = "shop_rest_cannot_view"
    message = "Name the options with commas between them, as `options`."


class NoObject(ApiError):
    code = "shop_rest_cannot_update"
    message = "Send a JSON object with the options' new values by name."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of options."""
    return (
        Route(READ, _PATH, _read, {}, _may_read, errors=(OptionsMissing,), answers=admin_responses.OPTIONS),
        Route(
            CHANGE,
            _PATH,
            _write,
            {},
            _may_write,
            errors=(NoObject, admin_options.Malformed, InvalidValue),
            answers=admin_responses.CHANGED,
        ),
    )


def _names(call: Call) -> list[str]:
    """Return the options that are asked for. Raises OptionsMissing."""
    asked = call.request.query.get("options")
    if not isinstance(asked, str):
        raise OptionsMissing
    return asked.split(",")


def _given(call: Call) -> dict[str, Any]:
    """Return the options that are written. Raises NoObject."""
    request = call.request
    written = request.body.strip()
    # Some clients write an object without members as a list without any.
    if not request.json and not written.startswith(b"{") and written != b"[]":
        raise NoObject
    return request.json


def _may_read(call: Call) -> None:
    """Those who run the shop (`manage_shop`), and only options that the administration may touch."""
    admin_permissions.viewing(call)
    if not all(admin_options.is_allowed(call.work, name) for name in _names(call)):
        raise CannotView(bool(call.work.user))


def _may_write(call: Call) -> None:
    """Those who run the shop (`manage_shop`), and only options that the administration may touch."""
    admin_permissions.updating(call)
    if not all(admin_options.is_allowed(call.work, name) for name in _given(call)):
        raise CannotUpdate(bool(call.work.user))


def _read(call: Call) -> Result:
    """Read options of the site by their names."""
    return Result(admin_options.read(call.work, _names(call)))


def _write(call: Call) -> Result:
    """Set options of the site by their names."""
    return Result(admin_options.write(call.work, _given(call)))
