"""Rules of menu items: create, change, and new pages that join a menu automatically.

Not here: what an item shows (content/menus/item_originals.py), menus themselves (content/menus/rules.py), items whose
original is deleted (content/menus/item_links.py). Rules: docs/rules/menus.md, 5 to 7.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import orjson
from sqlalchemy import bindparam, func, insert, select, update

from vetrina.access.roles.capabilities import may_write_unfiltered_html
from vetrina.access.users.text_rules import sanitize_url
from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import claim_id
from vetrina.backends.tables.records import menu_item as table, record as record_table
from vetrina.backends.tables.terms import record_term
from vetrina.content.menus.item_model import CUSTOM_KIND, MenuItem
from vetrina.content.menus.item_originals import format_archive_label, resolve_menu_items
from vetrina.content.records import (
    meta as record_meta,
    model as record_model,
    saved_language,
    slugs as record_slugs,
    stored_texts,
)
from vetrina.content.records.model import Record
from vetrina.content.terms import store as term_store
from vetrina.content.terms.store import Term
from vetrina.content.text import rendering as text_rendering, sanitizing
from vetrina.content.translations import record_translations, translation_links
from vetrina.content.types.registry import MENU, MENU_ITEM
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import slugs
from vetrina.kernel.errors import ApiError, Fault, InvalidParam
from vetrina.kernel.folding import build_sort_key

_OCTET = re.compile(r"%[0-9a-fA-F]{2}")
_NO_CLASS = re.compile(r"[^A-Za-z0-9_-]+")


class MenuItemTitleRequired(ApiError):
    """An item without an original has no other title to show; further: the other errors of the item."""

    code = "rest_title_required"
    message = "An item with an address of its own needs a title."

    def __init__(self, *further: ApiError) -> None:
        super().__init__()
        self.further = further

    def body(self) -> dict[str, Any]:
        out = super().body()
        return {**out, "additional_errors": [one.body() for one in self.further]} if self.further else out


class MenuItemUrlRequired(ApiError):
    code = "rest_url_required"
    message = "An item that points to no record or term needs an address; send `url`."


class InvalidMenu(ApiError):
    """No menu has the id."""

    code = "invalid_menu_id"
    message = "There is no menu with the number {id}."


class InvalidMenuArchive(ApiError):
    """No content type has the name."""

    code = "rest_post_invalid_type"
    message = "There is no content type {name!r} whose archive an item could point to."


class MenuOriginalNotFound(ApiError):
    """Without `object` the record must be there, or its type is unknown."""

    code = "rest_post_invalid_id"
    message = "There is no record {id}; send `object` to point to one that is still to come."


class MenuTermNotFound(ApiError):
    """Without `object` the term must be there, or its taxonomy is unknown."""

    code = "rest_term_invalid_id"
    message = "There is no term {id}; send `object` to point to one that is still to come."


_COLUMNS = ("kind", "object", "object_id", "parent", "url", "target", "classes", "xfn")
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_UPDATE = Statement(
    update(table).where(table.c.record == bindparam("of")).values({name: bindparam(name) for name in _COLUMNS})
)
_LAST_PLACE = Statement(
    select(func.max(record_table.c.menu_order))
    .select_from(record_table.join(record_term, record_term.c.record == record_table.c.id))
    .where(record_term.c.term == bindparam("menu"))
)
_IN_MENU = Statement(
    select(table.c.record)
    .select_from(table.join(record_term, record_term.c.record == table.c.record))
    .where(
        record_term.c.term == bindparam("menu"),
        table.c.kind == "post_type",
        table.c.object_id == bindparam("object_id"),
    )
)


def sanitize_class_names(names: Sequence[str]) -> list[str]:
    """Return class names as an item stores them: each without invalid characters; one empty name for none."""
    return " ".join(_NO_CLASS.sub("", _OCTET.sub("", name)) for name in names).split(" ")


def create_menu_item(work: UnitOfWork, given: Mapping[str, Any], id: int = 0) -> MenuItem:
    """Store a new item and return it.

    given: the written members, typed; `menus` is the id of its menu, 0 for none. id: a free one that it takes, 0 for
    the next one.
    Raises MenuItemTitleRequired, MenuItemUrlRequired, MenuOriginalNotFound, MenuTermNotFound, InvalidMenuArchive,
    InvalidMenu, InvalidMeta.
    """
    menu = _get_menu(work, given.get("menus") or 0)
    id = claim_id(work.tx, id)
    language = _resolve_language(work, menu, given) or work.language
    blank = Record(
        id=id, type=MENU_ITEM.name, status="publish", language=language, translations=id, slug="", author=work.user.id,
        parent=0, menu_order=1, date=work.local_now, date_gmt=work.now, modified=0, modified_gmt=0, title="",
        title_key="", title_html="", content="", content_html="", block_version=0, excerpt="", excerpt_html="",
        renderer=0, password="", comment_status="closed", ping_status="closed", format="standard", template="",
        featured_media=0, guid=f"{work.home(language)}/?p={id}", trashed_status="", trashed_slug="", revisions=0,
        last_revision=0, version=1, meta={}, floating=False, sticky=False,
    )  # fmt: skip
    new = _apply_members(
        work, MenuItem(blank, CUSTOM_KIND, "", 0, 0, "", "", [""], [""]), "", "", _reset_orphan_order(given, menu)
    )
    slug = slugs.slugify(new.record.title) or str(id)
    slug = record_slugs.find_free_slug(work.tx, MENU_ITEM, slug, language=language, parent=0, id=id)
    new = msgspec.structs.replace(new, record=msgspec.structs.replace(new.record, slug=slug))
    record_model.insert_record(work, new.record)
    work.tx.run(_INSERT, record=id, **_encode_values(new))
    if menu:
        term_store.assign_terms(work, id, MENU, [menu.id])
    work.note(MENU_ITEM.name, id, "created")
    return msgspec.structs.replace(new, record=saved_language.link_record(work, MENU_ITEM, new.record, given))


def update_menu_item(work: UnitOfWork, old: MenuItem, given: Mapping[str, Any]) -> MenuItem:
    """Store the given members of an item and return its new state. Raises what `create_menu_item` raises."""
    menu = _get_menu(work, given.get("menus") or 0)
    held = menu or next(iter(term_store.list_terms_by_record(work.tx, [old.record.id])[old.record.id]), None)
    language = _resolve_language(work, held, given) if menu or "lang" in given else ""
    moved = saved_language.move_record_language(work, MENU_ITEM, old.record, {**given, "lang": language})
    old = msgspec.structs.replace(old, record=saved_language.link_record(work, MENU_ITEM, moved, given))
    now = resolve_menu_items(work, [old])[old.record.id]
    # An item that no longer follows its original, or gets another one, keeps what it showed last.
    custom = given.get("type", old.kind) == CUSTOM_KIND
    title = now.title if custom or (_is_repointed(old, given) and not now.invalid) else old.record.title
    new = _apply_members(work, old, title, now.url, _reset_orphan_order(given, held))
    record_model.update_record_row(work, old.record, new.record)
    work.tx.run(_UPDATE, of=old.record.id, **_encode_values(new))
    if menu:
        term_store.assign_terms(work, old.record.id, MENU, [menu.id])
    work.note(MENU_ITEM.name, old.record.id, "changed")
    return msgspec.structs.replace(
        new, record=msgspec.structs.replace(new.record, version=old.record.version + (new.record != old.record))
    )


def _resolve_language(work: UnitOfWork, menu: Term | None, given: Mapping[str, Any]) -> str:
    """Return the language of an item: that of its menu, or the written one; empty for neither.

    Raises InvalidParam where the two differ, or the site does not have the language.
    """
    written: str = given.get("lang") or ""
    if written:
        translation_links.move_to_language(lambda: record_translations.require_language(work, written))
    if menu is None or written in ("", menu.language):
        return menu.language if menu else written
    message = f"The item's menu is in the language {menu.language!r}; put it into a menu of the other language."
    raise InvalidParam({"lang": Fault("mlang_language_differs", message)})


def add_page_to_menus(work: UnitOfWork, page: Record) -> None:
    """Add a page that was just published to the end of every menu that takes new pages."""
    for menu in work.option("menu_auto_add"):
        found = term_store.find_term(work.tx, menu)
        if found is None or found.language != page.language:
            continue
        if work.tx.value(_IN_MENU, menu=menu, object_id=page.id) is not None:
            continue
        place = (work.tx.value(_LAST_PLACE, menu=menu) or 0) + 1
        create_menu_item(
            work,
            {"type": "post_type", "object": page.type, "object_id": page.id, "menus": menu, "menu_order": place},
        )


def _get_menu(work: UnitOfWork, id: int) -> Term | None:
    if not id:
        return None
    found = term_store.find_term(work.tx, id) if id > 0 else None
    if found is None or found.taxonomy != MENU.name:
        raise InvalidMenu(id=id)
    return found


def _apply_members(work: UnitOfWork, old: MenuItem, title: str, url: str, given: Mapping[str, Any]) -> MenuItem:
    """Return an item with the given members. title, url: its values without them."""
    kind = given.get("type", old.kind)
    object, object_id = given.get("object", old.object), given.get("object_id", old.object_id)
    title = _sanitize_title(work, given, title)
    url = sanitize_url(given["url"]) if "url" in given else url
    if not object:
        object = _resolve_object(work, kind, object_id)
    if kind == "post_type_archive" and object not in work.site.types:
        raise InvalidMenuArchive(name=object)
    if kind == CUSTOM_KIND:
        if not title:
            raise MenuItemTitleRequired(*([] if url else [MenuItemUrlRequired()]))
        if not url:
            raise MenuItemUrlRequired
        object, object_id = CUSTOM_KIND, old.record.id
    else:
        url = ""
        if title and title == _find_original_title(work, kind, object, object_id):
            title = ""
    of = old.record
    status = given.get("status", of.status)
    new = msgspec.structs.replace(
        of,
        title=title,
        title_key=build_sort_key(title),
        title_html=text_rendering.render_title(title, work.budget),
        content=sanitizing.sanitize_plain_text(given.get("description", of.content)),
        excerpt=sanitizing.sanitize_plain_text(given.get("attr_title", of.excerpt)),
        # An item is shown or it is not; the other statuses of records have no meaning here.
        status=status if status in ("publish", "ext-disabled") else "draft",
        menu_order=given.get("menu_order", of.menu_order),
        meta=record_meta.merge_meta(work, MENU_ITEM, of.meta, given),
        modified=work.local_now,
        modified_gmt=work.now,
    )
    return MenuItem(
        new,
        kind,
        object,
        object_id,
        0 if given.get("parent") == of.id else given.get("parent", old.parent),
        url,
        given.get("target", old.target),
        sanitize_class_names(given["classes"]) if "classes" in given else old.classes,
        sanitize_class_names(given["xfn"]) if "xfn" in given else old.xfn,
    )


def _reset_orphan_order(given: Mapping[str, Any], menu: Term | None) -> Mapping[str, Any]:
    """Return the written members of an item; outside a menu it has no position."""
    return given if menu else {**given, "menu_order": 1}


def _is_repointed(old: MenuItem, given: Mapping[str, Any]) -> bool:
    """Return whether an item is pointed at another original."""
    # An empty `object` means the original's own type, which is no change.
    target = (given.get("type", old.kind), given.get("object") or old.object, given.get("object_id", old.object_id))
    return target != (old.kind, old.object, old.object_id)


def _sanitize_title(work: UnitOfWork, given: Mapping[str, Any], title: str) -> str:
    value = stored_texts.extract_raw_text("title", given.get("title"))
    if value is None:
        return title
    value = value.strip()
    return value if may_write_unfiltered_html(work.user) else sanitizing.sanitize_title(value)


def _resolve_object(work: UnitOfWork, kind: str, id: int) -> str:
    """Return the taxonomy of a term, or the type of a record."""
    if kind == "taxonomy":
        term = term_store.find_term(work.tx, id)
        if term is None:
            raise MenuTermNotFound(id=id)
        return term.taxonomy
    if kind == "post_type":
        found = record_model.find_record(work.tx, id)
        if found is None:
            raise MenuOriginalNotFound(id=id)
        return found.type
    return ""


def _find_original_title(work: UnitOfWork, kind: str, object: str, id: int) -> str:
    if kind == "taxonomy":
        term = term_store.find_term(work.tx, id)
        return html.unescape(term.name) if term else ""
    if kind == "post_type":
        found = record_model.find_record(work.tx, id)
        return found.title if found else ""
    return format_archive_label(work.site.types.get(object))


def _encode_values(item: MenuItem) -> dict[str, Any]:
    values = {name: getattr(item, name) for name in _COLUMNS}
    for name in ("classes", "xfn"):
        values[name] = orjson.dumps(values[name]).decode()
    return values
