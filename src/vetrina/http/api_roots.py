"""The API roots: which URLs belong to the interface, with and without a language, and `?rest_route=`.

Each dialect of a site has a root of its own; behind it, paths are in neutral names. One more, which nothing lists, is
the administration's (docs/decisions/administration.md). Rules: docs/rules/requests.md, 1;
docs/rules/content_languages.md, 2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from vetrina.rest.dialects.dialect import Dialect
from vetrina.rest.dialects.prefixes import ADMIN_PREFIX, NEUTRAL_PREFIX


class ApiRootMatch(NamedTuple):
    """A matched API root: the language in the URL, the root's path, and the path of a route.

    dialect: the dialect of that root, None for neutral names. internal: whether it is the administration's own root.
    """

    language: str
    root: str
    path: str
    dialect: Dialect | None = None
    internal: bool = False


class ApiRoots:
    """The API roots of a site.

    dialects: in the order in which they are tried for a path that could be in either; None is the neutral one.
    compile_admin: compiles the dialect of the administration's root, when that is first asked; None: there is no such
    root.
    """

    def __init__(
        self,
        languages: tuple[str, ...],
        default: str,
        dialects: Sequence[Dialect | None] = (None,),
        compile_admin: Callable[[], Dialect] | None = None,
    ) -> None:
        self._compile_admin = compile_admin
        self._admin: Dialect | None = None
        self._default = default
        self._languages = frozenset(languages)
        self._dialects = {dialect.prefix if dialect else NEUTRAL_PREFIX: dialect for dialect in dialects}

    @property
    def roots(self) -> list[tuple[str, Dialect | None]]:
        """Return the path of each root of the default language, and its dialect."""
        return [(f"/{prefix}", dialect) for prefix, dialect in self._dialects.items()]

    def find(self, path: str, rest_route: str | None) -> ApiRootMatch | None:
        """Return the API root that a URL matches, None when it is not one of the interface's."""
        language, rest = self._default, path[1:]
        head, _, tail = rest.partition("/")
        named = head in self._languages
        if named:
            language, rest = head, tail
        before = f"/{head}" if named else ""
        if rest_route is not None and rest in ("", "index.php"):
            return self._find_by_route(language, before, rest_route if rest_route.startswith("/") else "/" + rest_route)
        prefix, _, tail = rest.partition("/")
        internal = prefix == ADMIN_PREFIX and self._compile_admin is not None
        if not (internal or prefix in self._dialects) or not path.startswith("/"):
            return None
        return self._build_match(language, before, prefix, "/" + tail, internal=internal)

    def _build_match(
        self, language: str, before: str, prefix: str, path: str, *, internal: bool = False
    ) -> ApiRootMatch:
        dialect = self._load_admin_dialect() if internal else self._dialects[prefix]
        path = path.rstrip("/") or "/"
        path = dialect.to_neutral_path(path) if dialect else path
        return ApiRootMatch(language, f"{before}/{prefix}", path, dialect, internal)

    def _load_admin_dialect(self) -> Dialect | None:
        if self._admin is None and self._compile_admin is not None:
            self._admin = self._compile_admin()
        return self._admin

    def _find_by_route(self, language: str, before: str, path: str) -> ApiRootMatch:
        """Return the root for a path without one: the first whose dialect the path may be in."""
        fitting = next(
            (prefix for prefix, dialect in self._dialects.items() if not self._is_foreign(path, dialect)),
            next(iter(self._dialects)),
        )
        return self._build_match(language, before, fitting, path)

    def _is_foreign(self, path: str, dialect: Dialect | None) -> bool:
        """Return whether a path begins with a namespace that another dialect has and this one does not."""
        if dialect is not None:
            return dialect.names.has_namespace(path) is False
        return any(other is not None and other.names.has_namespace(path) for other in self._dialects.values())
