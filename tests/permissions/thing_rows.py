"""Permissions of terms, accounts and their application passwords, media, menus and all of the design.

Rules: docs/rules/terms.md, 7, docs/rules/users.md, 6 and 9, docs/rules/authentication.md, 7, docs/rules/media.md, 5,
docs/rules/menus.md, 2, docs/rules/templates.md, 11, docs/rules/global_styles.md, 7 and docs/rules/fonts.md, 1.
"""

from __future__ import annotations

from pictures import picture

from .rows import ACCOUNTS, ADMINISTRATOR, AUTHORS, CONTRIBUTORS, DESIGNERS, EDITORS, EVERYBODY, NONE, Row, rows

__all__ = ["THING_ROWS"]

CHANGE = "POST PUT PATCH"
TITLE = {"title": "x"}
NAME = {"name": "x"}


def _terms(
    base: str, creators: frozenset[str], profile: str = "", editors: frozenset[str] = EDITORS
) -> tuple[Row, ...]:
    path, item = f"/cms/v2/{base}", f"/cms/v2/{base}/{{{base}}}"
    context = "rest_forbidden_context"
    return (
        *rows("GET", path, EVERYBODY, profile=profile),
        *rows("GET", f"{path}?context=edit", editors, 200, context, profile=profile),
        *rows("POST", path, creators, 201, "rest_cannot_create", NAME, profile=profile),
        *rows("GET", item, EVERYBODY, profile=profile),
        *rows("GET", f"{item}?context=edit", editors, 200, context, profile=profile),
        *rows(CHANGE, item, editors, 200, "rest_cannot_update", NAME, profile=profile),
        *rows("DELETE", f"{item}?force=true", editors, 200, "rest_cannot_delete", profile=profile),
        *rows("DELETE", item, editors, "501 rest_trash_not_supported", "rest_cannot_delete", profile=profile),
        *rows("GET PUT DELETE", f"{path}/99999999", EVERYBODY, "404 rest_term_invalid", body=NAME, profile=profile),
    )


TERMS = (
    *_terms("categories", EDITORS),
    *_terms("tags", CONTRIBUTORS),
    *_terms("cms_pattern_category", CONTRIBUTORS),
    *_terms("categoria-intervento", EDITORS, "first"),
    *(
        row
        for base in ("product_cat", "product_tag", "product_brand")
        for row in _terms(base, DESIGNERS, "second", DESIGNERS)
    ),
    # Nobody may delete the default category.
    *rows("DELETE", "/cms/v2/categories/1?force=true", NONE, refused="rest_cannot_delete"),
)

_LISTERS = ADMINISTRATOR | {"shop_manager"}  # manages customers only, but lists all accounts
_NEW_USER = {"username": "somebody", "email": "somebody@example.org", "password": "a pass word"}
USERS = (
    *rows("GET", "/cms/v2/users", EVERYBODY),
    *rows("GET", "/cms/v2/users?context=edit", _LISTERS, 200, "rest_forbidden_context"),
    *rows("GET", "/cms/v2/users?roles=editor", _LISTERS, 200, "rest_user_cannot_view"),
    *rows("GET", "/cms/v2/users?capabilities=edit_posts", _LISTERS, 200, "rest_user_cannot_view"),
    *rows("GET", "/cms/v2/users?orderby=email", _LISTERS, 200, "rest_forbidden_orderby"),
    *rows("GET", "/cms/v2/users?who=authors", CONTRIBUTORS, 200, "rest_forbidden_who"),
    *rows("POST", "/cms/v2/users", ADMINISTRATOR, 201, "rest_cannot_create_user", _NEW_USER),
    *rows("GET", "/cms/v2/users/{editor}", EVERYBODY),
    *rows("GET", "/cms/v2/users/{editor}?context=edit", ADMINISTRATOR, 200, "rest_forbidden_context", editor="200",
          shop_manager="403 rest_forbidden_context"),
    # An account without published posts is visible to itself and to those who may list accounts.
    *rows("GET", "/cms/v2/users/{a reader}", _LISTERS, 200, "rest_user_cannot_view"),
    *rows(CHANGE, "/cms/v2/users/{a reader}", ADMINISTRATOR, 200, "rest_cannot_edit", NAME),
    *rows(CHANGE, "/cms/v2/users/{own account}", ACCOUNTS, 200, "rest_cannot_edit", NAME),
    # The right to assign roles is checked before the right to edit the account.
    *rows("PUT", "/cms/v2/users/{own account}", ADMINISTRATOR, 200, "rest_cannot_edit_roles",
          {"roles": ["administrator"]}),
    *rows("DELETE", "/cms/v2/users/{a reader}?force=true&reassign={editor}", ADMINISTRATOR, 200,
          "rest_user_cannot_delete"),
    *rows("GET PUT", "/cms/v2/users/99999999", EVERYBODY, "404 rest_user_invalid_id", body=NAME),
    *rows("DELETE", "/cms/v2/users/99999999?force=true&reassign=1", EVERYBODY, "404 rest_user_invalid_id"),
    *rows("GET", "/cms/v2/users/me", ACCOUNTS, 200, "rest_not_logged_in"),
    *rows("GET", "/cms/v2/users/me?context=edit", ACCOUNTS, 200, "rest_not_logged_in"),
    *rows(CHANGE, "/cms/v2/users/me", ACCOUNTS, 200, body=NAME, nobody="404 rest_user_invalid_id"),
    *rows("DELETE", "/cms/v2/users/me?force=true&reassign={a reader}", ADMINISTRATOR, "409 rest_last_administrator",
          "rest_user_cannot_delete", nobody="404 rest_user_invalid_id"),
)  # fmt: skip


