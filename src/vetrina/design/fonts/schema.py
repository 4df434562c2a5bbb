"""Arguments that the routes of font families and font faces share.

The JSON texts: design/fonts/settings.py. Rules: docs/rules/fonts.md, 2.
"""

from __future__ import annotations

from typing import Final

from vetrina.content.records.list_arguments import IncludeMissing
from vetrina.core.call import Call
from vetrina.design.fonts.rules import FontQuery
from vetrina.kernel import slugs
from vetrina.rest.common_arguments import build_context_argument, build_number_list, build_paging_arguments
from vetrina.rest.fields import Field, Integer, String

VERSION: Final = 3  # version of the theme settings format, whatever was sent


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
