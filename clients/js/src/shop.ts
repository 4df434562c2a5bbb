// The shop: its administration, what visitors see of it, its reports.

import type { StoreProduct } from "./cart_records.js";
import { Collection } from "./collection.js";
import { askFor, type RequestOptions } from "./exchange.js";
import { Listing } from "./listing.js";
import type { Query } from "./query.js";
import type { Id } from "./record_calls.js";
import type { Term } from "./records.js";
import type { Coupon, Customer, Order, OrderNote, Product, Refund, Variation } from "./shop_records.js";
import { send, type Site } from "./transport.js";
import type { Values } from "./written_values.js";

const SHOP = "/shop/v3";
const REPORTS = "/shop-analytics/reports";

/** The administration of the shop, and the products as visitors see them. */
export class Shop {
  readonly products: Collection<Product>;
  readonly orders: Collection<Order>;
  readonly customers: Collection<Customer>;
  readonly coupons: Collection<Coupon>;
  readonly categories: Collection<Term>;
  readonly tags: Collection<Term>;
  readonly attributes: Collection<Values>;
  readonly reviews: Collection<Values>;
  readonly taxes: Collection<Values>;
  readonly webhooks: Collection<Values>;
  /** What anyone may read, with prices in the smallest unit. */
  readonly catalogue: Collection<StoreProduct>;

  constructor(site: Site) {
    const at = <T>(path: string) => new Collection<T>(site, path);
    this.products = at(`${SHOP}/products`);
    this.orders = at(`${SHOP}/orders`);
    this.customers = at(`${SHOP}/customers`);
    this.coupons = at(`${SHOP}/coupons`);
    this.categories = at(`${SHOP}/products/categories`);
    this.tags = at(`${SHOP}/products/tags`);
    this.attributes = at(`${SHOP}/products/attributes`);
    this.reviews = at(`${SHOP}/products/reviews`);
    this.taxes = at(`${SHOP}/taxes`);
    this.webhooks = at(`${SHOP}/webhooks`);
    this.catalogue = at("/shop/store/v1/products");
  }

  /** Return the variations of a product. */
  variations(product: Id): Collection<Variation> {
    return this.products.below(product, "variations");
  }

  /** Return the refunds of an order. */
  refunds(order: Id): Collection<Refund> {
    return this.orders.below(order, "refunds");
  }

  /** Return the notes of an order. */
  notes(order: Id): Collection<OrderNote> {
    return this.orders.below(order, "notes");
  }
}

/** The sums of a report. */
export type ReportTotals = Record<string, number | null>;

/** The sums of one interval of a report. */
export interface ReportInterval {
  interval: string;
  date_start: string;
  date_end: string;
  subtotals: ReportTotals;
  [member: string]: unknown;
}

/** The reports of the shop. */
export class Reports {
  readonly #site: Site;

  constructor(site: Site) {
    this.#site = site;
  }

  /** Return the rows of a report, as `orders`, `products`, `customers`. */
  rows<T = Values>(report: string, query: Query = {}, options: RequestOptions = {}): Listing<T> {
    return new Listing<T>(this.#site, { method: "GET", path: `${REPORTS}/${report}`, query }, options);
  }

  /** Return the sums of a report over a period: `after`, `before`. */
  async totals(report: string, query: Query = {}, options: RequestOptions = {}): Promise<ReportTotals> {
    const ask = askFor<{ totals: ReportTotals }>("GET", `${REPORTS}/${report}/stats`, {
      query: { ...query, per_page: 1 },
    });
    return (await send(this.#site, ask, options)).totals;
  }

  /** Return a report for each `interval` of a period. */
  intervals(report: string, query: Query = {}, options: RequestOptions = {}): Listing<ReportInterval> {
    const pick = (value: unknown) => (value as { intervals: ReportInterval[] }).intervals;
    const call = { method: "GET", path: `${REPORTS}/${report}/stats`, query } as const;
    return new Listing(this.#site, call, options, { pick, window: 0 });
  }
}
