"""Texts and images that are made up for an owner.

Not here: who makes them (shop/admin/ai.py). Rules: facts, "Routes that the reference lacks".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import Refused
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Boolean, Field, Object, String
from vetrina.rest.route import READ, REMOVE, WRITE, Route
from vetrina.shop.admin import ai
from vetrina.shop.admin import permissions as admin_permissions
from vetrina.shop.admin import responses as admin_responses
from vetrina.shop.rights import require

__all__ = ["routes"]

_PATH: Final = "/shop-admin/ai"
Ask = Callable[[Frame, str, Call], Any]


class ConnectionNotAllowed(Refused):
    code = "ai_connection_not_allowed"
    message = "The shop does not let texts and images be made up; set its option shop_blocks_allow_ai_connection."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of what is made up. Raises ValueError when the profile names a provider that is not there."""
    ai.texts_of(frame)
    ai.images_of(frame)
    about: dict[str, Field] = {"business_description": String("What the shop sells.", null="keep")}
    images: dict[str, Field] = {"images": Object("Images to use.", null="keep")}
    told: dict[str, Field] = {
        "products_information": Object("The product: id, title, description.", null="keep"),
        "last_product": Boolean("Whether it is the last one.", null="keep"),
    }
    said = (ai.InvalidDescription,)
    return (
        Route(READ, f"{_PATH}/store-info", _info, {}, _may, answers=admin_responses.STORE_INFO),
        Route(
            WRITE,
            f"{_PATH}/store-title",
            _title,
            about,
            _may,
            slow=True,
            prepare=_asked(_a_title),
            answers=admin_responses.MADE,
        ),
        Route(
            WRITE, f"{_PATH}/business-description", _describe, about, _may, errors=said, answers=admin_responses.MADE
        ),
        Route(
            WRITE,
            f"{_PATH}/images",
            _images,
            about,
            _may,
            slow=True,
            prepare=_asked(_some_images),
            answers=admin_responses.MADE_IMAGES,
        ),
        Route(
            WRITE,
            f"{_PATH}/patterns",
            _patterns,
            {**about, **images},
            _may,
            slow=True,
            prepare=_asked(_a_pattern),
            answers=admin_responses.MADE,
        ),
        Route(REMOVE, f"{_PATH}/patterns", _forget, {}, _may, answers=admin_responses.FORGOTTEN),
        Route(
            WRITE,
            f"{_PATH}/product",
            _product,
            told,
            _may,
            slow=True,
            prepare=_asked(_a_product),
            answers=admin_responses.MADE,
        ),
    )


def _may(call: Call) -> None:
    """Administrators (`manage_options`), once they allowed the texts to be written."""
    work: Work = call.work
    require(work.user, admin_permissions.InvalidUser, admin_permissions.ADMINISTRATOR)
    if not ai.is_allowed(work):
        raise ConnectionNotAllowed(bool(work.user))


# -- what is asked before the transaction


def _asked(ask: Ask) -> Callable[[Call], AbstractContextManager[Any]]:
    def prepare(call: Call) -> AbstractContextManager[Any]:
        # The work is over when the context begins: what is asked of it is asked now.
        about = str(call.args.get("business_description") or "") or ai.description(call.work)
        return _answered(ask, call.work.frame, about, call)

    return prepare


@contextmanager
def _answered(ask: Ask, frame: Frame, about: str, call: Call) -> Iterator[Any]:
    yield ask(frame, about, call)


def _a_title(frame: Frame, about: str, call: Call) -> str:
    return ai.texts_of(frame).title(about)


def _some_images(frame: Frame, about: str, call: Call) -> list[Any]:
    return list(ai.images_of(frame).images(about))


def _a_pattern(frame: Frame, about: str, call: Call) -> Any:
    return ai.texts_of(frame).pattern(about)


def _a_product(frame: Frame, about: str, call: Call) -> Any:
    known = call.args.get("products_information") or {}
    return ai.texts_of(frame).product(str(known.get("description") or about), known)


# -- what is kept


def _info(call: Call) -> Result:
    """Tell whether the shop has had texts written for it."""
    return Result({"is_ai_generated": ai.store_info(call.work)})


def _made(made: bool, **more: Any) -> Result:
    return Result({"ai_content_generated": made, **more})


def _title(call: Call) -> Result:
    """Suggest a title for the shop and set it, where it still has the first one."""
    return _made(ai.name_shop(call.work, call.prepared))


def _describe(call: Call) -> Result:
    """Keep what the shop says of its business, from which texts are written."""
    ai.describe(call.work, call.args.get("business_description") or "")
    return _made(True)


def _images(call: Call) -> Result:
    """Find pictures that suit the business."""
    return _made(bool(call.prepared), images=call.prepared)


def _patterns(call: Call) -> Result:
    """Write texts for the theme's patterns, and keep them with the pictures."""
    return _made(ai.keep_patterns(call.work, call.prepared, call.args.get("images")))


def _forget(call: Call) -> Result:
    """Forget the texts and pictures that were made for the patterns."""
    ai.forget(call.work)
    return Result({"removed": True})


def _product(call: Call) -> Result:
    """Write name and description of a sample product anew."""
    known = call.args.get("products_information") or {}
    return _made(ai.rewrite(call.work, known.get("id"), call.prepared))
