"""What a write makes of a record: the members that were given, checked, and what follows from them.

Not here: the save itself, with slug, terms and revision (content/records/rules.py).
Rules: facts of the interface, "Records: writing".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import bindparam, select

from vetrina.access.roles.capabilities import unfiltered
from vetrina.access.users import rules as users
from vetrina.backends.database import Statement
from vetrina.backends.tables.core import media
from vetrina.content.blocks import dynamic_rendering
from vetrina.content.feeds import rules as feeds
from vetrina.content.records import ancestry, lifecycle, visibility
from vetrina.content.records import meta as record_meta
from vetrina.content.records import model as record_model
from vetrina.content.records.model import Record
from vetrina.content.text import rendering as text_rendering
from vetrina.content.text import sanitizing
from vetrina.content.translations import modes as translation_modes
from vetrina.content.types.model import FORMATS, ContentType
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError, Fault, InvalidParam
from vetrina.kernel.folding import sort_key
from vetrina.kernel.render_budget import Budget

__all__ = ["EmptyContent", "InvalidAuthor", "InvalidField", "ParentUnknown", "blank", "raw_text", "written"]


class ParentUnknown(ApiError):
    code = "rest_post_invalid_id"
    message = "There is no record with the number {id} that could be the parent."


class InvalidAuthor(ApiError):
    code = "rest_invalid_author"
    message = "There is no user with the number {id} who could be the author."


class InvalidField(ApiError):
    code = "rest_invalid_field"
    message = "A record cannot be sticky and have a password."


class EmptyContent(ApiError):
    code = "empty_content"
    message = "Title, content and excerpt are all empty; give at least one of them."


_IS_IMAGE = Statement(select(media.c.record).where(media.c.record == bindparam("id"), media.c.kind == "image"))


def blank(work: Work, type: ContentType, language: str) -> Record:
    """Return a record that nothing was written into yet."""
    comments = work.option("default_comment_status") if type.comments == "open" else "closed"
    pings = work.option("default_ping_status") if type.comments == "open" and type.has("trackbacks") else "closed"
    told = work.option("default_post_format") if type.has("post-formats") else ""
    form = told if told in FORMATS else FORMATS[0]
    return Record(
        id=0, type=type.name, status="draft", language=language, translations=0, slug="", author=work.user.id,
        parent=0, menu_order=0, date=0, date_gmt=0, modified=0, modified_gmt=0, title="", title_key="", title_html="",
        content="", content_html="", block_version=0, excerpt="", excerpt_html="", renderer=0, password="",
        comment_status=comments, ping_status=pings, format=form, template="", featured_media=0, guid="",
        trashed_status="", trashed_slug="", revisions=0, last_revision=0, version=1, meta={}, floating=True,
        sticky=False,
    )  # fmt: skip


def written(work: Work, type: ContentType, old: Record, given: Mapping[str, Any], creating: bool) -> Record:
    """Return the record with the given members, all but its slug settled."""
    status = given.get("status", old.status) or "draft"
    if "status" in given and status != old.status:
        lifecycle.require_status(work, type, status)
    members: dict[str, Any] = {}
    _put_author(work, type, given, members)
    _put_protection(type, old, given, members)
    if type.has("page-attributes") and "parent" in given:
        members["parent"] = _parent(work, old, given["parent"])
    if type.address == "attached" and "parent" in given:
        members["parent"] = max(0, given["parent"])
    if type.has("thumbnail") and "featured_media" in given:
        members["featured_media"] = _featured(work, old, given["featured_media"])
    for name in ("menu_order", "template"):
        if name in given and (name == "template" or type.has("page-attributes")):
            members[name] = given[name]
    if type.has("comments"):
        members.update({name: given[name] for name in ("comment_status", "ping_status") if name in given})
    if type.has("post-formats") and "format" in given:
        members["format"] = given["format"]
    _put_texts(work, type, old, given, members)
    members["meta"] = record_meta.changed(
        type,
        old.meta,
        given.get("meta"),
        work.user,
        translation_modes.configured_fields(work, translation_modes.element_of(type)),
    )
    date, date_gmt, floating = lifecycle.dated(work, given, None if creating else old, status)
    status = lifecycle.settled(status, date_gmt, work.now)
    if status == "private":
        members["password"] = ""
    fixed = creating and ("date" in given or "date_gmt" in given)
    return msgspec.structs.replace(
        old, **members, status=status, date=date, date_gmt=date_gmt, floating=floating,
        modified=date if fixed else work.local_now, modified_gmt=date_gmt if fixed else work.now,
    )  # fmt: skip


def _put_author(work: Work, type: ContentType, given: Mapping[str, Any], members: dict[str, Any]) -> None:
    author = given.get("author")
    if not author or not type.has("author"):
        return
    if author != work.user.id and (author < 0 or users.by_id(work.tx, author) is None):
        raise InvalidAuthor(id=author)
    members["author"] = author


def _put_protection(type: ContentType, old: Record, given: Mapping[str, Any], members: dict[str, Any]) -> None:
    """Set password and stickiness, which exclude each other."""
    password = given.get("password")
    if type.has("sticky"):
        sticky = given.get("sticky")
        if password and (sticky or old.sticky):
            raise InvalidField
        if sticky and (password or old.password):
            raise InvalidField
        if sticky is not None:
            members["sticky"] = sticky
    if password is not None:
        members["password"] = password


def _parent(work: Work, old: Record, parent: int) -> int:
    """Return the parent that a record may have: 0 where it would hang from itself."""
    if parent == 0:
        return 0
    above = record_model.by_id(work.tx, parent) if parent > 0 else None
    # Beneath it the record's address would tell its name to whoever may not read it.
    if above is None or (parent != old.parent and not _may_name(work, above)):
        raise ParentUnknown(id=parent)
    return 0 if old.id and old.id in ancestry.ancestors(work.tx, parent) else parent


def _may_name(work: Work, other: Record) -> bool:
    """Say whether the caller may let a record of his show another one: whether he may read that."""
    type = work.frame.types.get(other.type)
    return type is None or visibility.readable(work, type, other)


def _featured(work: Work, old: Record, media: int) -> int:
    """Return the image that a record shows after a write; an unknown number changes nothing."""
    if media == 0:
        return 0
    found = record_model.by_id(work.tx, media) if media > 0 else None
    if found is None or (media != old.featured_media and not _may_name(work, found)):
        return old.featured_media
    return media if work.tx.value(_IS_IMAGE, id=media) else 0


def _put_texts(work: Work, type: ContentType, old: Record, given: Mapping[str, Any], members: dict[str, Any]) -> None:
    """Set title, content and excerpt with what is rendered from them."""
    texts: dict[str, str] = {}
    for name, feature in (("title", "title"), ("content", "editor"), ("excerpt", "excerpt")):
        if (type.has(feature) or name in type.texts) and name in given:
            text = raw_text(name, given[name])
            if text is not None:
                texts[name] = text
    title, content, excerpt = (texts.get(name, getattr(old, name)) for name in ("title", "content", "excerpt"))
    if type.needs_text and not title and not content and not excerpt:
        raise EmptyContent
    free = unfiltered(work.user)
    if free and _same(old, title.strip(), content, excerpt):
        return
    budget = work.budget.of_save(title, content, excerpt)
    made = work.done_ahead(
        (old.id, old.version, title, content, excerpt, free), len(title) + len(content) + len(excerpt),
        lambda: _rendered(work.frame, budget, old, title, content, excerpt, free),
    )  # fmt: skip
    if "content_html" in made:
        feeds.wanted(work, made["content"])
    members.update(made)


def _same(old: Record, *texts: str) -> bool:
    return (*texts, text_rendering.RENDERER_VERSION) == (old.title, old.content, old.excerpt, old.renderer)


def _rendered(
    frame: Frame, budget: Budget, old: Record, title: str, content: str, excerpt: str, free: bool
) -> dict[str, Any]:
    """Return the members that follow from some texts, none for those that are there already.

    free: whether they are written by somebody who may use any markup.
    """
    if not free:
        # The stored text too: what an editor left in may not be kept alive by the save of one who may not write it.
        title, content, excerpt = sanitizing.title(title), sanitizing.content(content), sanitizing.excerpt(excerpt)
    title = title.strip()
    if _same(old, title, content, excerpt):
        return {}
    version = text_rendering.RENDERER_VERSION
    members: dict[str, Any] = {"title": title, "content": content, "excerpt": excerpt, "renderer": version}
    members["title_key"] = sort_key(title)
    members["title_html"] = text_rendering.title(title, budget.again())
    if _same(old, old.title, content, excerpt):
        return members
    # What shows something of the site would be old before it is read; so would what a setting of the site changes.
    live = dynamic_rendering.is_live(frame, content)
    members["dynamic"] = live or text_rendering.has_smilies(excerpt, content, budget.again())
    members["content_html"] = "" if members["dynamic"] else text_rendering.content(content, budget=budget.again())
    members["block_version"] = text_rendering.block_version(content)
    members["excerpt_html"] = text_rendering.excerpt(excerpt, content, budget=budget.again())
    return members


def raw_text(name: str, value: Any) -> str | None:
    """Return the text that a written title, content or excerpt carries, None for no change."""
    if isinstance(value, dict):
        value = value.get("raw")
        if isinstance(value, (list, dict)):
            raise InvalidParam(
                {name: Fault("rest_invalid_type", f"{name}[raw] is not of type string.", {"param": f"{name}[raw]"})}
            )
        if isinstance(value, bool):
            value = "1" if value else ""
        elif isinstance(value, (int, float)):
            value = str(value)
        if value == "" and name == "title":
            return None
    return value.replace("\0", "") if isinstance(value, str) else None
