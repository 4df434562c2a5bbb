"""Embedded records: what the links of a record lead to, fetched and put into the answer beside it (`_embed`).

Each linked record is the answer to a request of its own inside the same transaction, in context `embed`, so its rights
are asked like those of any other. Rules: docs/rules/global_parameters.md, 3.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from vetrina.rest import query_strings
from vetrina.rest.call import Call, Request
from vetrina.rest.coercion import coerce_array
from vetrina.rest.fields import Integer
from vetrina.rest.route import Route


def embed_records(call: Call[Any], body: Any) -> Any:
    """Return a record, or a list of them, with the records that `_embed` asks for; each is read once."""
    embed = call.request.query["_embed"]
    rels = None if embed in ("", "1", "true", True, 1, "0", 0) else {str(name) for name in coerce_array(embed) or ()}
    fetched: dict[str, Any] = {}
    for record in body if isinstance(body, list) else [body]:
        if isinstance(record, dict) and isinstance(record.get("_links"), dict):
            embedded = _embed_links(call, record["_links"], rels, fetched)
            if embedded:
                record["_embedded"] = embedded
    return body


def _embed_links(
    call: Call[Any], links: dict[str, Any], rels: set[str] | None, fetched: dict[str, Any]
) -> dict[str, list[Any]]:
    out: dict[str, list[Any]] = {}
    for rel, entries in links.items():
        if rels is not None and rel not in rels:
            continue
        # External content can stand there where a record includes the links of another program.
        if not isinstance(entries, list) or not any(entry.get("embeddable") for entry in entries):
            continue
        out[rel] = []
        for entry in entries:
            if not entry.get("embeddable"):
                out[rel].append([])
                continue
            href = entry["href"]
            if href not in fetched:
                fetched[href] = _fetch_link(call, href)
            out[rel].append(fetched[href])
    return {rel: found for rel, found in out.items() if any(found)}


def _fetch_link(call: Call[Any], href: str) -> Any:
    """Return the response to a link of this site, in context embed; empty where no route matches."""
    request = call.request
    parts = urlsplit(href.removeprefix(request.root))
    found = call.ask.table.find(parts.path, "GET")
    if not href.startswith(request.root) or found is None:
        return []
    query = {
        "context": "embed",
        **_build_largest_page(found[0].by_method["GET"]),
        **query_strings.parse_query(parts.query),
    }
    inner = Request("GET", parts.path, request.root, request.origin, call.work.language, query=query, inner=True)
    return call.ask.answer_within(inner, call.work).body


def _build_largest_page(route: Route) -> dict[str, Any]:
    """Return the argument for the largest page of a list: embedded lists have no second page."""
    page = route.args.get("per_page")
    return {"per_page": page.maximum} if isinstance(page, Integer) and page.maximum is not None else {}
