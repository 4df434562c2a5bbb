"""The abilities of the site: what there is, in which categories, and running one.

Rules: facts, "Themes, plugins, blocks, widgets, health, helpers, abilities".
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError, Refused
from vetrina.rest.call import Call, Result
from vetrina.rest.common_arguments import context
from vetrina.rest.fields import EDIT, EMBED, VIEW, Field, Integer, Object, String, Untyped
from vetrina.rest.paging import page_headers
from vetrina.rest.response_fields import Free
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Shape, choice, link
from vetrina.system.abilities.rules import ABILITIES, CATEGORIES, Ability, Category

__all__ = ["routes"]

_ABILITIES: Final = "/cms-abilities/v1/abilities"
_CATEGORIES: Final = "/cms-abilities/v1/categories"
_ALL = (VIEW, EDIT, EMBED)
_SHOWN = (VIEW, EDIT)
_NAME: Final = r"[a-zA-Z0-9\-\/]+"
_SLUG: Final = "[a-z0-9]+(?:-[a-z0-9]+)*"
_ANY: Final = ["integer", "number", "boolean", "string", "array", "object", "null"]


class CannotList(Refused):
    """Abilities are for those who have an account."""

    code = "rest_forbidden"
    message = "You may not see what this site can do; sign in first."


class AbilityUnknown(ApiError):
    status, code = 404, "rest_ability_not_found"
    message = "There is no ability {name!r}."


class CategoryUnknown(ApiError):
    status, code = 404, "rest_ability_category_not_found"
    message = "There is no category of abilities {slug!r}."


class CannotExecute(Refused):
    """Each ability says which right it needs."""

    code = "rest_ability_cannot_execute"
    message = "You may not run this ability."


class InvalidMethod(ApiError):
    """An ability that only reads is run by GET."""

    status, code = 405, "rest_ability_invalid_method"
    message = "{name} only reads, so it is run by GET."


class InvalidInput(ApiError):
    """The input is not what the ability takes."""

    code = "ability_invalid_input"
    message = "The input of {name} is not what it takes: {reason}"


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the abilities."""
    name = String("Name of the ability, with its namespace.", pattern=f"^{_NAME}$")
    slug = String("Name of the category.", pattern=f"^{_SLUG}$")
    paging: dict[str, Field] = {
        "context": context(),
        "page": Integer("Page of the collection.", default=1, minimum=1),
        "per_page": Integer("Most items that the answer may hold.", default=50, minimum=1, maximum=100),
    }
    filters = {**paging, "category": String("Keep the abilities of this category.")}
    taken = {
        "name": name,
        "input": Untyped("What the ability is given.", default=None, extra={"type": _ANY}),
    }
    one = {"name": name, "context": context().but(written=False)}
    one_category = {"slug": slug, "context": context().but(written=False)}
    return (
        Route(READ, _CATEGORIES, _categories, paging, _may_list, _category_schema, errors=(CannotList,)),
        Route(
            READ, f"{_CATEGORIES}/{{slug:{_SLUG}}}", _category, one_category, _may_list, _category_schema,
            errors=(CannotList, CategoryUnknown),
        ),
        # Every ability only reads so far; one that writes needs a transaction of its own kind.
        Route(
            ("GET", "POST", "PUT", "PATCH", "DELETE"), f"{_ABILITIES}/{{name:{_NAME}?}}/run", _run, taken, _may_run,
            _result_schema, read=True, errors=(AbilityUnknown, InvalidMethod, InvalidInput, CannotExecute),
            answers=Free("What the ability gives, as its `output_schema` says.", of=()),
        ),
        Route(READ, _ABILITIES, _listed, filters, _may_list, _schema, errors=(CannotList,)),
        Route(
            READ, f"{_ABILITIES}/{{name:{_NAME}}}", _read, one, _may_list, _schema, errors=(CannotList, AbilityUnknown)
        ),
    )  # fmt: skip


def _may_list(call: Call) -> None:
    """Everybody who is signed in (`read`)."""
    user = call.work.user
    if not user.can("read"):
        raise CannotList(bool(user))


# -- abilities


