"""Who may see and change the styles of a site and of its theme.

Rules: docs/rules/global_styles.md, 7.
"""

from __future__ import annotations

from vetrina.access.roles.capabilities import may_edit_records
from vetrina.content.records.model import Record
from vetrina.content.revisions.routes import (
    CannotReadRevisions,
    InvalidRevisionParent,
)
from vetrina.content.types.registry import GLOBAL_STYLES
from vetrina.core.call import Call
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.design.styles import rules as styles
from vetrina.kernel.errors import PermissionDenied
from vetrina.rest.fields import EDIT


class CannotViewStyles(PermissionDenied):
    code = "rest_cannot_view"
    message = "You may not see the styles of this site."


class CannotEditStyles(PermissionDenied):
    code = "rest_cannot_edit"
    message = "You may not change the styles of this site."


class ForbiddenStylesContext(PermissionDenied):
    code = "rest_forbidden_context"
    message = "You may not see the styles of this site as an editor does."


class CannotReadThemeStyles(PermissionDenied):
    code = "rest_cannot_read_global_styles"
    message = "You may not see the styles of the theme."


def get_styles_record(call: Call) -> Record:
    """Return the styles in the path, cached in the call's lookups. Raises StylesNotFound."""
    found: Record | None = call.lookups.get("styles")
    if found is None:
        number = call.args.get("id")
        found = call.lookups["styles"] = styles.get_styles(call.work, number if isinstance(number, int) else 0)
    return found


def may_view_styles(work: UnitOfWork) -> bool:
    return any(may_edit_records(work.user, type) for type in work.site.types.values())


def may_edit_styles(work: UnitOfWork) -> bool:
    return work.user.can(GLOBAL_STYLES.caps["edit_posts"])


def require_read_permission(call: Call) -> None:
    """Those who write records of any type; the editing view is for those who design the site."""
    get_styles_record(call)
    if call.request.raw("context") == EDIT and not may_edit_styles(call.work):
        raise ForbiddenStylesContext(bool(call.work.user))
    if not may_view_styles(call.work):
        raise CannotViewStyles(bool(call.work.user))


def require_update_permission(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    get_styles_record(call)
    if not may_edit_styles(call.work):
        raise CannotEditStyles(bool(call.work.user))


def require_theme_permission(call: Call) -> None:
    """Those who write records of any type."""
    if not may_view_styles(call.work):
        raise CannotReadThemeStyles(bool(call.work.user))


def require_history_permission(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    number = call.args.get("parent")
    try:
        parent = styles.get_styles(call.work, number if isinstance(number, int) else 0)
    except styles.StylesNotFound:
        raise InvalidRevisionParent(id=number) from None
    if not may_edit_styles(call.work):
        raise CannotReadRevisions(bool(call.work.user))
    call.lookups["parent"] = parent
