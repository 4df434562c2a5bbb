"""Lists that a shop's forms are made of: continents, countries with their states, currencies.

Not here: where they come from (shop/settings/places.py, shop/settings/currencies.py, shop/settings/locale_defaults.py).
Rules: the recordings of data.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import Frame
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Array, Field, String
from vetrina.rest.paging import page_headers
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Shape, choice, chosen
from vetrina.shop import permissions as shop_permissions
from vetrina.shop.settings import currencies, locale_defaults, places
from vetrina.shop.settings import rules as settings

__all__ = ["routes"]

_PATH: Final = "/shop/v3/data"
_ROOM: Final = {
    "continents": "Continents with their countries and what is usual there.",
    "countries": "Countries with their states.",
    "currencies": "Currencies with their names and signs.",
}


class UnknownPlace(ApiError):
    status, code = 404, "shop_rest_data_invalid_location"
    message = "There is no place with the code {code!r}."


class UnknownCurrency(ApiError):
    status, code = 404, "shop_rest_data_invalid_currency"
    message = "There is no currency with the code {code!r}."


_PLACE: dict[str, Field] = {
    "code": String("Its code.", context=("view",), readonly=True),
    "name": String("Its name.", context=("view",), readonly=True),
}
_COUNTRY = {**_PLACE, "states": Array("Its states.", context=("view",), readonly=True)}
_CONTINENT = {**_PLACE, "countries": Array("Its countries.", context=("view",), readonly=True)}
_CURRENCY = {**_PLACE, "symbol": String("Its sign.", context=("view",), readonly=True)}
_INDEX: dict[str, Field] = {
    "slug": String("Name of the list.", context=("view",), readonly=True),
    "description": String("What it holds.", context=("view",), readonly=True),
}


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of lists."""
    code = {"location": String("Code of the place.")}
    continents, countries, money = (f"{_PATH}/{name}" for name in _ROOM)
    word = r"{location:[\w-]+}"
    currency = {"currency": String("Code of the currency.")}
    return (
        Route(READ, _PATH, _index, {}, shop_permissions.viewing, _schema(_INDEX, "data_index"), answers="many"),
        Route(
            READ,
            continents,
            _continents,
            {},
            shop_permissions.viewing,
            _schema(_CONTINENT, "data_continents"),
            answers="many",
        ),
        Route(
            READ,
            f"{continents}/{word}",
            _continent,
            code,
            shop_permissions.viewing,
            _schema(_CONTINENT, "data_continents"),
            errors=(UnknownPlace,),
        ),
        Route(
            READ,
            countries,
            _countries,
            {},
            shop_permissions.viewing,
            _schema(_COUNTRY, "data_countries"),
            answers="many",
        ),
        Route(
            READ,
            f"{countries}/{word}",
            _country,
            code,
            shop_permissions.viewing,
            _schema(_COUNTRY, "data_countries"),
            errors=(UnknownPlace,),
        ),
        Route(
            READ,
            money,
            _currencies,
            {},
            shop_permissions.viewing,
            _schema(_CURRENCY, "data_currencies"),
            answers="many",
        ),
        Route(READ, f"{money}/current", _current, {}, shop_permissions.viewing, _schema(_CURRENCY, "data_currencies")),
        Route(
            READ,
            f"{money}/{{currency:[\\w-]{{3}}}}",
            _currency,
            currency,
            shop_permissions.viewing,
            _schema(_CURRENCY, "data_currencies"),
            errors=(UnknownCurrency,),
        ),
    )


def _schema(members: dict[str, Field], title: str) -> Any:
    return lambda: Shape(members, {}).schema(title)


def _link(call: Call, room: str, code: str = "", hints: bool = True) -> dict[str, Any]:
    own: dict[str, Any] = {"href": call.work.api(f"{_PATH}/{room}" + (f"/{code}" if code else ""))}
    if hints:
        own["targetHints"] = {"allow": ["GET"]}
    return {"self": [own], "collection": [{"href": call.work.api(f"{_PATH}/{room}" if code else _PATH)}]}


def _chosen(call: Call, body: dict[str, Any]) -> dict[str, Any]:
    wanted = choice(call.request.raw("_fields"))
    return body if wanted is None else chosen(body, wanted.tree)


def _many(call: Call, found: list[tuple[dict[str, Any], dict[str, Any]]]) -> Result:
    headers, links = page_headers(call, len(found), None)
    return Result([{**_chosen(call, body), "_links": rels} for body, rels in found], headers=headers, links=links)


def _index(call: Call) -> Result:
    """List what the data routes tell."""
    return _many(call, [({"slug": name, "description": said}, _link(call, name)) for name, said in _ROOM.items()])


def _country_body(code: str) -> dict[str, Any]:
    states = [{"code": state, "name": name} for state, name in places.states(code).items()]
    return {"code": code, "name": places.countries()[code], "states": states}


def _countries(call: Call) -> Result:
    return _many(call, [(_country_body(code), _link(call, "countries", code.lower())) for code in places.countries()])


def _country(call: Call) -> Result:
    code = call.args["location"].upper()
    if code not in places.countries():
        raise UnknownPlace(code=code)
    return Result(_chosen(call, _country_body(code)), rels=_link(call, "countries", code.lower()), keeps_links=True)


def _continent_body(code: str) -> dict[str, Any]:
    name, codes = places.CONTINENTS[code]
    return {"code": code, "name": name, "countries": [_with_habits(one) for one in codes]}


def _with_habits(code: str) -> dict[str, Any]:
    body = _country_body(code)
    usual = locale_defaults.of_country(code)
    if usual is None:
        return body
    states = body.pop("states")
    return {
        **body,
        "currency_code": usual.currency,
        "currency_pos": usual.currency_pos,
        "decimal_sep": usual.decimal_sep,
        "dimension_unit": usual.dimension_unit,
        "num_decimals": usual.decimals,
        "thousand_sep": usual.thousand_sep,
        "weight_unit": usual.weight_unit,
        "states": states,
    }


def _continents(call: Call) -> Result:
    found = [(_continent_body(code), _link(call, "continents", code.lower())) for code in places.CONTINENTS]
    return _many(call, found)


def _continent(call: Call) -> Result:
    code = call.args["location"].upper()
    if code not in places.CONTINENTS:
        raise UnknownPlace(code=code)
    return Result(_chosen(call, _continent_body(code)), rels=_link(call, "continents", code.lower()), keeps_links=True)


def _currency_body(code: str) -> dict[str, Any]:
    sign = currencies.entity(currencies.symbol(code))
    return {"code": code, "name": currencies.names()[code], "symbol": sign}


def _currencies(call: Call) -> Result:
    return _many(call, [(_currency_body(code), _link(call, "currencies", code)) for code in currencies.CODES])


def _currency(call: Call) -> Result:
    return _one_currency(call, call.args["currency"].upper())


def _current(call: Call) -> Result:
    """Read the shop's currency."""
    return _one_currency(call, str(settings.shop_option(call.work, "shop_currency")))


def _one_currency(call: Call, code: str) -> Result:
    if code not in currencies.CODES:
        raise UnknownCurrency(code=code)
    return Result(_chosen(call, _currency_body(code)), rels=_link(call, "currencies", code), keeps_links=True)
