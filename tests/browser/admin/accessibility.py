"""What axe-core finds on a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

AXE = Path(__file__).parents[3] / "admin" / "node_modules" / "axe-core" / "axe.min.js"


FIND = """async (without) => {
    const {violations} = await axe.run({exclude: without.map((one) => [one])}, {resultTypes: ['violations']});
    const show = (nodes) => nodes.slice(0, 4).map(({html}) => html.slice(0, 160)).join(' | ');
    return violations.map(({id, nodes}) => `${id}: ${show(nodes)}`);
}"""


def find_violations(page: Any, *, without: tuple[str, ...] = ()) -> list[str]:
    """Return each violated rule with the elements that violate it. without: selectors of parts to leave out."""
    if not page.evaluate("typeof axe !== 'undefined'"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    return [str(one) for one in page.evaluate(FIND, list(without))]
