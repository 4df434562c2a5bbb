"""The interface of a served site, as its administrator calls it."""

from __future__ import annotations

import base64
import json
import re
import urllib.request
from collections.abc import Callable
from typing import Any

from browser.conftest import Served, make_site

Ask = Callable[..., Any]  # (method, path, body, language) → the answer


def connect(served: Served) -> Ask:
    """Return what sends a request to a served site and returns the answer. Raises HTTPError for a refusal."""
    assert served.folder is not None
    said = make_site(served.folder, "app-password", "create", served.login, "tests", "--site")
    (word,) = re.findall(r"(?:\w{4} ){5}\w{4}", said)
    key = base64.b64encode(f"{served.login}:{word}".encode()).decode()

    def ask(method: str, path: str, body: Any = None, language: str = "en") -> Any:
        data = json.dumps(body).encode() if body is not None else None
        headers = {"authorization": f"Basic {key}", "content-type": "application/json"}
        request = urllib.request.Request(f"{served.root}/{language}/cms-json{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    return ask
