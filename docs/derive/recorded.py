"""Recorded examples: a directive that sends a request while the page is read and shows it with its real answer.

    ```{site} first
    ```

begins a fresh site for the page (`:empty:` leaves out the sample content; with a profile's TOML as its content the site
is of that profile, which is shown); and

    ```{recorded} POST /cms/v2/posts?_fields=id,slug
    :as: editor
    :status: 201
    :keep: post=id
    {"title": "Hello"}
    ```

sends a request as an account, with a body, and keeps members of the answer for later ones, which write `{post}`.
`:headers:` names headers of the answer to show, `:send:` headers of the request (`Name: value`, parted by `|`),
`:root:` another API root, `:lines:` how many lines of the answer are shown; with `:quiet:` nothing is. `:picture:`
sends a picture that is drawn here (`NAME WIDTHxHEIGHT`), `:xliff:` shows the file in a member of the answer, and
`:fill:` sends that file back with its targets filled (`source=target`, parted by `|`). Another status than `:status:`,
or than 200 where none is said, fails the build.
"""

from __future__ import annotations

import base64
import json
import re
from typing import Any, ClassVar, Final

from docutils import nodes  # type: ignore[import-untyped]
from docutils.parsers.rst import directives  # type: ignore[import-untyped]
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from .exchange import ADDRESS, Answer, Example
from .files import drawn, filled
from .routes import error_anchor

__all__ = ["setup"]

_ROOT: Final = "/en/cms-json"
_HOLE: Final = re.compile(r"\{([a-z_]+)\}")
_OPEN: dict[str, Example] = {}  # page → its site


