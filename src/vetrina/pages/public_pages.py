"""Every URL that no other page has: front page, lists, records, their feeds and embeds.

How these are rendered: pages/record_pages.py, pages/list_pages.py, pages/feeds.py. Rules: docs/rules/slugs.md, 5;
docs/rules/site_settings.md, 5 for the forms of URLs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final
from urllib.parse import quote

from vetrina.access.sessions.model import BrowserSession
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.content.blocks.page_styles import gather_page_styles
from vetrina.content.comments.comment_pages import PAGE_PARAMETER, PAGE_SEGMENT, count_comment_pages
from vetrina.content.records import model as record_model, permalinks, url_lookup
from vetrina.content.records.model import Record
from vetrina.content.redirects import lookup as redirect_lookup
from vetrina.content.translations import alternates, record_translations
from vetrina.content.translations.modes import TranslationMode, build_element_name, get_translation_mode
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import NOBODY
from vetrina.kernel.errors import WriteNeeded
from vetrina.kernel.integers import parse_digits
from vetrina.pages import download_page, feeds, list_pages, plain_list_urls, record_pages, record_unlocking
from vetrina.pages.feed_formats import FEED_FORMATS, FeedFormat
from vetrina.pages.forms import FORM_FIELD, NOTICE_PARAMETER, PageForm, RefusedForm, SubmittedForm, is_own_form
from vetrina.pages.list_pages import RecordListing
from vetrina.pages.not_found_page import render_not_found
from vetrina.pages.page_context import PageContext, build_redirect, build_text_response, get_text
from vetrina.pages.page_features import find_form, find_listing_in_place, find_own_page, render_notice
from vetrina.pages.page_request import PageRequest, get_record_title
from vetrina.pages.page_texts import get_phrases
from vetrina.rest.call import Request, Response

_ID_PARAMETERS: Final = ("p", "page_id", "attachment_id")
_MAX_DIGITS: Final = 15


def split_language(path: str, languages: tuple[str, ...], default: str) -> tuple[str, tuple[str, ...]]:
    """Return the language that a path names and its other segments."""
    segments = tuple(segment for segment in path.split("/") if segment)
    return (segments[0], segments[1:]) if segments and segments[0] in languages else (default, segments)


def handle_public(context: PageContext, request: Request) -> Response:
    """Answer a public URL."""
    if download_page.is_download(request) and request.method != "POST":
        return download_page.handle_download(context, request)
    session = context.session(request)
    profile = context.site.profile
    _, segments = split_language(request.path, profile.languages, profile.default_language)
    refused: RefusedForm | None = None
    name = get_text(request.form, FORM_FIELD) if request.method == "POST" else ""
    if (form := find_form(context.site, name)) is not None:
        outcome = _answer_form(SubmittedForm(context, request, session, segments), name, form)
        if isinstance(outcome, Response):
            return outcome
        refused = replace(outcome, fields=request.form)
    try:
        return _answer_page(context, request, session, segments, refused, read=True)
    except WriteNeeded:
        return _answer_page(context, request, session, segments, refused, read=False)


def _answer_form(sent: SubmittedForm, name: str, form: PageForm) -> Response | RefusedForm:
    """Return the response to a form, or why it was refused."""
    if not is_own_form(sent.request, sent.session, sent.site, name, form):
        return RefusedForm(name, get_phrases(sent.language)["stale"], status=403)
    if sent.site.gate is not None:
        with sent.context.open_work(sent.request, sent.user, True) as work:
            page = PageRequest(sent.context, sent.request, work, sent.session, sent.segments)
            if (shut := _find_closed_shop(page)) is not None:
                return shut
    return form.handle(sent)


def _answer_page(
    context: PageContext, request: Request, session: BrowserSession | None, segments: tuple[str, ...],
    refused: RefusedForm | None, *, read: bool,
) -> Response:  # fmt: skip
    """Return the page of a URL. refused: the form that was posted to it; read: whether nothing is stored for it."""
    with context.open_work(request, session.user if session else NOBODY, read) as work:
        notice = get_text(request.query, NOTICE_PARAMETER)
        page = PageRequest(
            context, request, work, session, segments, refused,
            notice=render_notice(work, notice, request.path),
        )  # fmt: skip
        if _split_feed(segments) is None:  # which has no head for them
            gather_page_styles(work)
        if context.site.gate is not None and (shut := _answer_closed_shop(page)) is not None:
            return shut
        if request.method != "POST" or refused is not None:
            answer = _answer_path(page)
            if answer.status != 404 or refused is not None:
                return answer
            return _answer_redirect(page) or _answer_other_language(page) or answer
        found = _find_named_record(page) or (_find_front_page(page) if not segments else None)
        opened = _answer_password(page, found) if found is not None else None
    return opened or build_text_response(
        405, f"{get_phrases(request.language)['not_allowed']}\n", {"Allow": "GET, HEAD"}
    )


def _answer_redirect(page: PageRequest) -> Response | None:
    """Return where an address without a page leads, None for nowhere."""
    found = redirect_lookup.find_redirect_answer(page.work, page.request.path)
    if found is None:
        return None
    page.work.site.hits.count(found.id, page.work.now)
    return build_redirect(found.target, found.status) if found.target else render_not_found(page, found.status)


def _answer_other_language(page: PageRequest) -> Response | None:
    """Return the redirect to what has the address in another language, None where nothing has it."""
    work, asked = page.work, page.request.language
    if not page.segments:
        return None
    path = "/".join(quote(one, safe="") for one in page.segments)
    closed = list_pages.list_closed_types(page)
    for code in work.site.profile.languages:
        if code == asked:
            continue
        found = _filter_public(work, url_lookup.find_record_by_url(work, f"{work.home(code)}/{path}/"))
        if found is not None and found.status == "publish" and found.type not in closed:
            return build_redirect(permalinks.build_permalink(work, work.site.types[found.type], found), 301)
        with work.use_language(code):
            listing = list_pages.find_listing(page)
        term = listing.term if listing is not None else None
        if listing is not None and term is not None and term.count and term.taxonomy not in closed:
            return build_redirect(listing.address, 301)
    return None


def _answer_password(page: PageRequest, found: Record) -> Response | None:
    """Return the response to a record's password, right or wrong; None for a record without one."""
    try:
        opening = record_unlocking.answer_record_password(page, found)
    except TooManyGuesses as error:
        refusal = 429, get_phrases(found.language)["wait"].format(wait=error.wait)
        answer = record_pages.render_record(page, found, refusal=refusal)
        answer.headers.update(error.headers)
        return answer
    if opening is None:
        return None
    answer, right = opening
    return (
        answer
        if right
        else record_pages.render_record(page, found, refusal=(403, get_phrases(found.language)["wrong_password"]))
    )


