"""Every error code as a page: its statuses, its sentences and the routes that may answer it.

The codes are the classes of `ApiError` that any module declares; those of single values (`data.details`) are found in
the calls of `Fault`.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import vetrina
from vetrina.kernel.errors import ApiError
from vetrina.rest.error_statuses import STATUSES, list_error_statuses

from .routes import Entry, error_anchor
from .schemas import plain

__all__ = ["classes", "fault_codes", "page"]

_MOST: Final = 12  # routes that are named; of more, their number is said
_LEFT_OUT: Final = ("vetrina.client", "vetrina.testing", "vetrina.cli")
_SCRIPT: Final = re.compile(r"__main__|\.migrations\.")  # run when it is imported


def classes() -> list[type[ApiError]]:
    """Return every error of the program that has a code of its own."""
    for module in pkgutil.walk_packages(vetrina.__path__, "vetrina."):
        if not module.name.startswith(_LEFT_OUT) and not _SCRIPT.search(module.name):
            importlib.import_module(module.name)
    every = [one for one in _below(ApiError) if one.__module__.startswith("vetrina.")]
    # A class without a code of its own is raised where the code is chosen, or is above others.
    found = [one for one in every if "code" in vars(one) or ("message" in vars(one) and not one.__subclasses__())]
    return sorted(dict.fromkeys(found), key=lambda one: (one.code, STATUSES[one.failure], one.__module__))


def _below(above: type[ApiError]) -> Iterator[type[ApiError]]:
    for one in above.__subclasses__():
        yield one
        yield from _below(one)


def fault_codes() -> dict[str, set[str]]:
    """Return the codes of single values with their sentences, `…` for what differs."""
    found: dict[str, set[str]] = {}
    for path in sorted(Path(vetrina.__path__[0]).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "Fault(" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Fault" and node.args:
                code = node.args[0]
                if isinstance(code, ast.Constant) and code.value:
                    found.setdefault(str(code.value), set()).add(_sentence(node.args[1:2]))
    return dict(sorted(found.items()))


def _sentence(arguments: list[ast.expr]) -> str:
    if not arguments:
        return ""
    text = arguments[0]
    if isinstance(text, ast.Constant):
        return str(text.value)
    if isinstance(text, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in text.values)
    return ""


def page(entries: Iterable[Entry]) -> str:
    """Return the page of all codes."""
    routes: dict[str, dict[str, str]] = {}
    for entry in entries:
        name = f"[{'/'.join(entry.route.methods)} `{entry.path}`](#{entry.anchor})"
        for code in entry.codes:
            routes.setdefault(code, {})[name] = entry.namespace
    codes: dict[str, list[type[ApiError]]] = {}
    for one in classes():
        for code in one.list_codes():
            codes.setdefault(code, []).append(one)
    lines = [_HEAD]
    for code, kinds in sorted(codes.items()):
        lines += [f"({error_anchor(code)})=", f"## `{code}`", ""]
        for one in kinds:
            lines.append(f"- {_statuses(one)}: {plain(one.message)}{_meaning(one)}")
        lines += ["", _where(routes.get(code, {})), ""]
    lines += [_DETAILS]
    for code, sentences in fault_codes().items():
        told = "; ".join(plain(one) for one in sorted(sentences) if one)
        lines.append(f"- `{code}`: {told or 'said by the value'}")
    return "\n".join(lines) + "\n"


_HEAD: Final = """# Error codes

A refusal is a JSON object with `code`, which stays the same between versions, `message`, a sentence for people, and
`data.status`, the HTTP status. In the sentences below, names in braces stand for what the refusal names. A refusal for
want of a right is 401 to a caller without an account and 403 to one with an account.
"""
_DETAILS: Final = """(details-of-parameters)=
## Codes of single values

A refusal with [`rest_invalid_param`](#error-rest-invalid-param) names every value that is wrong: `data.params` has a
sentence for each, `data.details` a code of its own.
"""


def _statuses(error: type[ApiError]) -> str:
    found = list_error_statuses(error)
    return " or ".join(f"`{status}`" for status in found)


def _meaning(error: type[ApiError]) -> str:
    said = (vars(error).get("__doc__") or "").strip().partition("\n\n")[0]
    return f" ({plain(said).rstrip('.')}.)" if said else ""


def _where(found: dict[str, str]) -> str:
    if not found:
        return "It is answered before any route is asked, or by what stands beside the routes."
    if len(found) <= _MOST:
        return f"Answered by {', '.join(found)}."
    spaces = dict.fromkeys(space or "the root" for space in found.values())
    return f"Answered by {len(found)} routes of {', '.join(f'`{space}`' for space in spaces)}."
