"""What the site says of itself when it registers: addresses, names, versions, since when it is there.

Left out are paths of the server and marks by which people are followed; nobody needs them for a connection.
Not here: registering (connector/connection/registration.py). Rules: facts of the connector, 6.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import func, select

from vetrina.access.users import rules as users
from vetrina.access.users.model import User
from vetrina.backends.database import Statement
from vetrina.backends.tables.core import account as account_table
from vetrina.backends.tables.core import record
from vetrina.connector.connection import state as connection_state
from vetrina.connector.identity import rules as identity
from vetrina.core.unit_of_work import Work
from vetrina.kernel.times import iso
from vetrina.media.attachments import store as attachment_store

__all__ = ["PACKAGES", "PLUGINS", "VERSION", "created", "icon", "of"]

VERSION: Final = "6.19.12"
PACKAGES: Final = {"connection": VERSION, "sync": "4.24.1"}
# In the order in which they took the connection into use.
PLUGINS: Final = (("shop-payments", "Payments"), ("shop", "Shop"))

_FIRST_ACCOUNTS: Final = Statement(select(*users.COLUMNS).order_by(account_table.c.registered, account_table.c.id))
_FIRST_RECORD: Final = Statement(select(func.min(record.c.date_gmt)).where(record.c.status == "publish"))


def of(work: Work, account: User, first: str, second: str, source: str, plugin: str) -> dict[str, Any]:
    """Return what is told with the two secrets of a registration. source, plugin: who asked for it."""
    profile = work.frame.profile
    body: dict[str, Any] = {
        "siteurl": connection_state.home(work),
        "home": connection_state.home(work),
        "gmt_offset": work.zone.offset(work.now) / 3600,
        "timezone_string": work.option("timezone"),
        "site_name": work.option("title"),
        "secret_1": first,
        "secret_2": second,
        "site_lang": profile.default_language,
        "timeout": 30,
        "stats_id": None,
        "state": account.id,
        "site_created": created(work),
        "api_root": work.root,
        "connector_version": VERSION,
        "current_user_email": account.email,
        "package_versions": PACKAGES,
        "active_connected_plugins": {slug: {"name": name} for slug, name in PLUGINS},
    }
    if plugin in dict(PLUGINS):
        body["connect_plugin"] = plugin
    if source:
        body["from"] = source
    if before := connection_state.get(work, "persistent_blog_id"):
        body |= {"persistent_blog_id": before, "url_secret": identity.new_secret(work)}
    return body


def created(work: Work) -> str:
    """Return since when the site is there: its first administrator or its first published record, the older one."""
    work.uses("user")
    shop = users.has_shop(work.frame)
    found = (users.from_row(row, shop) for row in work.tx.all(_FIRST_ACCOUNTS))
    admin = next((user.registered for user in found if user.can("manage_options")), None)
    moments = [moment for moment in (admin, work.tx.value(_FIRST_RECORD)) if moment]
    return iso(min(moments)).replace("T", " ") if moments else ""


def icon(work: Work) -> str:
    """Return the address of the site's sign, empty where it has none."""
    number = work.option("site_icon")
    media = attachment_store.of_record(work.tx, number) if number else None
    return attachment_store.url(work, media.file) if media is not None and media.kind == "image" else ""
