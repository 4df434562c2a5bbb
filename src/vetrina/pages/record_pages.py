"""The page of one record: published ones for everybody, others for those who may read them or have a preview.

Not here: how the password of a record is asked for (pages/record_unlocking.py). Rules: docs/rules/slugs.md, 5;
docs/rules/oembed.md, 2 (nothing leaks); docs/rules/previews.md, 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote, unquote, urlsplit

import msgspec

from vetrina.access.roles.capabilities import may_edit_record
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.access.users import rules as users
from vetrina.content.blocks import dynamic_rendering
from vetrina.content.blocks.block_context import PublicPage
from vetrina.content.comments import comment_pages
from vetrina.content.comments.comment_pages import CommentPage
from vetrina.content.previews import preview_keys, rules as previews
from vetrina.content.previews.addresses import PARAMETER
from vetrina.content.previews.model import InvalidPreviewToken, PreviewExpired
from vetrina.content.records import permalinks, visibility
from vetrina.content.records.model import Record
from vetrina.content.records.passwords import is_password_protected
from vetrina.content.records.views import build_record_view
from vetrina.content.revisions import autosaves
from vetrina.content.terms import store as term_store
from vetrina.content.text import rendering as text_rendering
from vetrina.content.translations import alternates
from vetrina.content.types.model import ContentType
from vetrina.core.shown_dates import format_shown_date, format_shown_time
from vetrina.design.templates import template_hierarchy
from vetrina.kernel.site_paths import remove_base_path
from vetrina.kernel.times import format_iso
from vetrina.media.attachments import store as attachment_store
from vetrina.media.attachments.markup import render_preface
from vetrina.media.images import srcset
from vetrina.media.images.blocks import get_image_size
from vetrina.pages.comments.comment_form import render_comment_form, render_reply_link
from vetrina.pages.feed_formats import ATOM, RSS, build_feed_url
from vetrina.pages.inline_style import build_content_policy
from vetrina.pages.not_found_page import render_not_found
from vetrina.pages.page_context import HTML_TYPE, build_bytes_response, build_redirect, get_text
from vetrina.pages.page_features import build_visitor_blocks, describe_record, find_replaced_content, is_guarded
from vetrina.pages.page_frame import render_public_page
from vetrina.pages.page_request import PageRequest, get_record_title, strip_markup
from vetrina.pages.page_shortcodes import hold_shortcodes, show_shortcodes
from vetrina.pages.template_page import find_own_waiting_comment, render_page_template
from vetrina.rest.call import Response

from .markup import (
    Html,
    join_markup,
    render_document,
    render_element,
    render_link,
    trust_markup,
)
from .record_unlocking import HIDDEN_STATUSES, is_record_unlocked, render_unlocking_form
from .seo_head import render_json_ld

_UNINDEXED: Final = {"X-Robots-Tag": "noindex"}
# The embedded page reports its height; the embedding page has given it a secret to identify itself.
_EMBED_SCRIPT: Final = (
    "(function(){var s=/[#&?]secret=([\\w-]+)/.exec(location.hash);if(!s||parent===window)return;"
    "function tell(){parent.postMessage({message:'height',secret:s[1],"
    "value:document.documentElement.scrollHeight},'*');}"
    "addEventListener('load',tell);addEventListener('resize',tell);})();"
)


def render_date(page: PageRequest, record: Record) -> Html:
    """Return the date of a record, formatted for people."""
    text = format_shown_date(page.work, record.date, page.language)
    return render_element("time", text, datetime=f"{format_iso(record.date_gmt)}Z")


def render_record(
    page: PageRequest, record: Record, *, home: bool = False, refusal: tuple[int, str] | None = None
) -> Response:
    """Return the page of a record.

    home: whether it is the front page. refusal: status and text, where a password was wrong.
    """
    work = page.work
    type = work.site.types[record.type]
    work.language_for(permalinks.get_shown_language(work, record))
    if record.status in HIDDEN_STATUSES:
        return render_not_found(page)
    token = get_text(page.request.query, PARAMETER)
    if previews.is_token(token):
        return _render_link_preview(page, type, record, token)
    if page.request.query.get(PARAMETER) and (answer := _find_preview(page, type, record)) is not None:
        return answer
    if not visibility.may_view_record(work, type, record):
        return render_not_found(page)
    address = permalinks.build_permalink(work, type, record)
    path = remove_base_path(work.base_path, unquote(urlsplit(address).path))
    if page.comment_page:
        # Where addresses have paths, the page of comments has one, too; the first that readers see has none.
        own = comment_pages.build_comment_page_url(work, record, page.comment_page)
        if "?" not in own and f"{work.origin}{page.request.path}" != own:
            return build_redirect(own, 301)
    elif not home and not refusal and "?" not in address and path != page.request.path:
        return build_redirect(address, 301)
    if not is_password_protected(record):
        return _render_whole_record(page, type, record, address, home=home)
    if not refusal and is_record_unlocked(page, record):
        return _render_whole_record(page, type, record, address, home=home, cacheable=False)
    return _render_locked_record(page, type, record, address, refusal, home=home)


def render_embed(page: PageRequest, record: Record) -> Response:
    """Return the small page of a record that other sites embed in a frame."""
    work = page.work
    type = work.site.types[record.type]
    work.language_for(permalinks.get_shown_language(work, record))
    if record.status not in ("publish", visibility.INHERIT_STATUS) or not visibility.may_view_record(
        work, type, record
    ):
        return render_not_found(page)
    work.uses_items(type.name, (record.id,))
    address = permalinks.build_permalink(work, type, record)
    words = "" if is_password_protected(record) else dynamic_rendering.render_record_excerpt(work, record)
    text = (
        render_element("p", page.phrases["protected_short"]) if is_password_protected(record) else trust_markup(words)
    )
    site = render_link(page.home, work.get_translated_option("title"), target="_top")
    title = render_element("h1", render_link(address, get_record_title(record), target="_top"))
    body = render_element("main", title, text, render_element("p", site, class_="quiet"))
    # Last, so that the content that it measures is there.
    body = join_markup((body, Html(f"<script>{_EMBED_SCRIPT}</script>")))
    head = [
        render_element("link", rel="canonical", href=address),
        render_element("meta", name="robots", content="noindex"),
    ]
    content = render_document(page.language, get_record_title(record), body, head)
    policies = build_content_policy(content=True, script=_EMBED_SCRIPT, framed=True)
    return build_bytes_response(
        200, HTML_TYPE, content, policies, made_in=None if page.session else work,
        cache=work.site.profile.cache_control or "no-cache",
    )  # fmt: skip


def _render_whole_record(
    page: PageRequest, type: ContentType, record: Record, address: str, *, home: bool, cacheable: bool = True
) -> Response:
    note = render_element("p", page.phrases["private"], class_="quiet") if record.status == "private" else ""
    content = _render_content(page, type, record)
    body = _render_body(page, type, record, join_markup((note, content)), home=home)
    main = () if body is not None else (
        _render_article(page, type, record, note, _render_picture(page, record), content),
        _render_comments(page, type, record),
    )  # fmt: skip
    return _render_record_page(page, type, record, address, *main, cacheable=cacheable, body=body)


def _render_body(
    page: PageRequest, type: ContentType, record: Record, content: Html, *, home: bool = False
) -> Html | None:
    """Return a record as its template shows it, None where the theme has none. content: what stands for its content."""
    names = template_hierarchy.list_record_templates(type, record, front=home)
    return render_page_template(page, names, PublicPage(), record, content)


def _render_record_page(
    page: PageRequest,
    type: ContentType,
    record: Record,
    address: str,
    *main: str,
    cacheable: bool = True,
    status: int = 200,
    body: Html | None = None,
) -> Response:
    work = page.work
    work.uses_items(type.name, (record.id,))
    public = record.status in ("publish", visibility.INHERIT_STATUS)
    languages = alternates.build_record_alternates(work, type, record) if public else {}
    head = _build_embed_links(page, address) if public and page.context.embeds and type.address != "attached" else []
    seo = build_record_view(work, type, (record,), "view").get_seo(record)
    # Of a locked record only what its page shows.
    if record.status == "publish" and not is_password_protected(record) and (about := describe_record(page, record)):
        head += map(render_json_ld, about)
        # What a module says stands for what the site says of the same kind.
        kinds = {one["@type"] for one in about}
        seo = msgspec.structs.replace(seo, json_ld=[one for one in seo.json_ld if one["@type"] not in kinds])
    return render_public_page(
        page, get_record_title(record), *main, canonical=address if public else "", languages=languages,
        route=f"{type.path}/{record.id}", feeds=_list_feeds(page, type, record, address), head=head, indexed=public,
        cacheable=cacheable and public, status=status,
        seo=seo, exact=True, body=body,
    )  # fmt: skip


def _list_feeds(page: PageRequest, type: ContentType, record: Record, address: str) -> list[tuple[str, str, str]]:
    """Return the feeds of the comments that a record takes: type, URL and title of each."""
    open_to_all = record.status == "publish" and record.comment_status == "open" and not is_password_protected(record)
    if not open_to_all or not type.has("comments") or "?" in address:
        return []
    title = page.phrases["comments_on"].format(title=get_record_title(record))
    return [(one.type, build_feed_url(address, one.path), title) for one in (RSS, ATOM)]


def _render_article(page: PageRequest, type: ContentType, record: Record, *parts: str) -> Html:
    work, phrases = page.work, page.phrases
    title = trust_markup(record.title_html) if strip_markup(record.title_html) else get_record_title(record)
    line: list[str] = []
    if type.address == "dated":
        line.append(render_date(page, record))
        author = users.find_user(work.tx, record.author) if type.has("author") else None
        work.uses_items("user", (record.author,))
        if author is not None:
            line += [f" {phrases['by']} ", render_link(f"{page.home}author/{author.slug}/", author.name, rel="author")]
    header = render_element(
        "header", render_element("h1", title), render_element("p", *line, class_="quiet") if line else ""
    )
    held = term_store.list_terms_by_record(work.tx, [record.id])[record.id] if type.taxonomies else []
    # Attribute terms belong to taxonomies that are created at run time, and have no pages.
    known = work.site.taxonomies
    held = [one for one in held if one.taxonomy in known and known[one.taxonomy].directory]
    for one in held:
        work.uses_items(one.taxonomy, (one.id,))
    places = term_store.build_term_urls(work, held)
    entries = [render_element("li", render_link(places[one.id], strip_markup(one.name), rel="tag")) for one in held]
    footer = (
        render_element(
            "footer",
            render_element("p", phrases["filed"], class_="quiet"),
            render_element("ul", *entries, class_="plain"),
        )
        if entries
        else ""
    )
    return render_element("article", header, *parts, footer)


def _render_content(page: PageRequest, type: ContentType, record: Record) -> Html:
    work, shown = page.work, PublicPage(visitor_blocks=build_visitor_blocks(page))
    raw = find_replaced_content(page, record)
    held = hold_shortcodes(work, record.content) if raw is None else None
    if held is not None:
        html = dynamic_rendering.render_live_content(work, held.raw, record, page=shown)
        html = show_shortcodes(
            html, held, lambda markup: dynamic_rendering.render_live_content(work, markup, record, page=shown)
        )
    elif raw is None:
        html = dynamic_rendering.render_record_content(work, record, shown)
    else:
        html = dynamic_rendering.render_live_content(work, raw, record, page=shown)
    html = srcset.add_image_sources(work, html)
    if type.address == "attached":
        media = attachment_store.find_media_file(work.tx, record.id)
        if media is not None:
            html = (
                render_preface(media, record.title_html, lambda path: attachment_store.build_file_url(work, path))
                + html
            )
    return render_element("div", trust_markup(html))


def _render_picture(page: PageRequest, record: Record) -> str:
    if record.featured_media:
        page.work.uses_items("attachment", (record.featured_media,))
    media = attachment_store.find_media_file(page.work.tx, record.featured_media) if record.featured_media else None
    if media is None or media.kind != "image":
        return ""
    source, width, height = get_image_size(page.work, media, "large")
    return render_element("figure", render_element("img", src=source, width=width, height=height, alt=media.alt_text))


def _render_comments(page: PageRequest, type: ContentType, record: Record) -> str:
    if not type.has("comments"):
        return ""
    shown = comment_pages.load_comment_page(
        page.work, record, page.comment_page, find_own_waiting_comment(page, record)
    )
    form = render_comment_form(page, record)
    entries = []
    for one in shown.comments:
        date = ", ".join(say(page.work, one.date, page.language) for say in (format_shown_date, format_shown_time))
        says = page.phrases["says"].format(name=strip_markup(one.author_name), date=date)
        reply = render_reply_link(page, record, one)
        entries.append(
            render_element(
                "article",
                render_element("p", says, class_="quiet"),
                render_element("p", page.phrases["comment_waits"]) if one.id == shown.waiting else "",
                trust_markup(page.work.budget.take_cached_html(one.content_html)),
                render_element("p", reply) if reply else "",
                id=f"comment-{one.id}",
            )
        )
    if not entries:
        return form
    heading = render_element("h2", page.phrases["comments"], id="comments")
    return render_element(
        "section", heading, *entries, _render_comment_pages(page, record, shown), form, aria_labelledby="comments"
    )


def _render_comment_pages(page: PageRequest, record: Record, shown: CommentPage) -> str:
    """Return the links to the pages of comments, empty where all are on one."""
    if shown.pages < 2:
        return ""
    links = [
        render_link(
            f"{comment_pages.build_comment_page_url(page.work, record, number)}#comments", str(number),
            aria_current="page" if number == shown.number else None,
        )
        for number in range(1, shown.pages + 1)
    ]  # fmt: skip
    return render_element("nav", join_markup(links, " "), aria_label=page.phrases["comments"])


def _build_embed_links(page: PageRequest, address: str) -> list[Html]:
    endpoint = f"{page.build_api_url('/oembed/1.0/embed')}?url={quote(address, safe='')}"
    return [
        render_element("link", rel="alternate", type="application/json+oembed", href=endpoint),
        render_element("link", rel="alternate", type="text/xml+oembed", href=f"{endpoint}&format=xml"),
    ]


# -- previews


def _find_preview(page: PageRequest, type: ContentType, record: Record) -> Response | None:
    """Return an unpublished state of a record, None where the visitor may not see one."""
    work, key = page.work, get_text(page.request.query, "preview_nonce")
    cacheable = autosaves.list_autosaves(work, record.id)
    title, raw = record.title, record.content
    if key:
        holders = dict.fromkeys((page.user.id, *(one.author for one in cacheable)))
        whose = preview_keys.find_preview_user(work, record.id, key, holders)
        if whose is None:
            return None
        if own := next((one for one in cacheable if one.author == whose), None):
            title, raw = own.title, own.content
    elif not may_edit_record(page.user, type, record):
        return None
    text = render_element(
        "div", trust_markup(srcset.add_image_sources(work, dynamic_rendering.render_live_content(work, raw, record)))
    )
    title_html = text_rendering.render_title(title, work.budget)
    heading = render_element("h1", trust_markup(title_html or f"#{record.id}"))
    note = render_element("p", page.phrases["preview"], class_="error", role="status")
    main = render_element("article", note, heading, text)
    shown = msgspec.structs.replace(record, title=title, title_html=title_html)
    body = _render_body(page, type, shown, join_markup((note, text)))
    return render_public_page(page, strip_markup(title_html), main, indexed=False, cacheable=False, body=body)


def _render_link_preview(page: PageRequest, type: ContentType, record: Record, token: str) -> Response:
    """Return the page of a record as a preview link shows it."""
    try:
        shown = previews.open_preview(page.work, type, record, token).record
    except TooManyGuesses as error:
        wait = page.phrases["preview_wait"].format(wait=error.wait)
        return _render_preview_refusal(page, 429, wait, error.headers)
    except (InvalidPreviewToken, PreviewExpired):
        return _render_preview_refusal(page, 403, page.phrases["preview_over_text"])
    note = render_element("p", page.phrases["preview"], class_="error", role="status")
    content = _render_content(page, type, shown)
    main = _render_article(page, type, shown, note, _render_picture(page, shown), content)
    body = _render_body(page, type, shown, join_markup((note, content)))
    return render_public_page(
        page, get_record_title(shown), main, indexed=False, cacheable=False, headers=_UNINDEXED, body=body
    )


def _render_preview_refusal(
    page: PageRequest, status: int, text: str, headers: Mapping[str, str] | None = None
) -> Response:
    title = page.phrases["preview_over"]
    main = render_element("h1", title), render_element("p", text)
    return render_public_page(
        page, title, *main, indexed=False, cacheable=False, status=status, headers={**_UNINDEXED, **(headers or {})}
    )


def _render_locked_record(
    page: PageRequest, type: ContentType, record: Record, address: str, refusal: tuple[int, str] | None, *, home: bool
) -> Response:
    status, error = refusal or (200, "")
    form = render_unlocking_form(page, address, error)
    if is_guarded(page.work.site, type.name):
        body = render_page_template(page, template_hierarchy.PAGE_TEMPLATES, PublicPage(), record, form)
    else:
        body = _render_body(page, type, record, form, home=home)
    main = () if body is not None else (_render_article(page, type, record, form),)
    return _render_record_page(page, type, record, address, *main, status=status, body=body)
