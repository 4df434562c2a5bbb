"""Routes of texts and images that are generated for an owner.

Not here: the providers (shop/admin/ai.py). Rules: docs/rules/shop_admin.md, 11.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import PermissionDenied
from vetrina.rest.call import Result, defer
from vetrina.rest.fields import Boolean, Field, Object, String
from vetrina.rest.route import READ, REMOVE, WRITE, Route
from vetrina.shop.admin import ai, permissions as admin_permissions, responses as admin_responses
from vetrina.shop.rights import require_shop_capability

_PATH: Final = "/shop-admin/ai"
AiQuery = Callable[[SiteContext, str, Call], Any]


class AiConnectionNotAllowed(PermissionDenied):
    code = "ai_connection_not_allowed"
    message = "The shop does not let texts and images be made up; set its option shop_blocks_allow_ai_connection."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of generated content. Raises ValueError when the profile names an unknown provider."""
    ai.load_text_provider(site)
    ai.load_image_provider(site)
    about: dict[str, Field] = {"business_description": String("What the shop sells.", null="keep")}
    images: dict[str, Field] = {"images": Object("Images to use.", null="keep")}
    response_fields: dict[str, Field] = {
        "products_information": Object("The product: id, title, description.", null="keep"),
        "last_product": Boolean("Whether it is the last one.", null="keep"),
    }
    errors = (ai.InvalidBusinessDescription,)
    return (
        Route(
            READ, f"{_PATH}/store-info", _read_store_info, {}, _require_generation_permission,
            answers=admin_responses.STORE_INFO,
        ),
        Route(
            WRITE, f"{_PATH}/store-title", _set_title, about, _require_generation_permission, slow=True,
            prepare=_build_preparation(_generate_title), answers=admin_responses.GENERATED_CONTENT,
        ),
        Route(
            WRITE, f"{_PATH}/business-description", _save_description, about, _require_generation_permission,
            errors=errors, answers=admin_responses.GENERATED_CONTENT,
        ),
        Route(
            WRITE, f"{_PATH}/images", _list_images, about, _require_generation_permission, slow=True,
            prepare=_build_preparation(_find_images), answers=admin_responses.GENERATED_IMAGES,
        ),
        Route(
            WRITE, f"{_PATH}/patterns", _save_patterns, {**about, **images}, _require_generation_permission, slow=True,
            prepare=_build_preparation(_generate_pattern_texts), answers=admin_responses.GENERATED_CONTENT,
        ),
        Route(
            REMOVE, f"{_PATH}/patterns", _delete_patterns, {}, _require_generation_permission,
            answers=admin_responses.DELETED_CONTENT,
        ),
        Route(
            WRITE, f"{_PATH}/product", _rewrite_product, response_fields, _require_generation_permission, slow=True,
            prepare=_build_preparation(_generate_product_texts), answers=admin_responses.GENERATED_CONTENT,
        ),
    )  # fmt: skip


def _require_generation_permission(call: Call) -> None:
    """Administrators (`manage_options`), once they allowed the texts to be written."""
    work = call.work
    require_shop_capability(work.user, admin_permissions.ShopAdminUserInvalid, admin_permissions.ADMINISTRATOR)
    if not ai.is_ai_allowed(work):
        raise AiConnectionNotAllowed(bool(work.user))


# -- provider calls, before the transaction


def _build_preparation(ask: AiQuery) -> Callable[[Call], AbstractContextManager[Any]]:
    def prepare(call: Call) -> AbstractContextManager[Any]:
        about = str(call.args.get("business_description") or "") or ai.get_description(call.work)
        return defer(ask, call.work.site, about, call)

    return prepare


def _generate_title(site: SiteContext, about: str, call: Call) -> str:
    return ai.load_text_provider(site).title(about)


def _find_images(site: SiteContext, about: str, call: Call) -> list[Any]:
    return list(ai.load_image_provider(site).images(about))


def _generate_pattern_texts(site: SiteContext, about: str, call: Call) -> Any:
    return ai.load_text_provider(site).pattern(about)


def _generate_product_texts(site: SiteContext, about: str, call: Call) -> Any:
    known = call.args.get("products_information") or {}
    return ai.load_text_provider(site).product(str(known.get("description") or about), known)


# -- what is stored


def _read_store_info(call: Call) -> Result:
    """Tell whether the shop has generated texts."""
    return Result({"is_ai_generated": ai.has_generated_content(call.work)})


def _build_generated_result(generated: bool, **more: Any) -> Result:
    return Result({"ai_content_generated": generated, **more})


def _set_title(call: Call) -> Result:
    """Suggest a title for the shop, and set it where the shop still has its initial one."""
    return _build_generated_result(ai.name_shop(call.work, call.prepared))


def _save_description(call: Call) -> Result:
    """Store the shop's description of its business, from which texts are generated."""
    ai.save_description(call.work, call.args.get("business_description") or "")
    return _build_generated_result(True)


def _list_images(call: Call) -> Result:
    """Find images that suit the business."""
    return _build_generated_result(bool(call.prepared), images=call.prepared)


def _save_patterns(call: Call) -> Result:
    """Generate texts for the theme's patterns, and store them with the images."""
    return _build_generated_result(ai.save_patterns(call.work, call.prepared, call.args.get("images")))


def _delete_patterns(call: Call) -> Result:
    """Delete the generated texts and images of the patterns."""
    ai.clear_patterns(call.work)
    return Result({"removed": True})


def _rewrite_product(call: Call) -> Result:
    """Rewrite name and description of a sample product."""
    known = call.args.get("products_information") or {}
    return _build_generated_result(ai.rewrite_product(call.work, known.get("id"), call.prepared))
