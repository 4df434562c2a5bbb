"""Where an address without a page leads.

Redirects are asked only where there is no page, so that a page which takes an address again wins. Chains are followed
to their end. Rules: docs/rules/redirects.md, 3 and 4.
"""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import quote, urlsplit

from vetrina.backends.file_store import FILE_URL_PREFIX
from vetrina.content.records import model as record_model, permalinks, url_lookup
from vetrina.content.redirects import paths, store
from vetrina.content.redirects.store import GONE, Redirect
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.site_paths import remove_base_path

_MAX_HOPS: Final = 10


class RedirectAnswer(NamedTuple):
    """Where an address leads. id: of the redirect. target: a whole URL, empty for 410."""

    id: int
    target: str
    status: int


def find_redirect_answer(work: UnitOfWork, path: str) -> RedirectAnswer | None:
    """Return where a path of the site leads for everybody, None for nowhere; the path may begin with a language."""
    # The databases hold no NUL, and no source is longer.
    if "\0" in path or len(path) > paths.MAX_LENGTH:
        return None
    start = _normalize(work, path)
    place: tuple[str, str] | None = start
    first: Redirect | None = None
    target = ""
    seen: set[tuple[str, str]] = set()
    while place is not None and len(seen) < _MAX_HOPS:
        if place in seen:
            return None
        seen.add(place)
        found = _find_match(work, *place)
        if found is None:
            break
        one, target = found
        first = first or one
        if one.status == GONE:
            return RedirectAnswer(first.id, "", GONE)
        inside = _get_site_path(work, target)
        place = None if inside is None or _is_page(work, inside) else _normalize(work, inside)
    if first is None or _get_place(work, target) == start:
        return None
    return RedirectAnswer(first.id, paths.encode_target(target), first.status)


def leads_back(work: UnitOfWork, new: Redirect) -> bool:
    """Return whether a redirect, once stored, would lead to itself."""
    languages, default = work.site.profile.languages, work.site.profile.default_language
    own = {new.language} if new.language else set(languages)
    for language in own:
        target, code, seen = new.target, language, 0
        while seen < _MAX_HOPS:
            seen += 1
            inside = _get_site_path(work, _build_url(work, target.removesuffix("*"), code))
            if inside is None:
                break
            named, rest = paths.split_site_path(inside, languages)
            code = named or default
            if (rest, False) == (new.source, new.prefix) and code in own:
                return True
            if new.prefix and code in own and rest.startswith(f"{new.source.rstrip('/')}/"):
                return True
            matches = [one for one in _list_matches(work, code, rest) if one.id != new.id]
            if not matches or matches[0].status == GONE or matches[0].record:
                break
            target = matches[0].target
    return False


def build_target_url(work: UnitOfWork, one: Redirect, language: str, path: str = "") -> str | None:
    """Return the URL that a redirect leads to; None where its record is not there for everybody.

    path: the normalised path that was asked for. language: its language.
    """
    rest = path[len(one.source.rstrip("/")) + 1 :] if one.prefix and path else ""
    if one.record:
        home = _find_record_url(work, one.record)
        if home is None:
            return None
        return f"{home}{quote(rest)}/" if rest else home
    target = one.target
    if target.endswith("/*"):
        # Addresses of the site end with a slash; what people wrote stays as it is.
        target = f"{target[:-1]}{quote(rest)}{'/' if rest and one.origin == store.SLUG else ''}"
    return _build_url(work, target, language)


def _build_url(work: UnitOfWork, target: str, language: str) -> str:
    """Return the URL of a target; a path that names no language is one of the language that was asked for."""
    if paths.is_outside(target):
        return target
    named, _ = paths.split_site_path(urlsplit(target).path, work.site.profile.languages)
    if named or target.startswith(FILE_URL_PREFIX):
        return work.origin + target
    return work.home(language) + target


def _find_match(work: UnitOfWork, language: str, path: str) -> tuple[Redirect, str] | None:
    """Return the nearest redirect of a path that leads somewhere, and its URL."""
    for one in _list_matches(work, language, path):
        if one.status == GONE:
            return one, ""
        if (url := build_target_url(work, one, language, path)) is not None:
            return one, url
    return None


def _list_matches(work: UnitOfWork, language: str, path: str) -> list[Redirect]:
    candidates = paths.list_candidates(path)
    found = store.find_by_sources(work, {one.path for one in candidates}, (language, ""))
    return [one for one in store.sort_by_match(found, candidates) if one.active]


def _find_record_url(work: UnitOfWork, id: int) -> str | None:
    found = record_model.find_record(work.tx, id)
    type = work.site.types.get(found.type) if found is not None else None
    work.uses(*([found.type] if found else work.site.types))
    if found is None or type is None or not type.public or found.status != "publish":
        return None
    return permalinks.build_permalink(work, type, found)


def _is_page(work: UnitOfWork, path: str) -> bool:
    """Return whether everybody finds a record at a path of the site."""
    found = url_lookup.find_record_by_url(work, work.origin + path)
    return found is not None and found.status == "publish"


def _get_site_path(work: UnitOfWork, url: str) -> str | None:
    """Return the path within the site that a URL has, None for another site's."""
    if url != work.origin and not url.startswith((f"{work.origin}/", f"{work.origin}?")):
        return None
    return remove_base_path(work.base_path, urlsplit(url).path) or "/"


def _get_place(work: UnitOfWork, url: str) -> tuple[str, str] | None:
    """Return the language and the normalised path that a URL of the site has, None for another site's."""
    inside = _get_site_path(work, url)
    return None if inside is None else _normalize(work, inside)


def _normalize(work: UnitOfWork, path: str) -> tuple[str, str]:
    named, rest = paths.split_site_path(path, work.site.profile.languages)
    return named or work.site.profile.default_language, rest
