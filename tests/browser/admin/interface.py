"""Requests that a test makes as the person whose window it has, past the screens."""

from __future__ import annotations

from typing import Any

_SCRIPT = """async ([method, path, body]) => {
    const boot = JSON.parse(document.getElementById('boot').textContent);
    const response = await fetch(boot.api + path, {
        method,
        headers: {'X-WP-Nonce': boot.nonce, 'Content-Type': 'application/json'},
        ...(body === null ? {} : {body: JSON.stringify(body)}),
    });
    return [response.status, await response.json()];
}"""


def call(page: Any, method: str, path: str, body: Any = None) -> Any:
    """Return the body of an answer to the person of a window; it must not be a refusal."""
    status, answer = page.evaluate(_SCRIPT, [method, path, body])
    assert status < 400, (status, answer)
    return answer
