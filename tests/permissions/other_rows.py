"""Permissions of comments and of everything but records: types, statuses, settings, modules, blocks, abilities.

Rules: docs/rules/types.md, 2, docs/rules/site_settings.md, 1, docs/rules/themes.md, 1, 3, 4 and 6 and
docs/rules/root_index.md, 6 and 8; comments and batches as recorded (tests/contract).
"""

from __future__ import annotations

from .rows import ACCOUNTS, ADMINISTRATOR, CONTRIBUTORS, DESIGNERS, EDITORS, EVERYBODY, NONE, Row, rows

__all__ = ["OTHER_ROWS"]

CHANGE = "POST PUT PATCH"

ROOT = (
    *rows("GET", "/", EVERYBODY),
    *rows("GET", "/cms/v2", EVERYBODY),
    *rows("GET", "/oembed/1.0", EVERYBODY),
    *rows("GET", "/cms-site-health/v1", EVERYBODY),
    *rows("GET", "/cms-block-editor/v1", EVERYBODY),
    *rows("GET", "/cms-abilities/v1", EVERYBODY),
    *rows("POST", "/batch/v1", EVERYBODY, 207, body={"requests": []}),
    *rows("GET", "/oembed/1.0/embed?url=http://vetrina.test/en/?p={posts publish}", EVERYBODY),
    *rows("GET", "/oembed/1.0/embed?url=http://vetrina.test/en/?p={posts draft}", EVERYBODY, "404 oembed_invalid_url"),
    *rows(
        "GET", "/oembed/1.0/proxy?url=http://vetrina.test/en/?p={posts publish}", CONTRIBUTORS, 200, "rest_forbidden"
    ),
)

KINDS = (
    *rows("GET", "/cms/v2/types", EVERYBODY),
    *rows("GET", "/cms/v2/types?context=edit", CONTRIBUTORS, 200, "rest_cannot_view"),
    *rows("GET", "/cms/v2/types/post", EVERYBODY),
    *rows("GET", "/cms/v2/types/cms_font_face", EVERYBODY),
    *rows("GET", "/cms/v2/types/post?context=edit", CONTRIBUTORS, 200, "rest_forbidden_context"),
    *rows("GET", "/cms/v2/types/page?context=edit", ADMINISTRATOR, 200, "rest_forbidden_context", editor="200"),
    *rows("GET", "/cms/v2/types/cms_template?context=edit", DESIGNERS, 200, "rest_forbidden_context"),
    *rows("GET", "/cms/v2/types/revision", NONE, refused="rest_cannot_read_type"),
    *rows("GET", "/cms/v2/types/nothing", EVERYBODY, "404 rest_type_invalid"),
    *rows("GET", "/cms/v2/statuses", EVERYBODY),
    *rows("GET", "/cms/v2/statuses?context=edit", CONTRIBUTORS, 200, "rest_cannot_view"),
    *rows("GET", "/cms/v2/statuses/publish", EVERYBODY),
    *rows("GET", "/cms/v2/statuses/draft", CONTRIBUTORS, 200, "rest_cannot_read_status"),
    *rows("GET", "/cms/v2/statuses/trash", CONTRIBUTORS, 200, "rest_cannot_read_status"),
    *rows("GET", "/cms/v2/statuses/inherit", NONE, refused="rest_cannot_read_status"),
    *rows("GET", "/cms/v2/statuses/nothing", EVERYBODY, "404 rest_status_invalid"),
    *rows("GET", "/cms/v2/taxonomies", EVERYBODY),
    *rows("GET", "/cms/v2/taxonomies?context=edit", CONTRIBUTORS, 200, "rest_cannot_view"),
    *rows("GET", "/cms/v2/taxonomies/category", EVERYBODY),
    *rows("GET", "/cms/v2/taxonomies/category?context=edit", CONTRIBUTORS, 200, "rest_forbidden_context"),
    *rows("GET", "/cms/v2/taxonomies/nav_menu?context=edit", DESIGNERS, 200, "rest_forbidden_context"),
    *rows("GET", "/cms/v2/taxonomies/post_format", NONE, refused="rest_forbidden"),
    *rows("GET", "/cms/v2/taxonomies/nothing", EVERYBODY, "404 rest_taxonomy_invalid"),
    *rows("GET", "/cms/v2/search", EVERYBODY),
)

