"""The page of the administration: small, with what its front end has to know first, and the files that it loads.

Every address beneath `/admin/` that is no other page is this one; the front end decides what it shows there, and the
interface what an account may see and do. What is built: pages/admin_build.py. Former addresses: pages/admin_urls.py.
Why it is made like this: docs/decisions/administration.md.
"""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

import orjson

from vetrina import __version__
from vetrina.access.roles.role_rights import list_roles
from vetrina.access.sessions import nonces
from vetrina.access.sessions.model import BrowserSession
from vetrina.core.person_language import choose_person_language
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.site_paths import get_base_path
from vetrina.kernel.text_direction import is_right_to_left
from vetrina.pages import sign_in_page
from vetrina.pages.admin_build import ADMIN_FILES_PATH, AdminManifest, ScreenFiles
from vetrina.pages.page_context import (
    HTML_TYPE,
    PageContext,
    build_bytes_response,
    build_own_page,
    build_redirect,
)
from vetrina.pages.page_texts import get_language_name, get_phrases
from vetrina.rest.call import Request, Response
from vetrina.rest.dialects.prefixes import ADMIN_PREFIX

from .markup import Html, render_element, trust_markup

ADMIN_SEGMENT: Final = "admin"  # first segment of the administration's addresses, whatever dialects the site has
_MAX_URL_LENGTH: Final = 2000  # characters of a URL that is returned to
_BUILD_POLL_SECONDS: Final = 3  # after which the page looks again whether the build is done


def handle_administration(context: PageContext, request: Request) -> Response:
    """Show the administration to a signed-in person; without a session, redirect to the sign-in page."""
    session = context.session(request)
    if session is None:
        return build_sign_in_redirect(request)
    language = choose_person_language(request, session.user, context.site.profile)
    manifest = context.admin_build.load_manifest()
    if manifest is None:
        request.language = language
        return _render_missing_build(request, context.admin_build.find_progress())
    with context.open_work(request, session.user, True) as work:
        title = work.get_translated_option("title")
        boot = _describe_start(context, language, session, work)
    base = get_base_path(request.origin)
    screen = manifest.find_screen(request.path.removeprefix(base).removeprefix(f"/{ADMIN_SEGMENT}").rstrip("/"))
    content = _render_page(language, title, boot, manifest, screen, base)
    return build_bytes_response(200, HTML_TYPE, content, _build_policy(manifest, context.site.settings.media_url))


def build_sign_in_redirect(request: Request) -> Response:
    """Return the redirect to the sign-in page, which leads back to the address of a request."""
    back = request.target if len(request.target) <= _MAX_URL_LENGTH else request.path
    return build_redirect(sign_in_page.build_sign_in_url(request.path.split("/")[1], back), 302)


def _describe_start(context: PageContext, language: str, session: BrowserSession, work: UnitOfWork) -> dict[str, Any]:
    """Return what the front end has to know before its first request; language: of the person."""
    from vetrina.multilingual.services import dispatch  # large, and no page that a visitor sees needs it

    base, profile, user = work.base_path, context.site.profile, session.user
    return {
        "api": f"{base}/{ADMIN_PREFIX}",
        "admin": f"{base}/{ADMIN_SEGMENT}",
        "home": f"{base}/",
        "assets": f"{base}{ADMIN_FILES_PATH}",
        "nonce": nonces.create_nonce(context.site, session.key),
        "locale": language,
        "version": __version__,
        "site": {
            "title": work.get_translated_option("title"),
            "url": work.origin,
            "timezone": work.option("timezone"),
            "dateFormat": work.option("date_format"),
            "timeFormat": work.option("time_format"),
            "startOfWeek": work.option("start_of_week"),
            "profile": profile.name,
        },
        "languages": [
            {"code": code, "name": get_language_name(code), "default": code == profile.default_language}
            for code in profile.languages
        ],
        "modules": list(profile.modules),
        "moduleData": {
            module.name: module.describe_administration(work)
            for module in context.site.modules
            if module.describe_administration is not None
        },
        "translationServices": list(dispatch.list_services(context.site)),
        "roles": _list_roles(work, user),
        "user": {
            "id": user.id,
            "name": user.name,
            "login": user.login,
            "roles": list(user.roles),
            "capabilities": dict.fromkeys(sorted(user.capabilities), True),
            "grants": [
                {
                    "capabilities": sorted(one.capabilities),
                    "types": None if one.types is None else sorted(one.types),
                    "languages": None if one.languages is None else sorted(one.languages),
                }
                for one in user.grants
            ],
        },
    }


