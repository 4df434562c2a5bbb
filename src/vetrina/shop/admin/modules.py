"""The modules of the product as plugins: available, installed, active; installing and activating them.

A module is part of the software or comes with a package that has an entry point of the group `vetrina.modules` naming
an `InstallableModule`. Modules of packages are available; installing adds one to the site, activating switches it on.
Nothing is downloaded: the operator of the server adds packages. Not here: background jobs (shop/admin/module_jobs.py).
Rules: docs/rules/shop_modules.md, 1 and 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import entry_points
from time import perf_counter
from typing import Any, Final

from vetrina import __version__
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.payments import gateways

_GROUP: Final = "vetrina.modules"
_INSTALLED: Final = "shop_installed_modules"
_ACTIVE: Final = "shop_active_modules"
_OWN: Final = ("content", "multilingual", "shop", "connector")  # switched on by the profile


@dataclass(frozen=True, slots=True)
class InstallableModule:
    """A module. slug: its name. on_activate: called in the transaction that activates it."""

    slug: str
    name: str
    description: str
    uri: str = ""
    version: str = __version__
    on_activate: Callable[[UnitOfWork], None] | None = None


@dataclass(slots=True)
class ModuleOutcome:
    """The outcome for several modules.

    done: those in the requested state now. new: those that were not before, with the milliseconds that each took.
    errors: why the others are not, by slug.
    """

    done: list[str] = field(default_factory=list)
    new: dict[str, int] = field(default_factory=dict)
    errors: dict[str, list[str]] = field(default_factory=dict)


_PAYMENTS: Final = "shop-payments"  # available only where a gateway takes cards

_BUILT_IN: Final = (
    InstallableModule(
        "multilingual", "Multilingual", "Content in several languages: translations, jobs, exchange of files."
    ),
    InstallableModule("shop", "Shop", "Products, orders, payments, taxes, shipping and their reports."),
    InstallableModule("connector", "Connector", "Connects the site to an outside service and keeps it up to date."),
    InstallableModule(_PAYMENTS, "Shop Payments", "Cards and wallets, taken by the gateways that packages bring."),
)
_FIRST: Final = (_PAYMENTS,)  # active in a new shop that has it


@cache
def load_packaged_modules() -> Mapping[str, InstallableModule]:
    """Return the modules that packages provide, by slug."""
    found: dict[str, InstallableModule] = {}
    for point in entry_points(group=_GROUP):
        module = point.load()
        found.setdefault(module.slug, module)
    return found


def load_known_modules(work: UnitOfWork) -> Mapping[str, InstallableModule]:
    """Return every module of the software and its packages, by slug."""
    cards = gateways.has_card_gateway(work.site.profile)
    own = {module.slug: module for module in _BUILT_IN if module.slug != _PAYMENTS or cards}
    return {**own, **{slug: module for slug, module in load_packaged_modules().items() if slug not in own}}


def list_installed_modules(work: UnitOfWork) -> list[str]:
    """Return the modules that the site has."""
    own = work.site.profile.modules
    added = _load_slugs(work, _INSTALLED, ())
    return [
        slug for slug in load_known_modules(work)
        if slug in added or slug in _FIRST or (slug in _OWN and slug in own)
    ]  # fmt: skip


def list_active_modules(work: UnitOfWork) -> list[str]:
    """Return the active modules."""
    own, on = work.site.profile.modules, _load_slugs(work, _ACTIVE, _FIRST)
    return [slug for slug in list_installed_modules(work) if (slug in own if slug in _OWN else slug in on)]


def describe_modules(work: UnitOfWork, slugs: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return descriptions of modules, by slug; unknown ones are left out."""
    modules = load_known_modules(work)
    return {
        slug: {"name": one.name, "description": one.description, "uri": one.uri, "version": one.version}
        for slug in slugs
        if (one := modules.get(slug)) is not None
    }


def install_modules(work: UnitOfWork, slugs: Iterable[str]) -> ModuleOutcome:
    """Add modules to the site."""
    out, have = ModuleOutcome(), list_installed_modules(work)
    for slug in dict.fromkeys(slugs):
        began = perf_counter()
        if slug in have:
            out.done.append(slug)
        elif slug not in load_known_modules(work) or slug in _OWN:
            out.errors[slug] = [f"No module {slug!r} is on this server: add the package that brings it, then install."]
        else:
            work.set_option(_INSTALLED, [*_load_slugs(work, _INSTALLED, ()), slug])
            out.done.append(slug)
            out.new[slug] = round((perf_counter() - began) * 1000)
    return out


def activate_modules(work: UnitOfWork, slugs: Iterable[str]) -> ModuleOutcome:
    """Activate modules that the site has."""
    out, have = ModuleOutcome(), list_installed_modules(work)
    for slug in dict.fromkeys(slugs):
        if slug not in have:
            out.errors[slug] = [f"The module {slug!r} is not installed; install it first."]
            continue
        if slug not in list_active_modules(work):
            work.set_option(_ACTIVE, [*_load_slugs(work, _ACTIVE, _FIRST), slug])
            out.new[slug] = 0
            began = load_known_modules(work)[slug].on_activate
            if began is not None:
                began(work)
        out.done.append(slug)
    return out


def _load_slugs(work: UnitOfWork, option: str, first: tuple[str, ...]) -> list[Any]:
    stored = work.stored_option(option)
    return stored if isinstance(stored, list) else list(first)
