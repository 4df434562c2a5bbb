"""The launch of a shop: what is recorded of it, and connections that only an outside service could make.

Not here: coming-soon mode (shop/admin/coming_soon.py). Rules: docs/rules/shop_admin.md, 8; docs/rules/shop_modules.md,
4.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from vetrina.access.sessions import nonces
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop.admin import modules as admin_modules

_SURVEY: Final = "shop_admin_launch_your_store_survey_completed"
_NOTICES: Final = "shop_dismissed_notices"
_DISMISS: Final = "dismiss_notice"
NOTICES: Final = (
    "woo-subscription-expired-notice", "woo-subscription-expiring-notice", "woo-subscription-missing-notice",
    "woo-disconnect-notice",
)  # fmt: skip


class ConnectorNotActive(ApiError):
    code = "shop_rest_connector_not_active"
    message = "The connector has no service that it could connect to; the profile's `shop_services` names none."


class ConnectorNotConnected(ApiError):
    code = "connector_not_connected"
    message = "The site is not connected to a service that could send the link."


class NoticeNonceRefused(ApiError):
    failure, code = Failure.UNAUTHENTICATED, "unauthorized"
    message = "The nonce does not belong to you or is too old."


def get_survey_status(work: UnitOfWork) -> str:
    """Return `yes` once the owner has answered the survey, otherwise `no`."""
    return "yes" if work.stored_option(_SURVEY) == "yes" else "no"


def answer_survey(work: UnitOfWork, status: str) -> None:
    """Store whether the survey was answered."""
    if status and work.stored_option(_SURVEY) != status:
        work.set_option(_SURVEY, status)


# -- notices


def build_notice_nonce(work: UnitOfWork) -> str:
    """Return the nonce that proves that the caller's own page dismisses a notice."""
    return nonces.create_nonce(work.site, f"account {work.user.id}", _DISMISS)


def dismiss_notice(work: UnitOfWork, nonce: object, id: object) -> bool:
    """Store that the caller dismissed a notice; return whether it exists. Raises NoticeNonceRefused."""
    if not nonces.is_valid_nonce(work.site, f"account {work.user.id}", nonce, _DISMISS):
        raise NoticeNonceRefused
    if id not in NOTICES:
        return False
    stored = work.stored_option(_NOTICES)
    kept = stored if isinstance(stored, dict) else {}
    name = str(work.user.id)
    if id not in kept.get(name, ()):
        work.set_option(_NOTICES, {**kept, name: [*kept.get(name, ()), id]})
    return True


# -- connections


def build_connector_url(work: UnitOfWork, return_url: str) -> str:
    """Return the URL of the page that connects the site to the connector's service. Raises ConnectorNotActive."""
    url = work.site.profile.shop_services.connector_url
    if not url or "connector" not in admin_modules.list_active_modules(work):
        raise ConnectorNotActive
    return _build_connect_url(work, url, return_url)


def build_authorization_url(work: UnitOfWork, return_url: str) -> tuple[str, list[str]]:
    """Return the URL of the page that authorizes a connection, and why it is not possible."""
    url = work.site.profile.shop_services.connector_url
    return (
        (_build_connect_url(work, url, return_url), [])
        if url
        else ("", ["There is no service that the site could be connected to."])
    )


def build_payments_url(work: UnitOfWork) -> str:
    """Return the URL of the page on which the shop's own payments are set up."""
    nonce = nonces.create_nonce(work.site, f"account {work.user.id}", "shoppay")
    return f"{work.origin}/admin/admin.php?shoppay-connect=1&from=WCADMIN_PAYMENT_TASK&_cmsnonce={nonce}"


def _build_connect_url(work: UnitOfWork, url: str, return_url: str) -> str:
    mark = "&" if "?" in url else "?"
    return f"{url}{mark}home_url={quote(work.origin, safe='')}&redirect_uri={quote(return_url, safe='')}"
