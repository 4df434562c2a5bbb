"""Carrying out a step of a blueprint: each thing in it by the route that a client would use for it.

So every value is checked as that route checks it, by the caller's own rights, inside the same transaction. What a
route refuses becomes a message of the step; the rest of the step is carried out. Not here: what steps an export has
(shop/admin/blueprint.py), the routes (shop/admin/blueprint_routes.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from vetrina.rest.call import Answer, Call, Request
from vetrina.shop.admin import blueprint
from vetrina.shop.settings import rules as settings

__all__ = ["Import", "carry_out"]

_SHOP: Final = "/shop/v3"
_RATE: Final = (
    "country", "state", "postcodes", "cities", "rate", "name", "priority", "compound", "shipping", "order", "class",
)  # fmt: skip


@dataclass
class Import:
    """A step that is carried out. call: the request that brings it. messages: what is said about it."""

    call: Call
    step: str
    messages: list[dict[str, str]] = field(default_factory=list)

    def say(self, kind: str, message: str) -> None:
        """Note what is to be said: an `error`, or `info`."""
        self.messages.append({"step": self.step, "type": kind, "message": message})

    @property
    def success(self) -> bool:
        """Say whether all of it was carried out."""
        return all(one["type"] != "error" for one in self.messages)

    def ask(self, what: str, method: str, path: str, body: Any = None) -> Any:
        """Send a request as the caller and return what is answered; None for a refusal, which is noted.

        what: the thing that it is about, as the message names it.
        """
        outer, work = self.call.request, self.call.work
        listed = body if isinstance(body, list) else []
        request = Request(
            method, path, outer.root, outer.origin, work.language, json=body if isinstance(body, dict) else {},
            items=listed, remote=outer.remote, inner=True,
        )  # fmt: skip
        answer: Answer = self.call.ask.answer_within(request, work)
        if answer.status < 400:
            return answer.body
        self.say("error", f"{what}: {_reason(answer.body)}")
        return None


def _reason(refusal: Any) -> str:
    """Return why a request was refused: the sentence of each parameter, else that of the whole."""
    told = refusal if isinstance(refusal, Mapping) else {}
    params = (told.get("data") or {}).get("params")
    sentences = [str(one) for one in params.values()] if isinstance(params, Mapping) else []
    return " ".join(sentences) or str(told.get("message") or "it was refused.")


def carry_out(call: Call, definition: Mapping[str, Any]) -> Import:
    """Carry out a step of a blueprint and return what became of it."""
    name = definition.get("step")
    name = name if isinstance(name, str) else ""
    out = Import(call, name[:100])
    step = _STEPS.get(name)
    if step is None:
        known = ", ".join(_STEPS)
        out.say("error", f"There is no step {name[:100]!r} here; there are {known}.")
    elif not blueprint.is_import_allowed(call.work):
        out.say("error", "A shop that is open takes no steps; close it first: the option `shop_coming_soon` is `yes`.")
    else:
        step(out, definition)
    if not out.messages:
        out.say("info", "The step was carried out.")
    return out


# -- what a step holds


def _object(out: Import, definition: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = definition.get(name)
    if isinstance(found, Mapping):
        if len(found) <= blueprint.MOST:
            return found
        out.say("error", f"{name} has more than {blueprint.MOST} members; send them in several steps.")
    else:
        out.say("error", f"The step needs {name}, an object.")
    return {}


def _rows(
    out: Import, definition: Mapping[str, Any], name: str, *, needed: bool = True
) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Return the objects of a list, each with its place there."""
    found = definition.get(name)
    if not isinstance(found, list):
        if needed or found is not None:
            out.say("error", f"The step needs {name}, a list.")
        return
    if len(found) > blueprint.MOST:
        out.say("error", f"{name} has more than {blueprint.MOST} entries; send them in several steps.")
        return
    for at, row in enumerate(found):
        if isinstance(row, Mapping):
            yield at, row
        else:
            out.say("error", f"{name}[{at}] is no object.")


