// The records of the shop's administration. Money is text, never a number.

export interface MetaData {
  id: number;
  key: string;
  value: unknown;
}

/** An address of a customer. */
export interface Address {
  first_name?: string;
  last_name?: string;
  company?: string;
  address_1?: string;
  address_2?: string;
  city?: string;
  state?: string;
  postcode?: string;
  country?: string;
  email?: string;
  phone?: string;
}

/** A product of the shop. */
export interface Product {
  id: number;
  name: string;
  slug: string;
  permalink: string;
  type: string;
  status: string;
  featured: boolean;
  catalog_visibility: string;
  description: string;
  short_description: string;
  sku: string;
  price: string;
  regular_price: string;
  sale_price: string;
  on_sale: boolean;
  purchasable: boolean;
  total_sales: number | string;
  virtual: boolean;
  downloadable: boolean;
  tax_status: string;
  tax_class: string;
  manage_stock: boolean;
  stock_quantity: number | null;
  stock_status: string;
  categories: { id: number; name: string; slug: string }[];
  tags: { id: number; name: string; slug: string }[];
  images: { id: number; src: string; name: string; alt: string }[];
  attributes: { id: number; name: string; options?: string[]; variation?: boolean; visible?: boolean }[];
  variations: number[];
  meta_data: MetaData[];
  [member: string]: unknown;
}

/** A variation of a product. */
export interface Variation {
  id: number;
  sku: string;
  price: string;
  regular_price: string;
  sale_price: string;
  stock_quantity: number | null;
  stock_status: string;
  attributes: { id: number; name: string; option: string }[];
  image: { id: number; src: string; name: string; alt: string } | null;
  [member: string]: unknown;
}

/** A line of an order. */
export interface OrderLine {
  id: number;
  name: string;
  product_id: number;
  variation_id: number;
  quantity: number;
  subtotal: string;
  total: string;
  sku: string | null;
  [member: string]: unknown;
}

/** An order of the shop. */
export interface Order {
  id: number;
  number: string;
  parent_id: number;
  status: string;
  currency: string;
  date_created: string | null;
  date_created_gmt: string | null;
  date_paid_gmt: string | null;
  discount_total: string;
  shipping_total: string;
  total: string;
  total_tax: string;
  customer_id: number;
  order_key: string;
  billing: Address;
  shipping: Address;
  payment_method: string;
  payment_method_title: string;
  customer_note: string;
  line_items: OrderLine[];
  meta_data: MetaData[];
  [member: string]: unknown;
}

/** A refund of an order. */
export interface Refund {
  id: number;
  date_created: string | null;
  amount: string;
  reason: string;
  refunded_by: number;
  line_items: OrderLine[];
  [member: string]: unknown;
}

/** A note on an order. */
export interface OrderNote {
  id: number;
  author: string;
  date_created: string;
  note: string;
  customer_note: boolean;
  [member: string]: unknown;
}

/** A customer of the shop. */
export interface Customer {
  id: number;
  email: string;
  first_name: string;
  last_name: string;
  role: string;
  username: string;
  billing: Address;
  shipping: Address;
  is_paying_customer: boolean;
  [member: string]: unknown;
}

/** A coupon of the shop. */
export interface Coupon {
  id: number;
  code: string;
  amount: string;
  status: string;
  discount_type: string;
  description: string;
  date_expires: string | null;
  usage_count: number;
  usage_limit: number | null;
  individual_use: boolean;
  product_ids: number[];
  minimum_amount: string;
  maximum_amount: string;
  [member: string]: unknown;
}
