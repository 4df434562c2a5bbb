"""Two operations of the OpenAPI document as one: of routes whose paths differ only in what their holes take.

A product is found by its number and by its slug; OpenAPI counts `/products/{id}` and `/products/{slug}` as one path.
Not here: which routes these are (rest/openapi.py). Rules: OpenAPI 3.1, "Path Templating".
"""

from __future__ import annotations

from typing import Any

__all__ = ["joined"]


def joined(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return the operation that takes and answers what either does; its name and summary are those of the first."""
    responses = dict(one["responses"])
    for status, answer in other["responses"].items():
        responses[status] = _answer(responses[status], answer) if status in responses else answer
    known = {(code["code"], *code["status"]) for code in one["x-codes"]}
    return {
        **one,
        "parameters": _parameters(one["parameters"], other["parameters"]),
        "responses": responses,
        "x-codes": one["x-codes"] + [code for code in other["x-codes"] if (code["code"], *code["status"]) not in known],
    }


def _parameters(some: list[dict[str, Any]], others: list[dict[str, Any]]) -> list[dict[str, Any]]:
    out = list(some)
    places = {_named(parameter): at for at, parameter in enumerate(some)}
    for parameter in others:
        at = places.get(_named(parameter))
        if at is None:
            # What one of them needs, the other does not know.
            out.append({name: value for name, value in parameter.items() if name != "required"})
        elif out[at] != parameter:
            out[at] = {
                **out[at],
                "description": _sentences(out[at].get("description", ""), parameter.get("description", "")),
                "schema": _either(out[at]["schema"], parameter["schema"]),
            }
    return out


def _named(parameter: dict[str, Any]) -> str:
    return str(parameter.get("$ref") or f"{parameter['in']} {parameter['name']}")


def _answer(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return an answer of one status that is that of either."""
    if one == other or "content" not in other:
        return one
    out = {**one, "description": _sentences(one["description"], other["description"])}
    json = "application/json"
    schema = _either(one["content"][json]["schema"], other["content"][json]["schema"])
    return {**out, "content": {**one["content"], **other["content"], json: {"schema": schema}}}


def _sentences(one: str, other: str) -> str:
    """Return both sentences; one that says the same is said once."""
    return " Or: ".join(dict.fromkeys(text for text in (one, other) if text))


def _either(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    return one if one == other else {"anyOf": [one, other]}
