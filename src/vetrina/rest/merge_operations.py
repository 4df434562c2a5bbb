"""Merges two OpenAPI operations of routes whose paths differ only in what their parameters accept.

A product is found by its id and by its slug; OpenAPI counts `/products/{id}` and `/products/{slug}` as one path
(OpenAPI 3.1, "Path Templating"). Which routes these are: rest/openapi.py.
"""

from __future__ import annotations

from typing import Any


def merge_operations(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return an operation that accepts and returns what either does; its name and summary are those of the first."""
    responses = dict(one["responses"])
    for status, answer in other["responses"].items():
        responses[status] = _merge_responses(responses[status], answer) if status in responses else answer
    known = {(code["code"], *code["status"]) for code in one["x-codes"]}
    return {
        **one,
        "parameters": _merge_parameters(one["parameters"], other["parameters"]),
        "responses": responses,
        "x-codes": one["x-codes"] + [code for code in other["x-codes"] if (code["code"], *code["status"]) not in known],
    }


def _merge_parameters(some: list[dict[str, Any]], others: list[dict[str, Any]]) -> list[dict[str, Any]]:
    out = list(some)
    places = {_build_parameter_key(parameter): at for at, parameter in enumerate(some)}
    for parameter in others:
        at = places.get(_build_parameter_key(parameter))
        if at is None:
            # A parameter that only one of them requires is optional.
            out.append({name: value for name, value in parameter.items() if name != "required"})
        elif out[at] != parameter:
            out[at] = {
                **out[at],
                "description": _join_sentences(out[at].get("description", ""), parameter.get("description", "")),
                "schema": _build_any_of(out[at]["schema"], parameter["schema"]),
            }
    return out


def _build_parameter_key(parameter: dict[str, Any]) -> str:
    return str(parameter.get("$ref") or f"{parameter['in']} {parameter['name']}")


def _merge_responses(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return a response that is either of two with the same status."""
    if one == other or "content" not in other:
        return one
    out = {**one, "description": _join_sentences(one["description"], other["description"])}
    json = "application/json"
    schema = _build_any_of(one["content"][json]["schema"], other["content"][json]["schema"])
    return {**out, "content": {**one["content"], **other["content"], json: {"schema": schema}}}


def _join_sentences(one: str, other: str) -> str:
    """Return both sentences; equal ones once."""
    return " Or: ".join(dict.fromkeys(text for text in (one, other) if text))


def _build_any_of(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    return one if one == other else {"anyOf": [one, other]}
