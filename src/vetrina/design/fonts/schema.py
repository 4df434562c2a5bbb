"""What the routes of font families and of font faces share: arguments, rights, refusals.

Not here: the routes (design/fonts/routes.py, design/fonts/face_routes.py), what the JSON texts may say
(design/fonts/settings.py). Rules: interface.md, "Font families and faces"; facts, "Fonts". All of it is for those who
may design the site.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.content.records.model import Record
from vetrina.content.records.query_arguments import IncludeMissing
from vetrina.content.types.registry import FONT_FAMILY
from vetrina.design.fonts import rules as fonts
from vetrina.design.fonts.rules import FontQuery
from vetrina.kernel import slugs
from vetrina.kernel.errors import ApiError, Refused
from vetrina.rest.call import Call
from vetrina.rest.common_arguments import context, numbers, paging
from vetrina.rest.fields import Field, Integer, String

__all__ = [
    "VERSION", "CannotCreate", "CannotDelete", "CannotEdit", "CannotRead", "FontUnknown", "NoTrash", "designs", "found",
    "list_arguments", "may_create", "may_read", "query_of", "version",
]  # fmt: skip

VERSION: Final = 3  # of the format of theme settings, whatever was sent


class CannotRead(Refused):
    code = "rest_cannot_read"
    message = "You may not see the fonts of this site."


class CannotCreate(Refused):
    code = "rest_cannot_create"
    message = "You may not add fonts to this site."


class CannotEdit(Refused):
    code = "rest_cannot_edit"
    message = "You may not change the fonts of this site."


class CannotDelete(Refused):
    code = "rest_cannot_delete"
    message = "You may not remove the fonts of this site."


class FontUnknown(ApiError):
    status, code = 404, "rest_post_invalid_id"
    message = "There is no font with the number {id}."


class NoTrash(ApiError):
    status, code = 501, "rest_trash_not_supported"
    message = "Fonts have no trash; send force=true to remove one."


def list_arguments() -> dict[str, Field]:
    out: dict[str, Field] = {
        "context": context(), **paging(),
        "exclude": numbers("None of these numbers."), "include": numbers("Only these numbers."),
        "search_semantics": String("How a search text is compared.", enum=("exact",), null="keep"),
        "offset": Integer("How many to leave out at the start.", null="keep"),
        "order": String("Order of the items.", default="desc", enum=("asc", "desc"), null="keep"),
        "orderby": String("Sort the items by this.", default="id", enum=("id", "include"), null="keep"),
    }  # fmt: skip
    del out["search"]
    return out


def version() -> Integer:
    return Integer("Version of the format of theme settings.", default=VERSION, minimum=2, maximum=3, null="keep")


def designs(user: Any) -> bool:
    return bool(user) and user.can(FONT_FAMILY.caps["edit_posts"])


def may_read(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    if not designs(call.work.user):
        raise CannotRead(bool(call.work.user))


def may_create(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    if not designs(call.work.user):
        raise CannotCreate(bool(call.work.user))


def found(call: Call, kept: str) -> Record:
    """Return the family or the face that a call names, and keep it. Raises FontUnknown."""
    one: Record | None = call.kept.get(kept)
    if one is None:
        number = call.args.get("id")
        look = fonts.family if kept == "family" else fonts.face
        one = look(call.work, number) if isinstance(number, int) else None
        if one is None:
            raise FontUnknown(id=number)
        call.kept[kept] = one
    return one


def query_of(call: Call, parent: int = 0) -> FontQuery:
    """Return the query that the arguments of a list say. Raises IncludeMissing."""
    args = call.args
    if args["orderby"] == "include" and not args["include"]:
        raise IncludeMissing
    return FontQuery(
        parent=parent, page=args["page"], per_page=args["per_page"], offset=args.get("offset"),
        include=tuple(args["include"]), exclude=tuple(args["exclude"]), order=args["order"], orderby=args["orderby"],
        slugs=tuple(slugs.slugify(slug) for slug in args.get("slug") or ()),
    )  # fmt: skip
