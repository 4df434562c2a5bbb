"""Routes of the data that a shop's forms need: continents, countries with their states, currencies.

Not here: the data (shop/settings/places.py, shop/settings/currencies.py, shop/settings/locale_defaults.py). Rules:
docs/rules/shop_settings.md, 4.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.field_selection import parse_field_selection, select_fields
from vetrina.rest.fields import Array, Field, String
from vetrina.rest.paging import build_page_headers
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Serializer
from vetrina.shop import permissions as shop_permissions
from vetrina.shop.settings import currencies, locale_defaults, places, rules as settings

_PATH: Final = "/shop/v3/data"
_DATA_LISTS: Final = {
    "continents": "Continents with their countries and what is usual there.",
    "countries": "Countries with their states.",
    "currencies": "Currencies with their names and signs.",
}


class DataLocationNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_rest_data_invalid_location"
    message = "There is no place with the code {code!r}."


class CurrencyNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_rest_data_invalid_currency"
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


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the data routes."""
    code = {"location": String("Code of the place.")}
    continents, countries, money = (f"{_PATH}/{name}" for name in _DATA_LISTS)
    word = r"{location:[\w-]+}"
    currency = {"currency": String("Code of the currency.")}
    return (
        Route(
            READ,
            _PATH,
            _list_data_lists,
            {},
            shop_permissions.require_view_permission,
            _build_schema_function(_INDEX, "data_index"),
            answers="many",
        ),
        Route(
            READ,
            continents,
            _list_continents,
            {},
            shop_permissions.require_view_permission,
            _build_schema_function(_CONTINENT, "data_continents"),
            answers="many",
        ),
        Route(
            READ,
            f"{continents}/{word}",
            _read_continent,
            code,
            shop_permissions.require_view_permission,
            _build_schema_function(_CONTINENT, "data_continents"),
            errors=(DataLocationNotFound,),
        ),
        Route(
            READ,
            countries,
            _list_countries,
            {},
            shop_permissions.require_view_permission,
            _build_schema_function(_COUNTRY, "data_countries"),
            answers="many",
        ),
        Route(
            READ,
            f"{countries}/{word}",
            _read_country,
            code,
            shop_permissions.require_view_permission,
            _build_schema_function(_COUNTRY, "data_countries"),
            errors=(DataLocationNotFound,),
        ),
        Route(
            READ,
            money,
            _list_currencies,
            {},
            shop_permissions.require_view_permission,
            _build_schema_function(_CURRENCY, "data_currencies"),
            answers="many",
        ),
        Route(
            READ,
            f"{money}/current",
            _read_current_currency,
            {},
            shop_permissions.require_view_permission,
            _build_schema_function(_CURRENCY, "data_currencies"),
        ),
        Route(
            READ,
            f"{money}/{{currency:[\\w-]{{3}}}}",
            _read_currency,
            currency,
            shop_permissions.require_view_permission,
            _build_schema_function(_CURRENCY, "data_currencies"),
            errors=(CurrencyNotFound,),
        ),
    )


def _build_schema_function(members: dict[str, Field], title: str) -> Any:
    return lambda: Serializer(members, {}).schema(title)


def _build_links(call: Call, room: str, code: str = "", hints: bool = True) -> dict[str, Any]:
    own: dict[str, Any] = {"href": call.work.api(f"{_PATH}/{room}" + (f"/{code}" if code else ""))}
    if hints:
        own["targetHints"] = {"allow": ["GET"]}
    return {"self": [own], "collection": [{"href": call.work.api(f"{_PATH}/{room}" if code else _PATH)}]}


def _select_fields(call: Call, body: dict[str, Any]) -> dict[str, Any]:
    wanted = parse_field_selection(call.request.raw("_fields"))
    return body if wanted is None else select_fields(body, wanted.tree)


def _build_list_result(call: Call, items: list[tuple[dict[str, Any], dict[str, Any]]]) -> Result:
    headers, links = build_page_headers(call, len(items), None)
    return Result(
        [{**_select_fields(call, body), "_links": rels} for body, rels in items], headers=headers, links=links
    )


def _list_data_lists(call: Call) -> Result:
    """List the data routes."""
    return _build_list_result(
        call,
        [
            ({"slug": name, "description": description}, _build_links(call, name))
            for name, description in _DATA_LISTS.items()
        ],
    )


def _serialize_country(code: str) -> dict[str, Any]:
    states = [{"code": state, "name": name} for state, name in places.list_states(code).items()]
    return {"code": code, "name": places.list_countries()[code], "states": states}


def _list_countries(call: Call) -> Result:
    return _build_list_result(
        call,
        [(_serialize_country(code), _build_links(call, "countries", code.lower())) for code in places.list_countries()],
    )


def _read_country(call: Call) -> Result:
    code = call.args["location"].upper()
    if code not in places.list_countries():
        raise DataLocationNotFound(code=code)
    return Result(
        _select_fields(call, _serialize_country(code)),
        rels=_build_links(call, "countries", code.lower()),
        keeps_links=True,
    )


def _serialize_continent(code: str) -> dict[str, Any]:
    name, codes = places.CONTINENTS[code]
    return {"code": code, "name": name, "countries": [_serialize_country_defaults(one) for one in codes]}


def _serialize_country_defaults(code: str) -> dict[str, Any]:
    body = _serialize_country(code)
    usual = locale_defaults.find_locale_defaults(code)
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


def _list_continents(call: Call) -> Result:
    found = [(_serialize_continent(code), _build_links(call, "continents", code.lower())) for code in places.CONTINENTS]
    return _build_list_result(call, found)


def _read_continent(call: Call) -> Result:
    code = call.args["location"].upper()
    if code not in places.CONTINENTS:
        raise DataLocationNotFound(code=code)
    return Result(
        _select_fields(call, _serialize_continent(code)),
        rels=_build_links(call, "continents", code.lower()),
        keeps_links=True,
    )


def _serialize_currency(code: str) -> dict[str, Any]:
    sign = currencies.encode_symbol_entities(currencies.get_currency_symbol(code))
    return {"code": code, "name": currencies.load_currency_names()[code], "symbol": sign}


def _list_currencies(call: Call) -> Result:
    return _build_list_result(
        call,
        [(_serialize_currency(code), _build_links(call, "currencies", code)) for code in currencies.CURRENCY_CODES],
    )


def _read_currency(call: Call) -> Result:
    return _build_currency_result(call, call.args["currency"].upper())


def _read_current_currency(call: Call) -> Result:
    """Read the shop's currency."""
    return _build_currency_result(call, str(settings.get_shop_option(call.work, "shop_currency")))


def _build_currency_result(call: Call, code: str) -> Result:
    if code not in currencies.CURRENCY_CODES:
        raise CurrencyNotFound(code=code)
    return Result(
        _select_fields(call, _serialize_currency(code)), rels=_build_links(call, "currencies", code), keeps_links=True
    )
