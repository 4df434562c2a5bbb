"""The topics of a site's webhooks, and what a transaction's changes are called in them.

Rules: docs/rules/webhooks.md, 6.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.webhooks.model import WebhookResource

PING: Final = "ping"
_ALL: Final = "*"
_EVENTS: Final = {
    "created": "created",
    "changed": "updated",
    "removed": "deleted",
}  # others have the name of the change
# Events by which a record comes before readers or leaves them.
TRANSITIONS: Final = frozenset({"published", "unpublished", "trashed", "restored"})
# Events beside which a record is not also told as updated.
_MORE_THAN_UPDATED: Final = frozenset({"created", "trashed", "restored", "deleted"})


class ContentEvent(NamedTuple):
    """Something that happened to a record. path: of the record; kind: in the change log."""

    topic: str
    kind: str
    item: str
    path: str

    @property
    def number(self) -> int:
        """Return the id of the record, 0 where it has none."""
        return int(self.item) if self.item.isascii() and self.item.isdecimal() else 0


@lru_cache(maxsize=4)
def list_resources(site: SiteContext) -> tuple[WebhookResource, ...]:
    """Return what the webhooks of a site can be told of, by its modules."""
    parts = [module.load_background() for module in site.modules]
    return tuple(one for part in parts for build in part.webhook_resources for one in build(site))


@lru_cache(maxsize=4)
def list_topics(site: SiteContext) -> tuple[str, ...]:
    """Return every topic, with those that stand for all events of a resource, and for everything."""
    resources = list_resources(site)
    single = (topic for one in resources for topic in one.topics)
    return (*dict.fromkeys(single), *dict.fromkeys(f"{one.name}.*" for one in resources), _ALL)


def suggest_topics(site: SiteContext, topic: str) -> list[str]:
    """Return the topics that are nearest to one that does not exist."""
    from difflib import get_close_matches  # needed only where something is wrong

    return get_close_matches(topic[:100], list_topics(site), n=3, cutoff=0.4)


def matches(topics: Iterable[str], topic: str) -> bool:
    """Return whether a topic is among those that a webhook has."""
    return any(one in (topic, f"{topic.partition('.')[0]}.*", _ALL) for one in topics)


def is_told(site: SiteContext, kind: str) -> bool:
    """Return whether webhooks may be told of a change of this kind."""
    return kind in _map_kinds(site)


def collect_events(work: UnitOfWork) -> list[ContentEvent]:
    """Return what the transaction did, each event of a record once; nothing of what it made and removed again."""
    known = _map_kinds(work.site)
    happened: dict[tuple[str, str], dict[str, None]] = {}
    for kind, item, action in work.changes:
        resource = known.get(kind)
        if resource is not None and (item in resource.items if resource.items else item not in ("", "0")):
            event = _EVENTS.get(action, action)
            if event in resource.events:
                happened.setdefault((kind, item), {})[event] = None
    out: dict[tuple[str, str], ContentEvent] = {}
    for (kind, item), events in happened.items():
        resource = known[kind]
        path = resource.paths[kind].replace("{id}", item)
        for event in _reduce_events(events):
            # All changed settings are one event, since they are one record.
            out.setdefault((path, event), ContentEvent(f"{resource.name}.{event}", kind, item, path))
    return list(out.values())


def _reduce_events(events: Iterable[str]) -> list[str]:
    found = set(events)
    if "deleted" in found:
        return [] if "created" in found else ["deleted"]
    return [one for one in events if one != "updated" or not found & _MORE_THAN_UPDATED]


@lru_cache(maxsize=4)
def _map_kinds(site: SiteContext) -> dict[str, WebhookResource]:
    return {kind: one for one in list_resources(site) for kind in one.paths}
