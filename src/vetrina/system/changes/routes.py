"""The change feed: what changed since a cursor, with addresses and cache tags, as far as the caller may see it.

Each thing is asked for through the dispatcher, as the caller: what its own route refuses, the feed does not tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.times import format_iso
from vetrina.rest import query_strings
from vetrina.rest.call import EventPage, Request, Result
from vetrina.rest.fields import Array, Boolean, Integer, Object, String
from vetrina.rest.route import READ, Route
from vetrina.system.changes import rules as change_rules
from vetrina.system.changes.tags import ChangeTags

_PATH: Final = "/cms/v2/changes"
EVENT_STREAM: Final = "text/event-stream"
_MAX_DIGITS: Final = 18  # of a cursor
_SHOWN: Final = "id,link,permalink,lang,status"  # members of a thing that an entry is made of
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
    feed = _Feed(call, page.rows)
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


class _Feed:
    """One answer of the feed; each thing is looked up once in it."""

    def __init__(self, call: Call, rows: Sequence[change_rules.Change]) -> None:
        self.call, self.work = call, call.work
        self.kinds, self.languages = frozenset(call.args["kinds"]), frozenset(call.args["lang"])
        self.paths = change_rules.list_followed_paths(call.work.site)
        self.removal_rights = change_rules.list_removal_rights(call.work.site)
        self.found: dict[tuple[str, int], dict[str, Any] | None] = {}
        self.tags = ChangeTags(self.work, ((row.kind, change_rules.get_number(row)) for row in rows))
        gate = call.work.site.gate
        self.hidden = gate.list_hidden_types(call.work, call.work.user, call.request) if gate else frozenset()

    def build_entry(self, row: change_rules.Change) -> dict[str, Any] | None:
        """Return what the caller is told of a change, None for nothing."""
        if self.kinds and row.kind not in self.kinds:
            return None
        id = change_rules.get_number(row)
        manages = self.work.user.can("manage_options")
        before = change_rules.read_before(self.work, row)
        transition = before.get("transition")
        thing: dict[str, Any] = {}
        action = row.action
        if row.kind in self.paths and id:
            found = self._find_thing(row.kind, id)
            if found is not None:
                thing = {**found, "link_before": before.get("link")}
            elif before.get("link") and row.kind not in self.hidden:
                action, thing = "removed", {"link": before["link"], "lang": before["lang"]}
            elif self._runs(row.kind):
                action = "removed"
            elif action == "removed" and manages:
                thing = {}
            else:
                return None
        elif not (manages and (row.kind in self.paths or row.kind in change_rules.SITE_KINDS)):
            return None
        languages = {one for one in (thing.get("lang"), before.get("lang")) if one}
        if self.languages and languages and not languages & self.languages:
            return None
        return {
            "cursor": row.sequence,
            "kind": row.kind,
            "id": id or None,
            "action": action,
            "transition": transition,
            "href": thing.get("href"),
            "link": thing.get("link"),
            "link_before": thing.get("link_before"),
            "lang": thing.get("lang"),
            "tags": self.tags.list_tags(row.kind, id, before, thing.get("status") or ""),
            "date": format_iso(self.work.zone.to_local(row.at)),
            "date_gmt": format_iso(row.at),
        }

    def _runs(self, kind: str) -> bool:
        """Return whether the caller runs the part of the site that things of a kind are of."""
        right = self.removal_rights.get(kind)
        return right is not None and self.work.user.can(right)

    def _find_thing(self, kind: str, id: int) -> dict[str, Any] | None:
        if (kind, id) not in self.found:
            self.found[kind, id] = self._read_thing(kind, id)
        return self.found[kind, id]

    def _read_thing(self, kind: str, id: int) -> dict[str, Any] | None:
        work = self.work
        for path in self.paths[kind]:
            address = f"{path}/{id}"
            query = {"_fields": _SHOWN}
            request = Request("GET", address, work.root, work.origin, work.language, query=query, inner=True)
            answer = self.call.ask.answer_within(request, work)
            if not answer.failed and isinstance(answer.body, dict) and answer.body.get("status") != "trash":
                body = answer.body
                link = body.get("link") or body.get("permalink")
                return {
                    "href": work.api(address), "link": link, "lang": body.get("lang"), "status": body.get("status"),
                }  # fmt: skip
        return None
