"""A site of this machine as a source is asked: in this process, as its administrator, without HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import orjson

from vetrina.access.users import listing as user_listing
from vetrina.access.users.listing import UserFilters
from vetrina.backends.file_store import FILE_URL_PREFIX, OpenedFile
from vetrina.core.user import User
from vetrina.kernel.json_text import serialize_json
from vetrina.rest.call import Request
from vetrina.transfer.records import SourceError
from vetrina.transfer.sources.address.connection import ReadRefused, SourceReply
from vetrina.transfer.target.writing import OpenSite

_ADMINISTRATOR: Final = "administrator"
_CHUNK: Final = 1 << 20  # bytes of a file that are copied at once


class OwnSiteConnection:
    """A site's interface, asked in this process. Raises SourceError where the site has no administrator."""

    def __init__(self, site: OpenSite) -> None:
        self.key = str(site.context.folder.resolve())
        # One request at a time: they would share this process' interpreter anyway.
        self.parallel = 1
        self.signed_in, self.has_shop_key = True, False
        self._context, self._user = site.context, _find_administrator(site)

    def ask(self, path: str, query: Mapping[str, Any] | None = None, *, patient: bool = True) -> SourceReply:
        """Return the answer to GET of a path: transfer/sources/address/connection.py."""
        context = self._context
        request = Request(
            "GET", path, f"{context.origin}/cms-json", context.origin, context.profile.default_language,
            query=dict(query or {}), remote="127.0.0.1",
        )  # fmt: skip
        assert context.read_route is not None, "whoever opened the site has its routes"
        answer = context.read_route(context, request, self._user)
        value = orjson.loads(serialize_json(answer.body))
        if answer.failed or answer.status >= 400:
            raise ReadRefused(answer.status, str(value.get("code", "")), str(value.get("message", "")))
        total, pages = (answer.headers.get(name) for name in ("X-CMS-Total", "X-CMS-TotalPages"))
        return SourceReply(value, *(None if one is None else int(one) for one in (total, pages)))

    def fetch_file(self, url: str, path: Path) -> bool:
        """Write a file of the site's library to a path; False where there is none."""
        _, mark, name = unquote(urlsplit(url).path).partition(FILE_URL_PREFIX)
        opened = self._context.files.open(name) if mark and name else None
        if opened is None:
            return False
        try:
            _copy_file(opened, path)
        finally:
            opened.close()
        return True


def _copy_file(opened: OpenedFile, path: Path) -> None:
    with path.open("wb") as out:
        for start in range(0, opened.size, _CHUNK):
            out.write(opened.read(start, _CHUNK))


def _find_administrator(site: OpenSite) -> User:
    """Return the first administrator of a site. Raises SourceError."""
    with site.work(read=True) as work:
        found, _ = user_listing.list_users(work, UserFilters(roles=(_ADMINISTRATOR,), limit=1))
    if not found:
        raise SourceError(
            f"the site in {site.context.folder} has no administrator, as whom all of it is read; "
            "`vetrina user add --role administrator` makes one"
        )
    return found[0]
