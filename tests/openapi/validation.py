"""Whether a document is valid, asked so that what stands in it a hundred times is looked at once."""

from __future__ import annotations

from typing import Any

from openapi_spec_validator import validate

__all__ = ["validate_document"]


def validate_document(document: Any) -> None:
    """Raise what is wrong with a document.

    The validator looks at each schema once, known by its identity: equal ones are given to it as one object. A document
    has five of each on average, and it searches a list of those that it knows.
    """
    validate(_share_equal_parts(document, {}))


def _share_equal_parts(value: Any, known: dict[Any, Any]) -> Any:
    """Return an equal value in which equal parts are one object; known: the parts so far, which have to stay."""
    if isinstance(value, dict):
        value = {name: _share_equal_parts(one, known) for name, one in value.items()}
        if "allOf" in value:
            # What one of its parts requires may be a property of another: judged by where it stands.
            known[id(value)] = value
            return value
        key: Any = (dict, *((name, id(one)) for name, one in value.items()))
    elif isinstance(value, list):
        value = [_share_equal_parts(one, known) for one in value]
        key = (list, *map(id, value))
    else:
        key = (type(value), value)
    return known.setdefault(key, value)
