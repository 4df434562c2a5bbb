"""Preview links: who makes them for how long, what a token shows, when they end.

A token is random and returned once. A link ends when its time is over, when it is withdrawn, and while whoever made it
may not edit the record. Not here: routes (content/previews/routes.py), which routes a token opens
(content/previews/token_permissions.py), pages (pages/record_pages.py). Rules: docs/rules/previews.md, 1 to 4.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from vetrina.access.roles.capabilities import may_edit_record
from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import SecretKind
from vetrina.access.users import rules as users
from vetrina.content.previews import store
from vetrina.content.previews.model import (
    InvalidPreviewToken,
    NoSuchRevision,
    Preview,
    PreviewExpired,
    PreviewLink,
    PreviewLinkNotFound,
    TooManyPreviewLinks,
)
from vetrina.content.records.model import Record
from vetrina.content.revisions import autosaves, rules as revisions
from vetrina.content.revisions.rules import Revision
from vetrina.content.text import rendering as text_rendering
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.keys import compute_digest, generate_key, generate_uuid

DEFAULT_SECONDS: Final = 86_400  # seconds that a link is valid unless its maker says otherwise
MIN_SECONDS: Final = 60
MAX_LINKS: Final = 50  # valid links of one record
_KEY_BYTES: Final = 32
_KEPT_SECONDS: Final = 86_400  # seconds that an expired link is still told from a wrong one
_HIDDEN_STATUSES: Final = frozenset({"trash", "auto-draft"})
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}")


def create_link(
    work: UnitOfWork, record: Record, seconds: int, *, revision: int = 0, autosave: bool = True
) -> tuple[PreviewLink, str]:
    """Create a link of the caller and return it with its token, which is never returned again.

    seconds: how long it is valid. revision, autosave: what it shows, as in `PreviewLink`.
    Raises NoSuchRevision, TooManyPreviewLinks.
    """
    if revision:
        found = revisions.find_revision(work.tx, revision)
        if found is None or found.parent != record.id:
            raise NoSuchRevision(id=revision)
    if len(list_valid_links(work, record)) >= MAX_LINKS:
        raise TooManyPreviewLinks(most=MAX_LINKS)
    token = generate_key(_KEY_BYTES)
    new = PreviewLink(
        generate_uuid(), record.id, work.user.id, work.now, work.now + seconds, revision, autosave and not revision
    )
    store.insert_link(work.tx, new, _compute_token_digest(work, token))
    work.note("preview_link", new.uuid, "created")
    return new, token


def list_valid_links(work: UnitOfWork, record: Record) -> list[PreviewLink]:
    """Return the links of a record that have not expired, the newest first."""
    return [one for one in store.list_links(work.tx, record.id) if one.until > work.now]


def get_valid_link(work: UnitOfWork, record: Record, uuid: str) -> PreviewLink:
    """Return one link of a record that has not expired. Raises PreviewLinkNotFound."""
    found = next((one for one in list_valid_links(work, record) if one.uuid == uuid), None)
    if found is None:
        raise PreviewLinkNotFound(uuid=uuid)
    return found


def withdraw_link(work: UnitOfWork, link: PreviewLink) -> None:
    """Delete a link; its token shows nothing from now on."""
    store.delete_link(work.tx, link.uuid)
    work.note("preview_link", link.uuid, "removed")


def delete_expired_links(work: UnitOfWork) -> None:
    """Delete the links that expired some time ago; until then their visitors are told so."""
    store.delete_links_expired_before(work.tx, work.now - _KEPT_SECONDS)


def is_token(text: str) -> bool:
    """Return whether a text looks like a token; the pages of preview keys say `preview=true` in its place."""
    return _TOKEN.fullmatch(text) is not None


def open_preview(work: UnitOfWork, type: ContentType, record: Record, token: str) -> Preview:
    """Return what the link with a token shows of a record.

    Raises InvalidPreviewToken, PreviewExpired, TooManyGuesses.
    """
    digest = _compute_token_digest(work, token)
    found: list[PreviewLink] = []

    def is_right() -> bool:
        link = store.find_link_by_digest(work.tx, record.id, digest)
        found[:] = [link] if link is not None else []
        return bool(found)

    if not guess_limiter.is_right_guess(work, SecretKind.PREVIEW_LINK, record.id, token, is_right):
        raise InvalidPreviewToken
    link = found[0]
    if link.until <= work.now:
        raise PreviewExpired
    maker = users.find_user(work.tx, link.account, work.site.roles)
    if maker is None or not may_edit_record(maker, type, record) or record.status in _HIDDEN_STATUSES:
        raise InvalidPreviewToken
    return _build_preview(work, record, link)


def _build_preview(work: UnitOfWork, record: Record, link: PreviewLink) -> Preview:
    if link.revision:
        chosen = revisions.find_revision(work.tx, link.revision)
        if chosen is None:
            raise InvalidPreviewToken
        return Preview(_apply_revision(work, record, chosen), "revision", chosen.id, link)
    unsaved = autosaves.find_newest_autosave(work, record.id) if link.autosave else None
    if unsaved is not None and unsaved.modified_gmt >= record.modified_gmt:
        return Preview(_apply_revision(work, record, _fill_autosave(unsaved, record)), "autosave", unsaved.id, link)
    return Preview(record, "record", 0, link)


def _fill_autosave(unsaved: Revision, record: Record) -> Revision:
    """Return an autosave with the record's texts in place of empty ones: a client saves only what was written."""
    texts = {name: getattr(unsaved, name) or getattr(record, name) for name in ("title", "content", "excerpt")}
    return msgspec.structs.replace(unsaved, **texts)


def _apply_revision(work: UnitOfWork, record: Record, revision: Revision) -> Record:
    """Return a record with the texts and own fields of a revision, to be shown and never stored."""
    own = {one.name for one in work.site.custom_fields.get(record.type, ())}
    rest = {name: value for name, value in record.meta.items() if name not in own}
    title, content, excerpt = revision.title, revision.content, revision.excerpt
    return msgspec.structs.replace(
        record,
        title=title,
        title_html=text_rendering.render_title(title, work.budget),
        content=content,
        content_html="",
        excerpt=excerpt,
        excerpt_html=text_rendering.render_excerpt(excerpt, content, budget=work.budget),
        block_version=text_rendering.compute_block_version(content),
        # Rendered when it is shown, as texts are that depend on the site.
        dynamic=True,
        meta={**rest, **revisions.select_kept_meta(work, record.type, revision.meta)},
    )


def _compute_token_digest(work: UnitOfWork, token: str) -> str:
    return compute_digest(work.site.settings.secret, f"preview link\n{token}")
