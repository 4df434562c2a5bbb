"""What a record is recognised by where two sites gave it different ids: slug, e-mail address, code, number.

Also which members name other records, so that ids of two sites can be compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, Final

import orjson

from vetrina.transfer.records import Record

# The first of these members that is written names a record, unless its collection is listed below.
_NAMING_MEMBERS: Final = ("email", "order_key", "code", "slug", "generated_slug", "sku")
_NAMING: Final[Mapping[str, tuple[str, ...]]] = {
    "/cms/v2/comments": ("date_gmt", "author_name", "content"),
    "/cms/v2/menu-items": ("title", "url", "menu_order", "type"),
    "/cms/v2/font-families": ("font_family_settings",),
    "/cms/v2/font-families/{font_family_id}/font-faces": ("font_face_settings",),
    "/cms/v2/redirects": ("source",),
    "/mlang/st/v1/strings": ("context", "name", "gettext_context"),
    "/cms/v2/templates": ("id",),
    "/cms/v2/template-parts": ("id",),
    "/shop/v3/taxes": ("country", "state", "postcode", "city", "rate", "name", "class", "priority"),
    "/shop/v3/shipping/zones": ("name",),
    "/shop/v3/shipping/zones/{zone_id}/methods": ("method_id", "order"),
    "/shop/v3/products/{product_id}/variations": ("attributes",),
    "/shop/v3/products/reviews": ("date_created_gmt", "reviewer_email", "review"),
    "/shop/v3/orders/{order_id}/refunds": ("date_created_gmt", "amount"),
    "/shop/v3/orders/{order_id}/notes": ("date_created_gmt", "note"),
    "/shop/v3/webhooks": ("name", "topic", "delivery_url"),
}

# Members with the id of another record, and its collection.
REFERENCES: Final[Mapping[str, str]] = {
    "author": "/cms/v2/users",
    "customer_id": "/cms/v2/users",
    "default_category": "/cms/v2/categories",
    "featured_media": "/cms/v2/media",
    "menus": "/cms/v2/menus",
    "page_for_posts": "/cms/v2/pages",
    "page_on_front": "/cms/v2/pages",
    "product_id": "/shop/v3/products",
    "site_icon": "/cms/v2/media",
    "site_logo": "/cms/v2/media",
    "user_id": "/cms/v2/users",
    "variation_id": "/shop/v3/products/{product_id}/variations",
}
_STYLES: Final = "/cms/v2/global-styles"  # of which a site has one
_PARENT: Final = "parent"  # names a record of the same collection


def compute_natural_key(record: Record, values: Mapping[str, Any], parent: int | str, language: str) -> int:
    """Return a number for what names a record, 0 where nothing does.

    values: in comparable form. parent: id of the record above, as the other side has it. language: empty where it is
    not told apart.
    """
    members = _NAMING.get(record.resource)
    if members is not None:
        found: Any = [values.get(member) for member in members]
    elif record.resource == _STYLES:
        found = record.resource
    elif isinstance(record.id, str):
        found = record.id
    else:
        found = next((values[member] for member in _NAMING_MEMBERS if values.get(member)), None)
    if not found:
        return 0
    text = orjson.dumps([parent, language, found], option=orjson.OPT_SORT_KEYS)
    return int.from_bytes(blake2b(text, digest_size=8).digest())


def get_collection_above(resource: str) -> str:
    """Return the collection that another lies below, empty for none."""
    return resource.partition("/{")[0] if "{" in resource else ""


class IdMap:
    """The ids of one side by those of the other, where they differ."""

    def __init__(self) -> None:
        self._maps: dict[str, dict[int | str, int | str]] = {}

    def add(self, resource: str, id: int | str, other: int | str) -> None:
        """Note that a record has another id on the other side."""
        if id != other:
            self._maps.setdefault(resource, {})[id] = other

    def get(self, resource: str, id: Any) -> Any:
        """Return the other side's id of a record, the same where nothing else is known."""
        found = self._maps.get(resource)
        return found.get(id, id) if found and isinstance(id, int | str) else id

    def translate(self, resource: str, values: dict[str, Any], *, own: bool = False) -> dict[str, Any]:
        """Return the values of a record with the ids in them as the other side has them.

        own: only those of records of the same collection, which are known last; without, only the others.
        """
        if not self._maps:
            return values
        translated: dict[str, Any] = self._translate(resource, values, "", own)
        return translated

    def _translate(self, resource: str, value: Any, name: str, own: bool) -> Any:
        if isinstance(value, dict):
            return {key: self._translate(resource, item, key, own) for key, item in value.items()}
        if isinstance(value, list):
            return [self._translate(resource, item, name, own) for item in value]
        if not isinstance(value, int) or isinstance(value, bool):
            return value
        to = resource if name == _PARENT else REFERENCES.get(name, f"/cms/v2/{name}")
        return self.get(to, value) if (to == resource) == own else value