def _slug(out: Import, definition: Mapping[str, Any], *names: str) -> str:
    """Return the slug that a step names, in an object of its own or as a path; empty with a message for none."""
    for name in names:
        found = definition.get(name)
        if isinstance(found, Mapping):
            found = found.get("slug")
        if isinstance(found, str) and found.strip("/ "):
            return found.strip("/ ").rpartition("plugins/")[2].partition("/")[0]
    out.say("error", f"The step needs {names[0]} with a slug.")
    return ""


def _activates(definition: Mapping[str, Any]) -> bool:
    told = definition.get("options")
    return isinstance(told, Mapping) and told.get("activate") is True


# -- options


def _set_options(out: Import, definition: Mapping[str, Any]) -> None:
    own = {group.option: group for group in settings.groups().values() if group.option}
    of = {
        id: group.id for group in settings.groups().values() if not group.option for id in group.settings
    }  # fmt: skip
    for name, value in _object(out, definition, "options").items():
        if name in of:
            out.ask(name, "PUT", f"{_SHOP}/settings/{of[name]}/{name}", {"value": value})
        elif name in own:
            for id, one in value.items() if isinstance(value, Mapping) else ():
                out.ask(f"{name}[{id}]", "PUT", f"{_SHOP}/settings/{own[name].id}/{_segment(id)}", {"value": one})
        else:
            out.ask(name, "POST", "/shop-admin/options", {name: value})


def _segment(text: Any) -> str:
    """Return a text as a segment of a path, one that nothing has where it could lead elsewhere."""
    return text if isinstance(text, str) and text.replace("_", "").replace("-", "").isalnum() else "-"


# -- modules and themes


def _install_module(out: Import, definition: Mapping[str, Any]) -> None:
    slug = _slug(out, definition, "pluginData", "pluginZipFile")
    if slug and _module(out, "install", slug) and _activates(definition):
        _module(out, "activate", slug)


def _activate_module(out: Import, definition: Mapping[str, Any]) -> None:
    slug = _slug(out, definition, "pluginPath", "pluginName")
    if slug:
        _module(out, "activate", slug)


def _module(out: Import, action: str, slug: str) -> bool:
    told = out.ask(slug, "POST", f"/shop-admin/plugins/{action}", {"plugins": slug})
    errors = told["errors"]["errors"] if told is not None else {}
    for sentences in errors.values():
        out.say("error", " ".join(sentences))
    return told is not None and not errors


def _install_theme(out: Import, definition: Mapping[str, Any]) -> None:
    slug = _slug(out, definition, "themeData", "themeZipFile")
    installed = slug and out.ask(slug, "POST", "/shop-admin/onboarding/themes/install", {"theme": slug})
    if installed and _activates(definition):
        out.ask(slug, "POST", "/shop-admin/onboarding/themes/activate", {"theme": slug})


def _activate_theme(out: Import, definition: Mapping[str, Any]) -> None:
    slug = _slug(out, definition, "themeFolderName", "themeName")
    if slug:
        out.ask(slug, "POST", "/shop-admin/onboarding/themes/activate", {"theme": slug})


# -- taxes, shipping, ways of paying


def _set_tax_rates(out: Import, definition: Mapping[str, Any]) -> None:
    """Add the rates that are not there yet, and the classes that they need."""
    classes = out.ask("classes", "GET", f"{_SHOP}/taxes/classes") or []
    names = definition.get("classes", [])
    if not isinstance(names, list) or len(names) > blueprint.MOST:
        out.say("error", f"classes is no list of {blueprint.MOST} names at most.")
        names = []
    for name in names:
        if all(name != one["name"] for one in classes):
            out.ask(f"class {name!r:.100}", "POST", f"{_SHOP}/taxes/classes", {"name": name})
    known = blueprint.known_rates(out.call.work)
    for at, row in _rows(out, definition, "rates"):
        body = {name: row[name] for name in _RATE if name in row}
        if blueprint.rate_key(body) not in known:
            out.ask(f"rates[{at}]", "POST", f"{_SHOP}/taxes", body)


