"""What a write makes of a record: its members, validated, and what follows from them.

Not here: the save itself, with slug, terms and revision (content/records/rules.py).
Rules: docs/rules/records.md, 4 to 8, 10, 12 and 13; docs/rules/coercion.md, 8; docs/rules/passwords.md, 5;
docs/rules/kinds.md, 5; docs/rules/custom_types.md, 2; docs/rules/custom_fields.md, 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from vetrina.access.roles.capabilities import may_write_unfiltered_html
from vetrina.access.users import rules as users
from vetrina.content.blocks import dynamic_rendering
from vetrina.content.custom_fields import field_values
from vetrina.content.custom_fields.model import CustomField
from vetrina.content.feeds import rules as feeds
from vetrina.content.records import (
    ancestry,
    meta as record_meta,
    model as record_model,
    scheduling,
    statuses,
    visibility,
)
from vetrina.content.records.model import Record
from vetrina.content.seo import fields as seo_fields
from vetrina.content.text import rendering as text_rendering, sanitizing
from vetrina.content.translations import modes as translation_modes
from vetrina.content.types.model import POST_FORMATS, ContentType
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Fault, InvalidParam
from vetrina.kernel.folding import build_sort_key
from vetrina.kernel.render_budget import RenderBudget


class ParentNotFound(ApiError):
    code = "rest_post_invalid_id"
    message = "There is no record with the number {id} that could be the parent."


class InvalidRecordAuthor(ApiError):
    code = "rest_invalid_author"
    message = "There is no user with the number {id} who could be the author."


class StickyWithPassword(ApiError):
    code = "rest_invalid_field"
    message = "A record cannot be sticky and have a password."


class EmptyRecordContent(ApiError):
    code = "empty_content"
    message = "Title, content and excerpt are all empty; give at least one of them."


def build_blank_record(work: UnitOfWork, type: ContentType, language: str) -> Record:
    """Return a new record with default values."""
    comments = work.option("default_comment_status") if type.comments == "open" else "closed"
    pings = work.option("default_ping_status") if type.comments == "open" and type.has("trackbacks") else "closed"
    default_format = work.option("default_post_format") if type.has("post-formats") else ""
    post_format = default_format if default_format in POST_FORMATS else POST_FORMATS[0]
    return Record(
        id=0, type=type.name, status="draft", language=language, translations=0, slug="", author=work.user.id,
        parent=0, menu_order=0, date=0, date_gmt=0, modified=0, modified_gmt=0, title="", title_key="", title_html="",
        content="", content_html="", block_version=0, excerpt="", excerpt_html="", renderer=0, password="",
        comment_status=comments, ping_status=pings, format=post_format, template="", featured_media=0, guid="",
        trashed_status="", trashed_slug="", revisions=0, last_revision=0, version=1, meta={}, floating=True,
        sticky=False,
    )  # fmt: skip


def apply_members(work: UnitOfWork, type: ContentType, old: Record, given: Mapping[str, Any], creating: bool) -> Record:
    """Return the record with the given members applied; the slug is still to be resolved."""
    status = given.get("status", old.status) or "draft"
    if "status" in given and status != old.status:
        statuses.require_status(work, type, status, old.language)
    members: dict[str, Any] = {}
    _put_author(work, type, given, members)
    _put_protection(type, old, given, members)
    if type.has("page-attributes") and "parent" in given:
        members["parent"] = _validate_parent(work, old, given["parent"])
    if type.address == "attached" and "parent" in given:
        members["parent"] = max(0, given["parent"])
    if type.has("thumbnail") and "featured_media" in given:
        members["featured_media"] = _validate_featured_media(work, old, given["featured_media"])
    for name in ("menu_order", "template"):
        if name in given and (name == "template" or type.has("page-attributes")):
            members[name] = given[name]
    if type.has("comments"):
        members.update({name: given[name] for name in ("comment_status", "ping_status") if name in given})
    if type.has("post-formats") and "format" in given:
        members["format"] = given["format"]
    _put_texts(work, type, old, given, members)
    configured = translation_modes.list_configured_fields(work, translation_modes.build_element_name(type))
    required = _list_required_fields(work, type, old, status, given, creating)
    members["meta"] = record_meta.merge_meta(work, type, old.meta, given, configured, required)
    if isinstance(given.get("seo"), Mapping):
        members["meta"] = seo_fields.merge_seo_fields(work, members["meta"], given["seo"])
    date, date_gmt, floating = statuses.resolve_dates(work, given, None if creating else old, status)
    status = scheduling.resolve_status(status, date_gmt, work.now)
    if status == "private":
        members["password"] = ""
    fixed = creating and ("date" in given or "date_gmt" in given)
    return msgspec.structs.replace(
        old, **members, status=status, date=date, date_gmt=date_gmt, floating=floating,
        modified=date if fixed else work.local_now, modified_gmt=date_gmt if fixed else work.now,
    )  # fmt: skip


def _list_required_fields(
    work: UnitOfWork, type: ContentType, old: Record, status: str, given: Mapping[str, Any], creating: bool
) -> list[CustomField]:
    """Return the own fields that a write must leave with a value: all of a record that becomes public.

    Of one that is public already, those that the write names: it may be older than the field.
    """
    fields = [one for one in work.site.custom_fields.get(type.name, ()) if one.required or one.fields]
    if not fields or status not in (*statuses.PUBLISHED_STATUSES, visibility.INHERIT_STATUS):
        return []
    if status in statuses.PUBLISHED_STATUSES and (creating or old.status not in statuses.PUBLISHED_STATUSES):
        return fields
    named = field_values.collect_given_values(given)
    return [one for one in fields if one.name in named]


def _put_author(work: UnitOfWork, type: ContentType, given: Mapping[str, Any], members: dict[str, Any]) -> None:
    author = given.get("author")
    if not author or not type.has("author"):
        return
    if author != work.user.id and (author < 0 or users.find_user(work.tx, author) is None):
        raise InvalidRecordAuthor(id=author)
    members["author"] = author


def _put_protection(type: ContentType, old: Record, given: Mapping[str, Any], members: dict[str, Any]) -> None:
    """Set password and stickiness, which exclude each other."""
    password = given.get("password")
    if type.has("sticky"):
        sticky = given.get("sticky")
        if password and (sticky or old.sticky):
            raise StickyWithPassword
        if sticky and (password or old.password):
            raise StickyWithPassword
        if sticky is not None:
            members["sticky"] = sticky
    if password is not None:
        members["password"] = password


def _validate_parent(work: UnitOfWork, old: Record, parent: int) -> int:
    """Return the parent that a record may have: 0 where the record would be its own ancestor."""
    if parent == 0:
        return 0
    above = record_model.find_record(work.tx, parent) if parent > 0 else None
    # Below it, the record's permalink would reveal its slug to a caller who may not read it.
    if above is None or (parent != old.parent and not _may_name(work, above)):
        raise ParentNotFound(id=parent)
    return 0 if old.id and old.id in ancestry.list_ancestor_ids(work.tx, parent) else parent


def _may_name(work: UnitOfWork, other: Record) -> bool:
    """Return whether the caller may refer to another record in one of theirs, that is, whether they may read it."""
    type = work.site.types.get(other.type)
    return type is None or visibility.may_view_record(work, type, other)


def _validate_featured_media(work: UnitOfWork, old: Record, media: int) -> int:
    """Return the featured image of a record after a write; an unknown id changes nothing."""
    if media == 0:
        return 0
    found = record_model.find_record(work.tx, media) if media > 0 else None
    if found is None or (media != old.featured_media and not _may_name(work, found)):
        return old.featured_media
    return media if seo_fields.is_image(work.tx, media) else 0


def _put_texts(
    work: UnitOfWork, type: ContentType, old: Record, given: Mapping[str, Any], members: dict[str, Any]
) -> None:
    """Set title, content and excerpt, with what is rendered from them."""
    texts: dict[str, str] = {}
    for name, feature in (("title", "title"), ("content", "editor"), ("excerpt", "excerpt")):
        if (type.has(feature) or name in type.texts) and name in given:
            text = extract_raw_text(name, given[name])
            if text is not None:
                texts[name] = text
    title, content, excerpt = (texts.get(name, getattr(old, name)) for name in ("title", "content", "excerpt"))
    if type.needs_text and not title and not content and not excerpt:
        raise EmptyRecordContent
    free = may_write_unfiltered_html(work.user)
    if free and _has_same_texts(old, title.strip(), content, excerpt):
        return
    budget = work.budget.build_save_budget(title, content, excerpt)
    made = work.run_before_write(
        (old.id, old.version, title, content, excerpt, free), len(title) + len(content) + len(excerpt),
        lambda: _render_texts(work.site, budget, old, title, content, excerpt, free),
    )  # fmt: skip
    if "content_html" in made:
        feeds.request_feeds(work, made["content"])
    members.update(made)


def _has_same_texts(old: Record, *texts: str) -> bool:
    return (*texts, text_rendering.RENDERER_VERSION) == (old.title, old.content, old.excerpt, old.renderer)


def _render_texts(
    site: SiteContext, budget: RenderBudget, old: Record, title: str, content: str, excerpt: str, free: bool
) -> dict[str, Any]:
    """Return the members rendered from some texts, none for texts that are unchanged.

    free: whether the author may write any markup.
    """
    if not free:
        # The stored text too: markup left by an editor must not survive the save of an author who may not write it.
        title, content, excerpt = (
            sanitizing.sanitize_title(title),
            sanitizing.sanitize_content(content),
            sanitizing.sanitize_excerpt(excerpt),
        )
    title = title.strip()
    if _has_same_texts(old, title, content, excerpt):
        return {}
    version = text_rendering.RENDERER_VERSION
    members: dict[str, Any] = {"title": title, "content": content, "excerpt": excerpt, "renderer": version}
    members["title_key"] = build_sort_key(title)
    members["title_html"] = text_rendering.render_title(title, budget.build_fresh())
    if _has_same_texts(old, old.title, content, excerpt):
        return members
    # Blocks that show site data would be stale before they are read, and so would text that depends on a setting.
    live = dynamic_rendering.has_live_blocks(site, content)
    members["dynamic"] = live or text_rendering.has_smilies(excerpt, content, budget.build_fresh())
    members["content_html"] = (
        "" if members["dynamic"] else text_rendering.render_content(content, budget=budget.build_fresh())
    )
    members["block_version"] = text_rendering.compute_block_version(content)
    members["excerpt_html"] = text_rendering.render_excerpt(excerpt, content, budget=budget.build_fresh())
    return members


def extract_raw_text(name: str, value: Any) -> str | None:
    """Return the raw text of a written title, content or excerpt; None for no change."""
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
