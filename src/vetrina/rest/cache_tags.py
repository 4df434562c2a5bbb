"""Cache tags: what a response was made from, as others who keep it are told (`Cache-Tag`).

`post-12` is one post, `post` every post: lists, counts and whatever depends on which posts there are. Their number is
bounded: where there are too many, the things of a kind become the kind, the most numerous first. Which tags a change
has: system/changes/tags.py. Rules: docs/rules/cache_tags.md, 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from typing import Final

from vetrina.rest.call import UNCACHED, Response

# Frameworks keep a limited number of tags with a response: Next.js 128.
MAX_TAGS: Final = 96


def build_cache_tags(kinds: Set[str], items: Set[tuple[str, int]]) -> tuple[str, ...]:
    """Return the tags of a response; items: the single things that it was made from, by kind and id."""
    whole = set(kinds)
    single = [one for one in items if one[0] not in whole]
    if len(single) + len(whole) > MAX_TAGS:
        for kind, _ in Counter(kind for kind, _ in single).most_common():
            whole.add(kind)
            single = [one for one in single if one[0] != kind]
            if len(single) + len(whole) <= MAX_TAGS:
                break
    return (*sorted(whole), *(f"{kind}-{id}" for kind, id in sorted(single)))


def name_sources(answer: Response, kinds: Set[str], items: Set[tuple[str, int]]) -> None:
    """Say in a response what it was made from; nothing where that is unknown, or where it changes with time alone."""
    if not UNCACHED.isdisjoint(kinds) or not (kinds or items):
        return
    answer.sources = frozenset(kinds), frozenset(items)
    answer.kinds = answer.sources[0] | {kind for kind, _ in items}
