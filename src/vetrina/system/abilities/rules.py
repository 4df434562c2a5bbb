"""What the site can do for a program: each ability with the schemas of its input and its result.

Rules: docs/rules/root_index.md, 6 and 7. How abilities are listed and run: system/abilities/routes.py.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import text

import vetrina
from vetrina.backends.database import Statement
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.rest.fields import Array, Field, Object, String


@dataclass(frozen=True, slots=True)
class AbilityCategory:
    """A group of abilities."""

    slug: str
    label: str
    about: str


@dataclass(frozen=True, slots=True)
class Ability:
    """Something that the site can do.

    name: with its namespace. capability: what a caller needs to run it. input: None where it takes none.
    output: the members of the result. run: (unit of work, input) -> the result; it changes nothing.
    """

    name: str
    label: str
    about: str
    category: str
    capability: str
    input: Object | None
    output: Object
    run: Callable[[UnitOfWork, Mapping[str, Any]], dict[str, Any]]

    def input_schema(self) -> dict[str, Any]:
        """Return the JSON schema of the input, empty where there is none."""
        return {} if self.input is None else self.input.schema()

    def output_schema(self) -> dict[str, Any]:
        """Return the JSON schema of the result."""
        return self.output.schema()


_SITE_INFO_MEMBERS: Final[Mapping[str, str]] = {
    "name": "The site's title.",
    "description": "The site's tagline.",
    "url": "Address of its front page.",
    "wpurl": "Address of the server itself.",
    "admin_email": "Address of its administrator.",
    "charset": "How its texts are encoded.",
    "language": "Its language, as a code.",
    "version": "Version of the program that serves it.",
}
_ENVIRONMENT_INFO_FIELDS: Final[Mapping[str, Field]] = {
    "environment": String("What the site is for.", enum=("production", "staging", "development", "local")),
    "php_version": String("Version of the language that runs it."),
    "db_server_info": String("Version of its database."),
    "cms_version": String("Version of the program that serves it."),
}
_DATABASE_VERSION = Statement(
    lambda kind: text("SELECT sqlite_version()" if kind == "sqlite" else "SELECT current_setting('server_version')")
)


def _get_site_info(work: UnitOfWork, given: Mapping[str, Any]) -> dict[str, Any]:
    whole = {
        "name": work.option("title"),
        "description": work.option("description"),
        "url": work.home(),
        "wpurl": work.origin,
        "admin_email": work.option("email"),
        "charset": "UTF-8",
        "language": str(work.option("language") or "en_US").replace("_", "-"),
        "version": vetrina.__version__,
    }
    fields = given.get("fields")
    return {name: value for name, value in whole.items() if not fields or name in fields}


def _get_environment_info(work: UnitOfWork, given: Mapping[str, Any]) -> dict[str, Any]:
    local = work.origin.partition("://")[2].partition(":")[0] in ("localhost", "127.0.0.1")
    return {
        "environment": "local" if local else "production",
        "php_version": platform.python_version(),
        "db_server_info": str(work.tx.value(_DATABASE_VERSION)),
        "cms_version": vetrina.__version__,
    }


CATEGORIES: Final[Mapping[str, AbilityCategory]] = {
    one.slug: one
    for one in (
        AbilityCategory("site", "Site", "What tells of the site or changes it."),
        AbilityCategory("user", "User", "What tells of accounts or changes them."),
    )
}
ABILITIES: Final[Mapping[str, Ability]] = {
    one.name: one
    for one in (
        Ability(
            "core/get-site-info",
            "Get Site Information",
            "Tells what the site is called and where it is.",
            "site",
            "manage_options",
            Object(
                properties={
                    "fields": Array(
                        "Members that are wanted; all when left out.", items=String(enum=tuple(_SITE_INFO_MEMBERS))
                    )
                },
                additional=False,
                default={},
            ),
            Object(properties={name: String(help) for name, help in _SITE_INFO_MEMBERS.items()}, additional=False),
            _get_site_info,
        ),
        Ability(
            "core/get-environment-info",
            "Get Environment Info",
            "Tells what the site runs on.",
            "site",
            "manage_options",
            None,
            Object(
                properties=_ENVIRONMENT_INFO_FIELDS,
                additional=False,
                extra={"required": list(_ENVIRONMENT_INFO_FIELDS)},
            ),
            _get_environment_info,
        ),
    )
}
