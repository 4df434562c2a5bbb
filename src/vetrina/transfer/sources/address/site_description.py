"""What a site holds and shows to whoever reads it, found by asking for the first record of each collection."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from vetrina.kernel.integers import parse_digits
from vetrina.transfer.records import SourceDescription, SourceError
from vetrina.transfer.sources.address import collections
from vetrina.transfer.sources.address.collections import SourceCollection
from vetrina.transfer.sources.address.connection import ReadRefused, SiteConnection
from vetrina.transfer.sources.address.list_queries import EDIT, VIEW, build_list_queries, has_pages
from vetrina.transfer.sources.address.paging import list_objects, map_in_order
from vetrina.transfer.sources.address.site_outline import SiteOutline, get_objects

_ORDERS: Final = "/shop/v3/orders"
_GLOBAL_STYLES: Final = "/cms/v2/global-styles"
_DATED_FILE: Final = re.compile(r"/\d{4}/\d{2}/[^/]+$")
_STYLES_LINK: Final = "cms:user-global-styles"


@dataclass(frozen=True)
class ReadableSite:
    """A site as a source reads it.

    collections: by their paths, in the order of the description. contexts: the context of each. styles: id of the
    active theme's own styles, 0 for none.
    """

    outline: SiteOutline
    description: SourceDescription
    collections: dict[str, SourceCollection]
    contexts: dict[str, str]
    styles: int = 0


def find_readable_site(connection: SiteConnection, *, revisions: bool = False) -> ReadableSite:
    """Return what can be read of a site. revisions: whether those of content are wanted. Raises SourceError."""
    try:
        if connection.signed_in:
            _check_account(connection)
        if connection.has_shop_key:
            _check_shop_key(connection)
        index = connection.ask("/").value
        if not isinstance(index, dict):
            raise SourceError(f"{connection.key}: its index is no object; no interface of a site begins like that")
        outline = SiteOutline(index)
        types = _read_declarations(connection, "/cms/v2/types")
        taxonomies = _read_declarations(connection, "/cms/v2/taxonomies")
    except ReadRefused as error:
        raise SourceError(f"{connection.key}: {error}") from error
    wanted = [one for one in list_collections(types, taxonomies, revisions) if _is_there(outline, one)]
    contexts: dict[str, str] = {}
    unreadable: dict[str, str] = {}
    styles = _find_styles(connection)
    groups = [collections.SHOP_GROUPS] if _is_there(outline, collections.SHOP_GROUPS) else []
    probed = [*groups, *(one for one in wanted if not one.above and one.resource != _GLOBAL_STYLES)]
    with ThreadPoolExecutor(connection.parallel) as threads:
        pool = threads if connection.parallel > 1 else None
        probe = _Probe(connection, outline)
        for one, (context, reason) in zip(
            probed, map_in_order(pool, connection.parallel, probe.find_context, probed), strict=True
        ):
            if context:
                contexts[one.resource] = context
            if reason:
                unreadable[one.resource] = f"only what is public: {reason}" if context else reason
        if styles:
            contexts[_GLOBAL_STYLES] = EDIT
        # What lies below a record is read as that record is.
        contexts |= {one.resource: contexts[one.above] for one in wanted if one.above in contexts}
    found = {one.resource: one for one in wanted if one.resource in contexts}
    return ReadableSite(
        outline,
        SourceDescription(
            outline.title, _find_urls(connection, outline), tuple(found), types, taxonomies, outline.languages,
            unreadable,
        ),
        found,
        contexts,
        styles,
    )  # fmt: skip


def _check_account(connection: SiteConnection) -> None:
    """Raise SourceError where the account is refused: an anonymous reading would look like a whole one."""
    try:
        connection.ask("/cms/v2/users/me", {"context": EDIT})
    except ReadRefused as error:
        if error.status in (401, 403):
            raise SourceError(
                f"{connection.key} refuses the account: {error}. An application password is needed, not the one of "
                "signing in; the site's profile page makes it"
            ) from error
        raise


def _check_shop_key(connection: SiteConnection) -> None:
    """Raise SourceError where the keys of the shop are refused: sites make who goes on with wrong ones wait.

    An account that they belong to may still see less (403).
    """
    try:
        connection.ask(_ORDERS, {"per_page": 1})
    except ReadRefused as error:
        if error.status == 401:
            raise SourceError(
                f"{connection.key} refuses the consumer key: {error}. It needs its secret and the right to read; the "
                "shop's settings make both (Advanced, REST API)"
            ) from error


def _read_declarations(connection: SiteConnection, path: str) -> dict[str, dict[str, Any]]:
    """Return the types or taxonomies of a site by slug. Raises ReadRefused, SourceError."""
    try:
        value = connection.ask(path, {"context": EDIT if connection.signed_in else VIEW}).value
    except ReadRefused:
        value = connection.ask(path).value
    return {slug: _without_links(one) for slug, one in get_objects(value)}


def _without_links(value: dict[str, Any]) -> dict[str, Any]:
    return {name: one for name, one in value.items() if name != "_links"}


def list_collections(
    types: Mapping[str, Any], taxonomies: Mapping[str, Any], revisions: bool = False
) -> Iterator[SourceCollection]:
    """Give the collections that a site with some types and taxonomies may have, in the order in which they are read."""
    # It says which extra fields records have.
    yield collections.CONFIGURATION
    yield collections.USERS
    yield from collections.list_terms(taxonomies)
    yield collections.MEDIA
    content = [*collections.list_content(types)]
    yield from content
    if revisions:
        for one in content:
            yield SourceCollection(f"{one.resource}/{{parent}}/revisions", above=one.resource)
    yield from collections.AFTER_CONTENT
    # Before the shop: its reports go by the site's time zone.
    yield collections.SETTINGS
    yield from collections.SHOP
    yield collections.OPTIONS_PAGES
    yield collections.STRINGS


def _is_there(outline: SiteOutline, one: SourceCollection) -> bool:
    if one.resource == _GLOBAL_STYLES:
        return True
    return outline.has_path(one.resource) or bool(one.flat and outline.has_path(one.flat))


class _Probe:
    """Asks for the first record of a collection."""

    def __init__(self, connection: SiteConnection, outline: SiteOutline) -> None:
        self._connection, self._outline = connection, outline

    def find_context(self, one: SourceCollection) -> tuple[str, str]:
        """Return the context that a collection is read in, empty where it isn't shown, and why not a better one."""
        first = EDIT if self._connection.signed_in or self._connection.has_shop_key else VIEW
        reason = ""
        for context in dict.fromkeys((first, VIEW)):
            try:
                self._ask_first(one, context)
            except ReadRefused as error:
                if error.is_failure:
                    return context, ""
                reason = "" if error.status == 404 else str(error)
                continue
            return context, reason
        return "", reason

    def _ask_first(self, one: SourceCollection, context: str) -> None:
        for query in build_list_queries(self._outline, one, one.resource, context):
            page = {"per_page": 1} if has_pages(self._outline, one.resource) else {}
            self._connection.ask(one.resource, {**query.parameters, **page}, patient=False)


