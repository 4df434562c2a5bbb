"""Items of menus: create, change, and new pages that join a menu by themselves.

Not here: what an item shows (content/menus/item_originals.py), menus themselves (content/menus/rules.py), the end of
items with their originals (content/menus/item_links.py). Rules: facts, "Menu items".
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import orjson
from sqlalchemy import bindparam, func, insert, select, update

from vetrina.access.roles.capabilities import unfiltered
from vetrina.access.users.text_rules import web_address
from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import next_number
from vetrina.backends.tables.core import menu_item as table
from vetrina.backends.tables.core import record as record_table
from vetrina.backends.tables.core import record_term
from vetrina.content.menus.item_model import CUSTOM, MenuItem
from vetrina.content.menus.item_originals import archives_of, shown
from vetrina.content.records import (
    input as record_input,
)
from vetrina.content.records import (
    languages as record_languages,
)
from vetrina.content.records import (
    meta as record_meta,
)
from vetrina.content.records import (
    model as record_model,
)
from vetrina.content.records import (
    slugs as record_slugs,
)
from vetrina.content.records.model import Record
from vetrina.content.terms import store as term_store
from vetrina.content.terms.store import Term
from vetrina.content.text import rendering as text_rendering
from vetrina.content.text import sanitizing
from vetrina.content.translations import links as translation_links
from vetrina.content.translations import record_translations
from vetrina.content.types.registry import MENU, MENU_ITEM
from vetrina.core.unit_of_work import Work
from vetrina.kernel import slugs
from vetrina.kernel.errors import ApiError, Fault, InvalidParam
from vetrina.kernel.folding import sort_key

__all__ = [
    "InvalidArchive", "InvalidMenu", "OriginalUnknown", "TermUnknown", "TitleRequired", "UrlRequired", "add_page",
    "change", "create", "html_classes",
]  # fmt: skip


_OCTET = re.compile(r"%[0-9a-fA-F]{2}")
_NO_CLASS = re.compile(r"[^A-Za-z0-9_-]+")


class TitleRequired(ApiError):
    """An item without an original has nobody's title to show; further: what it needs besides."""

    code = "rest_title_required"
    message = "An item with an address of its own needs a title."

    def __init__(self, *further: ApiError) -> None:
        super().__init__()
        self.further = further

    def body(self) -> dict[str, Any]:
        out = super().body()
        return {**out, "additional_errors": [one.body() for one in self.further]} if self.further else out


class UrlRequired(ApiError):
    code = "rest_url_required"
    message = "An item that points to no record or term needs an address; send `url`."


class InvalidMenu(ApiError):
    """No menu has the number."""

    code = "invalid_menu_id"
    message = "There is no menu with the number {id}."


class InvalidArchive(ApiError):
    """No content type has the name."""

    code = "rest_post_invalid_type"
    message = "There is no content type {name!r} whose archive an item could point to."


class OriginalUnknown(ApiError):
    """Without `object` the record must be there, or its type is unknown."""

    code = "rest_post_invalid_id"
    message = "There is no record {id}; send `object` to point to one that is still to come."


class TermUnknown(ApiError):
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


def html_classes(names: Sequence[str]) -> list[str]:
    """Return names of classes as an item keeps them: each without foreign signs; one empty name for none."""
    return " ".join(_NO_CLASS.sub("", _OCTET.sub("", name)) for name in names).split(" ")


def create(work: Work, given: Mapping[str, Any]) -> MenuItem:
    """Store a new item and return it.

    given: the written members, typed; `menus` is the number of its menu, 0 for none.
    Raises TitleRequired, UrlRequired, OriginalUnknown, TermUnknown, InvalidArchive, InvalidMenu, InvalidMeta.
    """
    menu = _menu(work, given.get("menus") or 0)
    id = next_number(work.tx)
    language = _language(work, menu, given) or work.language
    blank = Record(
        id=id, type=MENU_ITEM.name, status="publish", language=language, translations=id, slug="", author=work.user.id,
        parent=0, menu_order=1, date=work.local_now, date_gmt=work.now, modified=0, modified_gmt=0, title="",
        title_key="", title_html="", content="", content_html="", block_version=0, excerpt="", excerpt_html="",
        renderer=0, password="", comment_status="closed", ping_status="closed", format="standard", template="",
        featured_media=0, guid=f"{work.home(language)}/?p={id}", trashed_status="", trashed_slug="", revisions=0,
        last_revision=0, version=1, meta={}, floating=False, sticky=False,
    )  # fmt: skip
    new = _written(work, MenuItem(blank, CUSTOM, "", 0, 0, "", "", [""], [""]), "", "", _placed(given, menu))
    slug = slugs.slugify(new.record.title) or str(id)
    slug = record_slugs.free(work.tx, MENU_ITEM, slug, language=language, parent=0, id=id)
    new = msgspec.structs.replace(new, record=msgspec.structs.replace(new.record, slug=slug))
    record_model.insert_new(work.tx, new.record)
    work.tx.run(_INSERT, record=id, **_values(new))
    if menu:
        term_store.assign(work, id, MENU, [menu.id])
    work.note(MENU_ITEM.name, id, "created")
    return msgspec.structs.replace(new, record=record_languages.linked(work, MENU_ITEM, new.record, given))