def _keys(of: str) -> tuple[Row, ...]:
    """An account's own application passwords; anonymously `me` is nobody."""
    path, me = f"/cms/v2/users/{of}/application-passwords", of == "me"
    word = "{}_application_password"

    def refused(code: str) -> str:
        return "rest_not_logged_in" if me else f"rest_cannot_{code}"

    return (
        *rows("GET", path, ACCOUNTS, 200, refused("list_application_passwords")),
        *rows("POST", path, ACCOUNTS, 201, refused("create_application_passwords"), NAME),
        *rows("DELETE", path, ACCOUNTS, 200, refused("delete_application_passwords")),
        *rows("GET", f"{path}/introspect", ACCOUNTS, 200,
              "rest_not_logged_in" if me else "rest_cannot_introspect_app_password_for_non_authenticated_user"),
        *rows("GET", f"{path}/{{own key}}", ACCOUNTS, 200, refused(word.format("read"))),
        *rows(CHANGE, f"{path}/{{own key}}", ACCOUNTS, 200, refused(word.format("edit")), NAME),
        *rows("DELETE", f"{path}/{{own key}}", ACCOUNTS, 200, refused(word.format("delete"))),
    )  # fmt: skip


_OTHERS = "/cms/v2/users/{a reader}/application-passwords"
KEYS = (
    *_keys("me"),
    *_keys("{own account}"),
    *rows("GET", _OTHERS, ADMINISTRATOR, 200, "rest_cannot_list_application_passwords"),
    *rows("POST", _OTHERS, ADMINISTRATOR, 201, "rest_cannot_create_application_passwords", NAME),
    *rows("DELETE", _OTHERS, ADMINISTRATOR, 200, "rest_cannot_delete_application_passwords"),
    *rows("GET", f"{_OTHERS}/introspect", NONE,
          refused="rest_cannot_introspect_app_password_for_non_authenticated_user"),
    *rows("GET", f"{_OTHERS}/{{a reader's key}}", ADMINISTRATOR, 200, "rest_cannot_read_application_password"),
    *rows(CHANGE, f"{_OTHERS}/{{a reader's key}}", ADMINISTRATOR, 200, "rest_cannot_edit_application_password", NAME),
    *rows("DELETE", f"{_OTHERS}/{{a reader's key}}", ADMINISTRATOR, 200, "rest_cannot_delete_application_password"),
)  # fmt: skip