COMMENTS = (
    *rows("GET", "/cms/v2/comments", EVERYBODY),
    *rows("GET", "/cms/v2/comments?context=edit", ADMINISTRATOR, 200, "rest_forbidden_context", editor="200"),
    *rows("GET", "/cms/v2/comments?status=hold", CONTRIBUTORS, 200, "rest_forbidden_param"),
    *rows("GET", "/cms/v2/comments?post={posts draft}", ADMINISTRATOR, 200, "rest_cannot_read_post", editor="200"),
    *rows("POST", "/cms/v2/comments", ACCOUNTS, 201, "rest_comment_login_required",
          {"post": "{posts publish}", "content": "something new"}),
    *rows("POST", "/cms/v2/comments", ACCOUNTS, "403 rest_comment_invalid_post_id", "rest_comment_login_required",
          {"post": 99999999, "content": "x"}),
    *rows("POST", "/cms/v2/comments", ADMINISTRATOR, 201, "rest_comment_invalid_status",
          {"post": "{posts publish}", "content": "waits", "status": "hold"},
          editor="201", nobody="401 rest_comment_login_required"),
    *rows("POST", "/cms/v2/comments", ADMINISTRATOR, 201, "rest_cannot_create_note",
          {"post": "{posts publish}", "content": "x", "type": "note"},
          editor="201", nobody="401 rest_comment_login_required"),
    *rows("GET", "/cms/v2/comments/{comment}", EVERYBODY),
    *rows("GET", "/cms/v2/comments/{comment}?context=edit", ADMINISTRATOR, 200, "rest_forbidden_context", editor="200"),
    *rows("GET", "/cms/v2/comments/{held comment}", ADMINISTRATOR, 200, "rest_cannot_read", editor="200"),
    *rows("GET", "/cms/v2/comments/{note}", ADMINISTRATOR, 200, "rest_cannot_read", editor="200"),
    *rows(CHANGE, "/cms/v2/comments/{comment}", ADMINISTRATOR, 200, "rest_cannot_edit", {"content": "w"}, editor="200"),
    *rows(CHANGE, "/cms/v2/comments/{comment of an author's post}", ADMINISTRATOR, 200, "rest_cannot_edit",
          {"content": "w"}, editor="200", author="200"),
    *rows("DELETE", "/cms/v2/comments/{comment}", ADMINISTRATOR, 200, "rest_cannot_delete", editor="200"),
    *rows("DELETE", "/cms/v2/comments/{comment}?force=true", ADMINISTRATOR, 200, "rest_cannot_delete", editor="200"),
    *rows("DELETE", "/cms/v2/comments/{comment of an author's post}", ADMINISTRATOR, 200, "rest_cannot_delete",
          editor="200", author="200"),
    *rows("GET PUT DELETE", "/cms/v2/comments/99999999", EVERYBODY, "404 rest_comment_invalid_id",
          body={"content": "w"}),
)  # fmt: skip

_HOOK = {"topics": ["post.*"], "delivery_url": "https://hooks.example.org/x", "secret": "long enough to sign with"}
_NO_HOOK = "404 rest_webhook_invalid_id"
_NO_REDIRECT = "404 rest_redirect_invalid_id"

