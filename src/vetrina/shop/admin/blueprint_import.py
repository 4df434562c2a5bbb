"""Imports a step of a blueprint: sets each thing in it through the route that a client would use.

So every value is validated as that route does, with the caller's own rights, inside the same transaction. What a route
refuses becomes a message of the step; the rest of the step is applied. Not here: the steps of an export
(shop/admin/blueprint_export.py), the routes (shop/admin/blueprint_routes.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.rest.call import Request, Response
from vetrina.shop.admin import blueprint_export
from vetrina.shop.settings import rules as settings

_SHOP: Final = "/shop/v3"
_RATE_MEMBERS: Final = (
    "country", "state", "postcodes", "cities", "rate", "name", "priority", "compound", "shipping", "order", "class",
)  # fmt: skip


@dataclass
class StepImport:
    """A step that is being imported. call: the request that brings it. messages: what is reported about it."""

    call: Call
    step: str
    messages: list[dict[str, str]] = field(default_factory=list)

    def add_message(self, kind: str, message: str) -> None:
        """Add a message of the kind `error` or `info`."""
        self.messages.append({"step": self.step, "type": kind, "message": message})

    @property
    def is_successful(self) -> bool:
        """Return whether the whole step was applied."""
        return all(one["type"] != "error" for one in self.messages)

    def send_request(self, what: str, method: str, path: str, body: Any = None) -> Any:
        """Send a request as the caller and return the response; None for a refusal, which is reported.

        what: the object concerned, as the message names it.
        """
        outer, work = self.call.request, self.call.work
        listed = body if isinstance(body, list) else []
        request = Request(
            method, path, outer.root, outer.origin, work.language, json=body if isinstance(body, dict) else {},
            items=listed, remote=outer.remote, inner=True,
        )  # fmt: skip
        answer: Response = self.call.ask.answer_within(request, work)
        if answer.status < 400:
            return answer.body
        self.add_message("error", f"{what}: {_format_refusal(answer.body)}")
        return None


def _format_refusal(refusal: Any) -> str:
    """Return why a request was refused: the message of each parameter, or else that of the whole."""
    body = refusal if isinstance(refusal, Mapping) else {}
    params = (body.get("data") or {}).get("params")
    sentences = [str(one) for one in params.values()] if isinstance(params, Mapping) else []
    return " ".join(sentences) or str(body.get("message") or "it was refused.")


def run_step(call: Call, definition: Mapping[str, Any]) -> StepImport:
    """Import a step of a blueprint and return the result."""
    name = definition.get("step")
    name = name if isinstance(name, str) else ""
    out = StepImport(call, name[:100])
    step = _STEPS.get(name)
    if step is None:
        known = ", ".join(_STEPS)
        out.add_message("error", f"There is no step {name[:100]!r} here; there are {known}.")
    elif not blueprint_export.is_import_allowed(call.work):
        out.add_message(
            "error", "A shop that is open takes no steps; close it first: the option `shop_coming_soon` is `yes`."
        )
    else:
        step(out, definition)
    if not out.messages:
        out.add_message("info", "The step was carried out.")
    return out


# -- the content of a step


def _parse_object(out: StepImport, definition: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = definition.get(name)
    if isinstance(found, Mapping):
        if len(found) <= blueprint_export.MAX_ENTRIES:
            return found
        out.add_message(
            "error", f"{name} has more than {blueprint_export.MAX_ENTRIES} members; send them in several steps."
        )
    else:
        out.add_message("error", f"The step needs {name}, an object.")
    return {}


def _iterate_rows(
    out: StepImport, definition: Mapping[str, Any], name: str, *, needed: bool = True
) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the objects of a list, each with its index."""
    found = definition.get(name)
    if not isinstance(found, list):
        if needed or found is not None:
            out.add_message("error", f"The step needs {name}, a list.")
        return
    if len(found) > blueprint_export.MAX_ENTRIES:
        out.add_message(
            "error", f"{name} has more than {blueprint_export.MAX_ENTRIES} entries; send them in several steps."
        )
        return
    for at, row in enumerate(found):
        if isinstance(row, Mapping):
            yield at, row
        else:
            out.add_message("error", f"{name}[{at}] is no object.")


