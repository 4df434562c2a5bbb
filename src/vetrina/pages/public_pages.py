"""Every address that no other page has: front page, lists, records, their feeds and frames.

Not here: what these look like (pages/record_pages.py, pages/list_pages.py, pages/feeds.py).
Rules: facts of the interface, "Slugs, links, templates"; profiles.md for the forms of addresses.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.access.users.model import NOBODY
from vetrina.content.records import model as record_model
from vetrina.content.records import permalinks, url_lookup
from vetrina.content.records.model import Record
from vetrina.content.translations import alternates, record_translations
from vetrina.content.translations.modes import Mode, element_of, mode
from vetrina.core.unit_of_work import Work
from vetrina.pages import download_page, feeds, list_pages, record_pages
from vetrina.pages.page_context import Desk, moved, plainly, text_of
from vetrina.pages.page_request import Visit, missing, title_of
from vetrina.pages.page_texts import words
from vetrina.rest.call import Answer, Request

__all__ = ["public", "split"]

_NUMBERS: Final = ("p", "page_id", "attachment_id")
_MOST_DIGITS: Final = 15


def split(path: str, languages: tuple[str, ...], default: str) -> tuple[str, tuple[str, ...]]:
    """Return the language that a path names and its other segments."""
    segments = tuple(segment for segment in path.split("/") if segment)
    return (segments[0], segments[1:]) if segments and segments[0] in languages else (default, segments)


def public(desk: Desk, request: Request) -> Answer:
    """Answer a public address."""
    if download_page.is_download(request) and request.method != "POST":
        return download_page.download(desk, request)
    session = desk.session(request)
    user = session.user if session else NOBODY
    profile = desk.frame.profile
    _, segments = split(request.path, profile.languages, profile.default_language)
    with desk.open_work(request, user, True) as work:
        visit = Visit(desk, request, work, session, segments)
        if "shop" in profile.modules and (shut := _before(visit)) is not None:
            return shut
        if request.method != "POST":
            return _answer(visit)
        found = _named(visit) or (_front(visit) if not segments else None)
        opened = _opened(visit, found) if found is not None else None
    return opened or plainly(405, f"{words(request.language)['not_allowed']}\n", {"Allow": "GET, HEAD"})


def _opened(visit: Visit, found: Record) -> Answer | None:
    """Return the answer to a password of a record, right or wrong; None where none opens it."""
    try:
        opening = record_pages.opened(visit, found)
    except TooManyGuesses as error:
        refusal = 429, words(found.language)["wait"].format(wait=error.wait)
        answer = record_pages.shown(visit, found, refusal=refusal)
        answer.headers.update(error.headers)
        return answer
    if opening is None:
        return None
    answer, right = opening
    return answer if right else record_pages.shown(visit, found, refusal=(403, words(found.language)["wrong_password"]))


def _reached(visit: Visit) -> Record | None:
    """Return the record that an address leads to, whatever the form."""
    return _named(visit) or (_front(visit) if not visit.segments else None)


def _before(visit: Visit) -> Answer | None:
    """Answer an address of a shop that is not open to all; None where it is, and for forms of those who may see it."""
    from vetrina.pages import coming_soon_page  # a site without a shop loads nothing of it

    if not coming_soon_page.is_on(visit.work):
        return None
    shut = coming_soon_page.refusal(visit, _reached(coming_soon_page.bare_of(visit)))
    if shut is not None or visit.request.method == "POST":
        return shut
    # Some see it and others do not, so nobody gets what was made for somebody else.
    visit.work.passes()
    answer = _answer(visit)
    if cookie := coming_soon_page.entrance(visit):
        answer.headers["Set-Cookie"] = [cookie]
    return answer


def _answer(visit: Visit) -> Answer:
    segments = visit.segments
    match segments:
        case (*before, "page", number) if number.isdecimal() and number.isascii() and len(number) < 7:
            return _listed(_at(visit, before), int(number))
        case (*before, "feed"):
            inner = _at(visit, before)
            listing = list_pages.found_at(inner) if before else list_pages.whole(inner)
            return feeds.feed(inner, listing) if listing is not None and listing.feed else missing(inner)
        case (*before, "embed"):
            inner = _at(visit, before)
            found = _by_path(inner) if before else _front(inner)
            return record_pages.embedded(inner, found) if found is not None else missing(inner)
        case ():
            return _home(visit)
    listing = list_pages.found_at(visit)
    if listing is not None:
        return _redirected(visit) or list_pages.shown(visit, listing, 1)
    found = _by_path(visit)
    if found is None:
        return missing(visit)
    return _posts_page(visit, found, 1) or record_pages.shown(visit, found)


def _redirected(visit: Visit) -> Answer | None:
    """Return the way to the address that a list has, which ends with a stroke."""
    if visit.request.path.endswith("/"):
        return None
    return moved(f"{visit.work.home()}/{'/'.join(quote(one) for one in visit.segments)}/", 301)


def _at(visit: Visit, segments: list[str]) -> Visit:
    """Return the visit of the address without its last segments."""
    return Visit(visit.desk, visit.request, visit.work, visit.session, tuple(segments))


def _listed(visit: Visit, number: int) -> Answer:
    """Return a further page of a list."""
    if number < 1:
        return missing(visit)
    if visit.segments:
        listing = list_pages.found_at(visit)
        if listing is None:
            found = _by_path(visit)
            return (_posts_page(visit, found, number) if found else None) or missing(visit)
        return list_pages.shown(visit, listing, number)
    return missing(visit) if _front(visit) is not None else list_pages.shown(visit, list_pages.whole(visit), number)


def _home(visit: Visit) -> Answer:
    named = _named(visit)
    if named is not None:
        if visit.request.query.get("embed"):
            return record_pages.embedded(visit, named)
        return record_pages.shown(visit, named)
    if any(name in visit.request.query for name in _NUMBERS):
        return missing(visit)
    if (found := list_pages.of_search(visit)) is not None:
        paged = text_of(visit.request.query, "paged")
        return list_pages.shown(visit, found, int(paged) if paged.isdecimal() and 0 < len(paged) < 7 else 1)
    front = _front(visit)
    if front is not None:
        return record_pages.shown(visit, front, home=True)
    work = visit.work
    homes = {code: f"{work.home(code)}/" for code in work.frame.profile.languages}
    return list_pages.shown(visit, list_pages.whole(visit), 1, {**homes, "x-default": f"{work.origin}/"})


def _named(visit: Visit) -> Record | None:
    """Return the record that the query or the path names."""
    query = visit.request.query
    number = next((text for name in _NUMBERS if (text := text_of(query, name))), "")
    if number.isdecimal() and number.isascii() and len(number) <= _MOST_DIGITS:
        return _public(visit.work, record_model.by_id(visit.work.tx, int(number)))
    return _by_path(visit) if visit.segments else None


def _by_path(visit: Visit) -> Record | None:
    path = "/".join(quote(one, safe="") for one in visit.segments)
    return _public(visit.work, url_lookup.named_by(visit.work, f"{visit.work.home()}/{path}/"))


def _public(work: Work, found: Record | None) -> Record | None:
    type = work.frame.types.get(found.type) if found is not None else None
    return found if type is not None and type.public else None


def _front(visit: Visit) -> Record | None:
    """Return the page that stands on the front in the visit's language, None where the posts do."""
    work = visit.work
    if work.option("show_on_front") != "page":
        return None
    chosen = _public(work, record_model.by_id(work.tx, work.option("page_on_front") or 0))
    if chosen is None:
        return None
    if mode(work, element_of(work.frame.types[chosen.type])) is Mode.NOT_TRANSLATED:
        return chosen
    return record_translations.published(work, chosen).get(visit.language)


def _posts_page(visit: Visit, found: Record, number: int) -> Answer | None:
    """Return the list of posts where a page is the one that it stands on, None where it is not."""
    work = visit.work
    if work.option("show_on_front") != "page" or found.status != "publish":
        return None
    chosen = record_model.by_id(work.tx, work.option("page_for_posts") or 0)
    if chosen is None or chosen.translations != found.translations:
        return None
    type = work.frame.types[found.type]
    work.language_for(permalinks.language_of(work, found))
    address = permalinks.link(work, type, found)
    others = alternates.of_record(work, type, found)
    return list_pages.shown(visit, list_pages.whole(visit, title_of(found), address), number, others)
