"""One visit of a public page, and the landmarks around whatever is shown there.

Header with the site's name, its pages and languages; main; footer with a search. Not here: what stands in main.
Rules: WCAG 2.2 (landmarks, skip link, languages); RFC 8288 (links); interface.md names the relation of the root.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from typing import Any, Final

from vetrina.access.sessions.rules import Session
from vetrina.access.users.model import NOBODY, User
from vetrina.content.records import front_page, permalinks
from vetrina.content.records import listing as record_listing
from vetrina.content.records.model import Record
from vetrina.content.records.query import RecordQuery
from vetrina.core.unit_of_work import Work
from vetrina.kernel.tags import without_tags
from vetrina.pages.page_context import HTML, Desk, bare
from vetrina.pages.page_texts import name_of, words
from vetrina.pages.stylesheet import policy
from vetrina.rest.call import TIME, Answer, Request

from .markup import Html, button, document, element, field, join, link

__all__ = ["Visit", "missing", "page", "plain", "title_of"]

_MOST_PAGES: Final = 10  # in the header


@dataclass(frozen=True)
class Visit:
    """One visit. segments: of the address, without the language. session: None for a stranger."""

    desk: Desk
    request: Request
    work: Work
    session: Session | None
    segments: tuple[str, ...]

    @property
    def user(self) -> User:
        return self.session.user if self.session else NOBODY

    @property
    def language(self) -> str:
        return self.work.language

    @property
    def said(self) -> Mapping[str, str]:
        return words(self.work.language)

    def api(self, path: str) -> str:
        """Return the address of what has a neutral path, under the first root of the interface."""
        return self.work.api(self.desk.roots[0].path(path))

    @property
    def home(self) -> str:
        return f"{self.work.home()}/"


def plain(html: str) -> str:
    """Return markup as text."""
    return unescape(without_tags(html)).strip()


def title_of(record: Record) -> str:
    """Return a record's title as text; its number where it has none."""
    return plain(record.title_html) or f"#{record.id}"


def page(
    visit: Visit, title: str, *main: str, canonical: str = "", languages: Mapping[str, str] | None = None,
    route: str = "", feed: str = "", head: Iterable[str] = (), status: int = 200, indexed: bool = True,
    kept: bool = True, headers: Mapping[str, Any] | None = None,
) -> Answer:  # fmt: skip
    """Return a public page.

    title: as text, empty for the home. canonical: its own address. languages: where it is in each language.
    route: the path of what it shows in the interface. feed: the address of its feed.
    kept: whether the next stranger may get the same.
    """
    work, site = visit.work, visit.work.shown("title")
    # The header shows pages, the rest records, terms and names: a change of any makes it another page.
    work.uses(*work.frame.types, *work.frame.taxonomies, "user", "comment")
    elsewhere = dict(languages or {})
    elements = [*_head(visit, canonical, elsewhere, route, feed, indexed), *head]
    whole = join((_header(visit, site, elsewhere), element("main", *main, id="content", tabindex="-1"), _footer(visit)))
    content = document(visit.language, f"{title} – {site}" if title else site, whole, elements)
    kinds = frozenset(work.kinds) if kept and visit.session is None and TIME not in work.kinds else None
    return bare(
        status, HTML, content, policy(content=True), headers=headers, links=_links(visit, route),
        kinds=kinds if status == 200 else None, cache=work.frame.profile.cache_control or "no-cache",
    )  # fmt: skip


def missing(visit: Visit) -> Answer:
    """Return the page for addresses that lead nowhere."""
    said = visit.said
    text = (element("h1", said["missing"]), element("p", said["missing_text"]))
    return page(visit, said["missing"], *text, status=404, indexed=False)


def _roots(visit: Visit) -> list[tuple[str, str]]:
    """Return address and relation of each root of the interface."""
    return [(f"{visit.work.home()}/{root.prefix}/", root.relation) for root in visit.desk.roots]


def _links(visit: Visit, route: str) -> list[str]:
    out = [f'<{address}>; rel="{relation}"' for address, relation in _roots(visit)]
    if route:
        out.append(f'<{visit.api(route)}>; rel="alternate"; title="JSON"; type="application/json"')
    return out


def _head(
    visit: Visit, canonical: str, languages: Mapping[str, str], route: str, feed: str, indexed: bool
) -> list[Html]:
    out = [element("link", rel=relation, href=address) for address, relation in _roots(visit)]
    if route:
        out.append(element("link", rel="alternate", title="JSON", type="application/json", href=visit.api(route)))
    if canonical:
        out.append(element("link", rel="canonical", href=canonical))
    if len(languages) > 1:
        out += [element("link", rel="alternate", hreflang=code, href=to) for code, to in languages.items()]
    if feed:
        out.append(element("link", rel="alternate", type="application/atom+xml", href=feed))
    if not indexed:
        out.append(element("meta", name="robots", content="noindex"))
    return out


def _header(visit: Visit, site: str, languages: Mapping[str, str]) -> Html:
    work, said = visit.work, visit.said
    about = work.shown("description")
    parts = [
        link("#content", said["skip"], class_="skip"),
        element("p", link(visit.home, site, rel="home"), class_="site"),
        element("p", about, class_="quiet") if about else "",
    ]
    if entries := [link(address, text) for address, text in _pages(visit)]:
        parts.append(_navigation(said["pages"], entries))
    codes = work.frame.profile.languages
    if len(codes) > 1:
        entries = [
            link(languages.get(code, f"{work.home(code)}/"), name_of(code), lang=code, hreflang=code,
                 aria_current="true" if code == visit.language else None)
            for code in codes
        ]  # fmt: skip
        parts.append(_navigation(said["languages"], entries))
    return element("header", *parts)


def _navigation(label: str, entries: Sequence[Html]) -> Html:
    return element("nav", element("ul", *(element("li", one) for one in entries)), aria_label=label)


def _pages(visit: Visit) -> list[tuple[str, str]]:
    """Return the addresses and titles of the pages at the top of the tree; the front page is the site's name."""
    work = visit.work
    type = next((one for one in work.frame.types.values() if one.public and one.address == "tree"), None)
    if type is None:
        return []
    query = RecordQuery(
        type=type.name, statuses=("publish",), parent=(0,), per_page=_MOST_PAGES, order="asc", orderby="menu_order"
    )
    found, _ = record_listing.listed_page(work, query)
    home = front_page.number(work, "page_on_front") if work.option("show_on_front") == "page" else 0
    return [(permalinks.link(work, type, one, []), title_of(one)) for one in found if one.id != home]


def _footer(visit: Visit) -> Html:
    said = visit.said
    search = element(
        "form", field(said["search"], "s", type="search", required=True), button(said["search"]),
        role="search", action=visit.home,
    )  # fmt: skip
    if visit.session is None:
        return element("footer", search)
    name = said["signed_in_as"].format(name=visit.user.name)
    out = link(f"{visit.work.origin}/admin/sign-out", said["sign_out"])
    return element("footer", search, element("p", name, " ", out, class_="quiet"))
