"""Members and arguments of tax rates and tax classes, as the interface has them.

Rules: docs/rules/taxes.md, 1 and 2.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.kernel.errors import Fault
from vetrina.rest.fields import ABSENT, EDIT, VIEW, Array, Boolean, Field, Integer, String, ValidationContext
from vetrina.shop import list_arguments
from vetrina.shop.taxes import classes as tax_classes
from vetrina.shop.taxes.rate_store import TAX_RATE_ORDERS

STANDARD: Final = "standard"  # the slug of the standard class, as clients write it
_BOTH: Final = (VIEW, EDIT)


def _find_class_fault(value: Any, name: str, context: ValidationContext) -> Fault | None:
    """Refuse a class that does not exist, like a value outside an enum."""
    known = (
        context.query_store(lambda work: [STANDARD, *(one.slug for one in tax_classes.list_tax_classes(work))]) or []
    )
    if isinstance(value, str) and value in known:
        return None
    return Fault("rest_not_in_enum", f"{name} is not one of {', '.join(known)}.")


RATE_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the rate.", readonly=True, context=_BOTH),
    "country": String("Country, by its code of two letters; empty for all.", context=_BOTH),
    "state": String("State, by its code; empty for all.", context=_BOTH),
    "postcode": String("Postcode; `postcodes` takes several.", context=_BOTH),
    "city": String("City; `cities` takes several.", context=_BOTH),
    "postcodes": Array("Postcodes; `2*` and `10000...10099` name many.", items=String(), context=_BOTH, long=True),
    "cities": Array("Cities.", items=String(), context=_BOTH, long=True),
    "rate": String("How much, in per cent.", context=_BOTH),
    "name": String("Name of the tax.", context=_BOTH),
    "priority": Integer("One rate of each priority is taken.", default=1, context=_BOTH),
    "compound": Boolean("Whether it is taken of other taxes too.", default=False, context=_BOTH),
    "shipping": Boolean("Whether shipping is taxed by it too.", default=True, context=_BOTH),
    "order": Integer("Place among rates of one priority.", context=_BOTH),
    "class": String("Tax class, by its slug.", default=STANDARD, context=_BOTH, check=_find_class_fault, alone=True),
}
CLASS_FIELDS: Final[dict[str, Field]] = {
    "slug": String("Slug of the class.", readonly=True, context=_BOTH),
    "name": String("Name of the class.", required=True, context=_BOTH),
}

CREATE_ARGUMENTS: Final = {name: field for name, field in RATE_FIELDS.items() if name != "id"}
UPDATE_ARGUMENTS: Final = {name: field.replace(default=ABSENT) for name, field in CREATE_ARGUMENTS.items()}
_PAGING: Final = list_arguments.build_paging_arguments()
LIST_ARGUMENTS: Final[dict[str, Field]] = {
    "context": list_arguments.build_context_argument(),
    "page": _PAGING["page"],
    "per_page": _PAGING["per_page"],
    "offset": Integer("Leave out so many from the start.", null="keep"),
    **list_arguments.build_sort_arguments(TAX_RATE_ORDERS, "order", "asc"),
    "class": String("Only rates of this class.", null="keep", check=_find_class_fault, alone=True),
}
