"""The abilities of the site: their list, their categories, and running one.

Rules: docs/rules/root_index.md, 6 and 7.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure, PermissionDenied
from vetrina.rest.call import Result
from vetrina.rest.common_arguments import build_context_argument
from vetrina.rest.field_selection import parse_field_selection
from vetrina.rest.fields import EDIT, EMBED, VIEW, Field, Integer, Object, String, Untyped
from vetrina.rest.paging import build_page_headers
from vetrina.rest.response_fields import Free
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Serializer, build_link
from vetrina.system.abilities.rules import ABILITIES, CATEGORIES, Ability, AbilityCategory

_ABILITIES: Final = "/cms-abilities/v1/abilities"
_CATEGORIES: Final = "/cms-abilities/v1/categories"
_ALL = (VIEW, EDIT, EMBED)
_SHOWN = (VIEW, EDIT)
_NAME: Final = r"[a-zA-Z0-9\-\/]+"
_SLUG: Final = "[a-z0-9]+(?:-[a-z0-9]+)*"
_ANY: Final = ["integer", "number", "boolean", "string", "array", "object", "null"]


class CannotListAbilities(PermissionDenied):
    """Abilities are for those who have an account."""

    code = "rest_forbidden"
    message = "You may not see what this site can do; sign in first."


class AbilityNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_ability_not_found"
    message = "There is no ability {name!r}."


class AbilityCategoryNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_ability_category_not_found"
    message = "There is no category of abilities {slug!r}."


class CannotExecuteAbility(PermissionDenied):
    """Each ability says which right it needs."""

    code = "rest_ability_cannot_execute"
    message = "You may not run this ability."


class InvalidAbilityMethod(ApiError):
    """An ability that only reads is run by GET."""

    failure, code = Failure.WRONG_METHOD, "rest_ability_invalid_method"
    message = "{name} only reads, so it is run by GET."


class InvalidAbilityInput(ApiError):
    """The input is not what the ability takes."""

    code = "ability_invalid_input"
    message = "The input of {name} is not what it takes: {reason}"


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the abilities."""
    name = String("Name of the ability, with its namespace.", pattern=f"^{_NAME}$")
    slug = String("Name of the category.", pattern=f"^{_SLUG}$")
    paging: dict[str, Field] = {
        "context": build_context_argument(),
        "page": Integer("Page of the collection.", default=1, minimum=1),
        "per_page": Integer("Most items that the answer may hold.", default=50, minimum=1, maximum=100),
    }
    filters = {**paging, "category": String("Keep the abilities of this category.")}
    taken = {
        "name": name,
        "input": Untyped("What the ability is given.", default=None, extra={"type": _ANY}),
    }
    one = {"name": name, "context": build_context_argument().replace(written=False)}
    one_category = {"slug": slug, "context": build_context_argument().replace(written=False)}
    return (
        Route(
            READ,
            _CATEGORIES,
            _list_categories,
            paging,
            _require_list_permission,
            _build_category_schema,
            errors=(CannotListAbilities,),
        ),
        Route(
            READ,
            f"{_CATEGORIES}/{{slug:{_SLUG}}}",
            _read_category,
            one_category,
            _require_list_permission,
            _build_category_schema,
            errors=(CannotListAbilities, AbilityCategoryNotFound),
        ),
        # Every ability so far only reads; one that writes needs a write transaction.
        Route(
            ("GET", "POST", "PUT", "PATCH", "DELETE"),
            f"{_ABILITIES}/{{name:{_NAME}?}}/run",
            _run_ability,
            taken,
            _require_run_permission,
            _build_result_schema,
            read=True,
            errors=(AbilityNotFound, InvalidAbilityMethod, InvalidAbilityInput, CannotExecuteAbility),
            answers=Free("What the ability gives, as its `output_schema` says.", of=()),
        ),
        Route(
            READ,
            _ABILITIES,
            _list_abilities,
            filters,
            _require_list_permission,
            _build_ability_schema,
            errors=(CannotListAbilities,),
        ),
        Route(
            READ,
            f"{_ABILITIES}/{{name:{_NAME}}}",
            _read_ability,
            one,
            _require_list_permission,
            _build_ability_schema,
            errors=(CannotListAbilities, AbilityNotFound),
        ),
    )


def _require_list_permission(call: Call) -> None:
    """Everybody who is signed in (`read`)."""
    user = call.work.user
    if not user.can("read"):
        raise CannotListAbilities(bool(user))


# -- abilities


def _get_ability(call: Call) -> Ability:
    name = call.args.get("name")
    found = ABILITIES.get(name) if isinstance(name, str) else None
    if found is None:
        raise AbilityNotFound(name=name)
    return found


def _list_abilities(call: Call) -> Result:
    """List the abilities that the site has, a page at a time."""
    work = call.work
    category = call.args.get("category")
    found = [one for one in ABILITIES.values() if category is None or one.category == category]
    return _build_page(call, found, _ABILITY_SERIALIZER, lambda one: _build_links(work, one))


def _read_ability(call: Call) -> Result:
    """Describe one ability: what it does, what it takes and what it answers."""
    found = _get_ability(call)
    members = _ABILITY_SERIALIZER.serialize(
        found, call.work, call.args["context"], parse_field_selection(call.request.raw("_fields"))
    )
    return Result(members, rels=_build_links(call.work, found))


