"""The pages of a collection: their offsets, and their headers: totals, and links to the previous and next page.

Rules: docs/rules/lists.md, 2, 3 and 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vetrina.rest import query_strings
from vetrina.rest.call import Call


def compute_page_offset(args: Mapping[str, Any], size: int | None = None, *, zero_counts: bool = True) -> int:
    """Return how many items come before a page: `offset`, whose sign is ignored, or those of the pages before.

    size: items of a page where `per_page` does not say it. zero_counts: whether an `offset` of 0 means the start of
    the list, whatever the page; otherwise it is ignored, as in lists of terms, reviews and accounts.
    """
    offset: int | None = args.get("offset")
    return (
        abs(offset)
        if offset is not None and (offset or zero_counts)
        else (args["page"] - 1) * (size or args["per_page"])
    )


def build_page_headers(
    call: Call[Any], total: int, per_page: int | None, page: int = 1
) -> tuple[dict[str, Any], list[str]]:
    """Return the headers and the Link entries of one page.

    total: items in the whole collection. per_page: items of a page, None for all on one page.
    """
    pages = -(-total // per_page) if per_page else (1 if total else 0)
    headers = {"X-CMS-Total": total, "X-CMS-TotalPages": pages}
    links = []
    if page > 1:
        links.append(_build_page_link(call, min(page - 1, pages), "prev"))
    if page < pages:
        links.append(_build_page_link(call, page + 1, "next"))
    return headers, links


def _build_page_link(call: Call[Any], page: int, rel: str) -> str:
    request = call.request
    values = {name: call.args.get(name, value) for name, value in request.query.items()}
    values["page"] = page
    return f'<{request.root}{request.path}?{query_strings.format_query(values)}>; rel="{rel}"'