SITE = (
    *rows("GET", "/cms/v2/changes", EVERYBODY),
    *rows("GET", "/cms/v2/webhooks", ADMINISTRATOR, 200, "rest_forbidden"),
    *rows("POST", "/cms/v2/webhooks", ADMINISTRATOR, 201, "rest_forbidden", _HOOK),
    *rows("GET", "/cms/v2/webhooks/topics", ADMINISTRATOR, 200, "rest_forbidden"),
    *(row for path in ("999", "999/deliveries", "999/deliveries/1")
      for row in rows("GET", f"/cms/v2/webhooks/{path}", ADMINISTRATOR, _NO_HOOK, "rest_forbidden")),
    *rows(CHANGE, "/cms/v2/webhooks/999", ADMINISTRATOR, _NO_HOOK, "rest_forbidden", {"name": "x"}),
    *rows("DELETE", "/cms/v2/webhooks/999?force=true", ADMINISTRATOR, _NO_HOOK, "rest_forbidden"),
    *(row for path in ("ping", "deliveries/1/redeliver")
      for row in rows("POST", f"/cms/v2/webhooks/999/{path}", ADMINISTRATOR, _NO_HOOK, "rest_forbidden")),
    *rows("GET", "/cms/v2/redirects", EDITORS, 200, "rest_forbidden"),
    *rows("POST", "/cms/v2/redirects", EDITORS, 201, "rest_forbidden", {"source": "/old", "target": "/new"}),
    *rows("GET", "/cms/v2/redirects/999", EDITORS, _NO_REDIRECT, "rest_forbidden"),
    *rows(CHANGE, "/cms/v2/redirects/999", EDITORS, _NO_REDIRECT, "rest_forbidden", {"target": "/x"}),
    *rows("DELETE", "/cms/v2/redirects/999?force=true", EDITORS, _NO_REDIRECT, "rest_forbidden"),
    *rows("GET", "/cms/v2/redirects/lookup?path=/nowhere", EVERYBODY, "404 rest_no_redirect"),
    *rows("GET", "/cms/v2/redirects/export", EDITORS, 200, "rest_forbidden"),
    *rows("POST", "/cms/v2/redirects/import", EDITORS, 200, "rest_forbidden", {"csv": "source,target\n/a,/b\n"}),
    *rows("GET POST DELETE", "/cms/v2/edit-locks/{posts publish}", EDITORS, 200, "rest_cannot_edit"),
    *rows("GET", "/access/v1/roles", DESIGNERS, 200, "rest_cannot_view_roles"),
    *rows("GET", "/access/v1/roles/author", DESIGNERS, 200, "rest_cannot_view_roles"),
    *rows("GET", "/access/v1/capabilities", DESIGNERS, 200, "rest_cannot_view_roles"),
    *rows("POST", "/access/v1/roles", ADMINISTRATOR, 201, "rest_cannot_manage_roles", {"name": "new", "label": "New"}),
    *rows(CHANGE, "/access/v1/roles/author", ADMINISTRATOR, 200, "rest_cannot_manage_roles", {"label": "Writer"}),
    *rows("DELETE", "/access/v1/roles/author", ADMINISTRATOR, "400 rest_role_of_profile", "rest_cannot_manage_roles"),
    *rows("GET", "/access/v1/audit-entries", ADMINISTRATOR, 200, "rest_forbidden"),
    *rows("GET", "/access/v1/audit-entries/99999999", ADMINISTRATOR, "404 rest_audit_entry_invalid_id",
          "rest_forbidden"),
    *rows("GET", "/access/v1/audit-entries/export", ADMINISTRATOR, 200, "rest_forbidden"),
    *rows("GET", "/cms/v2/jobs", ADMINISTRATOR, 200, "rest_forbidden"),
    *rows("GET", "/cms/v2/jobs/kinds", ADMINISTRATOR, 200, "rest_forbidden"),
    *rows("GET DELETE", "/cms/v2/jobs/99999999?force=true", ADMINISTRATOR, "404 rest_job_invalid_id", "rest_forbidden"),
    *rows("POST", "/cms/v2/jobs/99999999/retry", ADMINISTRATOR, "404 rest_job_invalid_id", "rest_forbidden"),
    *rows("GET", "/cms/v2/backups", ADMINISTRATOR, 200, "rest_forbidden"),
    *rows("POST", "/cms/v2/backups", ADMINISTRATOR, 202, "rest_forbidden", {"media": False}),
    *rows("GET DELETE", "/cms/v2/backups/x.tar.gz?force=true", ADMINISTRATOR, "404 rest_backup_invalid_name",
          "rest_forbidden"),
    *rows("POST", "/cms/v2/backups/x.tar.gz/link", ADMINISTRATOR, "404 rest_backup_invalid_name", "rest_forbidden",
          {"password": "x"}),
    *rows("GET", "/cms/v2/backups/x.tar.gz/file?token=x", ADMINISTRATOR, "404 rest_backup_invalid_name",
          "rest_forbidden"),
    *rows("GET", "/cms/v2/site-check", ADMINISTRATOR, 200, "rest_forbidden"),
    *rows("POST", "/cms/v2/site-check", ADMINISTRATOR, 202, "rest_forbidden", {}),
    *rows("GET", "/cms/v2/site-import", ADMINISTRATOR, 200, "rest_forbidden"),
    *rows("POST", "/cms/v2/site-import", ADMINISTRATOR, "400 rest_import_file_missing", "rest_forbidden", {}),
    *rows("POST", "/cms/v2/site-import/stop", ADMINISTRATOR, "409 rest_job_not_running", "rest_forbidden", {}),
    *rows("POST", "/cms/v2/site-import/file", ADMINISTRATOR, "400 rest_import_file_missing", "rest_forbidden", {}),
    *rows("GET", "/cms/v2/site-comparison", ADMINISTRATOR, 200, "rest_forbidden"),
    *rows("POST", "/cms/v2/site-comparison", ADMINISTRATOR, 202, "rest_forbidden", {"address": "https://a.example"}),
    *rows("GET", "/cms/v2/site-profile", ADMINISTRATOR, 200, "rest_forbidden"),
    *rows("POST", "/cms/v2/site-profile/preview", ADMINISTRATOR, 200, "rest_forbidden", {"text": "title = 'x'"}),
    *rows("GET", "/cms/v2/settings", ADMINISTRATOR, 200, "rest_forbidden"),
    *rows(CHANGE, "/cms/v2/settings", ADMINISTRATOR, 200, "rest_forbidden", {"description": "x"}),
    *rows("GET", "/cms/v2/plugins", ADMINISTRATOR, 200, "rest_cannot_view_plugins"),
    *rows("POST", "/cms/v2/plugins", ADMINISTRATOR, "404 plugins_api_failed", "rest_cannot_install_plugin",
          {"slug": "x"}),
    *rows("GET", "/cms/v2/plugins/shop/shop", ADMINISTRATOR, 200, "rest_cannot_view_plugin"),
    *rows(CHANGE, "/cms/v2/plugins/multilingual/multilingual", ADMINISTRATOR, 200, "rest_cannot_manage_plugins", {}),
    *rows("DELETE", "/cms/v2/plugins/multilingual/multilingual", ADMINISTRATOR,
          "400 rest_cannot_delete_active_plugin", "rest_cannot_manage_plugins"),
    *(row for test in ("background-updates", "loopback-requests", "https-status", "dotorg-communication",
                       "authorization-header", "page-cache", "database", "disk-space", "clock")
      for row in rows("GET", f"/cms-site-health/v1/tests/{test}", ADMINISTRATOR, 200, "rest_forbidden")),
    *rows("GET", "/cms-site-health/v1/directory-sizes", ADMINISTRATOR, 200, "rest_forbidden"),
    *rows("GET", "/cms-block-editor/v1/url-details?url=http://frutta.example/", CONTRIBUTORS, 200,
          "rest_cannot_view_url_details"),
    *rows("GET", "/cms-block-editor/v1/export", DESIGNERS, 200, "rest_cannot_export_templates"),
    *rows("GET", "/cms-block-editor/v1/navigation-fallback", DESIGNERS, 200, "rest_cannot_create"),
)  # fmt: skip

