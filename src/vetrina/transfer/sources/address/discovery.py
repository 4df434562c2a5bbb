"""Where the interface of a site is, and which dialect it speaks.

Asked in turn: the address itself, what its page and its headers link to as the interface, and the usual places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Final
from urllib.parse import urljoin, urlsplit

from vetrina.backends.http_client import OutboundClient, OutboundResponse
from vetrina.backends.http_client_urls import OutboundAddressRefused, OutboundError
from vetrina.rest.dialects.names import list_dialects, load_name_pairs
from vetrina.rest.dialects.prefixes import NEUTRAL_DIALECT, get_prefix
from vetrina.transfer.records import SourceError
from vetrina.transfer.sources.address.answer_text import decode_answer
from vetrina.transfer.sources.address.http_connection import build_url, describe_refused_address

_PAGE_BYTES: Final = 2 << 20  # bytes of a page that are searched for its links
_CONTENT_NAMESPACE: Final = "cms/v2"
_LINK: Final = re.compile(r"<([^>]*)>([^<]*)")
_LINK_TAG: Final = re.compile(r"<link\b[^>]*>", re.IGNORECASE)
_ATTRIBUTE: Final = re.compile(r"""\b(rel|href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.IGNORECASE)
_LANGUAGE: Final = re.compile(r"""<html\b[^>]*\blang\s*=\s*["']?([a-zA-Z]{2,3})""")


def find_api_root(client: OutboundClient, address: str) -> tuple[str, str]:
    """Return the root of a site's interface, without a slash at its end, and the dialect that it speaks.

    address: of the site, or of the root itself. Raises SourceError.
    """
    if "://" not in address:
        address = f"https://{address}"
    answers: dict[str, str] = {}
    for root in _list_candidates(client, address):
        if root in answers:
            continue
        try:
            found = _ask_root(client, root)
        except SourceError as error:
            if _is_same_host(root, address):
                raise
            # A site that is not to be had yet under the address that it will have names that one.
            answers[root] = str(error).removeprefix(f"{root}: ")
            continue
        if not isinstance(found, str):
            return found
        answers[root] = found
    asked = "".join(f"\n  {root}: {answer}" for root, answer in answers.items())
    raise SourceError(f"no interface is found at {address}; asked were:{asked}\nIs it the site's address, and is the "
                      "interface open, to those without a password of the web server, too?")  # fmt: skip


def _is_same_host(root: str, address: str) -> bool:
    return urlsplit(root).netloc == urlsplit(address).netloc


def _ask_root(client: OutboundClient, root: str) -> tuple[str, str] | str:
    """Return the root that answers, and its dialect; what it answers where it is no interface. Raises SourceError.

    Where one redirects to another host, or to TLS, it is the other: credentials are not sent along.
    """
    response = _get(client, build_url(root, "/", {"_fields": "name,namespaces"}))
    value = decode_answer(response.body)
    spaces = value.get("namespaces") if isinstance(value, dict) else None
    if not isinstance(spaces, list):
        return f"status {response.status}, {response.kind or 'of no type'}"
    dialect = next((name for name, space in _list_content_namespaces() if space in spaces), "")
    if not dialect:
        return f"an interface without content; it has {', '.join(map(str, spaces[:5])) or 'nothing'}"
    return normalise_root(response.url if "rest_route=" in root else response.url.partition("?")[0]), dialect


def _list_content_namespaces() -> list[tuple[str, str]]:
    found = [(NEUTRAL_DIALECT, _CONTENT_NAMESPACE)]
    for name in list_dialects():
        if name != NEUTRAL_DIALECT:
            found.append((name, load_name_pairs(name).namespaces[_CONTENT_NAMESPACE]))
    return found


def _list_candidates(client: OutboundClient, address: str) -> Iterator[str]:
    """Give the URLs that may be the root of the interface, the likeliest first."""
    prefixes = [get_prefix(name) for name in sorted(list_dialects(), key=lambda name: name == NEUTRAL_DIALECT)]
    plain = address.rstrip("/")
    if plain.rpartition("/")[2] in prefixes or "rest_route=" in address:
        yield normalise_root(address)
    page = _get(client, address)
    relations = _list_relations()
    for url in _find_linked_roots(page, relations):
        yield normalise_root(url)
    home = urlsplit(page.url)._replace(query="", fragment="").geturl().rstrip("/")
    for base in dict.fromkeys((home, plain, *_list_language_bases(page, plain))):
        yield from (f"{base}/{prefix}" for prefix in prefixes)
    yield f"{plain}/?rest_route="


def _list_relations() -> frozenset[str]:
    pairs = (load_name_pairs(name) for name in list_dialects() if name != NEUTRAL_DIALECT)
    return frozenset(
        text for one in pairs for pair in one.link_relations.items() for text in pair if text.endswith("/")
    )


def _find_linked_roots(page: OutboundResponse, relations: frozenset[str]) -> Iterator[str]:
    for url, rest in _LINK.findall(page.headers.get("link", "")):
        if any(f'rel="{relation}"' in rest or f"rel={relation}" in rest for relation in relations):
            yield urljoin(page.url, url)
    for tag in _LINK_TAG.findall(page.text()):
        found = {name.lower(): unescape(a or b or c) for name, a, b, c in _ATTRIBUTE.findall(tag)}
        if found.get("rel") in relations and "href" in found:
            yield urljoin(page.url, found["href"])


def _list_language_bases(page: OutboundResponse, plain: str) -> list[str]:
    found = _LANGUAGE.search(page.text())
    return [f"{plain}/{found[1].lower()}"] if found else []


def normalise_root(url: str) -> str:
    """Return the URL of an API root without a slash at its end, one with paths as a parameter up to that parameter."""
    before, mark, _ = url.partition("rest_route=")
    return before + mark if mark else url.rstrip("/")


def _get(client: OutboundClient, url: str) -> OutboundResponse:
    """Return the response to GET of a page or a root. Raises SourceError."""
    try:
        return client.get(url, most_bytes=_PAGE_BYTES, cut=True)
    except OutboundAddressRefused as error:
        raise SourceError(describe_refused_address(url, error)) from error
    except OutboundError as error:
        raise SourceError(f"{url}: {error}") from error
