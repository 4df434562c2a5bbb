// A visitor's cart. The site names it by a token in a header of each answer, or in a browser by a cookie, to which a
// write adds a nonce. Calls run one after the other, so that two at once never begin two carts.

import type { CartContent, PlacedOrder } from "./cart_records.js";
import { VetrinaError } from "./errors.js";
import { readValue, type Ask, type Call, type Method, type RequestOptions } from "./exchange.js";
import type { Id } from "./record_calls.js";
import type { Address } from "./shop_records.js";
import { send, type Site } from "./transport.js";

const STORE = "/shop/store/v1";
const STORED_AS = "vetrina-cart";

/**
 * How a cart is named. token: of a cart to open again. storage: where a browser keeps the token between pages, as
 * `localStorage`. cookies: the browser keeps the cart by the site's cookie, where its pages are of the same site.
 */
export interface CartOptions {
  readonly token?: string;
  readonly storage?: Pick<Storage, "getItem" | "setItem">;
  readonly cookies?: boolean;
}

/** Who pays for an order, and where it is sent to. */
export interface Addresses {
  readonly billing_address?: Address;
  readonly shipping_address?: Address;
}

/** A visitor's cart; each method returns the changed cart, except `checkout`, which returns the order. */
export class Cart {
  readonly #site: Site;
  readonly #options: CartOptions;
  #token: string;
  #nonce = "";
  #last: Promise<unknown> = Promise.resolve();

  constructor(site: Site, options: CartOptions = {}) {
    this.#site = site;
    this.#options = options;
    this.#token = options.token ?? options.storage?.getItem(STORED_AS) ?? "";
  }

  /** What names the cart: keep it to open the cart again. Empty before the first answer, and with cookies. */
  get token(): string {
    return this.#token;
  }

  /** Return the cart. */
  get(options?: RequestOptions): Promise<CartContent> {
    return this.#ask("GET", "/cart", undefined, options);
  }

  /** Add a product. variation: what was chosen, as `[{ attribute: "Size", value: "L" }]`. */
  add(
    id: Id,
    quantity = 1,
    variation: readonly { readonly attribute: string; readonly value: string }[] = [],
    options?: RequestOptions,
  ): Promise<CartContent> {
    return this.#ask("POST", "/cart/add-item", { id, quantity, variation }, options);
  }

  /** Set the quantity of a line. */
  update(key: string, quantity: number, options?: RequestOptions): Promise<CartContent> {
    return this.#ask("POST", "/cart/update-item", { key, quantity }, options);
  }

  /** Remove a line. */
  remove(key: string, options?: RequestOptions): Promise<CartContent> {
    return this.#ask("POST", "/cart/remove-item", { key }, options);
  }

  /** Apply a coupon. */
  applyCoupon(code: string, options?: RequestOptions): Promise<CartContent> {
    return this.#ask("POST", "/cart/apply-coupon", { code }, options);
  }

  /** Remove a coupon. */
  removeCoupon(code: string, options?: RequestOptions): Promise<CartContent> {
    return this.#ask("POST", "/cart/remove-coupon", { code }, options);
  }

  /** Set the addresses, by which taxes and shipping are counted. */
  updateCustomer(addresses: Addresses, options?: RequestOptions): Promise<CartContent> {
    return this.#ask("POST", "/cart/update-customer", addresses, options);
  }

  /** Select one of the cart's `shipping_rates`. */
  selectShippingRate(rate: string, parcel: number | string = 0, options?: RequestOptions): Promise<CartContent> {
    return this.#ask("POST", "/cart/select-shipping-rate", { package_id: parcel, rate_id: rate }, options);
  }

  /** Place the order. order: `payment_method`, addresses, `customer_note` and what the way of paying wants. */
  checkout(
    order: Addresses & { readonly payment_method: string; readonly [member: string]: unknown },
    options?: RequestOptions,
  ): Promise<PlacedOrder> {
    return this.#ask("POST", "/checkout", order, options);
  }

  #ask<T>(method: Method, path: string, body?: unknown, options: RequestOptions = {}): Promise<T> {
    const answer = this.#last.then(() => this.#exchange<T>({ method, path: STORE + path, body }, options));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #exchange<T>(call: Call, options: RequestOptions): Promise<T> {
    if (call.method === "POST" && !this.#proof) await this.#send({ method: "GET", path: `${STORE}/cart` }, options);
    try {
      return await this.#send<T>(call, options);
    } catch (error) {
      // The proof was too old; the refusal came with a fresh one.
      if (!(error instanceof VetrinaError && /_(missing|invalid)_nonce$/.test(error.code))) throw error;
      return this.#send<T>(call, options);
    }
  }

  get #proof(): string {
    return this.#options.cookies ? this.#nonce : this.#token;
  }

  #send<T>(call: Call, options: RequestOptions): Promise<T> {
    const name = this.#options.cookies ? "Nonce" : "Cart-Token";
    const headers: Record<string, string> = this.#proof ? { [name]: this.#proof } : {};
    const credentials: RequestCredentials = this.#options.cookies ? "include" : "omit";
    const ask: Ask<T> = {
      call: { ...call, headers, ...(typeof document === "undefined" ? {} : { credentials }) },
      read: (reply) => {
        this.#keep(reply.headers);
        return readValue(reply) as T;
      },
    };
    return send(this.#site, ask, options);
  }

  #keep(headers: Headers): void {
    this.#nonce = headers.get("nonce") ?? this.#nonce;
    if (this.#options.cookies) return;
    this.#token = headers.get("cart-token") ?? this.#token;
    this.#options.storage?.setItem(STORED_AS, this.#token);
  }
}
