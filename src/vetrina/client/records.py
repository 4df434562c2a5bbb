"""The records of the main collections, as typed dictionaries of their JSON.

Every field may be missing: `fields` and `context` choose, and a later version of the interface may add. Money is text,
never a number. Records of other collections are plain dictionaries.
"""

from __future__ import annotations

from typing import Any, TypedDict

__all__ = [
    "Account", "Comment", "Coupon", "Customer", "Media", "Order", "Post", "Product", "Record", "Refund", "Revision",
    "Term", "Text", "Translation", "Variation",
]  # fmt: skip

Record = dict[str, Any]


class Text(TypedDict, total=False):
    """A rendered text, and in the context `edit` its raw source."""

    rendered: str
    raw: str
    protected: bool


class Translation(TypedDict, total=False):
    """The same content in another language."""

    id: int
    status: str
    link: str


class Post(TypedDict, total=False):
    """A post, a page, or a record of a custom type."""

    id: int
    date: str | None
    date_gmt: str | None
    modified: str
    modified_gmt: str
    guid: Text
    slug: str
    status: str
    type: str
    link: str
    password: str
    title: Text
    content: Text
    excerpt: Text
    author: int
    featured_media: int
    comment_status: str
    ping_status: str
    sticky: bool
    template: str
    format: str
    parent: int
    menu_order: int
    meta: Any
    categories: list[int]
    tags: list[int]
    class_list: list[str]
    permalink_template: str
    generated_slug: str
    lang: str
    translations: dict[str, Translation]
    _links: dict[str, list[dict[str, Any]]]
    _embedded: dict[str, list[Any]]


class Revision(TypedDict, total=False):
    """An earlier state of a record, or an autosave of it."""

    id: int
    parent: int
    author: int
    date: str
    date_gmt: str
    modified: str
    modified_gmt: str
    slug: str
    guid: Text
    title: Text
    content: Text
    excerpt: Text
    meta: Any


class Media(TypedDict, total=False):
    """An uploaded file."""

    id: int
    date: str | None
    date_gmt: str | None
    modified: str
    modified_gmt: str
    slug: str
    status: str
    type: str
    link: str
    title: Text
    author: int
    caption: Text
    description: Text
    alt_text: str
    media_type: str
    mime_type: str
    media_details: dict[str, Any]
    post: int | None
    source_url: str
    missing_image_sizes: list[str]
    lang: str
    translations: dict[str, Translation]


class Term(TypedDict, total=False):
    """A category, a tag, or a term of a custom taxonomy."""

    id: int
    count: int
    description: str
    link: str
    name: str
    slug: str
    taxonomy: str
    parent: int
    meta: Any
    lang: str
    translations: dict[str, Translation]


class Comment(TypedDict, total=False):
    """A comment."""

    id: int
    post: int
    parent: int
    author: int
    author_name: str
    author_email: str
    author_url: str
    date: str
    date_gmt: str
    content: Text
    link: str
    status: str
    type: str
    meta: Any


class Account(TypedDict, total=False):
    """A user account."""

    id: int
    username: str
    name: str
    first_name: str
    last_name: str
    email: str
    url: str
    description: str
    link: str
    locale: str
    nickname: str
    slug: str
    roles: list[str]
    registered_date: str
    capabilities: dict[str, bool]
    meta: Any


class Product(TypedDict, total=False):
    """A product of the shop."""

    id: int
    name: str
    slug: str
    permalink: str
    type: str
    status: str
    featured: bool
    catalog_visibility: str
    description: str
    short_description: str
    sku: str
    price: str
    regular_price: str
    sale_price: str
    on_sale: bool
    purchasable: bool
    total_sales: int | str  # text for a variation
    virtual: bool
    downloadable: bool
    tax_status: str
    tax_class: str
    manage_stock: bool
    stock_quantity: int | None
    stock_status: str
    categories: list[dict[str, Any]]
    tags: list[dict[str, Any]]
    images: list[dict[str, Any]]
    attributes: list[dict[str, Any]]
    variations: list[int]
    meta_data: list[dict[str, Any]]


class Variation(TypedDict, total=False):
    """A variation of a product."""

    id: int
    sku: str
    price: str
    regular_price: str
    sale_price: str
    stock_quantity: int | None
    stock_status: str
    attributes: list[dict[str, Any]]
    image: dict[str, Any] | None


class Order(TypedDict, total=False):
    """An order of the shop."""

    id: int
    number: str
    parent_id: int
    status: str
    currency: str
    date_created: str | None
    date_created_gmt: str | None
    date_paid_gmt: str | None
    discount_total: str
    shipping_total: str
    total: str
    total_tax: str
    customer_id: int
    order_key: str
    billing: dict[str, str]
    shipping: dict[str, str]
    payment_method: str
    payment_method_title: str
    customer_note: str
    line_items: list[dict[str, Any]]
    tax_lines: list[dict[str, Any]]
    shipping_lines: list[dict[str, Any]]
    fee_lines: list[dict[str, Any]]
    coupon_lines: list[dict[str, Any]]
    refunds: list[dict[str, Any]]
    meta_data: list[dict[str, Any]]


class Refund(TypedDict, total=False):
    """A refund of an order."""

    id: int
    date_created: str | None
    amount: str
    reason: str
    refunded_by: int
    line_items: list[dict[str, Any]]


class Customer(TypedDict, total=False):
    """A customer of the shop."""

    id: int
    email: str
    first_name: str
    last_name: str
    role: str
    username: str
    billing: dict[str, str]
    shipping: dict[str, str]
    is_paying_customer: bool


class Coupon(TypedDict, total=False):
    """A coupon of the shop."""

    id: int
    code: str
    amount: str
    status: str
    discount_type: str
    description: str
    date_expires: str | None
    usage_count: int
    usage_limit: int | None
    individual_use: bool
    product_ids: list[int]
    minimum_amount: str
    maximum_amount: str
