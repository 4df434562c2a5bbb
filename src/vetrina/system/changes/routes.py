"""The route of the change feed: what changed since a cursor, as one answer or as server-sent events.

What the caller is told of a change: system/changes/feed.py.
"""

from __future__ import annotations

from typing import Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.rest import query_strings
from vetrina.rest.call import EventPage, Result
from vetrina.rest.fields import Array, Boolean, Integer, Object, String
from vetrina.rest.route import READ, Route
from vetrina.system.changes import rules as change_rules
from vetrina.system.changes.feed import ChangeFeed

_PATH: Final = "/cms/v2/changes"
EVENT_STREAM: Final = "text/event-stream"
_MAX_DIGITS: Final = 18  # of a cursor
_ENTRY: Final = Object(
    properties={
        "cursor": Integer("Pass it as `since` to go on after this change."),
        "kind": String("What it is: the name of a content type or taxonomy, `comment`, `user`, `option`, `order` …"),
        "id": Integer("Its id, null for things without one."),
        "action": String("What happened to it, as far as you may see it.", enum=("created", "changed", "removed")),
        "transition": String("published, unpublished, trashed, moved or removed, where that is known; else null."),
        "href": String("Its address in this interface, null for things without one."),
        "link": String("Its public page, for what was removed the one it had; else null."),
        "link_before": String("The page it had before it moved; else null."),
        "lang": String("Its language, null where it has none."),
        "tags": Array("Cache tags of the answers that were made from it.", items=String()),
        "date": String("When, in the site's time.", format="date-time"),
        "date_gmt": String("When, in GMT.", format="date-time"),
    }
)
_ANSWER: Final = Object(
    properties={
        "changes": Array("The changes, oldest first.", items=_ENTRY),
        "next": Integer("Pass it as `since` next time."),
        "more": Boolean("Whether there is more to read now."),
    }
)
_ARGS: Final = {
    "since": Integer("Tell what changed after this cursor; without it, only the cursor of now is answered.", minimum=0),
    "per_page": Integer("How many changes are looked at.", default=100, minimum=1, maximum=100),
    "stream": Boolean("Answer with server-sent events, as for `Accept: text/event-stream`.", default=False),
    "kinds": Array("Only changes of these kinds.", items=String(), default=[]),
    "lang": Array("Only changes of things in these languages, and of those without one.", items=String(), default=[]),
}


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the route of the feed."""
    return (
        Route(
            READ, _PATH, _list_changes, _ARGS, errors=(change_rules.ChangesGone,), answers=_ANSWER,
            kinds=(EVENT_STREAM,), request_headers=("Last-Event-ID",),
        ),
    )  # fmt: skip


def _list_changes(call: Call) -> Result:
    """List what changed since a cursor."""
    work, args = call.work, call.args
    # The feed itself is never kept: what it is made from is the log, which has no kind.
    work.mark_time_dependent()
    since = _get_cursor(call)
    page = change_rules.list_page(work, since, args["per_page"])
    feed = ChangeFeed(call, page.rows)
    entries = [entry for row in page.rows if (entry := feed.build_entry(row)) is not None]
    query = query_strings.format_query({**call.request.query, "since": page.next})
    link = f'<{call.request.root}{call.request.path}?{query}>; rel="next"'
    body = {"changes": entries, "next": page.next, "more": page.more}
    events = None
    if args["stream"] or EVENT_STREAM in call.request.headers.get("accept", ""):
        cursors = tuple(entry["cursor"] for entry in entries)
        start = page.next if since is None else since
        events = EventPage("change", "changes", cursors, start, page.next, page.more, cursor="since")
    return Result(body, headers={"Cache-Control": "no-store"}, links=[link], events=events)


def _get_cursor(call: Call) -> int | None:
    """Return the cursor of a call: that of the last event, where a stream goes on, and `since` otherwise."""
    last = call.request.headers.get("last-event-id", "")
    since: int | None = call.args.get("since")
    return int(last) if last.isascii() and last.isdigit() and len(last) <= _MAX_DIGITS else since
