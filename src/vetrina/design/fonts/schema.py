"""Arguments, permissions and errors that the routes of font families and font faces share.

The JSON texts: design/fonts/settings.py. Rules: docs/rules/fonts.md, 1 and 2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from vetrina.content.records.list_arguments import IncludeMissing
from vetrina.content.records.model import Record
from vetrina.content.types.registry import FONT_FAMILY
from vetrina.core.call import Call
from vetrina.design.fonts import rules as fonts
from vetrina.design.fonts.rules import FontQuery
from vetrina.kernel import slugs
from vetrina.kernel.errors import ApiError, Failure, PermissionDenied
from vetrina.rest.common_arguments import build_context_argument, build_number_list, build_paging_arguments
from vetrina.rest.fields import Field, Integer, String

VERSION: Final = 3  # version of the theme settings format, whatever was sent


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


class FontNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_post_invalid_id"
    message = "There is no font with the number {id}."


def build_list_arguments() -> dict[str, Field]:
    out: dict[str, Field] = {
        "context": build_context_argument(), **build_paging_arguments(),
        "exclude": build_number_list("None of these numbers."), "include": build_number_list("Only these numbers."),
        "search_semantics": String("How a search text is compared.", enum=("exact",), null="keep"),
        "offset": Integer("How many to leave out at the start.", null="keep"),
        "order": String("Order of the items.", default="desc", enum=("asc", "desc"), null="keep"),
        "orderby": String("Sort the items by this.", default="id", enum=("id", "include"), null="keep"),
    }  # fmt: skip
    del out["search"]
    return out


def build_version_field() -> Integer:
    return Integer("Version of the format of theme settings.", default=VERSION, minimum=2, maximum=3, null="keep")


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


def build_font_query(call: Call, parent: int = 0) -> FontQuery:
    """Return the query for the arguments of a list. Raises IncludeMissing."""
    args = call.args
    if args["orderby"] == "include" and not args["include"]:
        raise IncludeMissing
    return FontQuery(
        parent=parent, page=args["page"], per_page=args["per_page"], offset=args.get("offset"),
        include=tuple(args["include"]), exclude=tuple(args["exclude"]), order=args["order"], orderby=args["orderby"],
        slugs=tuple(slugs.slugify(slug) for slug in args.get("slug") or ()),
    )  # fmt: skip