def _set_shipping(out: Import, definition: Mapping[str, Any]) -> None:
    """Set zones by their names: each has these places and methods then, and no others."""
    numbers: dict[str, int] = {one["slug"]: one["id"] for one in blueprint.shipping_classes_of(out.call.work)}
    for _, row in _rows(out, definition, "classes", needed=False):
        if row.get("slug") not in numbers:
            body = {name: row[name] for name in ("name", "slug") if name in row}
            made = out.ask(f"class {row.get('slug')!r:.100}", "POST", f"{_SHOP}/products/shipping_classes", body)
            if made is not None:
                numbers[made["slug"]] = made["id"]
    zones = out.ask("zones", "GET", f"{_SHOP}/shipping/zones") or []
    there = {one["name"]: one["id"] for one in zones if one["id"]}
    for _, row in _rows(out, definition, "zones"):
        _set_zone(out, row, there, numbers)


def _set_zone(out: Import, row: Mapping[str, Any], there: dict[str, int], classes: Mapping[str, int]) -> None:
    name = row.get("name")
    what = f"zone {name!r:.100}"
    body = {key: row[key] for key in ("name", "order") if key in row}
    id: Any = 0
    if row.get("is_rest") is not True:
        id = there.get(name) if isinstance(name, str) else None
        path = f"{_SHOP}/shipping/zones" if id is None else f"{_SHOP}/shipping/zones/{id}"
        set_up = out.ask(what, "POST" if id is None else "PUT", path, body)
        if set_up is None:
            return
        id = there[set_up["name"]] = set_up["id"]
        places = row.get("locations", [])
        listed = places if isinstance(places, list) else []
        if len(listed) > blueprint.MOST_PLACES or listed is not places:
            out.say("error", f"{what}: locations is no list of {blueprint.MOST_PLACES} places at most.")
        else:
            out.ask(what, "PUT", f"{_SHOP}/shipping/zones/{id}/locations", listed)
    methods = f"{_SHOP}/shipping/zones/{id}/methods"
    wanted = [one for _, one in _rows(out, row, "methods")]
    if not out.success and not wanted:
        return
    for old in out.ask(what, "GET", methods) or ():
        out.ask(what, "DELETE", f"{methods}/{old['id']}", {"force": True})
    for one in wanted:
        told = {key: one[key] for key in ("method_id", "order", "enabled") if key in one}
        if isinstance(one.get("settings"), Mapping):
            told["settings"] = _by_number(one["settings"], classes)
        out.ask(f"{what}, {one.get('method_id')!r:.100}", "POST", methods, told)


def _by_number(values: Mapping[str, Any], classes: Mapping[str, int]) -> dict[str, Any]:
    """Return what is set about a method with the costs of classes by the numbers that they have here."""
    out = {}
    for name, value in values.items():
        slug = name.removeprefix(blueprint.CLASS_COST)
        if slug == name:
            out[name] = value
        elif slug in classes:
            out[f"class_cost_{classes[slug]}"] = value
    return out


def _set_gateways(out: Import, definition: Mapping[str, Any]) -> None:
    for id, told in _object(out, definition, "gateways").items():
        if isinstance(told, Mapping):
            out.ask(f"{id:.100}", "PUT", f"{_SHOP}/payment_gateways/{_segment(id)}", dict(told))
        else:
            out.say("error", f"{id:.100} is no object.")


_STEPS: Final[Mapping[str, Callable[[Import, Mapping[str, Any]], None]]] = {
    "setSiteOptions": _set_options,
    "installPlugin": _install_module,
    "activatePlugin": _activate_module,
    "installTheme": _install_theme,
    "activateTheme": _activate_theme,
    "setTaxRates": _set_tax_rates,
    "setShippingZones": _set_shipping,
    "setPaymentGateways": _set_gateways,
}