_TURN = {"type": "rotate", "args": {"angle": 90}}
_UNTRAINED = dict.fromkeys(("contributor", "subscriber"), "403 rest_cannot_edit_image")
_SIZES = {"action": "create-image-subsizes"}
MEDIA = (
    *rows("GET", "/cms/v2/media", EVERYBODY),
    *rows("GET", "/cms/v2/media?context=edit", CONTRIBUTORS, 200, "rest_forbidden_context"),
    *rows("GET", "/cms/v2/media?status=private", CONTRIBUTORS, 200,
          nobody="400 rest_invalid_param", subscriber="400 rest_invalid_param"),
    *rows("POST", "/cms/v2/media", AUTHORS, 201, "rest_cannot_create", picture(8, 8, "PNG")),
    *rows("GET", "/cms/v2/media/{media}", EVERYBODY),
    *rows("GET", "/cms/v2/media/{media}/renditions", EVERYBODY),
    *rows("POST", "/cms/v2/media/{media}/renditions", EDITORS, 200, "rest_cannot_edit", {"w": 4}),
    *rows("GET", "/cms/v2/media/{media}?context=edit", EDITORS, 200, "rest_forbidden_context"),
    *rows("GET", "/cms/v2/media/{own media}?context=edit", CONTRIBUTORS, 200, "rest_forbidden_context"),
    *rows("GET", "/cms/v2/media/{media private}", EDITORS, 200, "rest_forbidden"),
    *rows(CHANGE, "/cms/v2/media/{media}", EDITORS, 200, "rest_cannot_edit", TITLE),
    *rows(CHANGE, "/cms/v2/media/{own media}", CONTRIBUTORS, 200, "rest_cannot_edit", TITLE),
    *rows("PUT", "/cms/v2/media/{own media}", EDITORS, 200, "rest_cannot_edit", {"author": "{a reader}"},
          author="403 rest_cannot_edit_others", contributor="403 rest_cannot_edit_others"),
    *rows("DELETE", "/cms/v2/media/{media}?force=true", EDITORS, 200, "rest_cannot_delete"),
    *rows("DELETE", "/cms/v2/media/{own media}?force=true", CONTRIBUTORS, 200, "rest_cannot_delete"),
    *rows("DELETE", "/cms/v2/media/{media}", EDITORS, "501 rest_trash_not_supported", "rest_cannot_delete"),
    *rows("POST", "/cms/v2/media/{media}/post-process", EDITORS, 200, "rest_cannot_edit", _SIZES),
    *rows("POST", "/cms/v2/media/{own media}/post-process", CONTRIBUTORS, 200, "rest_cannot_edit", _SIZES),
    *rows("POST", "/cms/v2/media/{media}/edit", EDITORS, 201, "rest_cannot_edit_image",
          {"src": "{media address}", "modifiers": [_TURN]}, author="403 rest_cannot_edit"),
    *rows("POST", "/cms/v2/media/{own media}/edit", AUTHORS, 201, "rest_cannot_edit_image",
          {"src": "{own media address}", "modifiers": [_TURN]}),
    *rows("POST", "/cms/v2/media/{media}/replace", EDITORS, 200, "rest_cannot_edit", picture(8, 8, "PNG")),
    *rows("POST", "/cms/v2/media/{own media}/replace", AUTHORS, 200, "rest_cannot_edit", picture(8, 8, "PNG"),
          contributor="403 rest_cannot_create"),
    *rows("GET", "/cms/v2/media/{media}/usage", EDITORS, 200, "rest_cannot_edit"),
    *rows("GET", "/cms/v2/media/{own media}/usage", CONTRIBUTORS, 200, "rest_cannot_edit"),
    *rows("GET PUT DELETE", "/cms/v2/media/99999999", EVERYBODY, "404 rest_post_invalid_id", body=TITLE),
)  # fmt: skip