BLOCK_TYPES = (
    *rows("GET", "/cms/v2/block-types", CONTRIBUTORS, 200, "rest_block_type_cannot_view"),
    *rows("GET", "/cms/v2/block-types/core", CONTRIBUTORS, 200, "rest_block_type_cannot_view"),
    *rows("GET", "/cms/v2/block-types/core/archives", CONTRIBUTORS, 200, "rest_block_type_cannot_view"),
    *rows("GET POST", "/cms/v2/block-renderer/core/archives?context=edit", CONTRIBUTORS, 200, "block_cannot_read"),
    *rows(
        "GET",
        "/cms/v2/block-renderer/core/archives?context=edit&post_id={posts publish}",
        ADMINISTRATOR,
        200,
        "block_cannot_read",
        editor="200",
    ),
    *rows("GET", "/cms/v2/block-patterns/patterns", CONTRIBUTORS, 200, "rest_cannot_view"),
    *rows("GET", "/cms/v2/block-patterns/categories", CONTRIBUTORS, 200, "rest_cannot_view"),
    *rows("GET", "/cms/v2/block-directory/search?term=x", ADMINISTRATOR, 200, "rest_block_directory_cannot_view"),
    *rows("GET", "/cms/v2/pattern-directory/patterns", CONTRIBUTORS, 200, "rest_pattern_directory_cannot_view"),
)

_WIDGETS = "rest_cannot_manage_widgets"
WIDGETS = (
    *rows("GET", "/cms/v2/widgets", DESIGNERS, 200, _WIDGETS),
    *rows("POST", "/cms/v2/widgets", DESIGNERS, 201, _WIDGETS, {"id_base": "text"}),
    *rows("GET", "/cms/v2/widgets/{widget}", DESIGNERS, 200, _WIDGETS),
    *rows(CHANGE, "/cms/v2/widgets/{widget}", DESIGNERS, 200, _WIDGETS, {"sidebar": "cms_inactive_widgets"}),
    *rows("DELETE", "/cms/v2/widgets/{widget}", DESIGNERS, 200, _WIDGETS),
    *rows("DELETE", "/cms/v2/widgets/{widget}?force=true", DESIGNERS, 200, _WIDGETS),
    # Rights are checked before existence here.
    *rows("GET PUT DELETE", "/cms/v2/widgets/text-99", DESIGNERS, "404 rest_widget_not_found", _WIDGETS, {}),
    *rows("GET", "/cms/v2/sidebars", DESIGNERS, 200, _WIDGETS),
    *rows("GET", "/cms/v2/sidebars/cms_inactive_widgets", DESIGNERS, 200, _WIDGETS),
    *rows("GET", "/cms/v2/sidebars/nowhere", DESIGNERS, "404 rest_sidebar_not_found", _WIDGETS),
    *rows(CHANGE, "/cms/v2/sidebars/cms_inactive_widgets", DESIGNERS, 200, _WIDGETS, {"widgets": []}),
    *rows("GET", "/cms/v2/widget-types", DESIGNERS, 200, _WIDGETS),
    *rows("GET", "/cms/v2/widget-types/text", DESIGNERS, 200, _WIDGETS),
    *rows("POST", "/cms/v2/widget-types/text/encode", DESIGNERS, 200, _WIDGETS, {}),
    *rows("POST", "/cms/v2/widget-types/text/render", DESIGNERS, 200, _WIDGETS, {}),
)