def _parse_slug(out: StepImport, definition: Mapping[str, Any], *names: str) -> str:
    """Return the slug in a step, from an object of its own or from a path; empty, with a message, for none."""
    for name in names:
        found = definition.get(name)
        if isinstance(found, Mapping):
            found = found.get("slug")
        if isinstance(found, str) and found.strip("/ "):
            return found.strip("/ ").rpartition("plugins/")[2].partition("/")[0]
    out.add_message("error", f"The step needs {names[0]} with a slug.")
    return ""


def _is_activation_wanted(definition: Mapping[str, Any]) -> bool:
    options = definition.get("options")
    return isinstance(options, Mapping) and options.get("activate") is True


# -- options


def _set_options(out: StepImport, definition: Mapping[str, Any]) -> None:
    own = {group.option: group for group in settings.load_setting_groups().values() if group.option}
    of = {
        id: group.id for group in settings.load_setting_groups().values() if not group.option for id in group.settings
    }  # fmt: skip
    for name, value in _parse_object(out, definition, "options").items():
        if name in of:
            out.send_request(name, "PUT", f"{_SHOP}/settings/{of[name]}/{name}", {"value": value})
        elif name in own:
            for id, one in value.items() if isinstance(value, Mapping) else ():
                out.send_request(
                    f"{name}[{id}]", "PUT", f"{_SHOP}/settings/{own[name].id}/{_encode_segment(id)}", {"value": one}
                )
        else:
            out.send_request(name, "POST", "/shop-admin/options", {name: value})


def _encode_segment(text: Any) -> str:
    """Return a text as a path segment; one that could lead elsewhere becomes a segment that matches nothing."""
    return text if isinstance(text, str) and text.replace("_", "").replace("-", "").isalnum() else "-"


# -- modules and themes


def _install_module(out: StepImport, definition: Mapping[str, Any]) -> None:
    slug = _parse_slug(out, definition, "pluginData", "pluginZipFile")
    if slug and _change_module(out, "install", slug) and _is_activation_wanted(definition):
        _change_module(out, "activate", slug)


def _activate_module(out: StepImport, definition: Mapping[str, Any]) -> None:
    slug = _parse_slug(out, definition, "pluginPath", "pluginName")
    if slug:
        _change_module(out, "activate", slug)


def _change_module(out: StepImport, action: str, slug: str) -> bool:
    response = out.send_request(slug, "POST", f"/shop-admin/plugins/{action}", {"plugins": slug})
    errors = response["errors"]["errors"] if response is not None else {}
    for sentences in errors.values():
        out.add_message("error", " ".join(sentences))
    return response is not None and not errors


def _install_theme(out: StepImport, definition: Mapping[str, Any]) -> None:
    slug = _parse_slug(out, definition, "themeData", "themeZipFile")
    installed = slug and out.send_request(slug, "POST", "/shop-admin/onboarding/themes/install", {"theme": slug})
    if installed and _is_activation_wanted(definition):
        out.send_request(slug, "POST", "/shop-admin/onboarding/themes/activate", {"theme": slug})


def _activate_theme(out: StepImport, definition: Mapping[str, Any]) -> None:
    slug = _parse_slug(out, definition, "themeFolderName", "themeName")
    if slug:
        out.send_request(slug, "POST", "/shop-admin/onboarding/themes/activate", {"theme": slug})


# -- taxes, shipping, payment methods


def _set_tax_rates(out: StepImport, definition: Mapping[str, Any]) -> None:
    """Add missing tax rates, and the classes that they need."""
    classes = out.send_request("classes", "GET", f"{_SHOP}/taxes/classes") or []
    names = definition.get("classes", [])
    if not isinstance(names, list) or len(names) > blueprint_export.MAX_ENTRIES:
        out.add_message("error", f"classes is no list of {blueprint_export.MAX_ENTRIES} names at most.")
        names = []
    for name in names:
        if all(name != one["name"] for one in classes):
            out.send_request(f"class {name!r:.100}", "POST", f"{_SHOP}/taxes/classes", {"name": name})
    known = blueprint_export.list_rate_keys(out.call.work)
    for at, row in _iterate_rows(out, definition, "rates"):
        body = {name: row[name] for name in _RATE_MEMBERS if name in row}
        if blueprint_export.build_rate_key(body) not in known:
            out.send_request(f"rates[{at}]", "POST", f"{_SHOP}/taxes", body)


