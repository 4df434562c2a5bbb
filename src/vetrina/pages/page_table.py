"""Which pages there are, and how a request finds one of them.

A page is a value: its methods, a pattern of its whole path, a function; the first match answers. Bytes and headers:
http/page_responses.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from vetrina.core.person_language import find_accepted_language
from vetrina.kernel.read_consistency import PrimaryNeeded
from vetrina.pages.admin_page import ADMIN_SEGMENT, handle_administration
from vetrina.pages.admin_urls import REPORT_FILE_ACTION, handle_former_screen
from vetrina.pages.authorise_page import handle_authorization
from vetrina.pages.download_page import handle_receipt
from vetrina.pages.factor_setup_page import handle_factor_setup
from vetrina.pages.key_set_page import KEY_SET_PATH, handle_key_set
from vetrina.pages.lost_password_page import handle_lost_password, handle_new_password
from vetrina.pages.own_account.data_request_page import handle_data_request
from vetrina.pages.own_account.link_pages import handle_data_confirmation, handle_data_file, handle_email_confirmation
from vetrina.pages.own_account.registration_pages import handle_confirmation, handle_registration
from vetrina.pages.page_context import PageContext, build_text_response, get_text
from vetrina.pages.preview_frame import handle_preview_frame
from vetrina.pages.provider_page import handle_provider, handle_provider_callback
from vetrina.pages.public_pages import handle_public, split_language
from vetrina.pages.scripts import SCRIPT_PATH, handle_script
from vetrina.pages.second_factor_page import handle_second_step
from vetrina.pages.sign_in_page import handle_nonce, handle_sign_in
from vetrina.pages.sign_out_page import handle_sign_out
from vetrina.pages.site_stylesheet import SHEET_PATH, handle_stylesheet
from vetrina.rest.call import Request, Response

from .sitemap_pages import handle_robots, handle_sitemap

_READ_METHODS: Final = ("GET", "HEAD")
_FORM_METHODS: Final = ("GET", "HEAD", "POST")


def handle_report_file(context: PageContext, request: Request) -> Response:
    """Send the file of an export; imported on first use, since reports take long to import and few sites use them."""
    from vetrina.pages import report_download

    return report_download.send_report_file(context, request)


def handle_administration_start(context: PageContext, request: Request) -> Response:
    """Show the administration at its first URL, which is also that of exported files."""
    if get_text(request.query, "action") == REPORT_FILE_ACTION:
        return handle_report_file(context, request)
    first = request.path.split("/")[1]
    return handle_administration(context, request) if first == ADMIN_SEGMENT else handle_former_screen(context, request)


def handle_catalog_file(context: PageContext, request: Request) -> Response:
    """Send the catalogue as a file; imported on first use, as reports are."""
    from vetrina.pages import report_download

    return report_download.send_catalog_file(context, request)


@dataclass(frozen=True)
class PageRoute:
    """One page.

    path: a pattern of its whole path; `ADMIN` in it stands for the first segment of the site's own pages.
    answer: (context, request) → response. slow: the methods with which it may wait.
    own: whether it is in the reader's language, since its URL has none.
    """

    methods: tuple[str, ...]
    path: str
    answer: Callable[[PageContext, Request], Response]
    slow: tuple[str, ...] = ()
    own: bool = False


PAGES: Final = (
    # Comparing a password takes long on purpose.
    PageRoute(_FORM_METHODS, r"/ADMIN/sign-in", handle_sign_in, slow=("POST",), own=True),
    PageRoute(_FORM_METHODS, r"/ADMIN/second-step", handle_second_step, slow=("POST",), own=True),
    PageRoute(_FORM_METHODS, r"/ADMIN/second-factor", handle_factor_setup, slow=("POST",), own=True),
    # Both may ask the provider.
    PageRoute(("GET",), r"/ADMIN/sign-in/[a-z0-9-]+", handle_provider, slow=("GET",), own=True),
    PageRoute(("GET",), r"/ADMIN/sign-in/[a-z0-9-]+/callback", handle_provider_callback, slow=("GET",), own=True),
    PageRoute(_FORM_METHODS, r"/ADMIN/sign-out", handle_sign_out, own=True),
    PageRoute(_FORM_METHODS, r"/ADMIN/lost-password", handle_lost_password, own=True),
    PageRoute(_FORM_METHODS, r"/ADMIN/new-password", handle_new_password, slow=("POST",), own=True),
    PageRoute(_FORM_METHODS, r"/ADMIN/register", handle_registration, own=True),
    PageRoute(_FORM_METHODS, r"/ADMIN/confirm-registration", handle_confirmation, slow=("POST",), own=True),
    PageRoute(_FORM_METHODS, r"/ADMIN/confirm-email", handle_email_confirmation, own=True),
    PageRoute(_FORM_METHODS, r"/ADMIN/confirm-personal-data", handle_data_confirmation, own=True),
    PageRoute(_FORM_METHODS, r"/ADMIN/my-data", handle_data_request, own=True),
    PageRoute(_READ_METHODS, r"/ADMIN/personal-data", handle_data_file, own=True),
    PageRoute(_FORM_METHODS, r"/ADMIN/authorize-application\.php", handle_authorization, own=True),
    PageRoute(_READ_METHODS, r"/ADMIN/nonce", handle_nonce),
    PageRoute(_READ_METHODS, r"/ADMIN/?", handle_administration_start, own=True),
    PageRoute(_READ_METHODS, r"/ADMIN/(?:[\w-]+\.php|themes)", handle_former_screen, own=True),
    PageRoute(_READ_METHODS, r"/admin/preview-frame", handle_preview_frame),
    PageRoute(_READ_METHODS, r"/admin/.*", handle_administration, own=True),
    PageRoute(_READ_METHODS, SHEET_PATH, handle_stylesheet),
    PageRoute(_READ_METHODS, SCRIPT_PATH, handle_script),
    PageRoute(_READ_METHODS, KEY_SET_PATH, handle_key_set),
    PageRoute(_READ_METHODS, r"/robots\.txt", handle_robots),
    PageRoute(_READ_METHODS, r"/sitemap(?:-[\w-]+)?\.xml", handle_sitemap, slow=_READ_METHODS),
    PageRoute(_READ_METHODS, r"/shop/catalogue/[a-z0-9]{32}\.json", handle_catalog_file, slow=_READ_METHODS),
    PageRoute(_READ_METHODS, r"/shop/receipt/[\w-]+/?", handle_receipt),
    PageRoute(_FORM_METHODS, r"(?s:.*)", handle_public, slow=("POST",)),
)


class SitePages:
    """The pages of a site. admin: the first segments of the URLs of its own pages, the neutral one first."""

    def __init__(self, context: PageContext, admin: Iterable[str] = ("admin",)) -> None:
        self._context = context
        own = "|".join(map(re.escape, admin))
        self._pages = [(re.compile(page.path.replace("ADMIN", f"(?:{own})"), re.ASCII), page) for page in PAGES]

    def is_slow(self, request: Request) -> bool:
        """Return whether a request may wait."""
        return request.method in self._find_page(request.path).slow

    def answer(self, request: Request) -> Response:
        """Answer a request; its path is the full one."""
        profile = self._context.site.profile
        request.language, _ = split_language(request.path, profile.languages, profile.default_language)
        request.root = f"{request.origin}/{request.language}/{self._context.roots[0].prefix}"
        page = self._find_page(request.path)
        if page.own:
            request.language = find_accepted_language(request, profile.languages) or request.language
        if request.method not in page.methods:
            return build_text_response(405, "", {"Allow": ", ".join(page.methods)})
        try:
            return page.answer(self._context, request)
        except PrimaryNeeded:
            return page.answer(self._context, request)

    def _find_page(self, path: str) -> PageRoute:
        return next(page for pattern, page in self._pages if pattern.fullmatch(path))