def _build_page(call: Call, found: list[Any], shape: Serializer, links: Any) -> Result:
    size, page = call.args["per_page"], call.args["page"]
    wanted = parse_field_selection(call.request.raw("_fields"))
    body = []
    for one in found[(page - 1) * size : page * size]:
        members = shape.serialize(one, call.work, call.args["context"], wanted)
        if wanted is None or wanted.has_links():
            members["_links"] = links(one)
        body.append(members)
    headers, pages = build_page_headers(call, len(found), size, page)
    return Result(body, headers=headers, links=pages)


def _build_links(work: UnitOfWork, ability: Ability) -> dict[str, Any]:
    self = work.api(f"{_ABILITIES}/{ability.name}")
    return {
        "self": [build_link(self, targetHints={"allow": list(READ)})],
        "collection": [build_link(work.api(_ABILITIES))],
        "cms:action-run": [build_link(f"{self}/run")],
    }


_ABILITY_SERIALIZER = Serializer(
    {
        "name": String("Name of the ability, with its namespace.", context=_ALL, readonly=True),
        "label": String("What people call it.", context=_ALL, readonly=True),
        "description": String("What it does.", context=_SHOWN, readonly=True),
        "category": String("Category that it belongs to.", context=_ALL, readonly=True),
        "input_schema": Object("JSON schema of its input.", context=_SHOWN, readonly=True),
        "output_schema": Object("JSON schema of its result.", context=_SHOWN, readonly=True),
        "meta": Object("What else is known of it.", context=_SHOWN, readonly=True),
    },
    {
        "name": lambda one, work: one.name,
        "label": lambda one, work: one.label,
        "description": lambda one, work: one.about,
        "category": lambda one, work: one.category,
        "input_schema": lambda one, work: one.input_schema(),
        "output_schema": lambda one, work: one.output_schema(),
        "meta": lambda one, work: {
            "annotations": {"readonly": True, "destructive": False, "idempotent": True},
            "show_in_rest": True,
        },
    },
)


def _build_ability_schema() -> dict[str, Any]:
    return _ABILITY_SERIALIZER.schema("ability")


# -- running one


def _build_result_schema() -> dict[str, Any]:
    result = Untyped("What the ability gives.", context=(VIEW,), readonly=True, extra={"type": _ANY})
    return Serializer({"result": result}, {}).schema("ability-execution")


def _require_run_permission(call: Call) -> None:
    """Those who have the right that the ability names."""
    ability, user = _get_ability(call), call.work.user
    if call.request.method not in ("GET", "HEAD", "OPTIONS"):
        raise InvalidAbilityMethod(name=ability.name)
    call.lookups["input"] = _parse_input(ability, call.args.get("input"))
    if not user.can(ability.capability):
        raise CannotExecuteAbility(bool(user))


def _parse_input(ability: Ability, given: Any) -> dict[str, Any]:
    if ability.input is None:
        if given not in (None, "", {}, []):
            raise InvalidAbilityInput(name=ability.name, reason="it takes none.")
        return {}
    value = {} if given is None else given
    fault = ability.input.fault(value, "input")
    if fault is not None:
        raise InvalidAbilityInput(name=ability.name, reason=fault.message)
    taken: dict[str, Any] = ability.input.clean(value)
    return taken


def _run_ability(call: Call) -> Result:
    """Run an ability with the given input; one that only reads is run by GET."""
    ability = _get_ability(call)
    return Result(ability.run(call.work, call.lookups["input"]))


# -- categories


def _list_categories(call: Call) -> Result:
    """List the categories of abilities."""
    work = call.work
    return _build_page(
        call, list(CATEGORIES.values()), _CATEGORY_SERIALIZER, lambda one: _build_category_links(work, one)
    )


def _read_category(call: Call) -> Result:
    """Read one category of abilities."""
    found = CATEGORIES.get(call.args["slug"])
    if found is None:
        raise AbilityCategoryNotFound(slug=call.args["slug"])
    members = _CATEGORY_SERIALIZER.serialize(
        found, call.work, call.args["context"], parse_field_selection(call.request.raw("_fields"))
    )
    return Result(members, rels=_build_category_links(call.work, found))


def _build_category_links(work: UnitOfWork, category: AbilityCategory) -> dict[str, Any]:
    return {
        "self": [build_link(work.api(f"{_CATEGORIES}/{category.slug}"), targetHints={"allow": list(READ)})],
        "collection": [build_link(work.api(_CATEGORIES))],
        "abilities": [build_link(work.api(f"{_ABILITIES}?category={category.slug}"))],
    }


_CATEGORY_SERIALIZER = Serializer(
    {
        "slug": String("Name of the category.", context=_ALL, readonly=True),
        "label": String("What people call it.", context=_ALL, readonly=True),
        "description": String("What its abilities do.", context=_SHOWN, readonly=True),
        "meta": Object("What else is known of it.", context=_SHOWN, readonly=True),
    },
    {
        "slug": lambda one, work: one.slug,
        "label": lambda one, work: one.label,
        "description": lambda one, work: one.about,
        "meta": lambda one, work: {},
    },
)


def _build_category_schema() -> dict[str, Any]:
    return _CATEGORY_SERIALIZER.schema("ability-category")
