"""The modules of the product as plugins: which are there, installed, active; installing and activating them.

A module is part of the software or comes with a package that brings an entry point of the group `vetrina.modules`, each
the name of a `Module`. What such a package brings is there; installing adds it to the site, activating switches it on.
Nothing is fetched: packages are added by who runs the server. Not here: jobs that do it later
(shop/admin/module_jobs.py). Rules: facts, "Plugins".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import entry_points
from time import perf_counter
from typing import Any, Final

from vetrina import __version__
from vetrina.core.unit_of_work import Work
from vetrina.shop.payments import gateways

__all__ = ["Module", "Outcome", "activate", "active", "details", "install", "installed", "known", "packaged"]

_GROUP: Final = "vetrina.modules"
_INSTALLED: Final = "shop_installed_modules"
_ACTIVE: Final = "shop_active_modules"
_OWN: Final = ("content", "multilingual", "shop", "connector")  # switched on by the profile


@dataclass(frozen=True, slots=True)
class Module:
    """A module. slug: its name. began: called in the transaction that activates it."""

    slug: str
    name: str
    description: str
    uri: str = ""
    version: str = __version__
    began: Callable[[Work], None] | None = None


@dataclass(slots=True)
class Outcome:
    """What became of several modules. done: those that are as wanted now. new: which were not before, with the
    milliseconds that each took. errors: why the others are not, by slug."""

    done: list[str] = field(default_factory=list)
    new: dict[str, int] = field(default_factory=dict)
    errors: dict[str, list[str]] = field(default_factory=dict)


_PAYMENTS: Final = "shop-payments"  # there only where a gateway takes cards

_BUILT_IN: Final = (
    Module("multilingual", "Multilingual", "Content in several languages: translations, jobs, exchange of files."),
    Module("shop", "Shop", "Products, orders, payments, taxes, shipping and their reports."),
    Module("connector", "Connector", "Connects the site to an outside service and keeps it up to date."),
    Module(_PAYMENTS, "Shop Payments", "Cards and wallets, taken by the gateways that packages bring."),
)
_FIRST: Final = (_PAYMENTS,)  # active in a new shop that has it


@cache
def packaged() -> Mapping[str, Module]:
    """Return the modules that packages bring, by slug."""
    found: dict[str, Module] = {}
    for point in entry_points(group=_GROUP):
        module = point.load()
        found.setdefault(module.slug, module)
    return found


def known(work: Work) -> Mapping[str, Module]:
    """Return every module that the software and its packages bring, by slug."""
    cards = gateways.take_cards(work.frame.profile)
    own = {module.slug: module for module in _BUILT_IN if module.slug != _PAYMENTS or cards}
    return {**own, **{slug: module for slug, module in packaged().items() if slug not in own}}


def installed(work: Work) -> list[str]:
    """Return the modules that the site has."""
    own = work.frame.profile.modules
    added = _listed(work, _INSTALLED, ())
    return [
        slug for slug in known(work)
        if slug in added or slug in _FIRST or (slug in _OWN and slug in own)
    ]  # fmt: skip


def active(work: Work) -> list[str]:
    """Return the modules that are switched on."""
    own, on = work.frame.profile.modules, _listed(work, _ACTIVE, _FIRST)
    return [slug for slug in installed(work) if (slug in own if slug in _OWN else slug in on)]


def details(work: Work, slugs: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return what modules are, by slug; unknown ones are left out."""
    modules = known(work)
    return {
        slug: {"name": one.name, "description": one.description, "uri": one.uri, "version": one.version}
        for slug in slugs
        if (one := modules.get(slug)) is not None
    }


def install(work: Work, slugs: Iterable[str]) -> Outcome:
    """Add modules to the site."""
    out, have = Outcome(), installed(work)
    for slug in dict.fromkeys(slugs):
        began = perf_counter()
        if slug in have:
            out.done.append(slug)
        elif slug not in known(work) or slug in _OWN:
            out.errors[slug] = [f"No module {slug!r} is on this server: add the package that brings it, then install."]
        else:
            work.set_option(_INSTALLED, [*_listed(work, _INSTALLED, ()), slug])
            out.done.append(slug)
            out.new[slug] = round((perf_counter() - began) * 1000)
    return out


def activate(work: Work, slugs: Iterable[str]) -> Outcome:
    """Switch modules on that the site has."""
    out, have = Outcome(), installed(work)
    for slug in dict.fromkeys(slugs):
        if slug not in have:
            out.errors[slug] = [f"The module {slug!r} is not installed; install it first."]
            continue
        if slug not in active(work):
            work.set_option(_ACTIVE, [*_listed(work, _ACTIVE, _FIRST), slug])
            out.new[slug] = 0
            began = known(work)[slug].began
            if began is not None:
                began(work)
        out.done.append(slug)
    return out


def _listed(work: Work, option: str, first: tuple[str, ...]) -> list[Any]:
    stored = work.stored_option(option)
    return stored if isinstance(stored, list) else list(first)
