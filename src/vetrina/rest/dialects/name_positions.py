"""Where a name may stand in a request or an answer; everywhere else there is what people wrote, and it stays.

The names of members themselves are turned everywhere but inside what people wrote. Rules: interface.md; OVERRIDES 10 of
the recordings. A test asks that every argument whose values are names is listed here.
"""

from __future__ import annotations

__all__ = ["ADDRESSES", "CHOICES", "FILES", "HOLES", "NAMES", "NESTED", "OF_KINDS", "PEOPLE", "PLUGINS",
           "PLUGIN_OBJECTS", "SCHEMAS"]  # fmt: skip

# Members and parameters whose text is a name, or a list of names.
NAMES = frozenset({
    "_suggestion_id", "blockTemplates", "editor_script", "editor_script_handles", "editor_style",
    "editor_style_handles", "event", "from", "group_id", "has_published_posts", "hook", "hooks", "id", "key",
    "namespace", "namespaces", "object", "option", "options", "order_key", "param", "parent_id", "post_type",
    "post_types", "rel", "rest_base", "rest_namespace", "script", "script_handles", "selling_venues", "sidebar",
    "status", "style", "style_handles", "subtype", "taxonomies", "taxonomy", "topic", "type", "types",
    "view_script_handles", "view_style_handles",
})  # fmt: skip

# The same in answers that describe kinds of things: a type's slug is a name, a record's is its author's.
OF_KINDS = {
    "/cms/v2/statuses": frozenset({"slug"}),
    "/cms/v2/taxonomies": frozenset({"slug"}),
    "/cms/v2/types": frozenset({"slug"}),
}

# Members whose text is a plugin's folder or main file; `_for` names the one that a signed request is for.
PLUGINS = frozenset({"_for", "activated", "active", "installed", "plugin", "pluginPath", "plugins"})

# Members that describe a plugin, with its folder and its main file as `slug` and `file`.
PLUGIN_OBJECTS = frozenset({"plugin", "pluginData"})

# Parameters that choose members or links: lists, whose parts may be joined by dots.
CHOICES = frozenset({"_embed", "_fields"})

# Parameters whose text is the address of one of the site's files, which the dialect's clients know in another folder.
FILES = frozenset({"src"})

# Members that describe members, as JSON schema does.
SCHEMAS = frozenset({"args", "input_schema", "output_schema", "schema", "targetSchema"})

# Members whose text is an address of this site that may lead into its administration, or have a made key in it.
ADDRESSES = frozenset({
    "actionUrl", "authorization", "connectUrl", "href", "manage_url", "payment_url", "redirect_url", "settings_url",
})  # fmt: skip

# Members that people write; nothing inside is a name.
PEOPLE = frozenset({
    "attributes", "block_content", "caption", "content", "description", "excerpt", "guid", "html", "instance", "raw",
    "rendered", "styles", "title",
})  # fmt: skip

# Collections whose records hold members of people's own choice, or names with something in front.
NESTED = ("/cms/v2/global-styles", "/cms/v2/widgets", "/shop/v3/webhooks")

# Holes of a path that match names.
HOLES = frozenset({
    "group_id", "hook", "id", "namespace", "option", "plugin", "status", "taxonomy", "type",
})  # fmt: skip
