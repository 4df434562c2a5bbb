"""The module `content`: records, media, design, accounts, and the site itself. Every site has it."""

from __future__ import annotations

from vetrina.core.account_part import AccountPart
from vetrina.core.background_work import BackgroundTasks
from vetrina.core.module import Module, RouteBuilders


def _load_routes() -> RouteBuilders:
    from vetrina.access.app_passwords import routes as app_password_routes
    from vetrina.access.audit import file_routes as audit_file_routes, routes as audit_routes
    from vetrina.access.own_account import email_routes, password_routes, routes as account_routes
    from vetrina.access.passkeys import routes as passkey_routes
    from vetrina.access.personal_data import routes as personal_data_routes
    from vetrina.access.registration import routes as registration_routes
    from vetrina.access.roles import routes as role_routes
    from vetrina.access.second_factors import routes as second_factor_routes
    from vetrina.access.sessions import routes as session_routes
    from vetrina.access.single_sign_on import routes as single_sign_on_routes
    from vetrina.access.tokens import routes as token_routes
    from vetrina.access.users import routes as user_routes
    from vetrina.content.blocks import routes as block_routes
    from vetrina.content.comments import routes as comment_routes
    from vetrina.content.edit_locks import routes as edit_lock_routes
    from vetrina.content.menus import item_routes, routes as menus, tree_routes as menu_tree_routes
    from vetrina.content.options_pages import routes as options_page_routes
    from vetrina.content.records import routes as record_routes
    from vetrina.content.redirects import file_routes as redirect_file_routes, routes as redirect_routes
    from vetrina.content.search import routes as search_routes
    from vetrina.content.site_settings import routes as site_setting_routes
    from vetrina.content.terms import routes as term_routes
    from vetrina.content.types import routes as type_routes
    from vetrina.design.fonts import collection_routes, routes as font_routes
    from vetrina.design.patterns import routes as pattern_routes
    from vetrina.design.styles import routes as style_routes
    from vetrina.design.templates import routes as template_routes
    from vetrina.design.themes import block_editor_routes, routes as theme_routes
    from vetrina.design.widgets import routes as widget_routes, sidebar_routes, type_routes as widget_types
    from vetrina.media.attachments import routes as attachment_routes
    from vetrina.media.oembed import routes as oembed_routes
    from vetrina.system.abilities import routes as ability_routes
    from vetrina.system.backups import routes as backup_routes
    from vetrina.system.changes import routes as change_routes
    from vetrina.system.health import routes as health_routes
    from vetrina.system.jobs import routes as job_routes
    from vetrina.system.plugins import routes as plugin_routes
    from vetrina.system.site_check import routes as site_check_routes
    from vetrina.system.site_profile import routes as site_profile_routes
    from vetrina.system.webhooks import delivery_routes, routes as webhook_routes

    return {
        "oembed/1.0": (oembed_routes.build_routes,),
        "cms/v2": (
            record_routes.build_routes,
            type_routes.build_routes,
            term_routes.build_routes,
            user_routes.build_routes,
            app_password_routes.build_routes,
            attachment_routes.build_routes,
            comment_routes.build_routes,
            menus.build_routes,
            menu_tree_routes.build_routes,
            item_routes.build_routes,
            site_setting_routes.build_routes,
            options_page_routes.build_routes,
            search_routes.build_routes,
            theme_routes.build_routes,
            template_routes.build_routes,
            style_routes.build_routes,
            font_routes.build_routes,
            collection_routes.build_routes,
            pattern_routes.build_routes,
            block_routes.build_routes,
            widget_routes.build_routes,
            sidebar_routes.build_routes,
            widget_types.build_routes,
            plugin_routes.build_routes,
            webhook_routes.build_routes,
            delivery_routes.build_routes,
            change_routes.build_routes,
            redirect_routes.build_routes,
            redirect_file_routes.build_routes,
            edit_lock_routes.build_routes,
            job_routes.build_routes,
            backup_routes.build_routes,
            site_check_routes.build_routes,
            site_profile_routes.build_routes,
        ),
        "access/v1": (
            session_routes.build_routes,
            second_factor_routes.build_routes,
            passkey_routes.build_routes,
            role_routes.build_routes,
            token_routes.build_routes,
            single_sign_on_routes.build_routes,
            registration_routes.build_routes,
            account_routes.build_routes,
            password_routes.build_routes,
            email_routes.build_routes,
            personal_data_routes.build_routes,
            audit_file_routes.build_routes,
            audit_routes.build_routes,
        ),
        "cms-site-health/v1": (health_routes.build_routes,),
        "cms-block-editor/v1": (block_editor_routes.build_routes,),
        "cms-abilities/v1": (ability_routes.build_routes,),
    }


def _load_background() -> BackgroundTasks:
    from vetrina.system import background_work

    return background_work.BACKGROUND


def _load_account_part() -> AccountPart:
    from vetrina.system import account_part

    return account_part.ACCOUNT_PART


MODULE = Module(
    "content", _load_routes, _load_background, followed_paths={"redirect": ("/cms/v2/redirects",)},
    load_account_part=_load_account_part,
    audited_kinds=frozenset(
        {
            "user", "session", "app_password", "second_factor", "passkey", "identity", "signing_key", "role",
            "personal_data_request", "option", "webhook", "theme", "backup", "preview_link",
        }
    ),
)  # fmt: skip
