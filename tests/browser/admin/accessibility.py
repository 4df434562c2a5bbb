"""What axe-core finds on a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

AXE = Path(__file__).parents[3] / "admin" / "node_modules" / "axe-core" / "axe.min.js"


FIND = """async ([without, known]) => {
    const exclude = without.map((one) => [one]);
    const {violations: found} = await axe.run({exclude}, {resultTypes: ['violations']});
    const isKnown = (rule, {target}) => known.some(
        ([id, selector]) => id === rule && document.querySelector(target[0])?.matches(selector),
    );
    const violations = found
        .map((one) => ({...one, nodes: one.nodes.filter((node) => !isKnown(one.id, node))}))
        .filter(({nodes}) => nodes.length > 0);
    const show = (nodes) => nodes.slice(0, 4).map(({html}) => html.slice(0, 160)).join(' | ');
    return violations.map(({id, nodes}) => `${id}: ${show(nodes)}`);
}"""


def find_violations(
    page: Any, *, without: tuple[str, ...] = (), known: tuple[tuple[str, str], ...] = ()
) -> list[str]:  # fmt: skip
    """Return each violated rule with the elements that violate it.

    without: selectors of parts to leave out. known: rules with selectors of the elements that do so by design.
    """
    if not page.evaluate("typeof axe !== 'undefined'"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    return [str(one) for one in page.evaluate(FIND, [list(without), [list(one) for one in known]])]
