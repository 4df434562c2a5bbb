"""Where people find providers: links to sign in by one, and the way by which signing out leads to it.

The pages that these lead to: pages/provider_page.py. Rules: docs/rules/single_sign_on.md, 9 and 10.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode, urlsplit

from vetrina.access.sessions import cookies as session_cookies
from vetrina.access.single_sign_on.flow import read_sign_out_url
from vetrina.core.site_context import SiteContext
from vetrina.pages.page_context import PageContext, build_redirect
from vetrina.pages.provider_texts import get_provider_texts
from vetrina.rest.call import Request, Response

from .markup import Html, render_element, render_link

SIGN_OUT_COOKIE: Final = "cms_provider_session"  # where the provider's own session ends


def render_provider_links(site: SiteContext, language: str, base: str, back: str) -> Html | str:
    """Return the links by which people sign in by a provider, empty without any.

    base: what stands before the path of a link. back: the local URL that it leads to in the end, empty for the usual.
    """
    providers = site.profile.accounts.providers
    if not providers:
        return ""
    texts = get_provider_texts(language)
    query = f"?{urlencode({'redirect_to': back})}" if back else ""
    links = [
        render_element(
            "li",
            render_link(
                f"{base}/admin/sign-in/{one.name}{query}",
                texts["sign_in_by"].format(label=one.label or one.name),
                class_="provider",
            ),
        )
        for one in providers
    ]
    return render_element("nav", render_element("ul", *links), aria_label=texts["other_ways"], class_="providers")


def build_farewell(context: PageContext, request: Request, removal: str) -> Response:
    """Lead whoever signed out home, by way of the provider where its session ends as well.

    removal: the header that removes the cookie of the session.
    """
    end = _find_provider_end(context, request)
    if not end:
        return build_redirect("/", cookies=(removal,))
    return build_redirect(end, cookies=(removal, session_cookies.format_cookie(request.origin, SIGN_OUT_COOKIE, "", 0)))


def find_farewell_origin(context: PageContext, request: Request) -> str:
    """Return the origin of the provider that signing out leads to, empty for none."""
    parts = urlsplit(_find_provider_end(context, request))
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def _find_provider_end(context: PageContext, request: Request) -> str:
    """Return the URL at which a provider ends the session that signed somebody in here, empty for none."""
    kept = request.cookie(session_cookies.format_cookie_name(request.origin, SIGN_OUT_COOKIE))
    return read_sign_out_url(context.site, kept, f"{request.origin}/")
