"""Permissions and paths that the routes of widgets, sidebars and widget types share.

Rules: docs/rules/themes.md, 7.
"""

from __future__ import annotations

from typing import Final

from vetrina.core.call import Call
from vetrina.kernel.errors import PermissionDenied

WIDGETS_PATH: Final = "/cms/v2/widgets"
SIDEBARS_PATH: Final = "/cms/v2/sidebars"
WIDGET_TYPES_PATH: Final = "/cms/v2/widget-types"


class CannotManageWidgets(PermissionDenied):
    """Managing widgets requires the right to design the site."""

    code = "rest_cannot_manage_widgets"
    message = "You may not see or change the widgets of this site."


def require_manage_permission(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    user = call.work.user
    if not user.can("edit_theme_options"):
        raise CannotManageWidgets(bool(user))
