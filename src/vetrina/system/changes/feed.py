"""The change feed: what a caller is told of a change, with addresses and cache tags, as far as they may see it.

Each thing is asked for through the dispatcher, as the caller: what its own route refuses, the feed does not tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.kernel.times import format_iso
from vetrina.rest.call import Request
from vetrina.system.changes import rules as change_rules
from vetrina.system.changes.tags import ChangeTags

_SHOWN: Final = "id,link,permalink,lang,status"  # members of a thing that an entry is made of


class ChangeFeed:
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
