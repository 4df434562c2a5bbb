"""Labels that an editor's interface has for a type or a taxonomy, made from its two names.

The short labels are part of the API. Rules: docs/rules/types.md, 1 and 4.
"""

from __future__ import annotations

from functools import lru_cache

from vetrina.content.types.model import ContentType, Taxonomy

KindLabels = dict[str, str | None]


@lru_cache(maxsize=64)
def build_type_labels(type: ContentType) -> KindLabels:
    """Return the labels of a content type."""
    many, one = type.wording or (type.label, type.singular)
    low_many, low_one = many.lower(), one.lower()
    return {
        "name": many,
        "singular_name": one,
        "add_new": "Add",
        "add_new_item": f"Add {one}",
        "edit_item": f"Edit {one}",
        "new_item": f"New {one}",
        "view_item": f"View {one}",
        "view_items": f"View {many}",
        "search_items": f"Search {many}",
        "not_found": f"No {low_many} found.",
        "not_found_in_trash": f"The trash holds no {low_many}.",
        "parent_item_colon": f"Parent {one}:" if type.hierarchical else None,
        "all_items": f"All {many}",
        "archives": f"{one} Archives",
        "attributes": f"{one} Attributes",
        "insert_into_item": f"Insert into {low_one}",
        "uploaded_to_this_item": f"Uploaded to this {low_one}",
        "featured_image": "Featured image",
        "set_featured_image": "Set featured image",
        "remove_featured_image": "Remove featured image",
        "use_featured_image": "Use as featured image",
        "filter_items_list": f"Filter {low_many} list",
        "filter_by_date": "Filter by date",
        "items_list_navigation": f"{many} list navigation",
        "items_list": f"{many} list",
        "item_published": f"{one} published.",
        "item_published_privately": f"{one} published privately.",
        "item_reverted_to_draft": f"{one} reverted to draft.",
        "item_trashed": f"{one} trashed.",
        "item_scheduled": f"{one} scheduled.",
        "item_updated": f"{one} updated.",
        "item_link": f"{one} Link",
        "item_link_description": f"A link to a {low_one}.",
        "menu_name": many,
        "name_admin_bar": one,
        "template_name": f"Single item: {one}",
        **type.labels,
    }


@lru_cache(maxsize=64)
def build_taxonomy_labels(taxonomy: Taxonomy) -> KindLabels:
    """Return the labels of a taxonomy; those that apply only to trees, or only to flat ones, are None in the others."""
    many, one = taxonomy.label, taxonomy.singular
    low_many, low_one = many.lower(), one.lower()
    tree = taxonomy.hierarchical
    return {
        "name": many,
        "singular_name": one,
        "search_items": f"Search {many}",
        "popular_items": None if tree else f"Popular {many}",
        "all_items": f"All {many}",
        "parent_item": f"Parent {one}" if tree else None,
        "parent_item_colon": f"Parent {one}:" if tree else None,
        "name_field_description": f"What people see of this {low_one}.",
        "slug_field_description": "What stands for the name in addresses: lower-case letters, digits, dashes.",
        "parent_field_description": f"The {low_one} that this one belongs to; none for the top." if tree else None,
        "desc_field_description": "What it means; themes may show it.",
        "edit_item": f"Edit {one}",
        "view_item": f"View {one}",
        "update_item": f"Update {one}",
        "add_new_item": f"Add {one}",
        "new_item_name": f"New {one} Name",
        "separate_items_with_commas": None if tree else f"Separate {low_many} with commas",
        "add_or_remove_items": None if tree else f"Add or remove {low_many}",
        "choose_from_most_used": None if tree else f"Choose from the most used {low_many}",
        "not_found": f"No {low_many} found.",
        "no_terms": f"No {low_many}",
        "filter_by_item": f"Filter by {low_one}" if tree else None,
        "items_list_navigation": f"{many} list navigation",
        "items_list": f"{many} list",
        "most_used": "Most Used",
        "back_to_items": f"&larr; Go to {many}",
        "item_link": f"{one} Link",
        "item_link_description": f"A link to a {low_one}.",
        "menu_name": many,
        "name_admin_bar": taxonomy.name,
        "template_name": f"{one} Archives",
    }
