"""The records of the main collections, as typed dictionaries of their JSON.

A field that only the context `edit` has, or only some types, is `NotRequired`; `fields` leaves out others too, and
whoever narrows knows. A later version of the interface may add some. Money is text,
never a number. Records of other collections are plain dictionaries.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

__all__ = [
    "Account", "Comment", "Coupon", "Customer", "Media", "Order", "Post", "Product", "Record", "Refund", "Revision",
    "Term", "Text", "Translation", "Variation",
]  # fmt: skip

Record = dict[str, Any]


class Text(TypedDict):
    """A rendered text, and in the context `edit` its raw source."""

    rendered: str
    raw: NotRequired[str]
    protected: NotRequired[bool]


class Translation(TypedDict):
    """The same content in another language."""

    id: int
    status: str
    link: str


class Post(TypedDict):
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
    password: NotRequired[str]
    title: Text
    content: Text
    excerpt: NotRequired[Text]
    author: int
    featured_media: NotRequired[int]
    comment_status: NotRequired[str]
    ping_status: NotRequired[str]
    sticky: NotRequired[bool]
    template: NotRequired[str]
    format: NotRequired[str]
    parent: NotRequired[int]
    menu_order: NotRequired[int]
    meta: Any
    categories: NotRequired[list[int]]
    tags: NotRequired[list[int]]
    class_list: NotRequired[list[str]]
    permalink_template: NotRequired[str]
    generated_slug: NotRequired[str]
    lang: str
    translations: dict[str, Translation]
    _links: NotRequired[dict[str, list[dict[str, Any]]]]
    _embedded: NotRequired[dict[str, list[Any]]]


class Revision(TypedDict):
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


class Media(TypedDict):
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
    missing_image_sizes: NotRequired[list[str]]
    lang: str
    translations: dict[str, Translation]


class Term(TypedDict):
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


class Comment(TypedDict):
    """A comment."""

    id: int
    post: int
    parent: int
    author: int
    author_name: str
    author_email: NotRequired[str]
    author_url: str
    date: str
    date_gmt: str
    content: Text
    link: str
    status: str
    type: str
    meta: Any


class Account(TypedDict):
    """A user account."""

    id: int
    username: NotRequired[str]
    name: str
    first_name: NotRequired[str]
    last_name: NotRequired[str]
    email: NotRequired[str]
    url: str
    description: str
    link: str
    locale: NotRequired[str]
    nickname: NotRequired[str]
    slug: str
    roles: NotRequired[list[str]]
    registered_date: NotRequired[str]
    capabilities: NotRequired[dict[str, bool]]
    meta: Any


class Product(TypedDict):
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


class Variation(TypedDict):
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


class Order(TypedDict):
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


class Refund(TypedDict):
    """A refund of an order."""

    id: int
    date_created: str | None
    amount: str
    reason: str
    refunded_by: int
    line_items: list[dict[str, Any]]


class Customer(TypedDict):
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


class Coupon(TypedDict):
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
