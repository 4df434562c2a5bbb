"""The page of one record: published ones for everybody, others for those who may read them or hold a preview key.

What a password protects is shown to who gives it; a cookie then says so for this record. Not here: lists
(pages/list_pages.py). Rules: facts of the interface, "Passwords", "Slugs, links, templates", "oEmbed"; OVERRIDES, 12
(nothing leaks).
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote, unquote, urlsplit

from vetrina.access.roles.capabilities import may_edit
from vetrina.access.sessions import rules as sessions
from vetrina.access.users import rules as users
from vetrina.content.blocks import dynamic_rendering
from vetrina.content.comments import listing as comment_listing
from vetrina.content.comments.listing import CommentQuery
from vetrina.content.records import passwords as record_passwords
from vetrina.content.records import permalinks, preview_keys, visibility
from vetrina.content.records.model import Record
from vetrina.content.records.passwords import protects
from vetrina.content.revisions import autosaves
from vetrina.content.terms import store as term_store
from vetrina.content.text import rendering as text_rendering
from vetrina.content.translations import alternates
from vetrina.content.types.model import ContentType
from vetrina.kernel.date_format import date_text
from vetrina.kernel.keys import digest, same
from vetrina.kernel.times import iso
from vetrina.media.attachments import store as attachment_store
from vetrina.media.attachments.markup import preface
from vetrina.media.images import srcset
from vetrina.media.images.blocks import sized
from vetrina.pages.page_context import HTML, bare, moved, text_of
from vetrina.pages.page_request import Visit, missing, page, plain, title_of
from vetrina.pages.stylesheet import policy
from vetrina.rest.call import Answer

from .markup import Html, button, document, element, field, join, link, trusted

__all__ = ["embedded", "opened", "shown", "when"]

_MOST_COMMENTS: Final = 100
_GONE: Final = frozenset({"trash", "auto-draft"})
# The frame around tells the height that it needs; the page around it has given it a secret to say whose it is.
_SCRIPT: Final = (
    "(function(){var s=/[#&?]secret=([\\w-]+)/.exec(location.hash);if(!s||parent===window)return;"
    "function tell(){parent.postMessage({message:'height',secret:s[1],"
    "value:document.documentElement.scrollHeight},'*');}"
    "addEventListener('load',tell);addEventListener('resize',tell);})();"
)


def when(visit: Visit, record: Record) -> Html:
    """Return the date of a record as people read it."""
    text = date_text(visit.work.option("date_format"), record.date, language=visit.language)
    return element("time", text, datetime=f"{iso(record.date_gmt)}Z")


def shown(visit: Visit, record: Record, *, home: bool = False, refusal: tuple[int, str] | None = None) -> Answer:
    """Return the page of a record.

    home: whether it stands in for the front page. refusal: status and text, where a password was not taken.
    """
    work = visit.work
    type = work.frame.types[record.type]
    work.language_for(permalinks.language_of(work, record))
    if record.status in _GONE:
        return missing(visit)
    if visit.request.query.get("preview") and (answer := _preview(visit, type, record)) is not None:
        return answer
    if not visibility.readable(work, type, record):
        return missing(visit)
    address = permalinks.link(work, type, record)
    if not home and not refusal and "?" not in address and unquote(urlsplit(address).path) != visit.request.path:
        return moved(address, 301)
    if not protects(record):
        return _whole(visit, type, record, address)
    cookie = visit.request.cookie(sessions.named(visit.request, _cookie(record)))
    if cookie and not refusal and same(cookie, _key(visit, record)):
        return _whole(visit, type, record, address, kept=False)
    return _locked(visit, type, record, address, refusal)


def opened(visit: Visit, record: Record) -> tuple[Answer, bool] | None:
    """Return the answer to the right password and whether it was sent; None for a record that no password opens.

    Raises TooManyGuesses.
    """
    type = visit.work.frame.types[record.type]
    if record.status in _GONE or not protects(record) or not visibility.readable(visit.work, type, record):
        return None
    given = visit.request.form.get("post_password")
    cookie = sessions.cookie(visit.request, _cookie(record), _key(visit, record))
    address = permalinks.link(visit.work, type, record)
    right = isinstance(given, str) and record_passwords.opens(visit.work, record, given)
    return moved(address, cookies=[cookie]), right


def embedded(visit: Visit, record: Record) -> Answer:
    """Return the small page of a record that other sites show in a frame."""
    work = visit.work
    type = work.frame.types[record.type]
    work.language_for(permalinks.language_of(work, record))
    if record.status not in ("publish", visibility.INHERITED) or not visibility.readable(work, type, record):
        return missing(visit)
    work.uses(*work.frame.types)
    address = permalinks.link(work, type, record)
    words = "" if protects(record) else dynamic_rendering.excerpt_shown(work, record)
    text = element("p", visit.said["protected_short"]) if protects(record) else trusted(words)
    site = link(visit.home, work.shown("title"), target="_top")
    title = element("h1", link(address, title_of(record), target="_top"))
    body = element("main", title, text, element("p", site, class_="quiet"))
    # Last, so that what it measures is there.
    body = join((body, Html(f"<script>{_SCRIPT}</script>")))
    head = [element("link", rel="canonical", href=address), element("meta", name="robots", content="noindex")]
    content = document(visit.language, title_of(record), body, head)
    kinds = None if visit.session else frozenset(work.kinds)
    policies = policy(content=True, script=_SCRIPT, framed=True)
    return bare(200, HTML, content, policies, kinds=kinds, cache=work.frame.profile.cache_control or "no-cache")


def _whole(visit: Visit, type: ContentType, record: Record, address: str, kept: bool = True) -> Answer:
    note = element("p", visit.said["private"], class_="quiet") if record.status == "private" else ""
    main = _article(visit, type, record, note, _picture(visit, record), _content(visit, type, record))
    return _page(visit, type, record, address, main, _comments(visit, type, record), kept=kept)


def _page(
    visit: Visit, type: ContentType, record: Record, address: str, *main: str, kept: bool = True, status: int = 200
) -> Answer:
    work = visit.work
    public = record.status in ("publish", visibility.INHERITED)
    languages = alternates.of_record(work, type, record) if public else {}
    head = _embed_links(visit, address) if public and visit.desk.embeds and type.address != "attached" else []
    return page(
        visit, title_of(record), *main, canonical=address if public else "", languages=languages,
        route=f"{type.path}/{record.id}", head=head, indexed=public, kept=kept and public, status=status,
    )  # fmt: skip


def _article(visit: Visit, type: ContentType, record: Record, *parts: str) -> Html:
    work, said = visit.work, visit.said
    title = trusted(record.title_html) if plain(record.title_html) else title_of(record)
    line: list[str] = []
    if type.address == "dated":
        line.append(when(visit, record))
        author = users.by_id(work.tx, record.author) if type.has("author") else None
        if author is not None:
            line += [f" {said['by']} ", link(f"{visit.home}author/{author.slug}/", author.name, rel="author")]
    header = element("header", element("h1", title), element("p", *line, class_="quiet") if line else "")
    held = term_store.of_records(work.tx, [record.id])[record.id] if type.taxonomies else []
    # Terms of attributes belong to taxonomies that are made while the site runs, and have no pages.
    known = work.frame.taxonomies
    held = [one for one in held if one.taxonomy in known and known[one.taxonomy].directory]
    places = term_store.addresses(work, held)
    entries = [element("li", link(places[one.id], plain(one.name), rel="tag")) for one in held]
    footer = (
        element("footer", element("p", said["filed"], class_="quiet"), element("ul", *entries, class_="plain"))
        if entries
        else ""
    )
    return element("article", header, *parts, footer)


def _content(visit: Visit, type: ContentType, record: Record) -> Html:
    work = visit.work
    html = srcset.shown(work, dynamic_rendering.content_shown(work, record))
    if type.address == "attached":
        media = attachment_store.of_record(work.tx, record.id)
        if media is not None:
            html = preface(media, record.title_html, lambda path: attachment_store.url(work, path)) + html
    return element("div", trusted(html))


def _picture(visit: Visit, record: Record) -> str:
    media = attachment_store.of_record(visit.work.tx, record.featured_media) if record.featured_media else None
    if media is None or media.kind != "image":
        return ""
    source, width, height = sized(visit.work, media, "large")
    return element("figure", element("img", src=source, width=width, height=height, alt=media.alt_text))


def _comments(visit: Visit, type: ContentType, record: Record) -> str:
    if not type.has("comments"):
        return ""
    query = CommentQuery(post=(record.id,), descending=False, size=_MOST_COMMENTS)
    found, _ = comment_listing.listed_page(visit.work, query)
    if not found:
        return ""
    pattern = f"{visit.work.option('date_format')}, {visit.work.option('time_format')}"
    entries = []
    for one in found:
        date = date_text(pattern, one.date, language=visit.language)
        says = visit.said["says"].format(name=one.author_name, date=date)
        entries.append(
            element("article", element("p", says, class_="quiet"), trusted(visit.work.budget.answer(one.content_html)))
        )
    return element(
        "section", element("h2", visit.said["comments"], id="comments"), *entries, aria_labelledby="comments"
    )


def _embed_links(visit: Visit, address: str) -> list[Html]:
    asked = f"{visit.api('/oembed/1.0/embed')}?url={quote(address, safe='')}"
    return [
        element("link", rel="alternate", type="application/json+oembed", href=asked),
        element("link", rel="alternate", type="text/xml+oembed", href=f"{asked}&format=xml"),
    ]


# -- previews


def _preview(visit: Visit, type: ContentType, record: Record) -> Answer | None:
    """Return an unpublished state of a record, None where the visitor may not see one."""
    work, key = visit.work, text_of(visit.request.query, "preview_nonce")
    kept = autosaves.of_record(work, record.id)
    title, raw = record.title, record.content
    if key:
        holders = dict.fromkeys((visit.user.id, *(one.author for one in kept)))
        whose = preview_keys.whose(work, record.id, key, holders)
        if whose is None:
            return None
        if own := next((one for one in kept if one.author == whose), None):
            title, raw = own.title, own.content
    elif not may_edit(visit.user, type, record):
        return None
    text = element("div", trusted(srcset.shown(work, dynamic_rendering.rendered(work, raw, record))))
    heading = element("h1", trusted(text_rendering.title(title, work.budget) or f"#{record.id}"))
    note = element("p", visit.said["preview"], class_="error", role="status")
    main = element("article", note, heading, text)
    return page(visit, plain(text_rendering.title(title, work.budget)), main, indexed=False, kept=False)


# -- passwords


def _locked(visit: Visit, type: ContentType, record: Record, address: str, refusal: tuple[int, str] | None) -> Answer:
    said = visit.said
    form = element(
        "form",
        field(said["password"], "post_password", type="password", required=True, autocomplete="off"),
        button(said["open"], class_="first"),
        method="post", action=address,
    )  # fmt: skip
    status, error = refusal or (200, "")
    told = element("p", error, class_="error", role="alert") if error else element("p", said["protected"])
    return _page(visit, type, record, address, _article(visit, type, record, told, form), status=status)


def _cookie(record: Record) -> str:
    return f"cms_opened_{record.id}"


def _key(visit: Visit, record: Record) -> str:
    secret = visit.work.frame.settings.secret
    return digest(secret, f"opened\n{record.id}\n{record.password}")