def _find_styles(connection: SiteConnection) -> int:
    """Return the id of the active theme's own styles, 0 where they aren't shown."""
    try:
        themes = connection.ask("/cms/v2/themes", {"status": "active"}).value
    except ReadRefused:
        return 0
    for theme in list_objects(themes):
        links = theme.get("_links")
        for link in list_objects(links.get(_STYLES_LINK)) if isinstance(links, dict) else ():
            id = parse_digits(str(link.get("href", "")).rpartition("/")[2])
            if id:
                return id
    return 0


def _find_urls(connection: SiteConnection, outline: SiteOutline) -> tuple[str, ...]:
    """Return the addresses that content may point to: the site's, its languages', its uploads'."""
    parts = urlsplit(outline.url)
    origin = f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
    found = [outline.url, origin, _find_uploads(connection)]
    return tuple(dict.fromkeys(url for url in found if url))


def _find_uploads(connection: SiteConnection) -> str:
    """Return the URL of the folder of uploads, empty where no file tells it."""
    try:
        media = connection.ask("/cms/v2/media", {"per_page": 20, "_fields": "source_url,media_details"}).value
    except ReadRefused:
        return ""
    for one in list_objects(media):
        url = str(one.get("source_url", ""))
        details = one.get("media_details")
        file = details.get("file") if isinstance(details, dict) else None
        if isinstance(file, str) and file and url.endswith(f"/{file}"):
            return url.removesuffix(f"/{file}")
        if match := _DATED_FILE.search(url):
            return url[: match.start()]
    return ""
