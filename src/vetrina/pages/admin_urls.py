"""Former addresses of the administration's screens, and where they lead today.

Answers of the interface and mails contain them (a task, a report, a connection), since clients know them; bookmarks do,
too. The screens themselves: pages/admin_page.py.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from vetrina.access.roles import capabilities
from vetrina.access.sessions.model import BrowserSession
from vetrina.content.records import model as record_model
from vetrina.core.person_language import choose_person_language
from vetrina.kernel.integers import parse_digits
from vetrina.pages.admin_page import ADMIN_SEGMENT, build_sign_in_redirect
from vetrina.pages.page_context import PageContext, build_own_page, build_redirect, get_text
from vetrina.pages.page_texts import get_phrases
from vetrina.rest.call import Request, Response

from .markup import render_element, render_link

REPORT_FILE_ACTION: Final = "shop_admin_download_report_csv"  # `action` in the URL of an exported file
_CONNECTS_PAYMENTS: Final = "shoppay-connect"
_START: Final = ""

# By the last segment of the former address: the path beneath the administration's. Those of records depend on more.
_SCREENS: Final = {
    "index.php": _START,
    "admin.php": _START,
    "upload.php": "media",
    "edit-comments.php": "comments",
    "users.php": "users",
    "profile.php": "profile",
    "options-general.php": "settings",
    "nav-menus.php": "menus",
    "themes.php": "site",
    "themes": "site",
    "site-editor.php": "site",
}
_RECORD_SCREEN: Final = "post.php"
_RECORD_LISTS: Final = frozenset({"edit.php", "post-new.php"})


def handle_former_screen(context: PageContext, request: Request) -> Response:
    """Lead a signed-in person to the screen that a former address means; without a session, to the sign-in page."""
    session = context.session(request)
    if session is None:
        return build_sign_in_redirect(request)
    if get_text(request.query, _CONNECTS_PAYMENTS):
        request.language = choose_person_language(request, session.user, context.site.profile)
        phrases = get_phrases(request.language)
        text, home = render_element("p", phrases["no_payments"]), render_link(f"{request.origin}/", phrases["home"])
        return build_own_page(request, 200, phrases["administration"], text, home)
    return build_redirect(f"/{ADMIN_SEGMENT}/{_find_screen(context, request, session)}", 302)


def _find_screen(context: PageContext, request: Request, session: BrowserSession) -> str:
    """Return the path of a screen, empty for the first one, which also stands for screens that there are not."""
    name = request.path.split("/")[2] if request.path.count("/") > 1 else ""
    if name in _RECORD_LISTS:
        type = get_text(request.query, "post_type") or "post"
        return f"content/{quote(type, safe='')}" if type in context.site.types else _START
    return _find_record_screen(context, request, session) if name == _RECORD_SCREEN else _SCREENS.get(name, _START)


def _find_record_screen(context: PageContext, request: Request, session: BrowserSession) -> str:
    """Return the path of the screen of a record; the first screen's for one that the person may not edit."""
    id = parse_digits(get_text(request.query, "post"))
    if id is None:
        return _START
    with context.open_work(request, session.user, True) as work:
        record = record_model.find_record(work.tx, id)
        type = work.site.types.get(record.type) if record is not None else None
        if record is None or type is None or not capabilities.may_edit_record(session.user, type, record):
            return _START
    language = f"?lang={quote(record.language, safe='')}" if record.language else ""
    return f"content/{type.name}/{record.id}{language}"