def _find_record(page: PageRequest) -> Record | None:
    """Return the record that a URL leads to, in whatever form."""
    return _find_named_record(page) or (_find_front_page(page) if not page.segments else None)


def _find_closed_shop(page: PageRequest) -> Response | None:
    """Return what a visitor gets from a shop that is not open to them, None where it is."""
    from vetrina.pages import coming_soon_page  # a site without a shop imports nothing of it
    from vetrina.shop.admin import coming_soon

    if not coming_soon.is_coming_soon(page.work):
        return None
    return coming_soon_page.find_visitor_refusal(page, _find_record(coming_soon_page.build_plain_request(page)))


def _answer_closed_shop(page: PageRequest) -> Response | None:
    """Answer for a shop that is not open to all; None where it is, and for forms of users who may see it."""
    from vetrina.pages import coming_soon_page
    from vetrina.shop.admin import coming_soon

    if not coming_soon.is_coming_soon(page.work):
        return None
    shut = _find_closed_shop(page)
    if shut is not None or (page.request.method == "POST" and page.refused is None):
        return shut
    # Visitors see different things, so the response may not be cached.
    page.work.mark_time_dependent()
    answer = _answer_path(page)
    if cookie := coming_soon_page.build_entrance_header(page):
        answer.headers["Set-Cookie"] = [*answer.headers.get("Set-Cookie", ()), cookie]
    return answer


