"""Who may use the routes of fonts, and which family or face a call addresses.

Rules: docs/rules/fonts.md, 1.
"""

from __future__ import annotations

from collections.abc import Callable

from vetrina.content.records.model import Record
from vetrina.content.types.registry import FONT_FAMILY
from vetrina.core.call import Call
from vetrina.design.fonts import rules as fonts
from vetrina.kernel.errors import ApiError, Failure, PermissionDenied


class CannotReadFont(PermissionDenied):
    code = "rest_cannot_read"
    message = "You may not see the fonts of this site."


class CannotCreateFont(PermissionDenied):
    code = "rest_cannot_create"
    message = "You may not add fonts to this site."


class CannotEditFont(PermissionDenied):
    code = "rest_cannot_edit"
    message = "You may not change the fonts of this site."


class CannotDeleteFont(PermissionDenied):
    code = "rest_cannot_delete"
    message = "You may not remove the fonts of this site."


class CannotReadFontCollections(PermissionDenied):
    code = "rest_cannot_read"
    message = "You may not see collections of fonts."


class FontNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_post_invalid_id"
    message = "There is no font with the number {id}."


def build_font_permission(refusal: type[PermissionDenied]) -> Callable[[Call], None]:
    """Return the permission of a route about no font that exists. refusal: the error of others."""

    def require_permission(call: Call) -> None:
        """Those who design the site (`edit_theme_options`)."""
        user = call.work.user
        if not user.can(FONT_FAMILY.caps["edit_posts"]):
            raise refusal(bool(user))

    return require_permission


def build_font_item_permission(refusal: type[PermissionDenied], kept: str) -> Callable[[Call], None]:
    """Return the permission of a route about a font, which looks for it first. kept: "family" or "face"."""
    check = build_font_permission(refusal)

    def require_permission(call: Call) -> None:
        """Those who design the site (`edit_theme_options`)."""
        get_font_record(call, kept)
        check(call)

    return require_permission


def get_font_record(call: Call, kept: str) -> Record:
    """Return the family or the face in the path, cached in the call's lookups under `kept`. Raises FontNotFound."""
    record: Record | None = call.lookups.get(kept)
    if record is None:
        number = call.args.get("id")
        find = fonts.find_family if kept == "family" else fonts.find_face
        record = find(call.work, number) if isinstance(number, int) else None
        if record is None:
            raise FontNotFound(id=number)
        call.lookups[kept] = record
    return record
