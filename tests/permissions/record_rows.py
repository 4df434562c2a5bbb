"""Permissions of posts, pages, blocks, navigation, the types of the first profile, products, and their history.

Rules: docs/rules/rights.md, 2, docs/rules/blocks.md, 3, 5 and 8 and docs/rules/custom_types.md, 6.
"""

from __future__ import annotations

from .rows import AUTHORS, CONTRIBUTORS, DESIGNERS, EDITORS, EVERYBODY, NONE, Row, rows

__all__ = ["RECORD_ROWS"]

CHANGE = "POST PUT PATCH"
NEW = {"title": "x", "content": "x"}
TITLE = {"title": "x"}
PUBLISHED = {**NEW, "status": "publish"}


def _of_posts(path: str, name: str, profile: str = "") -> tuple[Row, ...]:
    """Rows of posts, and of the types of a profile, which have the rights of posts."""
    may, create, edit = "rest_forbidden", "rest_cannot_create", "rest_cannot_edit"
    publish, context = "rest_cannot_publish", "rest_forbidden_context"
    return (
        *rows("GET", path, EVERYBODY, profile=profile),
        *rows("GET", f"{path}?context=embed", EVERYBODY, profile=profile),
        *rows("GET", f"{path}?context=edit", CONTRIBUTORS, 200, context, profile=profile),
        # A value that the caller may not request is an invalid parameter, with and without an account.
        *rows("GET", f"{path}?status=draft", CONTRIBUTORS, 200, profile=profile,
              nobody="400 rest_invalid_param", subscriber="400 rest_invalid_param"),
        *rows("GET", f"{path}?status=private", CONTRIBUTORS, 200, profile=profile,
              nobody="400 rest_invalid_param", subscriber="400 rest_invalid_param"),
        *rows("POST", path, CONTRIBUTORS, 201, create, NEW, profile=profile),
        *rows("POST", path, AUTHORS, 201, create, PUBLISHED, profile=profile, contributor=f"403 {publish}"),
        *rows("POST", path, AUTHORS, 201, create, {**NEW, "status": "private"}, profile=profile,
              contributor=f"403 {publish}"),
        *rows("POST", path, CONTRIBUTORS, 201, create, {**NEW, "status": "pending"}, profile=profile),
        *rows("GET", f"{path}/{{{name} publish}}", EVERYBODY, profile=profile),
        *rows("GET", f"{path}/{{{name} publish}}?context=edit", EDITORS, 200, context, profile=profile),
        *(row for status in ("draft", "pending", "private", "future", "trash")
          for row in rows("GET", f"{path}/{{{name} {status}}}", EDITORS, 200, may, profile=profile)),
        *(row for status in ("publish", "draft", "private")
          for row in rows(CHANGE, f"{path}/{{{name} {status}}}", EDITORS, 200, edit, TITLE, profile=profile)),
        *(row for status in ("publish", "draft", "private", "trash") for row in rows(
            "DELETE", f"{path}/{{{name} {status}}}?force=true", EDITORS, 200, "rest_cannot_delete", profile=profile)),
        *rows("DELETE", f"{path}/{{{name} publish}}", EDITORS, 200, "rest_cannot_delete", profile=profile),
    )  # fmt: skip


def _own(path: str, name: str) -> tuple[Row, ...]:
    """Rows of an account's own records; anonymous callers try an author's."""
    edit, delete, context = "rest_cannot_edit", "rest_cannot_delete", "rest_forbidden_context"
    return (
        *rows("GET", f"{path}/{{own {name} draft}}", CONTRIBUTORS, 200, "rest_forbidden", subscriber="200"),
        *rows("GET", f"{path}/{{own {name} private}}", CONTRIBUTORS, 200, "rest_forbidden", subscriber="200"),
        *rows("GET", f"{path}/{{own {name} draft}}?context=edit", CONTRIBUTORS, 200, context),
        *rows("GET", f"{path}/{{own {name} publish}}?context=edit", AUTHORS, 200, context),
        *rows(CHANGE, f"{path}/{{own {name} draft}}", CONTRIBUTORS, 200, edit, TITLE),
        *rows(CHANGE, f"{path}/{{own {name} publish}}", AUTHORS, 200, edit, TITLE),
        *rows(CHANGE, f"{path}/{{own {name} draft}}", AUTHORS, 200, edit, {"status": "publish"},
              contributor="403 rest_cannot_publish"),
        *rows("DELETE", f"{path}/{{own {name} draft}}?force=true", CONTRIBUTORS, 200, delete),
        *rows("DELETE", f"{path}/{{own {name} publish}}?force=true", AUTHORS, 200, delete),
    )  # fmt: skip


