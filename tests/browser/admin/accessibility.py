"""What axe-core finds on a page, and what the keyboard does not reach."""

from __future__ import annotations

from pathlib import Path
from typing import Any

AXE = Path(__file__).parents[3] / "admin" / "node_modules" / "axe-core" / "axe.min.js"


FIND = """async ([without, known]) => {
    const exclude = without.map((one) => [one]);
    // What is still fading in has other colours than it will have; what turns for ever is not waited for.
    const ending = document.getAnimations().filter(
        ({playState, effect}) => playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime),
    );
    await Promise.allSettled(ending.map(({finished}) => finished));
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


# Notes each control that gets the focus, and whether it or what is around it looks otherwise then.
FOLLOW = """() => {
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after {transition: none !important}');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];
    const looks = (one, pseudo = '') => {
        const {outline, boxShadow, borderColor, backgroundColor, color, textDecoration} = getComputedStyle(one, pseudo);
        return [outline, boxShadow, borderColor, backgroundColor, color, textDecoration].join();
    };
    // It may show on what is beside the control, or on the frame around it.
    const listAround = ({parentElement: above}) =>
        [...(above?.children ?? []), above, above?.parentElement, above?.parentElement?.parentElement].filter(Boolean);
    const show = (one) =>
        [...listAround(one).map((other) => looks(other)), looks(one, '::before'), looks(one, '::after')].join();
    window.reached = new Map();
    document.activeElement?.blur();
    const controls = [...document.querySelectorAll('*')].filter(({tabIndex}) => tabIndex >= 0);
    const atRest = new Map(controls.map((one) => [one, show(one)]));
    let first;
    document.addEventListener('focusin', ({target}) => {
        window.hasComeRound ||= target === first;
        first ??= target;
        window.reached.set(target, atRest.get(target) !== show(target));
    });
}"""
LEFT = """() => {
    const show = (one) => one.outerHTML.slice(0, 160);
    const roles = ['menu', 'menubar', 'toolbar', 'tablist', 'listbox', 'grid', 'radiogroup', 'tree'];
    const among = roles.map((role) => `[role=${role}]`).join();
    const controls = [...document.querySelectorAll(
        'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]',
    )];
    const reached = [...window.reached.keys()];
    // A control may be drawn again when the focus leaves it.
    const gone = new Set(reached.filter((one) => !one.isConnected).map((one) => one.outerHTML));
    const missed = controls.filter((one) => {
        if (window.reached.has(one) || gone.has(one.outerHTML)) return false;
        if (one.disabled || one.closest('[inert], [aria-hidden=true]')) return false;
        if (!one.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true})) return false;
        // The arrow keys go on from the one of them that Tab reaches.
        const group = one.closest(among);
        if (group && reached.some((other) => group.contains(other))) return false;
        return !(one.type === 'radio' && reached.some(({name}) => name === one.name));
    });
    const unseen = reached.filter((one) => !window.reached.get(one) && one.isConnected);
    return [
        ...missed.map((one) => `not reached: ${show(one)}`), ...unseen.map((one) => `no sign of focus: ${show(one)}`),
    ];
}"""
MOST_STEPS = 400
STEPS = 10  # that are taken before it is asked whether the focus has come round


def find_unreachable(page: Any) -> list[str]:
    """Return the controls of a page that Tab does not reach or leave, and those that don't show that they have focus.

    Of a menu, a toolbar and what else the arrow keys go through, Tab has to reach one.
    """
    page.evaluate(FOLLOW)
    trap = [f"the focus does not come round in {MOST_STEPS} steps"]
    for _ in range(MOST_STEPS // STEPS):
        for _ in range(STEPS):
            page.keyboard.press("Tab")
        if page.evaluate("window.hasComeRound"):
            trap = []
            break
    return trap + [str(one) for one in page.evaluate(LEFT)]