ABILITIES = (
    *rows("GET", "/cms-abilities/v1/abilities", ACCOUNTS, 200, "rest_forbidden"),
    *rows("GET", "/cms-abilities/v1/abilities/core/get-site-info", ACCOUNTS, 200, "rest_forbidden"),
    *rows("GET", "/cms-abilities/v1/categories", ACCOUNTS, 200, "rest_forbidden"),
    *rows("GET", "/cms-abilities/v1/categories/site", ACCOUNTS, 200, "rest_forbidden"),
    *rows("GET", "/cms-abilities/v1/abilities/core/get-site-info/run", ADMINISTRATOR, 200,
          "rest_ability_cannot_execute"),
    *rows("GET", "/cms-abilities/v1/abilities/core/get-nothing/run", EVERYBODY, "404 rest_ability_not_found"),
    # The method of running an ability is checked before rights.
    *rows("POST PUT PATCH DELETE", "/cms-abilities/v1/abilities/core/get-site-info/run", EVERYBODY,
          "405 rest_ability_invalid_method"),
)  # fmt: skip

# The bare calls; with what they need: tests/tokens.
TOKENS = (
    *rows("GET", "/access/v1/keys", EVERYBODY),
    *rows("POST", "/access/v1/tokens", EVERYBODY, "401 rest_sign_in_needed", body={}),
    *rows("DELETE", "/access/v1/tokens", EVERYBODY, "400 rest_no_session"),
    *rows("POST", "/access/v1/tokens/refresh", EVERYBODY, "400 rest_missing_callback_param", body={}),
    *rows("POST", "/access/v1/tokens/revoke", EVERYBODY, "400 rest_missing_callback_param", body={}),
)

_FACTORS = "/access/v1/second-factors"
_UNPROVED = "rest_not_logged_in"
ACCOUNT = (
    *rows("GET", _FACTORS, ACCOUNTS, 200, _UNPROVED),
    *rows("POST", f"{_FACTORS}/one-time-codes", ACCOUNTS, "409 rest_no_own_password", _UNPROVED, {"password": "x"}),
    *rows("DELETE", f"{_FACTORS}/one-time-codes", ACCOUNTS, "409 rest_no_own_password", _UNPROVED,
          {"password": "x", "code": "x"}),
    *rows("POST", f"{_FACTORS}/one-time-codes/confirm", ACCOUNTS, "409 rest_no_one_time_codes_begun", _UNPROVED,
          {"code": "123456"}),
    *rows("POST", f"{_FACTORS}/recovery-codes", ACCOUNTS, "409 rest_no_own_password", _UNPROVED, {"password": "x"}),
    *rows("GET", "/access/v1/passkeys", ACCOUNTS, 200, _UNPROVED),
    *rows("POST", "/access/v1/passkeys", ACCOUNTS, "403 rest_passkey_refused", _UNPROVED,
          {"name": "x", "credential": {}}),
    *rows("POST", "/access/v1/passkeys/options", ACCOUNTS, "409 rest_no_own_password", _UNPROVED, {"password": "x"}),
    *rows("PATCH", "/access/v1/passkeys/x", ACCOUNTS, "404 rest_passkey_not_found", _UNPROVED, {"name": "x"}),
    *rows("DELETE", "/access/v1/passkeys/x", ACCOUNTS, "409 rest_no_own_password", _UNPROVED, {"password": "x"}),
    *rows("GET", "/access/v1/users/{a reader}/second-factors", ADMINISTRATOR, 200, "rest_cannot_edit"),
    *rows("DELETE", "/access/v1/users/{a reader}/second-factors", ADMINISTRATOR, "404 rest_no_second_factor",
          "rest_cannot_edit"),
)  # fmt: skip

OTHER_ROWS: tuple[Row, ...] = (*TOKENS, *ROOT, *KINDS, *COMMENTS, *SITE, *BLOCK_TYPES, *WIDGETS, *ABILITIES, *ACCOUNT)
