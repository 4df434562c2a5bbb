"""The route that synchronizes menus across languages; our own addition, since the reference does it on an admin page.

Rules: docs/rules/translated_content.md, 16.
"""

from __future__ import annotations

from typing import Final

import msgspec

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.multilingual.menus import sync as menu_sync
from vetrina.multilingual.menus.sync import OriginalMenuNotFound
from vetrina.multilingual.permissions import TranslationForbidden, require_manager_or_options_permission
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Field, Integer, Object, String
from vetrina.rest.route import WRITE, Route

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


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the route that synchronizes menus."""
    arguments: dict[str, Field] = {
        "menu": Integer("Number of an original menu; all when left out.", minimum=1),
        "languages": Array(
            "Into which languages; all others when left out.", items=String(enum=site.profile.languages)
        ),
    }
    return (
        Route(
            WRITE, "/mlang/tm/v1/menus/sync", _synchronize_menus, arguments, require_manager_or_options_permission,
            errors=(TranslationForbidden, OriginalMenuNotFound), answers=_ANSWER,
        ),
    )  # fmt: skip


def _synchronize_menus(call: Call) -> Result:
    """Bring the menus of other languages in line with those of the default language."""
    done = menu_sync.synchronize_menus(call.work, call.args.get("menu") or 0, call.args.get("languages") or ())
    return Result([msgspec.structs.asdict(one) for one in done])
