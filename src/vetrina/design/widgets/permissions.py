"""Who may see and change widgets, and where the routes of widgets, of their places and kinds are.

Rules: facts, "Themes, plugins, blocks, widgets, health, helpers, abilities".
"""

from __future__ import annotations

from typing import Final

from vetrina.kernel.errors import Refused
from vetrina.rest.call import Call

__all__ = ["SIDEBARS", "TYPES", "WIDGETS", "CannotManage", "may_manage"]

WIDGETS: Final = "/cms/v2/widgets"
SIDEBARS: Final = "/cms/v2/sidebars"
TYPES: Final = "/cms/v2/widget-types"


class CannotManage(Refused):
    """Widgets belong to the looks of the site."""

    code = "rest_cannot_manage_widgets"
    message = "You may not see or change the widgets of this site."


def may_manage(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    user = call.work.user
    if not user.can("edit_theme_options"):
        raise CannotManage(bool(user))
