"""The module `multilingual`: languages, translation jobs and services, strings."""

from __future__ import annotations

from dataclasses import replace

from vetrina.core.account_part import AccountPart
from vetrina.core.background_work import BackgroundTasks
from vetrina.core.module import Module, RouteBuilders
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork


def _load_routes() -> RouteBuilders:
    from vetrina.multilingual.glossary import file_routes as glossary_file_routes, routes as glossary_routes
    from vetrina.multilingual.jobs import routes as job_routes
    from vetrina.multilingual.languages import preference_routes
    from vetrina.multilingual.menus import routes as menus
    from vetrina.multilingual.services import (
        account_routes,
        agency_routes,
        editor_routes,
        machine_routes,
        proxy_routes,
        vendor_routes,
    )
    from vetrina.multilingual.strings import routes as string_routes
    from vetrina.multilingual.xliff import routes as xliff_routes
    from vetrina.multilingual.xml_config import routes as xml_config_routes

    return {
        "mlang/v1": (xml_config_routes.build_routes, glossary_file_routes.build_routes, glossary_routes.build_routes),
        "mlang/tm/v1": (
            editor_routes.build_routes,
            xliff_routes.build_routes,
            account_routes.build_routes,
            job_routes.build_routes,
            agency_routes.build_routes,
            preference_routes.build_routes,
            menus.build_routes,
            machine_routes.build_routes,
        ),
        "mlang/ate/v1": (proxy_routes.build_routes,),
        "mlang/st/v1": (string_routes.build_routes,),
        "vendor/installer/v1": (vendor_routes.build_routes,),
    }


def _load_background() -> BackgroundTasks:
    from vetrina.multilingual import background_work

    return background_work.BACKGROUND


def _extend_context(site: SiteContext) -> SiteContext:
    from vetrina.multilingual.strings import site_texts
    from vetrina.multilingual.translations import file_twins

    return replace(site, texts=site_texts, on_attachment=(*site.on_attachment, file_twins.create_twins))


def _count_stored(work: UnitOfWork) -> dict[str, int]:
    from vetrina.multilingual import stored_counts

    return stored_counts.count_stored(work)


def _load_account_part() -> AccountPart:
    from vetrina.multilingual import account_part

    return account_part.ACCOUNT_PART


MODULE = Module(
    "multilingual", _load_routes, _load_background, extend_context=_extend_context, count_stored=_count_stored,
    load_account_part=_load_account_part, audited_kinds=frozenset({"mlang_setting", "mlang_configuration"}),
)  # fmt: skip
