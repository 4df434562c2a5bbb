"""Routes of products as records of the content interface, and of their categories, tags and brands as its terms.

They are the same products as in the shop's own routes: one store, and a write goes through the shop's rules (variations
follow their product, prices and stock stay unchanged, webhooks are sent). Not here: prices, stock and everything else
that only a shop knows (shop/products/routes.py). Rules: docs/rules/records.md, 2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from msgspec import structs

from vetrina.content.records.model import Record
from vetrina.content.records.routes import RecordRoutes
from vetrina.content.records.trash import RecordAlreadyTrashed
from vetrina.content.records.views import RecordView, build_record_serializer
from vetrina.content.terms.routes import TermRoutes
from vetrina.content.terms.store import Term
from vetrina.content.text.class_list import build_class_list
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.rest.fields import Field
from vetrina.rest.resource import ListPage
from vetrina.rest.route import Route
from vetrina.rest.serializer import MemberGetter, Serializer
from vetrina.shop.groupings import counts as category_counts
from vetrina.shop.products import class_names, model as product, product_types, rules as product_writing
from vetrina.shop.products.model import Product


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of products as records."""
    return ProductRecordRoutes(site, product_types.AS_RECORD).build_routes()


def build_term_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the terms that products have."""
    own = [one for one in product_types.PRODUCT_TAXONOMIES if one.described]
    return tuple(route for one in own for route in ProductTermRoutes(site, one).build_routes())


@dataclass(slots=True)
class ProductRecordView(RecordView):
    """The data that serializing products as records needs. products: by id, None until first needed."""

    products: dict[int, Product] | None = None

    def get_product(self, record: Record) -> Product | None:
        """Return the product of a record; the first call loads those of all records in the view."""
        if self.products is None or record.id not in self.products:
            self.products = product.load_products_by_id(self.work, [record.id, *(one.id for one in self.records)])
        return self.products.get(record.id)


class ProductRecordRoutes(RecordRoutes):
    """The routes of products as content records."""

    def build_serializer(self) -> Serializer:
        usual = build_record_serializer(self.site, self.type)
        getters = {**usual.getters, "class_list": _list_class_names}
        return Serializer(usual.fields, getters, requested=usual.requested)

    def build_view(self, work: UnitOfWork, rows: Sequence[Record], context: str) -> RecordView:
        usual = super().build_view(work, rows, context)
        return ProductRecordView(work, self.type, context, usual.terms, records=rows)

    def create_record(self, call: Call) -> Record:
        return product_writing.create_product_record(call.work, self.extract_written_members(call)).record

    def update_record(self, call: Call, record: Record) -> Record:
        changed = product_writing.update_product_record(
            call.work, product.get_product(call.work, record.id), self.extract_written_members(call)
        )
        call.lookups[self] = changed.record
        return changed.record

    def delete_record(self, call: Call, record: Record) -> Record | None:
        old = product.get_product(call.work, record.id)
        if call.args["force"]:
            product_writing.delete_product(call.work, old)
            call.lookups.pop(self)
            return None
        if record.status == "trash":
            raise RecordAlreadyTrashed
        call.lookups[self] = record = product_writing.trash_product(call.work, old)
        return record


def _list_class_names(record: Record, view: ProductRecordView) -> list[str]:
    usual = build_class_list(view.work.site, view.type, record, view.terms.get(record.id, ()))
    # Style sheets treat what has `hentry` as an article.
    usual.remove("hentry")
    one = view.get_product(record)
    return [*usual, *(class_names.list_product_class_names(view.work, one) if one is not None else ())]


class ProductTermRoutes(TermRoutes):
    """The routes of the terms of one product taxonomy."""

    def _build_fields(self) -> dict[str, Field]:
        usual = super()._build_fields()
        return {**usual, "meta": usual["meta"].replace(extra={"properties": {}})}

    def build_getters(self) -> Mapping[str, MemberGetter]:
        # The shop's own data of a term (image, menu order) is not a registered field of terms.
        return {**super().build_getters(), "meta": lambda term, view: {}}

    def list_terms(self, call: Call) -> ListPage[Term]:
        page = super().list_terms(call)
        counts = category_counts.count_products(call.work, page.items)
        return replace(page, items=[structs.replace(term, count=counts[term.id]) for term in page.items])
