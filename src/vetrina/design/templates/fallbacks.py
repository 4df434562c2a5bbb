"""The lookup of the interface: which templates stand in for a slug, the nearest first.

Not here: which template shows a public page (design/templates/template_hierarchy.py). Rules: docs/rules/templates.md,
9.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

_ARCHIVE_KINDS: Final = frozenset({"author", "category", "date", "tag", "taxonomy"})
_SINGULAR_KINDS: Final = frozenset({"single", "page", "attachment"})
# Types whose slugs continue with a name: of a record, or of the type that an archive is for.
_NAMED_KINDS: Final = frozenset({"archive", "author", "category", "tag", "page"})


def build_template_hierarchy(
    slug: str,
    *,
    is_custom: bool = False,
    prefix: str = "",
    types: Collection[str] = (),
    taxonomies: Collection[str] = (),
) -> list[str]:
    """Return the slugs of the templates that may be used, the most specific first; `index` is always the last.

    slug: the most specific one, as `single-post-hello`. is_custom: whether it was chosen for a single record.
    prefix: its type with what it is of, as `single-post`, if the caller knows it; otherwise it is taken from the slug.
    types, taxonomies: the names that may follow `single-` and `taxonomy-`.
    """
    if slug == "index":
        return ["index"]
    if is_custom:
        return ["page", "singular", "index"]
    if slug == "front-page":
        return ["front-page", "home", "index"]
    chain = [slug]
    kind = slug
    if prefix:
        kind = prefix.partition("-")[0]
        chain += [prefix, kind]
    elif "-" in slug:
        kind, _, rest = slug.partition("-")
        if kind in ("single", "taxonomy"):
            chain += [*_find_named_template(kind, rest, types if kind == "single" else taxonomies), kind]
        elif kind in _NAMED_KINDS:
            chain.append(kind)
        else:
            kind = slug
    if kind in _ARCHIVE_KINDS:
        chain.append("archive")
    elif kind in _SINGULAR_KINDS:
        chain += ["single", "singular"] if kind == "attachment" else ["singular"]
    chain.append("index")
    return list(dict.fromkeys(chain))


def _find_named_template(kind: str, rest: str, names: Iterable[str]) -> list[str]:
    """Return the template of a type or taxonomy that `rest` begins with, such as `single-post` of `post-hello`."""
    found = next((name for name in names if rest == name or rest.startswith(name + "-")), None)
    return [f"{kind}-{found}"] if found else []
