"""Values of styles as CSS: texts, numbers, references to presets (`var:…`) and to other styles (`{"ref": "…"}`).

What may not stand in the sheet is empty (design/styles/css/cleaning.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from vetrina.design.styles.css.addresses import AddressPolicy
from vetrina.design.styles.css.cleaning import clean_value
from vetrina.design.styles.css.names import resolve_references
from vetrina.design.styles.css.theme_tree import ThemeTree

Declaration = tuple[str, str]
_MAX_NUMBER: Final = 1e9


@dataclass(frozen=True, slots=True)
class StyleScope:
    """What values are read with: the merged tree that they refer to, and which addresses they may load."""

    tree: ThemeTree
    policy: AddressPolicy

    def resolve(self, value: Any) -> Any:
        """Return the value that a reference leads to, others as they are; None for a reference to a reference."""
        if not isinstance(value, dict) or not isinstance(value.get("ref"), str):
            return value
        found = self.tree.find(value["ref"])
        return None if isinstance(found, dict) and "ref" in found else found

    def format(self, value: Any) -> str:
        """Return a value as CSS, empty for one that is none."""
        value = self.resolve(value)
        if isinstance(value, str):
            return clean_value(resolve_references(value), self.policy)
        return _format_number(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def format_rule(selector: str, declarations: list[Declaration]) -> str:
    """Return a rule, empty without declarations."""
    return f"{selector}{{{';'.join(f'{name}:{value}' for name, value in declarations)}}}" if declarations else ""


def _format_number(value: int | float) -> str:
    if not -_MAX_NUMBER < value < _MAX_NUMBER:  # no number at all is not between them either
        return ""
    return f"{value:.6f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