def _ability(call: Call) -> Ability:
    name = call.args.get("name")
    found = ABILITIES.get(name) if isinstance(name, str) else None
    if found is None:
        raise AbilityUnknown(name=name)
    return found


def _listed(call: Call) -> Result:
    """List the abilities that the site has, a page at a time."""
    work: Work = call.work
    category = call.args.get("category")
    found = [one for one in ABILITIES.values() if category is None or one.category == category]
    return _page(call, found, _SHAPE, lambda one: _links(work, one))


def _read(call: Call) -> Result:
    """Describe one ability: what it does, what it takes and what it answers."""
    found = _ability(call)
    members = _SHAPE.members(found, call.work, call.args["context"], choice(call.request.raw("_fields")))
    return Result(members, rels=_links(call.work, found))


def _page(call: Call, found: list[Any], shape: Shape, links: Any) -> Result:
    size, page = call.args["per_page"], call.args["page"]
    wanted = choice(call.request.raw("_fields"))
    body = []
    for one in found[(page - 1) * size : page * size]:
        members = shape.members(one, call.work, call.args["context"], wanted)
        if wanted is None or wanted.names_links():
            members["_links"] = links(one)
        body.append(members)
    headers, pages = page_headers(call, len(found), size, page)
    return Result(body, headers=headers, links=pages)


def _links(work: Work, ability: Ability) -> dict[str, Any]:
    self = work.api(f"{_ABILITIES}/{ability.name}")
    return {
        "self": [link(self, targetHints={"allow": list(READ)})],
        "collection": [link(work.api(_ABILITIES))],
        "cms:action-run": [link(f"{self}/run")],
    }


_SHAPE = Shape(
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


def _schema() -> dict[str, Any]:
    return _SHAPE.schema("ability")


# -- running one


def _result_schema() -> dict[str, Any]:
    result = Untyped("What the ability gives.", context=(VIEW,), readonly=True, extra={"type": _ANY})
    return Shape({"result": result}, {}).schema("ability-execution")


def _may_run(call: Call) -> None:
    """Those who have the right that the ability names."""
    ability, user = _ability(call), call.work.user
    if call.request.method not in ("GET", "HEAD", "OPTIONS"):
        raise InvalidMethod(name=ability.name)
    call.kept["input"] = _input(ability, call.args.get("input"))
    if not user.can(ability.capability):
        raise CannotExecute(bool(user))


def _input(ability: Ability, given: Any) -> dict[str, Any]:
    if ability.input is None:
        if given not in (None, "", {}, []):
            raise InvalidInput(name=ability.name, reason="it takes none.")
        return {}
    value = {} if given is None else given
    fault = ability.input.fault(value, "input")
    if fault is not None:
        raise InvalidInput(name=ability.name, reason=fault.message)
    taken: dict[str, Any] = ability.input.clean(value)
    return taken


def _run(call: Call) -> Result:
    """Run an ability with the given input; one that only reads is run by GET."""
    ability = _ability(call)
    return Result(ability.run(call.work, call.kept["input"]))


# -- categories


def _categories(call: Call) -> Result:
    """List the categories of abilities."""
    work: Work = call.work
    return _page(call, list(CATEGORIES.values()), _CATEGORY, lambda one: _category_links(work, one))


def _category(call: Call) -> Result:
    """Read one category of abilities."""
    found = CATEGORIES.get(call.args["slug"])
    if found is None:
        raise CategoryUnknown(slug=call.args["slug"])
    members = _CATEGORY.members(found, call.work, call.args["context"], choice(call.request.raw("_fields")))
    return Result(members, rels=_category_links(call.work, found))


def _category_links(work: Work, category: Category) -> dict[str, Any]:
    return {
        "self": [link(work.api(f"{_CATEGORIES}/{category.slug}"), targetHints={"allow": list(READ)})],
        "collection": [link(work.api(_CATEGORIES))],
        "abilities": [link(work.api(f"{_ABILITIES}?category={category.slug}"))],
    }


_CATEGORY = Shape(
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


def _category_schema() -> dict[str, Any]:
    return _CATEGORY.schema("ability-category")
