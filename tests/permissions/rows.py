"""Rows of the permission matrix: a request, who may send it, and the error for all others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = [
    "ACCOUNTS",
    "ADMINISTRATOR",
    "AUTHORS",
    "CALLERS",
    "CONTRIBUTORS",
    "DESIGNERS",
    "EDITORS",
    "EVERYBODY",
    "NOBODY",
    "NONE",
    "OF_SHOPS",
    "Row",
    "rows",
]

# In ascending order of rights. `nobody` sends no credentials.
CALLERS = ("nobody", "subscriber", "contributor", "author", "editor", "administrator")
# Roles that only a profile with a shop has, with the role that each equals where a row does not name it: a customer
# reads, a shop manager edits, and also lists accounts and designs.
OF_SHOPS = {"customer": "subscriber", "shop_manager": "editor"}

NOBODY = frozenset({"nobody"})
NONE: frozenset[str] = frozenset()
EVERYBODY = frozenset((*CALLERS, *OF_SHOPS))
ACCOUNTS = EVERYBODY - NOBODY
CONTRIBUTORS = ACCOUNTS - {"subscriber", "customer"}  # and up, as in the following ones
AUTHORS = CONTRIBUTORS - {"contributor"}
EDITORS = AUTHORS - {"author"}
DESIGNERS = EDITORS - {"editor"}
ADMINISTRATOR = DESIGNERS - {"shop_manager"}


@dataclass(frozen=True)
class Row:
    """One route with one method, called by everybody.

    path: with the names of the world's records (world.py) in braces; `own` before a name gives each caller their own.
    may: who may. gives: their response, a status or "status code" where it is an error of another kind.
    refused: the code that the others get, 401 without an account and 403 with one.
    but: callers with another response, as "status code"; a shop's callers as the role that they equal.
    profile: the only profile that has the route; empty for both.
    """

    method: str
    path: str
    may: frozenset[str]
    gives: int | str = 200
    refused: str = ""
    body: Any = None
    but: dict[str, str] = field(default_factory=dict)
    profile: str = ""

    def expected(self, caller: str) -> str:
        """Return the expected result of a caller: status and, for errors, code."""
        if caller in self.but:
            return self.but[caller]
        if caller in self.may:
            return str(self.gives)
        if OF_SHOPS.get(caller) in self.but:
            return self.but[OF_SHOPS[caller]]
        return f"{401 if caller == 'nobody' else 403} {self.refused}"

    def lets(self, caller: str) -> bool:
        """Say whether a caller has the right, whatever else is wrong."""
        return self.expected(caller).startswith("2") or (caller in self.may and caller not in self.but)

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def rows(
    methods: str, path: str, may: frozenset[str], gives: int | str = 200, refused: str = "", body: Any = None,
    *, profile: str = "", **but: str,
) -> tuple[Row, ...]:  # fmt: skip
    """Return a row for each of some methods with the same results."""
    return tuple(Row(method, path, may, gives, refused, body, but, profile) for method in methods.split())
