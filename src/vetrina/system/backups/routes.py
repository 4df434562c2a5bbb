"""Routes of backups: list, make, download, delete. Rules: docs/rules/server.md, 1, 4 and 5."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Final

from vetrina.access.password_proofs.arguments import (
    PASSWORD,
    PROOF_ERRORS,
    prepare_password_proof,
    require_password,
)
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.times import format_iso
from vetrina.rest.call import Result
from vetrina.rest.fields import EDIT, EMBED, VIEW, Boolean, Field, Integer, Object, String
from vetrina.rest.resource import ListPage, Operation, Resource, TrashUnsupported
from vetrina.rest.response_fields import Nothing
from vetrina.rest.route import READ, WRITE, Route
from vetrina.rest.serializer import Serializer, read_attributes
from vetrina.system.backups import download_links, making
from vetrina.system.backups.folder import StoredBackup
from vetrina.system.jobs.long_jobs import LongJobRunning
from vetrina.system.jobs.permissions import CannotRunServer, require_server_permission
from vetrina.system.jobs.routes import JOBS
from vetrina.system.jobs.views import JOB_FIELDS

_EVERY: Final = (VIEW, EDIT, EMBED)
_PATH: Final = "/cms/v2/backups"
_FILE_TYPE: Final = "application/gzip"
_KEY: Final = {"name": String("Name of the backup's file.")}
_FIELDS: Final[dict[str, Field]] = {
    "name": String("Name of its file.", context=_EVERY, readonly=True),
    "date_gmt": String("When it was made, in GMT.", context=_EVERY, format="date-time", readonly=True),
    "size": Integer("Bytes of the file.", context=_EVERY, readonly=True),
    "version": String("Version that made it; empty for a file that is no backup.", context=_EVERY, readonly=True),
    "media": Boolean("Whether the uploaded files are in it.", context=_EVERY, readonly=True),
    "secrets": Boolean("Whether keys and passwords of settings and profile are in it.", context=_EVERY, readonly=True),
}
_CREATES: Final[dict[str, Field]] = {
    "media": Boolean("Whether the uploaded files are to be in it.", default=True),
    "secrets": Boolean("Whether keys and passwords of settings and profile are to be in it.", default=False),
}
_SERIALIZER: Final = Serializer(
    _FIELDS,
    {
        **read_attributes("name", "size"),
        "date_gmt": lambda one, work: format_iso(one.made),
        "version": lambda one, work: "" if one.manifest is None else one.manifest.version,
        "media": lambda one, work: one.manifest is not None and one.manifest.media,
        "secrets": lambda one, work: one.manifest is not None and one.manifest.secrets,
    },
)


def _list_backups(call: Call) -> ListPage[StoredBackup]:
    return ListPage(making.list_backups(call.work))


def _get_backup(call: Call) -> StoredBackup:
    return making.get_backup(call.work, call.args["name"])


def _delete_backup(call: Call, backup: StoredBackup) -> None:
    making.delete_backup(call.work, backup)


def _start_backup(call: Call) -> Result:
    started = making.start_backup(call.work, media=call.args["media"], secrets=call.args["secrets"])
    return JOBS.build_result(call, started, status=202)


def _prepare_link(call: Call) -> AbstractContextManager[Any]:
    _get_backup(call)
    return prepare_password_proof(call)


def _issue_link(call: Call) -> Result:
    """Ask for a link by which a backup is downloaded; it takes the password of the account."""
    require_password(call)
    link = download_links.issue_link(call.work, _get_backup(call))
    body: dict[str, Any] = {"token": link.token, "expires_gmt": format_iso(link.expires)}
    return Result(body)


def _download_backup(call: Call) -> Result:
    """Download a backup, whole or in parts, by a link."""
    backup = _get_backup(call)
    download_links.require_link(call.work, backup, call.args["token"])
    headers = {
        "Content-Type": _FILE_TYPE,
        "Content-Disposition": f'attachment; filename="{backup.name}"',
    }
    return Result(None, headers=headers, download=backup.name)


_REFUSALS: Final = (CannotRunServer, making.BackupNotFound)
_BACKUPS: Final = Resource[StoredBackup](
    title="backup",
    path=_PATH,
    key=_KEY,
    item="{name:[\\w.-]+}",
    identify=lambda one: one.name,
    methods=("GET", "DELETE"),
    serializer=_SERIALIZER,
    find=_get_backup,
    list=Operation(_list_backups, require_server_permission, errors=(CannotRunServer,)),
    read=Operation(_get_backup, require_server_permission, errors=_REFUSALS),
    delete=Operation(_delete_backup, require_server_permission, errors=_REFUSALS),
    trash_unsupported=TrashUnsupported,
    deleted="previous",
    batch=True,
)


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of backups."""
    listing, *others = _BACKUPS.build_routes()
    link = Object(
        properties={
            "token": String("What the address of the file is called with."),
            "expires_gmt": String("Until when, in GMT.", format="date-time"),
        }
    )
    return (
        listing.replace(slow=True),
        Route(
            WRITE, _PATH, _start_backup, _CREATES, require_server_permission, status=202,
            errors=(CannotRunServer, LongJobRunning, making.NoRoomForBackup), answers=Object(properties=JOB_FIELDS),
            summary="Make a backup in the background.",
        ),
        *others,
        Route(
            WRITE, f"{_PATH}/{{name:[\\w.-]+}}/link", _issue_link,
            {**_KEY, **PASSWORD}, require_server_permission, prepare=_prepare_link, answers=link, status=200,
            errors=(*_REFUSALS, *PROOF_ERRORS),
        ),
        Route(
            READ, f"{_PATH}/{{name:[\\w.-]+}}/file", _download_backup,
            {**_KEY, "token": String("From `link`, which it is good for ten minutes after.", required=True)},
            require_server_permission, kinds=(_FILE_TYPE,), answers=Nothing("The file is no JSON."),
            errors=(*_REFUSALS, download_links.InvalidDownloadLink),
        ),
    )  # fmt: skip
