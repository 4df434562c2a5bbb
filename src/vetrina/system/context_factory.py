"""Builds a `SiteContext` from a profile and settings.

How the two are found: backends/site_folder.py. The routes of the site: modules.py.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from vetrina.access.roles.profile_roles import build_site_roles
from vetrina.backends.change_log_follower import ChangeLogFollower
from vetrina.backends.decoding_memory import DecodingMemory
from vetrina.backends.file_store import FileStore
from vetrina.backends.fragment_cache import FragmentCache
from vetrina.backends.http_client import OutboundClient
from vetrina.content.blocks import dynamic_blocks
from vetrina.content.custom_fields.declaration import build_custom_fields
from vetrina.content.types.registry import build_profile_taxonomies, build_profile_types
from vetrina.core.module import Module
from vetrina.core.site_context import RecordSerializer, RouteReader, SiteContext
from vetrina.design.templates import blocks as template_blocks, rules as templates
from vetrina.design.themes.active_theme import get_active_theme
from vetrina.kernel.times import Clock, SystemClock, load_time_zone
from vetrina.media.images import blocks as image_blocks, gallery_shortcode as image_gallery
from vetrina.rest.dialects.block_names import add_dialect_names
from vetrina.settings import Profile, Settings
from vetrina.system.site_profile.outline import ProfileOutlines

_BLOCK_RENDERERS = {**dynamic_blocks.BLOCKS, **template_blocks.BLOCKS, **image_blocks.BLOCKS, **image_gallery.BLOCKS}


def build_site_context(
    profile: Profile,
    settings: Settings,
    modules: tuple[Module, ...],
    clock: Clock | None = None,
    outbound: OutboundClient | None = None,
    files: FileStore | None = None,
    folder: Path | None = None,
    serialize_record: RecordSerializer | None = None,
    profiles: ProfileOutlines | None = None,
    read_route: RouteReader | None = None,
) -> SiteContext:
    """Return the context of a site, from its profile, its settings and the modules that the profile names.

    clock, outbound: by default the machine's clock and a client with the site's limits. files: the store of uploads,
    none by default. folder: of the site. serialize_record: shows a record as the interface does. profiles: says what a
    changed profile would make of the site. read_route: answers a GET of the site itself.
    Raises ValueError if the theme cannot be read.
    """
    types, taxonomies, limits = build_profile_types(profile), build_profile_taxonomies(profile), profile.limits
    fields = build_custom_fields(profile)
    outbound = outbound or OutboundClient(
        seconds=limits.outbound_seconds, most_bytes=limits.outbound_bytes, redirects=limits.outbound_redirects
    )
    local, clock = load_time_zone(profile.time_zone), clock or SystemClock()
    change_log = ChangeLogFollower()
    site = SiteContext(
        profile,
        settings,
        local,
        clock,
        types,
        taxonomies,
        fields,
        outbound,
        blocks=_BLOCK_RENDERERS,
        change_log=change_log,
        fragments=FragmentCache(settings.fragment_bytes, change_log),
    )
    site = replace(
        site,
        decoding=DecodingMemory(settings.decoding_megapixels),
        list_templates=templates.list_template_choices,
        roles=build_site_roles(profile),
        modules=modules,
        serialize_record=serialize_record,
        read_route=read_route,
        profiles=profiles,
    )
    for module in modules:
        if module.extend_context is not None:
            site = module.extend_context(site)
    site = replace(site, blocks=add_dialect_names(site.blocks))
    if folder is not None:
        site = replace(site, folder=folder)
    get_active_theme(site)
    return replace(site, files=files) if files is not None else site
