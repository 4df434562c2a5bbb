"""Menus brought into every language at once: an addition of ours, for the reference does it on a page of its own.

Rules: facts of the multilingual layer, 5.6.
"""

from __future__ import annotations

from typing import Final

import msgspec

from vetrina.core.unit_of_work import Frame
from vetrina.multilingual.menus import sync as menu_sync
from vetrina.multilingual.menus.sync import MenuUnknown
from vetrina.multilingual.permissions import Forbidden, managers
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Array, Field, Integer, Object, String
from vetrina.rest.route import WRITE, Route

__all__ = ["routes"]

_NUMBERS: Final = Array(items=Integer())
_ANSWER: Final = Array(
    items=Object(
        properties={
            "menu": Integer("Number of the original menu."),
            "translation": Integer("Number of the menu in the language."),
            "language": String(),
            "created": _NUMBERS,
            "changed": _NUMBERS,
            "left_out": Array("Items of the original that point to what the language has not.", items=Integer()),
        }
    )
)


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the route that brings menus into languages."""
    asked: dict[str, Field] = {
        "menu": Integer("Number of an original menu; all when left out.", minimum=1),
        "languages": Array(
            "Into which languages; all others when left out.", items=String(enum=frame.profile.languages)
        ),
    }
    return (
        Route(WRITE, "/mlang/tm/v1/menus/sync", _synchronised, asked, managers, errors=(Forbidden, MenuUnknown),
              answers=_ANSWER),
    )  # fmt: skip


def _synchronised(call: Call) -> Result:
    """Bring the menus of other languages in line with those of the default language."""
    done = menu_sync.synchronise(call.work, call.args.get("menu") or 0, call.args.get("languages") or ())
    return Result([msgspec.structs.asdict(one) for one in done])
