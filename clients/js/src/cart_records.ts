// What the visitors' interface of a shop answers. Amounts are text in the smallest unit of the currency.

import type { Address } from "./shop_records.js";

/** How amounts are written: `currency_minor_unit` digits of an amount stand behind the separator. */
export interface Currency {
  currency_code: string;
  currency_symbol: string;
  currency_minor_unit: number;
  currency_decimal_separator: string;
  currency_thousand_separator: string;
  currency_prefix: string;
  currency_suffix: string;
}

/** A line of a cart. */
export interface CartItem {
  key: string;
  id: number;
  quantity: number;
  name: string;
  sku: string;
  permalink: string;
  prices: Currency & { price: string; regular_price: string; sale_price: string };
  totals: Currency & { line_subtotal: string; line_total: string };
  variation: { attribute: string; value: string }[];
  [member: string]: unknown;
}

/** One way to send a parcel. */
export interface ShippingRate extends Currency {
  rate_id: string;
  name: string;
  price: string;
  method_id: string;
  selected: boolean;
}

/** The sums of a cart. */
export interface CartTotals extends Currency {
  total_items: string;
  total_items_tax: string;
  total_discount: string;
  total_shipping: string | null;
  total_tax: string;
  total_price: string;
}

/** A visitor's cart. */
export interface CartContent {
  items: CartItem[];
  items_count: number;
  items_weight: number;
  coupons: { code: string; [member: string]: unknown }[];
  totals: CartTotals;
  billing_address: Address;
  shipping_address: Address;
  shipping_rates: { package_id: number | string; shipping_rates: ShippingRate[]; [member: string]: unknown }[];
  needs_payment: boolean;
  needs_shipping: boolean;
  payment_methods: string[];
  errors: { code: string; message: string }[];
  [member: string]: unknown;
}

/** A product as visitors see it. */
export interface StoreProduct {
  id: number;
  name: string;
  slug: string;
  permalink: string;
  sku: string;
  short_description: string;
  description: string;
  on_sale: boolean;
  prices: Currency & { price: string; regular_price: string; sale_price: string };
  images: { id: number; src: string; thumbnail: string; srcset: string; alt: string }[];
  is_purchasable: boolean;
  is_in_stock: boolean;
  [member: string]: unknown;
}

/** An order that a visitor placed. */
export interface PlacedOrder {
  order_id: number;
  order_key: string;
  order_number: string;
  status: string;
  customer_id: number;
  payment_method: string;
  payment_result: { payment_status: string; redirect_url: string; [member: string]: unknown } | null;
  [member: string]: unknown;
}