def change(work: Work, old: MenuItem, given: Mapping[str, Any]) -> MenuItem:
    """Store the given members of an item and return its new state. Raises what create raises."""
    menu = _menu(work, given.get("menus") or 0)
    held = menu or next(iter(term_store.of_records(work.tx, [old.record.id])[old.record.id]), None)
    language = _language(work, held, given) if menu or "lang" in given else ""
    moved = record_languages.moved(work, MENU_ITEM, old.record, {**given, "lang": language})
    old = msgspec.structs.replace(old, record=record_languages.linked(work, MENU_ITEM, moved, given))
    now = shown(work, [old])[old.record.id]
    # An item that stops to follow, or is to follow another, keeps what it showed last.
    custom = given.get("type", old.kind) == CUSTOM
    title = now.title if custom or (_is_moved(old, given) and not now.invalid) else old.record.title
    new = _written(work, old, title, now.url, _placed(given, held))
    record_model.store(work.tx, old.record, new.record)
    work.tx.run(_UPDATE, of=old.record.id, **_values(new))
    if menu:
        term_store.assign(work, old.record.id, MENU, [menu.id])
    work.note(MENU_ITEM.name, old.record.id, "changed")
    return msgspec.structs.replace(
        new, record=msgspec.structs.replace(new.record, version=old.record.version + (new.record != old.record))
    )


def _language(work: Work, menu: Term | None, given: Mapping[str, Any]) -> str:
    """Return the language of an item: that of its menu, or what is written; empty for neither.

    Raises InvalidParam where the two differ, or the site has no such language.
    """
    asked: str = given.get("lang") or ""
    if asked:
        translation_links.placed(lambda: record_translations.known(work, asked))
    if menu is None or asked in ("", menu.language):
        return menu.language if menu else asked
    message = f"The item's menu is in the language {menu.language!r}; put it into a menu of the other language."
    raise InvalidParam({"lang": Fault("mlang_language_differs", message)})


def add_page(work: Work, page: Record) -> None:
    """Put a page that was just published at the end of every menu that takes new pages."""
    for menu in work.option("menu_auto_add"):
        found = term_store.by_id(work.tx, menu)
        if found is None or found.language != page.language:
            continue
        if work.tx.value(_IN_MENU, menu=menu, object_id=page.id) is not None:
            continue
        place = (work.tx.value(_LAST_PLACE, menu=menu) or 0) + 1
        create(
            work,
            {"type": "post_type", "object": page.type, "object_id": page.id, "menus": menu, "menu_order": place},
        )


def _menu(work: Work, id: int) -> Term | None:
    if not id:
        return None
    found = term_store.by_id(work.tx, id) if id > 0 else None
    if found is None or found.taxonomy != MENU.name:
        raise InvalidMenu(id=id)
    return found


def _written(work: Work, old: MenuItem, title: str, url: str, given: Mapping[str, Any]) -> MenuItem:
    """Return an item with the given members. title, url: what it has without them."""
    kind = given.get("type", old.kind)
    object, object_id = given.get("object", old.object), given.get("object_id", old.object_id)
    title = _given_title(work, given, title)
    url = web_address(given["url"]) if "url" in given else url
    if not object:
        object = _object_of(work, kind, object_id)
    if kind == "post_type_archive" and object not in work.frame.types:
        raise InvalidArchive(name=object)
    if kind == CUSTOM:
        if not title:
            raise TitleRequired(*([] if url else [UrlRequired()]))
        if not url:
            raise UrlRequired
        object, object_id = CUSTOM, old.record.id
    else:
        url = ""
        if title and title == _original_title(work, kind, object, object_id):
            title = ""
    of = old.record
    status = given.get("status", of.status)
    new = msgspec.structs.replace(
        of,
        title=title,
        title_key=sort_key(title),
        title_html=text_rendering.title(title, work.budget),
        content=sanitizing.plain(given.get("description", of.content)),
        excerpt=sanitizing.plain(given.get("attr_title", of.excerpt)),
        # An item is shown or it is not; the finer states of records mean nothing here.
        status=status if status in ("publish", "ext-disabled") else "draft",
        menu_order=given.get("menu_order", of.menu_order),
        meta=record_meta.changed(MENU_ITEM, of.meta, given.get("meta"), work.user),
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
        html_classes(given["classes"]) if "classes" in given else old.classes,
        html_classes(given["xfn"]) if "xfn" in given else old.xfn,
    )


def _placed(given: Mapping[str, Any], menu: Term | None) -> Mapping[str, Any]:
    """Return the written members of an item; without a menu there is nothing that it could stand behind."""
    return given if menu else {**given, "menu_order": 1}


def _is_moved(old: MenuItem, given: Mapping[str, Any]) -> bool:
    """Say whether an item is pointed at another original."""
    # An empty `object` asks for the original's own type, which is no other.
    asked = (given.get("type", old.kind), given.get("object") or old.object, given.get("object_id", old.object_id))
    return asked != (old.kind, old.object, old.object_id)


def _given_title(work: Work, given: Mapping[str, Any], title: str) -> str:
    value = record_input.raw_text("title", given.get("title"))
    if value is None:
        return title
    value = value.strip()
    return value if unfiltered(work.user) else sanitizing.title(value)


def _object_of(work: Work, kind: str, id: int) -> str:
    """Return the taxonomy of a term, or the type of a record."""
    if kind == "taxonomy":
        term = term_store.by_id(work.tx, id)
        if term is None:
            raise TermUnknown(id=id)
        return term.taxonomy
    if kind == "post_type":
        found = record_model.by_id(work.tx, id)
        if found is None:
            raise OriginalUnknown(id=id)
        return found.type
    return ""


def _original_title(work: Work, kind: str, object: str, id: int) -> str:
    if kind == "taxonomy":
        term = term_store.by_id(work.tx, id)
        return html.unescape(term.name) if term else ""
    if kind == "post_type":
        found = record_model.by_id(work.tx, id)
        return found.title if found else ""
    return archives_of(work.frame.types.get(object))


def _values(item: MenuItem) -> dict[str, Any]:
    values = {name: getattr(item, name) for name in _COLUMNS}
    for name in ("classes", "xfn"):
        values[name] = orjson.dumps(values[name]).decode()
    return values
