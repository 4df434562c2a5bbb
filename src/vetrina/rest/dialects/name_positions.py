"""Where a name may stand in a request or a response; everywhere else is authored text, which stays as it is.

The names of members are translated everywhere but inside authored text. A test checks that every argument whose values
are names is listed here. Rules: docs/rules/requests.md, 9.
"""

from __future__ import annotations

# Members and parameters whose text is a name, or a list of names.
NAME_MEMBERS = frozenset({
    "_suggestion_id", "blockTemplates", "editor_script", "editor_script_handles", "editor_style",
    "editor_style_handles", "event", "from", "group_id", "has_published_posts", "hook", "hooks", "id", "key",
    "namespace", "namespaces", "object", "option", "options", "order_key", "param", "parent_id", "post_type",
    "post_types", "rel", "rest_base", "rest_namespace", "script", "script_handles", "selling_venues", "sidebar",
    "status", "style", "style_handles", "subtype", "taxonomies", "taxonomy", "topic", "type", "types",
    "view_script_handles", "view_style_handles",
})  # fmt: skip

# The same in responses that describe types: a type's slug is a name, a record's is authored.
KIND_MEMBERS = {
    "/cms/v2/statuses": frozenset({"slug"}),
    "/cms/v2/taxonomies": frozenset({"slug"}),
    "/cms/v2/types": frozenset({"slug"}),
}

# Members whose text is a plugin's folder or main file; `_for` names the plugin that a signed request is for.
PLUGIN_MEMBERS = frozenset({"_for", "activated", "active", "installed", "plugin", "pluginPath", "plugins"})

# Members that describe a plugin, with its folder and its main file as `slug` and `file`.
PLUGIN_OBJECT_MEMBERS = frozenset({"plugin", "pluginData"})

# Parameters that choose members or links: lists, whose parts may be joined by dots.
FIELD_SELECTION_PARAMETERS = frozenset({"_embed", "_fields"})

# Parameters with the URL of one of the site's files, which the dialect's clients know in another folder.
FILE_MEMBERS = frozenset({"src"})

# Members that describe members, as JSON schema does.
SCHEMA_MEMBERS = frozenset({"args", "input_schema", "output_schema", "schema", "targetSchema"})

# Members with a URL of this site that may lead into its administration, or contain a made key.
URL_MEMBERS = frozenset({
    "actionUrl", "authorization", "connectUrl", "href", "manage_url", "payment_url", "redirect_url", "settings_url",
})  # fmt: skip

# Members with authored text; nothing inside is a name.
AUTHORED_MEMBERS = frozenset({
    "attributes", "block_content", "caption", "content", "description", "excerpt", "guid", "html", "instance", "raw",
    "rendered", "styles", "title",
})  # fmt: skip

# Collections whose records have members of the author's choice, names with a prefix, or URLs of every namespace.
NESTED_ROUTES = ("/cms/v2/changes", "/cms/v2/global-styles", "/cms/v2/widgets", "/shop/v3/webhooks")

# Path parameters that match names.
NAMED_PARAMETERS = frozenset({
    "group_id", "hook", "id", "namespace", "option", "plugin", "status", "taxonomy", "type",
})  # fmt: skip
