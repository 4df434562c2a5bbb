"""Launching a shop: what is noted of it, and connections that only an outside service could make.

Not here: the mode in which the shop is closed (shop/admin/coming_soon.py). Rules: facts, "Launching" and "Plugins".
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from vetrina.access.sessions import rules as sessions
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.shop.admin import modules as admin_modules

__all__ = [
    "ConnectorNotActive",
    "NotConnected",
    "NoticeRefused",
    "answer_survey",
    "authorisation",
    "connect_connector",
    "dismiss_notice",
    "notice_nonce",
    "payments_url",
    "survey",
]  # fmt: skip

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


class NotConnected(ApiError):
    code = "connector_not_connected"
    message = "The site is not connected to a service that could send the link."


class NoticeRefused(ApiError):
    status, code = 401, "unauthorized"
    message = "The nonce does not belong to you or is too old."


def survey(work: Work) -> str:
    """Return `yes` once the owner answered the survey, else `no`."""
    return "yes" if work.stored_option(_SURVEY) == "yes" else "no"


def answer_survey(work: Work, status: str) -> None:
    """Note whether the survey was answered."""
    if status and work.stored_option(_SURVEY) != status:
        work.set_option(_SURVEY, status)


# -- notices


def notice_nonce(work: Work) -> str:
    """Return what proves that the caller's own page dismisses a notice."""
    return sessions.nonce(work.frame, f"account {work.user.id}", _DISMISS)


def dismiss_notice(work: Work, nonce: object, id: object) -> bool:
    """Note that the caller dismissed a notice; say whether there is one of that name. Raises NoticeRefused."""
    if not sessions.is_nonce(work.frame, f"account {work.user.id}", nonce, _DISMISS):
        raise NoticeRefused
    if id not in NOTICES:
        return False
    stored = work.stored_option(_NOTICES)
    kept = stored if isinstance(stored, dict) else {}
    name = str(work.user.id)
    if id not in kept.get(name, ()):
        work.set_option(_NOTICES, {**kept, name: [*kept.get(name, ()), id]})
    return True


# -- connections


def connect_connector(work: Work, back: str) -> str:
    """Return the page that connects the site to the connector's service. Raises ConnectorNotActive."""
    url = work.frame.profile.shop_services.connector_url
    if not url or "connector" not in admin_modules.active(work):
        raise ConnectorNotActive
    return _page(work, url, back)


def authorisation(work: Work, back: str) -> tuple[str, list[str]]:
    """Return the page that authorises a connection, and why it cannot be."""
    url = work.frame.profile.shop_services.connector_url
    return (_page(work, url, back), []) if url else ("", ["There is no service that the site could be connected to."])


def payments_url(work: Work) -> str:
    """Return the page on which the shop's own payments are set up."""
    nonce = sessions.nonce(work.frame, f"account {work.user.id}", "shoppay")
    return f"{work.origin}/admin/admin.php?shoppay-connect=1&from=WCADMIN_PAYMENT_TASK&_cmsnonce={nonce}"


def _page(work: Work, url: str, back: str) -> str:
    mark = "&" if "?" in url else "?"
    return f"{url}{mark}home_url={quote(work.origin, safe='')}&redirect_uri={quote(back, safe='')}"
