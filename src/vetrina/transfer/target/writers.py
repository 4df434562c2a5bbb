"""Which rules write the records of a collection: the table of the target.

The target is open to further collections: one more entry here. Rules of each: the files beside this.
"""

from __future__ import annotations

from collections.abc import Container
from functools import partial
from typing import Final

from vetrina.content.types.registry import ATTACHMENT, FONT_FAMILY, GLOBAL_STYLES, MENU, MENU_ITEM
from vetrina.content.types.schema import NAMESPACE
from vetrina.core.site_context import SiteContext
from vetrina.transfer.records import Record, SourceDescription

from .addresses import normalize_address
from .catalogue.writers import build_catalogue_writers
from .comments import write_comment
from .content import write_content
from .design import write_styles, write_template
from .fonts import receive_font_files, write_face, write_family
from .journal import COMMENT, RECORD, REDIRECT, SETTING, STRING, TERM, USER, WIDGET
from .media import receive_file, write_media
from .menu_items import write_menu_item
from .options_pages import write_options_page
from .orders.writers import build_order_writers, has_shop
from .record_writer import RecordWriter
from .redirects import write_redirect
from .revisions import write_revision
from .settings import write_settings
from .terms import write_menu, write_term
from .translation import write_configuration, write_string
from .users import AuthorChoice, write_user
from .widgets import write_widget

FOLLOWING: Final = frozenset({"/cms/v2/menu-locations", "/cms/v2/sidebars"})  # what menus and widgets say of them
_FACES: Final = f"{FONT_FAMILY.path}/{{font_family_id}}/font-faces"
_PRODUCTS: Final = "/shop/v3/products"
# What a site without a shop lacks, by the collections that it would be in.
_SHOP_THINGS: Final = {
    _PRODUCTS: "type 'product'", f"{_PRODUCTS}/{{product_id}}/variations": "type 'product_variation'",
    "/shop/v3/coupons": "type 'shop_coupon'", f"{_PRODUCTS}/categories": "taxonomy 'product_cat'",
    f"{_PRODUCTS}/tags": "taxonomy 'product_tag'", f"{_PRODUCTS}/brands": "taxonomy 'product_brand'",
    f"{_PRODUCTS}/shipping_classes": "taxonomy 'product_shipping_class'",
}  # fmt: skip
_ROOMS = ("records", "media", "menu-items")  # of the types that are written here


def build_writers(site: SiteContext, authors: AuthorChoice) -> dict[str, RecordWriter]:
    """Return the writers of a site by the paths of its collections."""
    out = {
        "/cms/v2/users": RecordWriter(USER, lambda one, _: write_user(one, authors)),
        "/cms/v2/comments": RecordWriter(COMMENT, lambda one, _: write_comment(one)),
        "/cms/v2/redirects": RecordWriter(REDIRECT, lambda one, _: write_redirect(one)),
        "/cms/v2/widgets": RecordWriter(WIDGET, lambda one, _: write_widget(one)),
        "/cms/v2/settings": RecordWriter(SETTING, lambda one, _: write_settings(one)),
        "/cms/v2/options-pages": RecordWriter(SETTING, lambda one, _: write_options_page(one)),
        MENU.path: RecordWriter(TERM, lambda one, _: write_menu(one)),
        ATTACHMENT.path: RecordWriter(RECORD, write_media, receive_file),
        MENU_ITEM.path: RecordWriter(RECORD, lambda one, _: write_menu_item(one)),
        FONT_FAMILY.path: RecordWriter(RECORD, lambda one, _: write_family(one)),
        _FACES: RecordWriter(
            RECORD, write_face, lambda site, _, __, record, fetch: receive_font_files(site, record, fetch)
        ),
        GLOBAL_STYLES.path: RecordWriter(RECORD, lambda one, _: write_styles(one)),
    }
    if any(module.name == "multilingual" for module in site.modules):
        out["/mlang/v1/custom-xml-config"] = RecordWriter(SETTING, lambda one, _: write_configuration(one))
        out["/mlang/st/v1/strings"] = RecordWriter(STRING, lambda one, _: write_string(one))
    for taxonomy in site.taxonomies.values():
        if taxonomy.room == "terms":
            out[taxonomy.path] = RecordWriter(TERM, partial(lambda of, one, _: write_term(one, of), taxonomy))
    for type in site.types.values():
        if type.room == "records":
            out[type.path] = RecordWriter(RECORD, partial(lambda of, one, _: write_content(one, of), type))
            if type.has("revisions"):
                path = f"{type.path}/{{parent}}/revisions"
                out[path] = RecordWriter(RECORD, partial(lambda of, one, _: write_revision(one, of), type))
        elif type.room == "templates":
            out[type.path] = RecordWriter(RECORD, partial(lambda of, one, _: write_template(one, of), type))
    return {**out, **build_catalogue_writers(site), **build_order_writers(site, authors)}


def find_path_here(site: SiteContext, record: Record) -> str:
    """Return the path here of the collection that a record belongs to: its type may have another base there."""
    type = site.types.get(str(record.values.get("type", "")))
    if type is not None and type.room in _ROOMS:
        return type.path
    taxonomy = site.taxonomies.get(str(record.values.get("taxonomy", "")))
    return taxonomy.path if taxonomy is not None else record.resource


def find_left_out(site: SiteContext, writers: Container[str], description: SourceDescription) -> dict[str, str]:
    """Return the collections of a source whose records are not written here, each with the reason.

    Types and taxonomies that the site lacks are not among them: that is told of their records.
    """
    declared = {**description.types, **description.taxonomies}
    names = {f"/{one.get('rest_namespace', NAMESPACE)}/{one.get('rest_base')}": name for name, one in declared.items()}
    out = {}
    for resource in description.resources:
        name = names.get(resource)
        here = (site.types.get(name) or site.taxonomies.get(name)) if name else None
        if resource in FOLLOWING or (name and here is None):
            continue
        if resource not in writers and (here is None or here.path not in writers):
            is_missing_shop = resource.startswith(("/shop/", "/shop-")) and not has_shop(site)
            out[resource] = "this site has no shop" if is_missing_shop else "not brought in by this version"
    return out


def describe_unknown(record: Record) -> str:
    """Return why a record of a collection that is not here does not come."""
    if what := _SHOP_THINGS.get(record.resource):
        return f"the profile has no {what}"
    for member in ("type", "taxonomy"):
        if name := record.values.get(member):
            return f"the profile has no {member} {name!r}"
    return f"this site has no collection {record.resource}"


def find_source_address(record: Record) -> str:
    """Return the address by which texts of the source name a record or its file, as the journal has it.

    Empty for one that names it by its number, or for a part of another's.
    """
    values = record.values
    url = str(values.get("source_url") or values.get("link") or values.get("permalink") or "")
    return "" if "?" in url or "#" in url else normalize_address(url)