_ITEM, _NEW_ITEM = "/cms/v2/menu-items/{menu item}", {"title": "x", "url": "http://vetrina.test/", "menus": "{menu}"}
MENUS = (
    *rows("GET", "/cms/v2/menus", CONTRIBUTORS, 200, "rest_cannot_view"),
    *rows("GET", "/cms/v2/menus?context=edit", DESIGNERS, 200, "rest_forbidden_context"),
    *rows("POST", "/cms/v2/menus", DESIGNERS, 201, "rest_cannot_create", {"name": "Another"}),
    *rows("GET", "/cms/v2/menus/{menu}", CONTRIBUTORS, 200, "rest_cannot_view"),
    *rows("GET", "/cms/v2/menus/{menu}?context=edit", DESIGNERS, 200, "rest_forbidden_context"),
    *rows(CHANGE, "/cms/v2/menus/{menu}", DESIGNERS, 200, "rest_cannot_update", {"description": "x"}),
    *rows("DELETE", "/cms/v2/menus/{menu}?force=true", DESIGNERS, 200, "rest_cannot_delete"),
    *rows("GET PUT", "/cms/v2/menus/99999999", EVERYBODY, "404 rest_term_invalid", body=NAME),
    *rows("GET", "/cms/v2/menu-locations", CONTRIBUTORS, 200, "rest_cannot_view"),
    *rows("GET", "/cms/v2/menu-locations/nowhere", CONTRIBUTORS, "404 rest_menu_location_invalid", "rest_cannot_view"),
    *rows(
        "GET", "/cms/v2/menu-locations/nowhere/tree", CONTRIBUTORS, "404 rest_menu_location_invalid", "rest_cannot_view"
    ),
    *rows("GET", "/cms/v2/menu-items", CONTRIBUTORS, 200, "rest_cannot_view"),
    *rows("GET", "/cms/v2/menu-items?context=edit", DESIGNERS, 200, "rest_forbidden_context"),
    *rows("POST", "/cms/v2/menu-items", DESIGNERS, 201, "rest_cannot_create", _NEW_ITEM),
    *rows("GET", _ITEM, CONTRIBUTORS, 200, "rest_cannot_view"),
    *rows("GET", f"{_ITEM}?context=edit", DESIGNERS, 200, "rest_forbidden_context"),
    *rows(CHANGE, _ITEM, DESIGNERS, 200, "rest_cannot_edit", TITLE),
    *rows("DELETE", f"{_ITEM}?force=true", DESIGNERS, 200, "rest_cannot_delete"),
    *rows("GET", f"{_ITEM}/autosaves", DESIGNERS, 200, "rest_cannot_read"),
    *rows("POST", f"{_ITEM}/autosaves", DESIGNERS, 200, "rest_cannot_edit", TITLE),
    *rows("GET", f"{_ITEM}/autosaves/{{menu item autosave}}", DESIGNERS, 200, "rest_cannot_read"),
    *rows("GET PUT DELETE", "/cms/v2/menu-items/99999999", EVERYBODY, "404 rest_post_invalid_id", body=TITLE),
)

_TEMPLATES = "rest_cannot_manage_templates"


def _templates(base: str) -> tuple[Row, ...]:
    path, item = f"/cms/v2/{base}", f"/cms/v2/{base}/{{{base}}}"
    return (
        *rows("GET", path, CONTRIBUTORS, 200, _TEMPLATES),
        *rows("GET", f"{path}?context=edit", CONTRIBUTORS, 200, _TEMPLATES),
        *rows("POST", path, DESIGNERS, 201, _TEMPLATES, {"slug": "another", "content": "x"}),
        *rows("GET", f"{path}/lookup?slug=index", CONTRIBUTORS, 200, _TEMPLATES),
        *rows("GET", item, CONTRIBUTORS, 200, _TEMPLATES),
        *rows("GET", f"{item}?context=edit", CONTRIBUTORS, 200, _TEMPLATES),
        *rows(CHANGE, item, DESIGNERS, 200, _TEMPLATES, TITLE),
        *rows("DELETE", f"{item}?force=true", DESIGNERS, 200, _TEMPLATES),
        # Rights are checked before existence here.
        *rows("GET", f"{path}/theme//nothing", CONTRIBUTORS, "404 rest_template_not_found", _TEMPLATES),
        *rows("PUT DELETE", f"{path}/theme//nothing", DESIGNERS, "404 rest_template_not_found", _TEMPLATES, TITLE),
        *rows("GET", f"{item}/revisions", DESIGNERS, 200, "rest_cannot_read"),
        *rows("GET", f"{item}/revisions/{{{base} revision}}", DESIGNERS, 200, "rest_cannot_read"),
        *rows("DELETE", f"{item}/revisions/{{{base} revision}}?force=true", DESIGNERS, 200, "rest_cannot_delete"),
        *rows("GET", f"{item}/autosaves", DESIGNERS, 200, "rest_cannot_read"),
        *rows("POST", f"{item}/autosaves", DESIGNERS, 200, _TEMPLATES, {"content": "w"}),
        *rows("GET", f"{item}/autosaves/{{{base} autosave}}", DESIGNERS, 200, "rest_cannot_read"),
    )


