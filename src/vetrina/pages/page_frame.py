"""What every public page has around its main content: head, header, languages, footer, and the links of its answer.

Header with the site's name, its pages and languages; main; footer with a search. Rules: WCAG 2.2 (landmarks, skip
link, languages); RFC 8288 (links); docs/rules/lists.md, 4 for the link relation of the root.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from vetrina.access.roles import capabilities
from vetrina.content.blocks.page_styles import gather_page_styles
from vetrina.content.records import front_page, listing as record_listing, permalinks
from vetrina.content.records.query import RecordQuery
from vetrina.content.seo.computed import ComputedSeo
from vetrina.pages.inline_style import build_content_policy
from vetrina.pages.page_context import HTML_TYPE, build_bytes_response
from vetrina.pages.page_request import PageRequest, get_record_title
from vetrina.pages.page_texts import get_language_name
from vetrina.pages.scripts import SCRIPT_FOLDER, render_script_element
from vetrina.pages.site_stylesheet import render_style_elements
from vetrina.rest.call import Response

from .markup import Html, join_markup, render_button, render_document, render_element, render_field, render_link
from .seo_head import render_seo_elements

_MAX_MENU_PAGES: Final = 10  # in the header


def render_public_page(
    page: PageRequest, title: str, *main: str, canonical: str = "", languages: Mapping[str, str] | None = None,
    route: str = "", feeds: Iterable[tuple[str, str, str]] = (), head: Iterable[str] = (), status: int = 200,
    indexed: bool = True, cacheable: bool = True, headers: Mapping[str, Any] | None = None,
    seo: ComputedSeo | None = None, exact: bool = False, body: Html | None = None,
) -> Response:  # fmt: skip
    """Return a public page.

    title: as text, empty for the home page. canonical: its own URL. languages: its URL in each language.
    route: the path of the same content in the interface. feeds: type, URL and title of each.
    cacheable: whether the response may be cached for anonymous visitors. seo: what search engines are told, which has a
    title and a canonical URL of its own. exact: whether the unit of work knows all that the main part was made from;
    otherwise any change of the content makes the page stale. body: made from a template; else it is plain: header, the
    main part, footer.
    """
    work, site = page.work, page.work.get_translated_option("title")
    if not exact:
        work.uses(*work.site.types, *work.site.taxonomies, "user", "comment")
    elsewhere = dict(languages or {})
    canonical = canonical if seo is None else seo.canonical
    elements = [*_render_head(page, canonical, elsewhere, route, feeds, indexed or seo is not None), *head]
    elements += render_seo_elements(seo) if seo is not None else []
    if body is not None:
        whole = _render_template_body(page, elsewhere, body)
    else:
        whole = join_markup(
            (
                _render_header(page, site, elsewhere),
                page.notice,
                render_element("main", *main, id="content", tabindex="-1"),
                _render_footer(page),
            )
        )
    block_styles = gather_page_styles(work).css
    elements += render_style_elements(work, block_styles, plain=body is None)
    state, refused = page.state, page.refused
    elements += [render_script_element(work.origin, name) for name in state.scripts]
    if refused is not None:
        status, headers = refused.status, {**(headers or {}), **refused.headers}
    if state.cookies:
        headers = {**(headers or {}), "Set-Cookie": state.cookies}
    shared = cacheable and not state.personal and page.session is None and status == 200
    whole_title = seo.title if seo is not None else f"{title} – {site}" if title else site
    content = render_document(page.language, whole_title, whole, elements, plain=body is None)
    return build_bytes_response(
        status,
        HTML_TYPE,
        content,
        build_content_policy(
            content=True, style=block_styles, scripts=f"{work.origin}{SCRIPT_FOLDER}" if state.scripts else ""
        ),
        headers=headers,
        links=_build_links(page, route),
        made_in=work if shared else None,
        cache=work.site.profile.cache_control or "no-cache",
    )


def _list_api_roots(page: PageRequest) -> list[tuple[str, str]]:
    """Return URL and relation of each root of the interface."""
    return [(f"{page.work.home()}/{root.prefix}/", root.relation) for root in page.context.roots]


def _build_links(page: PageRequest, route: str) -> list[str]:
    out = [f'<{address}>; rel="{relation}"' for address, relation in _list_api_roots(page)]
    if route:
        out.append(f'<{page.build_api_url(route)}>; rel="alternate"; title="JSON"; type="application/json"')
    return out


def _render_head(
    page: PageRequest,
    canonical: str,
    languages: Mapping[str, str],
    route: str,
    feeds: Iterable[tuple[str, str, str]],
    indexed: bool,
) -> list[Html]:
    out = [render_element("link", rel=relation, href=address) for address, relation in _list_api_roots(page)]
    if route:
        out.append(
            render_element(
                "link", rel="alternate", title="JSON", type="application/json", href=page.build_api_url(route)
            )
        )
    if canonical:
        out.append(render_element("link", rel="canonical", href=canonical))
    if len(languages) > 1:
        out += [render_element("link", rel="alternate", hreflang=code, href=to) for code, to in languages.items()]
    for kind, address, title in feeds:
        out.append(render_element("link", rel="alternate", type=kind, title=title, href=address))
    if not indexed:
        out.append(render_element("meta", name="robots", content="noindex"))
    return out


def _render_header(page: PageRequest, site: str, languages: Mapping[str, str]) -> Html:
    work, phrases = page.work, page.phrases
    about = work.get_translated_option("description")
    parts = [
        render_link("#content", phrases["skip"], class_="skip"),
        render_element("p", render_link(page.home, site, rel="home"), class_="site"),
        render_element("p", about, class_="quiet") if about else "",
    ]
    if entries := [render_link(address, text) for address, text in _list_top_pages(page)]:
        parts.append(_render_navigation(phrases["pages"], entries))
    parts.append(_render_languages(page, languages))
    return render_element("header", *parts)


def _render_template_body(page: PageRequest, languages: Mapping[str, str], body: Html) -> Html:
    """Return the body of a page whose landmarks come from its template, with what no template has."""
    skip = render_link("#content", page.phrases["skip"], class_="skip") if 'id="content"' in body else ""
    account = _render_account(page)
    bar = [
        _render_languages(page, languages),
        render_element("section", account, aria_label=page.phrases["your_account"]) if account else "",
    ]
    return join_markup((
        skip, render_element("div", *bar, class_="site-bar") if any(bar) else "", page.notice,
        render_element("div", body, class_="wp-site-blocks"),
    ))  # fmt: skip


def _render_languages(page: PageRequest, languages: Mapping[str, str]) -> str:
    """Return the links to the page in each language, or to the home page of it; empty for a site with one."""
    work = page.work
    codes = work.site.profile.languages
    if len(codes) < 2:
        return ""
    entries = [
        render_link(languages.get(code, f"{work.home(code)}/"), get_language_name(code), lang=code, hreflang=code,
             aria_current="true" if code == page.language else None)
        for code in codes
    ]  # fmt: skip
    return _render_navigation(page.phrases["languages"], entries)


def _render_navigation(label: str, entries: Sequence[Html]) -> Html:
    return render_element(
        "nav", render_element("ul", *(render_element("li", one) for one in entries)), aria_label=label
    )


def _list_top_pages(page: PageRequest) -> list[tuple[str, str]]:
    """Return the URLs and titles of the top-level pages; the front page is linked by the site's name."""
    work = page.work
    type = next((one for one in work.site.types.values() if one.public and one.address == "tree"), None)
    if type is None:
        return []
    query = RecordQuery(
        type=type.name, statuses=("publish",), parent=(0,), per_page=_MAX_MENU_PAGES, order="asc", orderby="menu_order"
    )
    found, _ = record_listing.list_records(work, query)
    home = front_page.resolve_page_option(work, "page_on_front") if work.option("show_on_front") == "page" else 0
    return [(permalinks.build_permalink(work, type, one, []), get_record_title(one)) for one in found if one.id != home]


def _render_footer(page: PageRequest) -> Html:
    phrases = page.phrases
    search = render_element(
        "form", render_field(phrases["search"], "s", type="search", required=True), render_button(phrases["search"]),
        role="search", action=page.home,
    )  # fmt: skip
    return render_element("footer", search, _render_account(page))


def _render_account(page: PageRequest) -> str:
    """Return who is signed in, with where they may go; empty for a visitor."""
    if page.session is None:
        return ""
    phrases = page.phrases
    name = phrases["signed_in_as"].format(name=page.user.name)
    links = [render_link(f"{page.work.origin}/admin/sign-out", phrases["sign_out"])]
    if capabilities.may_change_site(page.user):
        links.insert(0, render_link(f"{page.work.origin}/admin/", phrases["administration"]))
    return render_element("p", name, " ", join_markup(links, " "), class_="quiet")
