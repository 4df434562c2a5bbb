"""All rules that stored data keeps, in the order in which they are looked at."""

from __future__ import annotations

from . import access, background, catalogue, connector, content, orders, storage, translation, uploads
from .rule import Rule

__all__ = ["QUICK", "RULES", "named"]

RULES: tuple[Rule, ...] = (
    *storage.RULES, *access.RULES, *content.RULES, *uploads.RULES, *background.RULES, *catalogue.RULES, *orders.RULES,
    *translation.RULES, *connector.RULES,
)  # fmt: skip
QUICK: tuple[Rule, ...] = tuple(one for one in RULES if one.quick)

_BY_NAME = {one.name: one for one in RULES}
assert len(_BY_NAME) == len(RULES), "each rule has a name of its own"


def named(name: str) -> Rule | None:
    """Return the rule of a name, None where there is none."""
    return _BY_NAME.get(name)
