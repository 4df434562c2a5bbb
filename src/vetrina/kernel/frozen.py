"""Values that cannot be changed, made of values that can."""

from __future__ import annotations

import copyreg
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any


def freeze(value: Any) -> Any:
    """Return a value whose objects, lists and sets cannot be changed, however deep they lie."""
    if isinstance(value, Mapping):
        return MappingProxyType({name: freeze(one) for name, one in value.items()})
    if isinstance(value, (list, tuple)):
        return tuple(freeze(one) for one in value)
    return frozenset(value) if isinstance(value, (set, frozenset)) else value


def thaw(value: Any) -> Any:
    """Return a frozen value as objects and lists that may be changed."""
    if isinstance(value, Mapping):
        return {name: thaw(one) for name, one in value.items()}
    return [thaw(one) for one in value] if isinstance(value, tuple) else value


# So that a process can hand what it has read to another one that it starts.
copyreg.pickle(MappingProxyType, lambda frozen: (freeze, (dict(frozen),)))
