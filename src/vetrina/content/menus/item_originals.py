"""What menu items show: taken from the record, term or archive that they point to, or their own.

An item of a record or a term without a title of its own shows that of its original, and follows it.
Not here: how items are written (content/menus/item_rules.py). Rules: docs/rules/menus.md, 7 and 8.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from vetrina.content.menus.item_model import CUSTOM_KIND, MenuItem
from vetrina.content.records import ancestry, model as record_model, permalinks
from vetrina.content.records.ancestry import RecordAncestor
from vetrina.content.records.model import Record
from vetrina.content.terms import store as terms
from vetrina.content.terms.store import Term
from vetrina.content.text import rendering as text_rendering
from vetrina.content.types.model import ContentType
from vetrina.content.types.registry import MENU, MENU_ITEM
from vetrina.core.unit_of_work import UnitOfWork

_LABELS: Final = {CUSTOM_KIND: "Custom Link", "post_type_archive": "Post Type Archive"}
_MAX_WORDS: Final = 200  # of a rendered description


class ResolvedMenuItem(msgspec.Struct, frozen=True):
    """What an item shows of its original, or its own. html: its rendered title.

    original: path of the original's route, with its taxonomy or type; None where there is none.
    """

    title: str
    html: str
    url: str
    type_label: str
    invalid: bool
    original: tuple[str, str, str] | None = None


def resolve_menu_items(work: UnitOfWork, items: Sequence[MenuItem]) -> dict[int, ResolvedMenuItem]:
    """Return what each item shows, by id; the originals are read at once."""
    site = work.site
    work.uses(MENU_ITEM.name, MENU.name, *site.types, *site.taxonomies)
    posts = record_model.find_records(work.tx, [one.object_id for one in items if one.kind == "post_type"])
    parents = [one.parent for one in posts.values() if (type := site.types.get(one.type)) and type.hierarchical]
    above = ancestry.load_ancestor_trails(work, parents)
    named = terms.find_terms(work.tx, [one.object_id for one in items if one.kind == "taxonomy"])
    addresses = terms.build_term_urls(work, [term for term in named.values() if term.taxonomy in site.taxonomies])
    return {
        one.record.id: _resolve_menu_item(work, one, _MenuOriginals(posts, above, named, addresses)) for one in items
    }


class _MenuOriginals(NamedTuple):
    """The originals of the items of a response: records, their ancestors, terms and their URLs."""

    posts: Mapping[int, Record]
    above: Mapping[int, list[RecordAncestor]]
    terms: Mapping[int, Term]
    addresses: Mapping[int, str]


def _resolve_menu_item(work: UnitOfWork, item: MenuItem, originals: _MenuOriginals) -> ResolvedMenuItem:
    of = item.record
    match item.kind:
        case "post_type":
            return _resolve_record_item(work, item, originals)
        case "taxonomy":
            return _resolve_term_item(work, item, originals)
        case "post_type_archive":
            type = work.site.types.get(item.object)
            title = of.title or format_archive_label(type)
            return ResolvedMenuItem(
                title, of.title_html or title, _build_archive_url(work, type), _LABELS[item.kind], type is None
            )
        case _:
            return ResolvedMenuItem(of.title, of.title_html, item.url, _LABELS[CUSTOM_KIND], False)


def _resolve_title(item: MenuItem, original: str) -> tuple[str, str]:
    """Return the title of an item that may follow its original, raw and rendered; original: its rendered title."""
    if item.record.title:
        return item.record.title, item.record.title_html
    title = original or f"#{item.object_id} (no title)"
    return title, title


def _resolve_record_item(work: UnitOfWork, item: MenuItem, originals: _MenuOriginals) -> ResolvedMenuItem:
    wanted = work.site.types.get(item.object)
    label = wanted.singular if wanted else item.object
    original = originals.posts.get(item.object_id)
    type = work.site.types.get(original.type) if original else None
    if original is None or type is None:
        return ResolvedMenuItem(*_resolve_title(item, ""), "", label, True)
    return ResolvedMenuItem(
        *_resolve_title(item, original.title_html),
        permalinks.build_permalink(
            work, type, original, originals.above.get(original.parent) if original.parent else []
        ),
        label,
        wanted is None or original.status == "trash",
        (f"{type.path}/{original.id}", "post_type", type.name),
    )


def _resolve_term_item(work: UnitOfWork, item: MenuItem, originals: _MenuOriginals) -> ResolvedMenuItem:
    wanted = work.site.taxonomies.get(item.object)
    label = wanted.singular if wanted else item.object
    original = originals.terms.get(item.object_id)
    taxonomy = work.site.taxonomies.get(original.taxonomy) if original else None
    if original is None or taxonomy is None:
        return ResolvedMenuItem(*_resolve_title(item, ""), "", label, True)
    place = (f"{taxonomy.path}/{original.id}", "taxonomy", taxonomy.name)
    if original.taxonomy != item.object:
        return ResolvedMenuItem(*_resolve_title(item, ""), "", label, True, place)
    title, shown = _resolve_title(item, original.name)
    shown = shown if item.record.title else text_rendering.render_title(shown, work.budget)
    return ResolvedMenuItem(title, shown, originals.addresses[original.id], label, False, place)


def _build_archive_url(work: UnitOfWork, type: ContentType | None) -> str:
    """Return the URL of the list of all records of a type; for those that the home shows, the home."""
    return work.home() if type is not None and type.address == "dated" and type.public else ""


def format_archive_label(type: ContentType | None) -> str:
    """Return the label of the list of all records of a type."""
    return f"{type.singular} Archives" if type else ""


def format_item_description(of: Record) -> str:
    """Return the rendered description of an item: its first words."""
    words = of.content.split()
    return " ".join(words[:_MAX_WORDS]) + ("&hellip;" if len(words) > _MAX_WORDS else "")