class SiteDirective(SphinxDirective):
    """Begin a fresh site for the examples that follow on this page."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {"empty": directives.flag}

    def run(self) -> list[nodes.Node]:
        _close(self.env.docname)
        own = "\n".join(self.content)
        planted = "empty" not in self.options and not own
        _OPEN[self.env.docname] = Example(self.arguments[0], own, planted=planted)
        return [_block(own, "toml")] if own else []


class RecordedDirective(SphinxDirective):
    """Send a request and show it with its answer."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "as": directives.unchanged,
        "status": directives.nonnegative_int,
        "headers": directives.unchanged,
        "send": directives.unchanged,
        "keep": directives.unchanged,
        "root": directives.unchanged,
        "lines": directives.positive_int,
        "quiet": directives.flag,
        "picture": directives.unchanged,
        "xliff": directives.unchanged,
        "fill": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        example = _OPEN.get(self.env.docname)
        if example is None:
            raise self.error("begin a site first: ```{site} first```")
        try:
            method, target = self._filled(self.arguments[0], example).split(" ", 1)
            body = self._filled("\n".join(self.content), example).strip()
        except KeyError as unknown:
            raise self.error(f"nothing was kept as {unknown} on this page before") from None
        login = self.options.get("as", "")
        if login and login not in example.logins:
            raise self.error(f"there is no account {login!r} here; there are {', '.join(example.logins)}")
        headers = dict(self._sent(example))
        content = body.encode()
        if body:
            headers.setdefault("Content-Type", "application/json")
        if picture := self.options.get("picture"):
            name, _, size = picture.partition(" ")
            content, body = drawn(size), f"@{name}"
            headers |= {"Content-Type": "image/png", "Content-Disposition": f'attachment; filename="{name}"'}
        if fill := self.options.get("fill"):
            content, body = filled(example.kept["xliff"], fill).encode(), "@job.xliff"
        address = self.options.get("root", _ROOT) + target.strip()
        answer = example.ask(method, address, content, headers, login)
        wanted = self.options.get("status", 200)
        if answer.status != wanted:
            raise self.error(f"{method} {target} answered {answer.status}, not {wanted}: {answer.body[:500]!r}")
        self._keep(example, answer)
        if "quiet" in self.options:
            return []
        shown = [self._request(method, address, body, headers, login), self._answer(answer)]
        if member := self.options.get("xliff"):
            example.kept["xliff"] = base64.b64decode(json.loads(answer.body)[member]).decode()
            units = re.sub(r"(?=<trans-unit|</body>)", "\n", example.kept["xliff"])
            shown[1] = _block(units, "xml")
        return shown

    def _filled(self, text: str, example: Example) -> str:
        return _HOLE.sub(lambda hole: example.kept[hole[1]], text)

    def _sent(self, example: Example) -> list[tuple[str, str]]:
        told = self._filled(self.options.get("send", ""), example)
        pairs = (one.partition(":") for one in told.split("|") if one.strip())
        return [(name.strip(), value.strip()) for name, _, value in pairs]

    def _keep(self, example: Example, answer: Answer) -> None:
        """Keep members of the body, or headers, for the requests that follow."""
        for one in self.options.get("keep", "").split(","):
            name, _, place = one.strip().partition("=")
            if not name:
                continue
            if place.startswith("header:"):
                wanted = place.removeprefix("header:").lower()
                found: Any = next((value for key, value in answer.headers if key.lower() == wanted), None)
            else:
                found = json.loads(answer.body)
                for part in place.split("."):
                    found = found[int(part)] if isinstance(found, list) else found[part]
            if found is None:
                raise self.error(f"the answer has no {place}")
            example.kept[name] = str(found)

    def _request(self, method: str, address: str, body: str, headers: dict[str, str], login: str) -> nodes.Node:
        words = ["curl"]
        if "headers" in self.options:
            words.append("-i")
        if method == "HEAD":
            words.append("-I")
        elif method != ("POST" if body else "GET"):
            words.append(f"-X {method}")
        if login:
            words.append(f"-u '{login}:APPLICATION PASSWORD'")
        lines = [" ".join(words)]
        lines += [f"-H '{name}: {value if len(value) < 90 else f'{value[:12]}…'}'" for name, value in headers.items()]
        if body:
            quoted = body.replace("'", "'\\''")
            lines.append(f"--data-binary {body}" if body.startswith("@") else f"-d '{quoted}'")
        lines.append(f"'{ADDRESS}{address}'")
        text = " ".join(lines)
        return _block(text if len(text) < 110 else " \\\n    ".join(lines), "sh")

    def _answer(self, answer: Answer) -> nodes.Node:
        shown = [name.strip().lower() for name in self.options.get("headers", "").split(",") if name.strip()]
        head = [f"HTTP/1.1 {answer.status} {_REASONS.get(answer.status, '')}".rstrip()]
        head += [f"{name}: {value}" for name, value in answer.headers if name.lower() in shown]
        try:
            text = json.dumps(json.loads(answer.body), indent=2, ensure_ascii=False) if answer.body else ""
        except ValueError:
            text = answer.body.decode("utf-8", "replace")
        lines, most = text.split("\n"), self.options.get("lines")
        if most and len(lines) > most:
            lines = [*lines[:most], "…"]
        if shown or answer.status not in (200, 201):
            return _block("\n".join([*head, "", *lines]).rstrip(), "text")
        return _block("\n".join(lines), "text" if most else "json")


_REASONS: Final = {
    200: "OK", 201: "Created", 204: "No Content", 207: "Multi-Status", 301: "Moved Permanently", 302: "Found",
    304: "Not Modified", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 409: "Conflict",
    412: "Precondition Failed", 429: "Too Many Requests",
}  # fmt: skip


def _block(text: str, language: str) -> nodes.literal_block:
    block = nodes.literal_block(text, text)
    block["language"] = language
    return block


def _error(name: str, raw: str, text: str, line: int, inliner: Any, options: Any = None, content: Any = ()) -> Any:
    """Return a link from a code to its place on the page of codes.

    There are thousands of them, all to one page: looking each up as a reference would take longer than all else.
    """
    depth = inliner.document.settings.env.docname.count("/")
    address = f"{'../' * depth}reference/errors.html#{error_anchor(text)}"
    return [nodes.reference(raw, "", nodes.literal(text, text), refuri=address, internal=True)], []


def _close(page: str) -> None:
    if page in _OPEN:
        _OPEN.pop(page).close()


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives; a page's site is closed when the page has been read."""
    app.add_directive("site", SiteDirective)
    app.add_directive("recorded", RecordedDirective)
    app.add_role("err", _error)
    app.connect("doctree-read", lambda app, tree: _close(app.env.docname))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
