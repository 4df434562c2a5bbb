"""Links that a backup is downloaded by: for one account, one file and a few minutes, against its password.

A backup holds everything about everybody, so a browser that was left open must not be enough to take it away. Rules:
docs/rules/server.md, 5.
"""

from __future__ import annotations

import logging
from typing import Final, NamedTuple

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.keys import compute_digest, is_equal_secret
from vetrina.system.backups.folder import BACKUP_KIND, StoredBackup

LINK_SECONDS: Final = 600
_LOG = logging.getLogger("vetrina.backups")


class InvalidDownloadLink(ApiError):
    failure, code = Failure.FORBIDDEN, "rest_backup_invalid_link"
    message = "The link to this backup is not yours, or is older than ten minutes. Ask for a new one."


class DownloadLink(NamedTuple):
    """token: what the address of the file is called with. expires: seconds since 1970."""

    token: str
    expires: int


def issue_link(work: UnitOfWork, backup: StoredBackup) -> DownloadLink:
    """Return a link for the caller, who has proved the own password."""
    expires = work.now + LINK_SECONDS
    _LOG.warning("account %s downloads the backup %s", work.user.id, backup.name)
    work.tell(BACKUP_KIND, backup.name, "downloaded")
    return DownloadLink(f"{expires}-{_sign(work, backup, expires)}", expires)


def require_link(work: UnitOfWork, backup: StoredBackup, token: str) -> None:
    """Raise InvalidDownloadLink unless a token is the caller's, for this backup and still good."""
    date, _, signature = token.partition("-")
    expires = int(date) if date.isascii() and date.isdigit() and len(date) < 16 else 0
    # The signature is out of reach for guesses: 256 bits under the site's own secret.
    if expires < work.now or not is_equal_secret(signature, _sign(work, backup, expires)):
        raise InvalidDownloadLink


def _sign(work: UnitOfWork, backup: StoredBackup, expires: int) -> str:
    named = f"backup\n{work.user.id}\n{backup.name}\n{backup.made}\n{expires}"
    return compute_digest(work.site.settings.secret, named)