def _history(
    path: str, name: str, may: frozenset[str], *, revisions: bool = True, previews: bool = True, profile: str = ""
) -> tuple[Row, ...]:
    """Revisions, autosaves and preview links of a record of the editor (navigation's: of the administrator)."""
    read, of = "rest_cannot_read", f"{path}/{{{name} publish}}"
    own = (
        *rows("GET", f"{of}/revisions", may, 200, read),
        *rows("GET", f"{of}/revisions/{{{name} revision}}", may, 200, read),
        *rows("DELETE", f"{of}/revisions/{{{name} revision}}?force=true", may, 200, "rest_cannot_delete"),
    )
    return (
        *(own if revisions else ()),
        *(_preview_links(path, name, may, profile) if previews else ()),
        *rows("GET", f"{of}/autosaves", may, 200, read, profile=profile),
        *rows("POST", f"{of}/autosaves", may, 200, "rest_cannot_edit", {"content": "w"}, profile=profile),
        *rows("GET", f"{of}/autosaves/{{{name} autosave}}", may, 200, read, profile=profile),
    )


def _preview_links(path: str, name: str, may: frozenset[str], profile: str = "") -> tuple[Row, ...]:
    of, refused = f"{path}/{{{name} publish}}/preview-links", "rest_cannot_edit"
    return (
        *rows("GET", of, may, 200, refused, profile=profile),
        *rows("POST", of, may, 201, refused, {}, profile=profile),
        *rows("DELETE", f"{of}/none", may, "404 rest_preview_link_not_found", refused, profile=profile),
    )


def _of_products(path: str) -> tuple[Row, ...]:
    """Rows of products, which are read like posts and written by shop managers."""
    may, create, edit, context = DESIGNERS, "rest_cannot_create", "rest_cannot_edit", "rest_forbidden_context"
    others = dict.fromkeys(EVERYBODY - DESIGNERS, "400 rest_invalid_param")
    return (
        *rows("GET", path, EVERYBODY, profile="second"),
        *rows("GET", f"{path}?context=edit", may, 200, context, profile="second"),
        *rows("GET", f"{path}?status=draft", may, 200, profile="second", **others),
        *rows("POST", path, may, 201, create, NEW, profile="second"),
        *rows("POST", path, may, 201, create, PUBLISHED, profile="second"),
        *rows("GET", f"{path}/{{product publish}}", EVERYBODY, profile="second"),
        *rows("GET", f"{path}/{{product publish}}?context=edit", may, 200, context, profile="second"),
        *(row for status in ("draft", "pending", "private", "future", "trash")
          for row in rows("GET", f"{path}/{{product {status}}}", may, 200, "rest_forbidden", profile="second")),
        *(row for status in ("publish", "draft", "private")
          for row in rows(CHANGE, f"{path}/{{product {status}}}", may, 200, edit, TITLE, profile="second")),
        *rows("DELETE", f"{path}/{{product trash}}?force=true", may, 200, "rest_cannot_delete", profile="second"),
        *rows("DELETE", f"{path}/{{product publish}}", may, 200, "rest_cannot_delete", profile="second"),
    )  # fmt: skip


POSTS = (
    *_of_posts("/cms/v2/posts", "posts"),
    *_own("/cms/v2/posts", "posts"),
    *_history("/cms/v2/posts", "posts", EDITORS),
    *rows("GET", "/cms/v2/posts/{own posts draft}/revisions", CONTRIBUTORS, 200, "rest_cannot_read"),
    *rows("GET", "/cms/v2/posts/{own posts publish}/revisions", AUTHORS, 200, "rest_cannot_read"),
    *rows("POST", "/cms/v2/posts/{own posts publish}/autosaves", AUTHORS, 200, "rest_cannot_edit", NEW),
    # Another author and a sticky post are checked before the right to create.
    *rows("POST", "/cms/v2/posts", EDITORS, 201, "rest_cannot_edit_others", {**NEW, "author": "{administrator}"},
          administrator="201"),
    *rows("POST", "/cms/v2/posts", AUTHORS, 201, "rest_cannot_assign_sticky", {**NEW, "sticky": True},
          contributor="403 rest_cannot_assign_sticky"),
    *rows(CHANGE, "/cms/v2/posts/{own posts draft}", EDITORS, 200, "rest_cannot_edit", {"author": "{administrator}"},
          author="403 rest_cannot_edit_others", contributor="403 rest_cannot_edit_others"),
    # Unknown accounts are reported before rights are checked.
    *rows("GET PUT DELETE", "/cms/v2/posts/99999999", EVERYBODY, "404 rest_post_invalid_id", body=TITLE),
    *rows("POST", "/cms/v2/posts", NONE, body={**NEW, "status": "boh"},
          **dict.fromkeys(EVERYBODY, "400 rest_invalid_param")),
)  # fmt: skip

