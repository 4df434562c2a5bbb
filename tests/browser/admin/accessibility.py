"""What axe-core finds on a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

AXE = Path(__file__).parents[3] / "admin" / "node_modules" / "axe-core" / "axe.min.js"


def find_violations(page: Any, *, without: tuple[str, ...] = ()) -> list[str]:
    """Return each violated rule with the elements that violate it. without: selectors of parts that are not looked at."""
    if not page.evaluate("typeof axe !== 'undefined'"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(
        """async (without) => (await axe.run({exclude: without.map((one) => [one])}, {resultTypes: ['violations']})).violations
            .map(({id, nodes}) => `${id}: ${nodes.slice(0, 4).map(({html}) => html.slice(0, 160)).join(' | ')}`)""",
        list(without),
    )
    return [str(one) for one in found]