def _answer_path(page: PageRequest) -> Response:
    segments = page.segments
    if (found_page := find_own_page(page)) is not None:
        return found_page
    if (comments := _split_comment_page(page)) is not None:
        return _answer_comment_page(comments)
    if (named := _split_feed(segments)) is not None:
        return _answer_feed(_drop_segments(page, named[0]), named[1])
    match segments:
        case (*before, "page", number) if number.isdecimal() and number.isascii() and len(number) < 7:
            return _answer_list_page(_drop_segments(page, before), int(number))
        case (*before, "embed"):
            inner = _drop_segments(page, before)
            found = _find_record_by_path(inner) if before else _find_front_page(inner)
            return record_pages.render_embed(inner, found) if found is not None else render_not_found(inner)
        case ():
            return _answer_home(page)
    listing = list_pages.find_listing(page)
    if listing is not None:
        return _redirect_to_slash(page) or list_pages.render_listing(page, listing, 1)
    found = _find_record_by_path(page)
    if found is None:
        return render_not_found(page)
    return (
        _answer_posts_page(page, found, 1)
        or _answer_listing_in_place(page, found, 1)
        or record_pages.render_record(page, found)
    )


def _split_comment_page(page: PageRequest) -> PageRequest | None:
    """Return the page of a record that an address asks for with a page of its comments, None for another address."""
    last = page.segments[-1] if page.segments else ""
    if last.startswith(PAGE_SEGMENT):
        number, inner = parse_digits(last.removeprefix(PAGE_SEGMENT)), _drop_segments(page, [*page.segments[:-1]])
    else:
        number, inner = parse_digits(get_text(page.request.query, PAGE_PARAMETER)), page
    return replace(inner, comment_page=number) if number else None


def _answer_comment_page(page: PageRequest) -> Response:
    """Return the page of a record with a page of its comments, which there must be."""
    found = _find_named_record(page)
    front = _find_front_page(page) if found is None and not page.segments else None
    record = found or front
    if record is None or page.comment_page > count_comment_pages(page.work, record):
        return render_not_found(page)
    return record_pages.render_record(page, record, home=front is not None)


def _split_feed(segments: tuple[str, ...]) -> tuple[list[str], FeedFormat] | None:
    """Return what an address is the feed of, and in which format; None where it is none of a feed."""
    for tail, format in FEED_FORMATS.items():
        ending = ("feed", *tail)
        if segments[-len(ending) :] == ending:
            return list(segments[: -len(ending)]), format
    return None


def _answer_feed(page: PageRequest, format: FeedFormat) -> Response:
    """Return the feed of a list, of the comments on a record, or of all comments."""
    if not page.segments:
        listing = list_pages.find_search_listing(page) or list_pages.build_posts_listing(page)
        return feeds.render_feed(page, listing, format) if listing.feed else render_not_found(page)
    if page.segments == ("comments",):
        return feeds.render_comments_feed(page, format)
    found_list = list_pages.find_listing(page)
    if found_list is not None:
        return feeds.render_feed(page, found_list, format) if found_list.feed else render_not_found(page)
    found = _find_record_by_path(page)
    if found is None:
        return render_not_found(page)
    posts = _find_posts_page(page, found)
    return feeds.render_feed(page, posts[0], format) if posts else feeds.render_comments_feed(page, format, found)


def _redirect_to_slash(page: PageRequest) -> Response | None:
    """Return the redirect to the canonical URL of a list, which ends with a slash."""
    if page.request.path.endswith("/"):
        return None
    return build_redirect(f"{page.work.home()}/{'/'.join(quote(one) for one in page.segments)}/", 301)


def _drop_segments(page: PageRequest, segments: list[str]) -> PageRequest:
    """Return the page request without the last segments of its URL."""
    return replace(page, segments=tuple(segments))


def _answer_list_page(page: PageRequest, number: int) -> Response:
    """Return a further page of a list."""
    if number < 1:
        return render_not_found(page)
    if page.segments:
        listing = list_pages.find_listing(page)
        if listing is None:
            found = _find_record_by_path(page)
            own = _answer_posts_page(page, found, number) if found else None
            own = own or (_answer_listing_in_place(page, found, number) if found else None)
            return own or render_not_found(page)
        return list_pages.render_listing(page, listing, number)
    if (front := _find_front_page(page)) is not None:
        return _answer_listing_in_place(page, front, number) or render_not_found(page)
    return list_pages.render_listing(page, list_pages.build_posts_listing(page), number)