def _set_shipping_zones(out: StepImport, definition: Mapping[str, Any]) -> None:
    """Set zones by name: each has exactly these locations and methods afterwards."""
    numbers: dict[str, int] = {one["slug"]: one["id"] for one in blueprint_export.list_shipping_classes(out.call.work)}
    for _, row in _iterate_rows(out, definition, "classes", needed=False):
        if row.get("slug") not in numbers:
            body = {name: row[name] for name in ("name", "slug") if name in row}
            created = out.send_request(
                f"class {row.get('slug')!r:.100}", "POST", f"{_SHOP}/products/shipping_classes", body
            )
            if created is not None:
                numbers[created["slug"]] = created["id"]
    zones = out.send_request("zones", "GET", f"{_SHOP}/shipping/zones") or []
    there = {one["name"]: one["id"] for one in zones if one["id"]}
    for _, row in _iterate_rows(out, definition, "zones"):
        _set_zone(out, row, there, numbers)


def _set_zone(out: StepImport, row: Mapping[str, Any], there: dict[str, int], classes: Mapping[str, int]) -> None:
    name = row.get("name")
    what = f"zone {name!r:.100}"
    body = {key: row[key] for key in ("name", "order") if key in row}
    id: Any = 0
    if row.get("is_rest") is not True:
        id = there.get(name) if isinstance(name, str) else None
        path = f"{_SHOP}/shipping/zones" if id is None else f"{_SHOP}/shipping/zones/{id}"
        set_up = out.send_request(what, "POST" if id is None else "PUT", path, body)
        if set_up is None:
            return
        id = there[set_up["name"]] = set_up["id"]
        places = row.get("locations", [])
        listed = places if isinstance(places, list) else []
        if len(listed) > blueprint_export.MAX_LOCATIONS or listed is not places:
            out.add_message(
                "error", f"{what}: locations is no list of {blueprint_export.MAX_LOCATIONS} places at most."
            )
        else:
            out.send_request(what, "PUT", f"{_SHOP}/shipping/zones/{id}/locations", listed)
    methods = f"{_SHOP}/shipping/zones/{id}/methods"
    wanted = [one for _, one in _iterate_rows(out, row, "methods")]
    if not out.is_successful and not wanted:
        return
    for old in out.send_request(what, "GET", methods) or ():
        out.send_request(what, "DELETE", f"{methods}/{old['id']}", {"force": True})
    for one in wanted:
        members = {key: one[key] for key in ("method_id", "order", "enabled") if key in one}
        if isinstance(one.get("settings"), Mapping):
            members["settings"] = _replace_class_slugs(one["settings"], classes)
        out.send_request(f"{what}, {one.get('method_id')!r:.100}", "POST", methods, members)


def _replace_class_slugs(values: Mapping[str, Any], classes: Mapping[str, int]) -> dict[str, Any]:
    """Return the settings of a method with the costs of classes keyed by local ids."""
    out = {}
    for name, value in values.items():
        slug = name.removeprefix(blueprint_export.CLASS_COST)
        if slug == name:
            out[name] = value
        elif slug in classes:
            out[f"class_cost_{classes[slug]}"] = value
    return out


def _set_gateways(out: StepImport, definition: Mapping[str, Any]) -> None:
    for id, members in _parse_object(out, definition, "gateways").items():
        if isinstance(members, Mapping):
            out.send_request(f"{id:.100}", "PUT", f"{_SHOP}/payment_gateways/{_encode_segment(id)}", dict(members))
        else:
            out.add_message("error", f"{id:.100} is no object.")


_STEPS: Final[Mapping[str, Callable[[StepImport, Mapping[str, Any]], None]]] = {
    "setSiteOptions": _set_options,
    "installPlugin": _install_module,
    "activatePlugin": _activate_module,
    "installTheme": _install_theme,
    "activateTheme": _activate_theme,
    "setTaxRates": _set_tax_rates,
    "setShippingZones": _set_shipping_zones,
    "setPaymentGateways": _set_gateways,
}
