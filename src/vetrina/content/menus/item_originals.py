"""What items of menus show: of the record, term or archive that they point to, or of themselves.

An item of a record or a term that has no title of its own shows that of its original, and follows it.
Not here: how items are written (content/menus/item_rules.py). Rules: facts, "Menu items".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from vetrina.content.menus.item_model import CUSTOM, MenuItem
from vetrina.content.records import ancestry, permalinks
from vetrina.content.records import model as record_model
from vetrina.content.records.ancestry import Above
from vetrina.content.records.model import Record
from vetrina.content.terms import store as terms
from vetrina.content.terms.store import Term
from vetrina.content.text import rendering as text_rendering
from vetrina.content.types.model import ContentType
from vetrina.content.types.registry import MENU, MENU_ITEM
from vetrina.core.unit_of_work import Work

__all__ = ["Shown", "archives_of", "description", "shown"]

_LABELS: Final = {CUSTOM: "Custom Link", "post_type_archive": "Post Type Archive"}
_MOST_WORDS: Final = 200  # of a description as shown


class Shown(msgspec.Struct, frozen=True):
    """What an item shows of its original, or of itself. html: its title as shown.

    original: path of the original's route, with its taxonomy or type; None where there is none.
    """

    title: str
    html: str
    url: str
    type_label: str
    invalid: bool
    original: tuple[str, str, str] | None = None


def shown(work: Work, items: Sequence[MenuItem]) -> dict[int, Shown]:
    """Return what each item shows, by number; the originals are read at once."""
    frame = work.frame
    work.uses(MENU_ITEM.name, MENU.name, *frame.types, *frame.taxonomies)
    posts = record_model.by_ids(work.tx, [one.object_id for one in items if one.kind == "post_type"])
    parents = [one.parent for one in posts.values() if (type := frame.types.get(one.type)) and type.hierarchical]
    above = ancestry.trails(work.tx, parents)
    named = terms.by_ids(work.tx, [one.object_id for one in items if one.kind == "taxonomy"])
    addresses = terms.addresses(work, [term for term in named.values() if term.taxonomy in frame.taxonomies])
    return {one.record.id: _shown(work, one, _Originals(posts, above, named, addresses)) for one in items}


class _Originals(NamedTuple):
    """What the items of an answer point to: records, what stands above them, terms and their addresses."""

    posts: Mapping[int, Record]
    above: Mapping[int, list[Above]]
    terms: Mapping[int, Term]
    addresses: Mapping[int, str]


def _shown(work: Work, one: MenuItem, originals: _Originals) -> Shown:
    of = one.record
    match one.kind:
        case "post_type":
            return _of_record(work, one, originals)
        case "taxonomy":
            return _of_term(work, one, originals)
        case "post_type_archive":
            type = work.frame.types.get(one.object)
            title = of.title or archives_of(type)
            return Shown(title, of.title_html or title, _archive(work, type), _LABELS[one.kind], type is None)
        case _:
            return Shown(of.title, of.title_html, one.url, _LABELS[CUSTOM], False)


def _titled(one: MenuItem, original: str) -> tuple[str, str]:
    """Return the title of an item that may follow, as stored and as shown; original: the shown one that it follows."""
    if one.record.title:
        return one.record.title, one.record.title_html
    title = original or f"#{one.object_id} (no title)"
    return title, title


def _of_record(work: Work, one: MenuItem, originals: _Originals) -> Shown:
    wanted = work.frame.types.get(one.object)
    label = wanted.singular if wanted else one.object
    original = originals.posts.get(one.object_id)
    type = work.frame.types.get(original.type) if original else None
    if original is None or type is None:
        return Shown(*_titled(one, ""), "", label, True)
    return Shown(
        *_titled(one, original.title_html),
        permalinks.link(work, type, original, originals.above.get(original.parent) if original.parent else []),
        label,
        wanted is None or original.status == "trash",
        (f"{type.path}/{original.id}", "post_type", type.name),
    )


def _of_term(work: Work, one: MenuItem, originals: _Originals) -> Shown:
    wanted = work.frame.taxonomies.get(one.object)
    label = wanted.singular if wanted else one.object
    original = originals.terms.get(one.object_id)
    taxonomy = work.frame.taxonomies.get(original.taxonomy) if original else None
    if original is None or taxonomy is None:
        return Shown(*_titled(one, ""), "", label, True)
    place = (f"{taxonomy.path}/{original.id}", "taxonomy", taxonomy.name)
    if original.taxonomy != one.object:
        return Shown(*_titled(one, ""), "", label, True, place)
    title, shown = _titled(one, original.name)
    shown = shown if one.record.title else text_rendering.title(shown, work.budget)
    return Shown(title, shown, originals.addresses[original.id], label, False, place)


def _archive(work: Work, type: ContentType | None) -> str:
    """Return the address of what lists all records of a type: the home, for those that it shows."""
    return work.home() if type is not None and type.address == "dated" and type.public else ""


def archives_of(type: ContentType | None) -> str:
    """Return what people call the list of all records of a type."""
    return f"{type.singular} Archives" if type else ""


def description(of: Record) -> str:
    """Return the description of an item as shown: its first words."""
    words = of.content.split()
    return " ".join(words[:_MOST_WORDS]) + ("&hellip;" if len(words) > _MOST_WORDS else "")