def _list_roles(work: UnitOfWork, user: User) -> list[dict[str, str]]:
    """Return the roles that accounts can have, for those who list accounts or assign roles."""
    if not (user.can("list_users") or user.can("promote_users")):
        return []
    return [{"name": one.name, "label": one.label} for one in list_roles(work.tx, work.site.roles).values()]


def _render_page(
    language: str, title: str, boot: dict[str, Any], manifest: AdminManifest, screen: ScreenFiles | None, base: str
) -> bytes:
    """Return the page. screen: what its address will load, which the browser asks for before the shell knows of it."""
    phrases, files = get_phrases(language), f"{base}{ADMIN_FILES_PATH}"
    scripts, styles = (screen.scripts, screen.styles) if screen else ((), ())
    head = render_element(
        "head",
        render_element("meta", charset="utf-8"),
        render_element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        render_element("meta", name="color-scheme", content="light dark"),
        render_element("meta", name="robots", content="noindex"),
        render_element("title", f"{phrases['administration']} – {title}"),
        render_element("link", rel="icon", href="data:,"),
        render_element("link", rel="preload", as_="script", href=files + manifest.first, fetchpriority="high"),
        *(render_element("link", rel="stylesheet", href=files + name) for name in manifest.styles),
        render_element("script", type="module", src=files + manifest.script),
        *(render_element("link", rel="modulepreload", href=files + name) for name in (*manifest.preload, *scripts)),
        *(render_element("link", rel="preload", as_="style", href=files + name) for name in styles),
    )
    body = render_element(
        "body",
        render_element("div", render_element("noscript", phrases["needs_scripts"]), id="app"),
        render_element("script", _encode_for_script(boot), type="application/json", id="boot"),
        # It reads what stands before it, and waits for no style sheet.
        render_element("script", async_=True, src=files + manifest.first),
    )
    direction = "rtl" if is_right_to_left(language) else None
    whole = render_element("html", head, body, lang=language, dir=direction)
    return f"<!DOCTYPE html>\n{whole}\n".encode("utf-8", "replace")


def _encode_for_script(value: dict[str, Any]) -> Html:
    """Return JSON that ends no script element, whatever texts are in it."""
    return trust_markup(orjson.dumps(value).decode().replace("<", "\\u003c"))


def _build_policy(manifest: AdminManifest, media_url: str) -> str:
    """Return the policy of the page, which the frame of the editor's canvas inherits.

    media_url: where files are, if that is not the site itself.
    """
    hashes = "".join(f" '{digest}'" for digest in manifest.script_hashes)
    parts = urlsplit(media_url)
    media = f"'self' data: blob:{f' {parts.scheme}://{parts.netloc}' if media_url else ''}"
    return "; ".join((
        "default-src 'none'",
        f"script-src 'self'{hashes}",
        "style-src 'self' 'unsafe-inline'",
        f"img-src {media}",
        f"media-src {media}",
        "font-src 'self' data:",
        "connect-src 'self'",
        "frame-src 'self' blob:",
        "worker-src 'self' blob:",
        "form-action 'self'",
        "base-uri 'self'",
        "frame-ancestors 'none'",
        "manifest-src 'self'",
    ))  # fmt: skip


def _render_missing_build(request: Request, progress: str | None) -> Response:
    """Say that the administration is being built, or how to build it. progress: of a build, None where none runs."""
    phrases = get_phrases(request.language)
    if progress is None:
        parts = [render_element("p", phrases["not_built"], " ", render_element("code", "make admin"))]
        head = []
    else:
        parts = [render_element("p", phrases["building"]), render_element("p", progress, class_="quiet", role="status")]
        head = [render_element("meta", http_equiv="refresh", content=str(_BUILD_POLL_SECONDS))]
    headers = {"Retry-After": str(_BUILD_POLL_SECONDS)}
    return build_own_page(request, 503, phrases["administration"], *parts, headers=headers, head=head)
