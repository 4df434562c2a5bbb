"""Write statuses, headers and answers into scenario files anew: `python tests/conformance/record.py [FILE…]`.

Steps are written by hand (their members: replay.py). Review what it wrote against docs/rules before you commit it.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import orjson

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from conformance.replay import (  # noqa: E402
    NO_ANSWER,
    Scenario,
    Step,
    list_scenarios,
    open_prepared_site,
    prepare_site,
    replay,
)

_WIDTH = 140
_HELD = ("status", "headers_out", "answer")


def main(names: list[str]) -> None:
    """Record the named files, or all."""
    with tempfile.TemporaryDirectory() as folder:
        prepared: dict[str, Path] = {}
        for path in [Path(name) for name in names] or list_scenarios():
            scenario = Scenario(path)
            if scenario.profile not in prepared:
                prepared[scenario.profile] = Path(tempfile.mkdtemp(dir=folder))
                prepare_site(scenario.profile, prepared[scenario.profile])
            own = Path(tempfile.mkdtemp(dir=folder))
            with open_prepared_site(scenario.profile, prepared[scenario.profile], own) as (site, clock):
                recorded = [_build_recorded_step(step) for step in replay(scenario, site, clock)]
            path.write_text(_format({**scenario.content, "steps": recorded}, "") + "\n")
            print(path.stem, len(recorded), *(step["status"] for step in recorded))


def _build_recorded_step(step: Step) -> dict[str, Any]:
    kept = {name: value for name, value in step.written.items() if name not in _HELD}
    headers = {"headers_out": step.headers} if step.headers else {}
    answer = {"answer": step.answer} if step.answer != NO_ANSWER else {}
    return {**kept, "status": step.status, **headers, **answer}


def _format(value: Any, indent: str, used: int = 0) -> str:
    """Return a value as JSON, as many members or items to a line as fit; what a step holds begins on lines of its own.

    indent: blanks before the line. used: characters that stand before the value on its line.
    """
    line = _write_line(value)
    is_step = isinstance(value, dict) and "path" in value and "status" in value and bool(indent)
    if not is_step and len(line) + max(used, len(indent)) < _WIDTH:
        return line
    deeper = indent + "  "
    if isinstance(value, list):
        return f"[\n{deeper}{_fill_lines([_format(item, deeper) for item in value], deeper)}\n{indent}]"
    if not isinstance(value, dict):
        return line
    names = {name: f"{_write_line(name)}: " for name in value}
    parts = {name: names[name] + _format(value[name], deeper, len(deeper) + len(names[name])) for name in value}
    if not is_step:
        return f"{{\n{deeper}{_fill_lines(list(parts.values()), deeper)}\n{indent}}}"
    request = _fill_lines([part for name, part in parts.items() if name not in _HELD], deeper)
    held = f",\n{deeper}".join(part for name, part in parts.items() if name in _HELD)
    return f"{{{request},\n{deeper}{held}}}"


def _fill_lines(parts: list[str], indent: str) -> str:
    """Return parts joined by commas, as many to a line as fit; one of several lines, and a step, stands alone."""
    lines: list[str] = []
    for part in parts:
        if lines and "\n" not in lines[-1] + part and len(indent) + len(lines[-1]) + len(part) + 3 < _WIDTH:
            lines[-1] += ", " + part
        else:
            lines.append(part)
    return f",\n{indent}".join(lines)


def _write_line(value: Any) -> str:
    """Return a value as JSON on one line, with blanks after colons and commas."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_write_line(name)}: {_write_line(member)}" for name, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_write_line, value)) + "]"
    return orjson.dumps(value).decode()


if __name__ == "__main__":
    main(sys.argv[1:])
