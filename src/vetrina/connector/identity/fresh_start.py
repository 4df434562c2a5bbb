"""Starting afresh out of an identity crisis: this copy of the site registers as a new one.

Rules: docs/rules/connector_identity.md, 5.
"""

from __future__ import annotations

from vetrina.connector import stored_values
from vetrina.connector.connection import (
    authorization,
)
from vetrina.connector.connection.registration import deregister_site, disconnect_site, register_site
from vetrina.connector.connection.remote import OpenUnitOfWork
from vetrina.connector.identity import rules as identity
from vetrina.core.site_context import SiteContext
from vetrina.core.user import User


def start_fresh_connection(site: SiteContext, open: OpenUnitOfWork, account: User, redirect: str) -> str:
    """Disconnect and register as a new site; return the URL for authorization. Raises ConnectorServiceFailed."""
    deregister_site(site, open)
    with open(False) as work:
        disconnect_site(work)
        identity.forget_crisis(work)
        stored_values.delete_values(work, "persistent_blog_id")
    register_site(site, open, account)
    with open(False) as work:
        return authorization.build_authorize_url(work, account, redirect)
