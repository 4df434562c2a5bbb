"""The pages of a collection: where one begins, and its headers: totals, and links to the pages before and after.

Rules: facts of the interface, "Lists".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vetrina.rest import query_strings
from vetrina.rest.call import Call

__all__ = ["page_headers", "start_of"]


def start_of(args: Mapping[str, Any], size: int | None = None, *, zero_counts: bool = True) -> int:
    """Return how many items come before a page: `offset`, whose sign says nothing, or those of the pages before.

    size: items of a page where `per_page` does not say it. zero_counts: whether an `offset` of 0 means the start of
    the list, whatever the page; else it says nothing, as in lists of terms, reviews and accounts.
    """
    offset: int | None = args.get("offset")
    return (
        abs(offset)
        if offset is not None and (offset or zero_counts)
        else (args["page"] - 1) * (size or args["per_page"])
    )


def page_headers(call: Call, total: int, per_page: int | None, page: int = 1) -> tuple[dict[str, Any], list[str]]:
    """Return the headers and the Link entries of one page.

    total: items in the whole collection. per_page: items of a page, None for all on one page.
    """
    pages = -(-total // per_page) if per_page else (1 if total else 0)
    headers = {"X-CMS-Total": total, "X-CMS-TotalPages": pages}
    links = []
    if page > 1:
        links.append(_link(call, min(page - 1, pages), "prev"))
    if page < pages:
        links.append(_link(call, page + 1, "next"))
    return headers, links


def _link(call: Call, page: int, rel: str) -> str:
    request = call.request
    values = {name: call.args.get(name, value) for name, value in request.query.items()}
    values["page"] = page
    return f'<{request.root}{request.path}?{query_strings.write(values)}>; rel="{rel}"'