def _answer_home(page: PageRequest) -> Response:
    named = _find_named_record(page)
    if named is not None:
        if page.request.query.get("embed"):
            return record_pages.render_embed(page, named)
        return _answer_plain_listing(page, named) or record_pages.render_record(page, named)
    if any(name in page.request.query for name in _ID_PARAMETERS):
        return render_not_found(page)
    if (address := plain_list_urls.find_list_url(page)) is not None:
        return build_redirect(address, 301)
    if (found := list_pages.find_search_listing(page)) is not None:
        paged = get_text(page.request.query, "paged")
        return list_pages.render_listing(page, found, int(paged) if paged.isdecimal() and 0 < len(paged) < 7 else 1)
    front = _find_front_page(page)
    if front is not None:
        return _answer_listing_in_place(page, front, 1) or record_pages.render_record(page, front, home=True)
    work = page.work
    homes = {code: f"{work.home(code)}/" for code in work.site.profile.languages}
    return list_pages.render_listing(
        page, list_pages.build_posts_listing(page), 1, {**homes, "x-default": f"{work.origin}/"}
    )


def _find_named_record(page: PageRequest) -> Record | None:
    """Return the record that the query or the path names."""
    query = page.request.query
    number = next((text for name in _ID_PARAMETERS if (text := get_text(query, name))), "")
    if number.isdecimal() and number.isascii() and len(number) <= _MAX_DIGITS:
        return _filter_public(page.work, record_model.find_record(page.work.tx, int(number)))
    return _find_record_by_path(page) if page.segments else None


def _find_record_by_path(page: PageRequest) -> Record | None:
    path = "/".join(quote(one, safe="") for one in page.segments)
    return _filter_public(page.work, url_lookup.find_record_by_url(page.work, f"{page.work.home()}/{path}/"))


def _filter_public(work: UnitOfWork, found: Record | None) -> Record | None:
    type = work.site.types.get(found.type) if found is not None else None
    return found if type is not None and type.public else None


def _find_front_page(page: PageRequest) -> Record | None:
    """Return the static front page in the request's language, None where the front page lists posts."""
    work = page.work
    if work.option("show_on_front") != "page":
        return None
    chosen = _filter_public(work, record_model.find_record(work.tx, work.option("page_on_front") or 0))
    if chosen is None:
        return None
    if get_translation_mode(work, build_element_name(work.site.types[chosen.type])) is TranslationMode.NOT_TRANSLATED:
        return chosen
    return record_translations.load_published_translations(work, chosen).get(page.language)


def _answer_posts_page(page: PageRequest, found: Record, number: int) -> Response | None:
    """Return the list of posts where a page is set to show it, None otherwise."""
    posts = _find_posts_page(page, found)
    return list_pages.render_listing(page, posts[0], number, posts[1]) if posts is not None else None


def _find_posts_page(page: PageRequest, found: Record) -> tuple[RecordListing, Mapping[str, str]] | None:
    """Return the list of posts that a page is set to show, and its URL in each language; None for another page."""
    work = page.work
    if work.option("show_on_front") != "page" or found.status != "publish":
        return None
    chosen = record_model.find_record(work.tx, work.option("page_for_posts") or 0)
    if chosen is None or chosen.translations != found.translations:
        return None
    type = work.site.types[found.type]
    work.language_for(permalinks.get_shown_language(work, found))
    address = permalinks.build_permalink(work, type, found)
    others = alternates.build_record_alternates(work, type, found)
    return list_pages.build_posts_listing(page, get_record_title(found), address), others


def _answer_listing_in_place(page: PageRequest, found: Record, number: int) -> Response | None:
    """Return the list that a module shows in the place of a record's page, None for that page."""
    if found.status != "publish":
        return None
    work = page.work
    work.language_for(permalinks.get_shown_language(work, found))
    listing = find_listing_in_place(page, found)
    if listing is None:
        return None
    others = alternates.build_record_alternates(work, work.site.types[found.type], found)
    if page.segments and not page.request.path.endswith("/") and "?" not in listing.address:
        query = page.request.target.partition("?")[2]
        return build_redirect(f"{listing.address}{f'?{query}' if query else ''}", 301)
    return list_pages.render_listing(page, listing, number, others)


def _answer_plain_listing(page: PageRequest, named: Record) -> Response | None:
    """Return such a list of a site whose URLs are plain, so that no path names the page."""
    type = page.work.site.types[named.type]
    if "?" not in permalinks.build_permalink(page.work, type, named):
        return None
    paged = get_text(page.request.query, "paged")
    number = int(paged) if paged.isdecimal() and paged.isascii() and 0 < len(paged) < 7 else 1
    return _answer_listing_in_place(page, named, number)