_STYLES, _FAMILY = "/cms/v2/global-styles/{styles}", "/cms/v2/font-families/{family}"
_READ_STYLES, _READ, _CREATE = "rest_cannot_read_global_styles", "rest_cannot_read", "rest_cannot_create"
_NEW_FAMILY = {"font_family_settings": '{"name": "G", "slug": "g", "fontFamily": "G"}'}
_NEW_FACE = {"font_face_settings": '{"fontFamily": "F", "fontWeight": "700", "src": "http://vetrina.test/g.woff2"}'}
_RENAMED = {"font_family_settings": '{"name": "H"}'}
DESIGN = (
    *_templates("templates"),
    *_templates("template-parts"),
    *rows("GET", "/cms/v2/themes", ADMINISTRATOR, 200, "rest_cannot_view_themes"),
    *rows("GET", "/cms/v2/themes?status=active", CONTRIBUTORS, 200, "rest_cannot_view_active_theme"),
    *rows("GET", "/cms/v2/themes/{theme}", CONTRIBUTORS, 200, "rest_cannot_view_active_theme"),
    *rows("GET", "/cms/v2/themes/nothing", ADMINISTRATOR, "404 rest_theme_not_found", "rest_cannot_view_themes"),
    *rows("GET", _STYLES, CONTRIBUTORS, 200, "rest_cannot_view"),
    *rows("GET", f"{_STYLES}?context=edit", DESIGNERS, 200, "rest_forbidden_context"),
    *rows(CHANGE, _STYLES, DESIGNERS, 200, "rest_cannot_edit", TITLE),
    *rows("GET", f"{_STYLES}/revisions", DESIGNERS, 200, _READ),
    *rows("GET", f"{_STYLES}/revisions/{{styles revision}}", DESIGNERS, 200, _READ),
    *rows("GET", "/cms/v2/global-styles/themes/{theme}", CONTRIBUTORS, 200, _READ_STYLES),
    *rows("GET", "/cms/v2/global-styles/themes/{theme}/variations", CONTRIBUTORS, 200, _READ_STYLES),
    *rows("GET PUT", "/cms/v2/global-styles/99999999", EVERYBODY, "404 rest_global_styles_not_found", body=TITLE),
    *rows("GET", "/cms/v2/font-families", DESIGNERS, 200, _READ),
    *rows("POST", "/cms/v2/font-families", DESIGNERS, 201, _CREATE, _NEW_FAMILY),
    *rows("GET", _FAMILY, DESIGNERS, 200, _READ),
    *rows(CHANGE, _FAMILY, DESIGNERS, 200, "rest_cannot_edit", _RENAMED),
    *rows("DELETE", f"{_FAMILY}?force=true", DESIGNERS, 200, "rest_cannot_delete"),
    *rows("GET", f"{_FAMILY}/font-faces", DESIGNERS, 200, _READ),
    *rows("POST", f"{_FAMILY}/font-faces", DESIGNERS, 201, _CREATE, _NEW_FACE),
    *rows("GET", f"{_FAMILY}/font-faces/{{face}}", DESIGNERS, 200, _READ),
    *rows("DELETE", f"{_FAMILY}/font-faces/{{face}}?force=true", DESIGNERS, 200, "rest_cannot_delete"),
    *rows("GET DELETE", "/cms/v2/font-families/99999999", EVERYBODY, "404 rest_post_invalid_id"),
    *rows("GET", "/cms/v2/font-collections", DESIGNERS, 200, _READ),
    *rows("GET", "/cms/v2/font-collections/nothing", DESIGNERS, "404 rest_font_collection_not_found", _READ),
)

THING_ROWS: tuple[Row, ...] = (*TERMS, *USERS, *KEYS, *MEDIA, *MENUS, *DESIGN)