PAGES = (
    *rows("GET", "/cms/v2/pages", EVERYBODY),
    *rows("GET", "/cms/v2/pages?context=edit", EDITORS, 200, "rest_forbidden_context"),
    *rows("GET", "/cms/v2/pages?status=draft", EDITORS, 200,
          **dict.fromkeys(EVERYBODY - EDITORS, "400 rest_invalid_param")),
    *rows("POST", "/cms/v2/pages", EDITORS, 201, "rest_cannot_create", NEW),
    *rows("POST", "/cms/v2/pages", EDITORS, 201, "rest_cannot_create", PUBLISHED),
    *rows("GET", "/cms/v2/pages/{pages publish}", EVERYBODY),
    *rows("GET", "/cms/v2/pages/{pages publish}?context=edit", EDITORS, 200, "rest_forbidden_context"),
    *rows("GET", "/cms/v2/pages/{pages draft}", EDITORS, 200, "rest_forbidden"),
    *rows("GET", "/cms/v2/pages/{pages private}", EDITORS, 200, "rest_forbidden"),
    *rows("GET", "/cms/v2/pages/{pages trash}", EDITORS, 200, "rest_forbidden"),
    *rows(CHANGE, "/cms/v2/pages/{pages publish}", EDITORS, 200, "rest_cannot_edit", TITLE),
    *rows(CHANGE, "/cms/v2/pages/{own pages draft}", EDITORS, 200, "rest_cannot_edit", TITLE),
    *rows("GET", "/cms/v2/pages/{own pages draft}?context=edit", EDITORS, 200, "rest_forbidden_context"),
    *rows("DELETE", "/cms/v2/pages/{pages publish}?force=true", EDITORS, 200, "rest_cannot_delete"),
    *rows("DELETE", "/cms/v2/pages/{own pages draft}?force=true", EDITORS, 200, "rest_cannot_delete"),
    *_history("/cms/v2/pages", "pages", EDITORS),
)  # fmt: skip

BLOCKS = (
    # The list is open to all, and empty for those who may not read any.
    *rows("GET", "/cms/v2/blocks", EVERYBODY),
    *rows("GET", "/cms/v2/blocks?context=edit", CONTRIBUTORS, 200, "rest_forbidden_context"),
    *rows("POST", "/cms/v2/blocks", AUTHORS, 201, "rest_cannot_create", PUBLISHED),
    *rows("POST", "/cms/v2/blocks", AUTHORS, 201, "rest_cannot_create", NEW),
    *rows("GET", "/cms/v2/blocks/{blocks publish}", CONTRIBUTORS, 200, "rest_forbidden"),
    *rows("GET", "/cms/v2/blocks/{blocks publish}?context=edit", EDITORS, 200, "rest_forbidden_context"),
    *rows("GET", "/cms/v2/blocks/{blocks draft}", EDITORS, 200, "rest_forbidden"),
    *rows("GET", "/cms/v2/blocks/{blocks private}", EDITORS, 200, "rest_forbidden"),
    *rows(CHANGE, "/cms/v2/blocks/{blocks publish}", EDITORS, 200, "rest_cannot_edit", TITLE),
    *rows(CHANGE, "/cms/v2/blocks/{blocks draft}", EDITORS, 200, "rest_cannot_edit", TITLE),
    *rows("DELETE", "/cms/v2/blocks/{blocks publish}?force=true", EDITORS, 200, "rest_cannot_delete"),
    *rows("DELETE", "/cms/v2/blocks/{blocks draft}", EDITORS, 200, "rest_cannot_delete"),
    *_history("/cms/v2/blocks", "blocks", EDITORS, previews=False),
)

NAVIGATION = (
    *rows("GET", "/cms/v2/navigation", EVERYBODY),
    *rows("GET", "/cms/v2/navigation?context=edit", DESIGNERS, 200, "rest_forbidden_context"),
    *rows("POST", "/cms/v2/navigation", DESIGNERS, 201, "rest_cannot_create", PUBLISHED),
    *rows("GET", "/cms/v2/navigation/{navigation publish}", EVERYBODY),
    *rows("GET", "/cms/v2/navigation/{navigation publish}?context=edit", DESIGNERS, 200, "rest_forbidden_context"),
    *rows("GET", "/cms/v2/navigation/{navigation draft}", DESIGNERS, 200, "rest_forbidden"),
    *rows("GET", "/cms/v2/navigation/{navigation private}", DESIGNERS, 200, "rest_forbidden"),
    *rows(CHANGE, "/cms/v2/navigation/{navigation publish}", DESIGNERS, 200, "rest_cannot_edit", TITLE),
    *rows("DELETE", "/cms/v2/navigation/{navigation publish}?force=true", DESIGNERS, 200, "rest_cannot_delete"),
    *_history("/cms/v2/navigation", "navigation", DESIGNERS, previews=False),
)

OWN_TYPES = (
    *_of_posts("/cms/v2/intervento", "intervento", "first"),
    *_of_products("/cms/v2/product"),
    *_history("/cms/v2/intervento", "intervento", EDITORS, revisions=False, profile="first"),
    *_of_posts("/cms/v2/percorso", "percorso", "first"),
    *_preview_links("/cms/v2/percorso", "percorso", EDITORS, "first"),
)

RECORD_ROWS: tuple[Row, ...] = (*POSTS, *PAGES, *BLOCKS, *NAVIGATION, *OWN_TYPES)
