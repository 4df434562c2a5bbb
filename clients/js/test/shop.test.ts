// The shop by the client, in both dialects: catalogue, orders, keys, sessions, a visitor's cart, reports.

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { createClient, signWithKey, signWithSession, type Client } from "../src/index.js";
import { signWithOAuth } from "../src/oauth.js";
import { refusalOf } from "./refusals.js";
import { clientOf, DIALECTS, findAccount, findSite, reset, runDueJobs } from "./site.js";

const site = findSite("second");
const ADDRESS = {
  first_name: "Mara",
  last_name: "Neri",
  address_1: "1 Main St",
  city: "Fresno",
  state: "CA",
  postcode: "93650",
  country: "US",
  email: "mara@example.org",
};

for (const dialect of DIALECTS) {
  describe(`shop, ${dialect}`, () => {
    let client: Client;
    beforeEach(async () => {
      await reset(site);
      client = clientOf(site, "administrator", { dialect });
    });

    test("catalogue and orders are typed records", async () => {
      const attributes = [{ name: "Size", variation: true, visible: true, options: ["S", "L"] }];
      const coat = await client.shop.products.create({ name: "Coat", type: "variable", attributes });
      const large = await client.shop.variations(coat.id).create({
        regular_price: "12.50",
        attributes: [{ name: "Size", option: "L" }],
      });
      assert.deepEqual(
        (await client.shop.variations(coat.id).list().all()).map((one) => one.id),
        [large.id],
      );
      const line_items = [{ product_id: coat.id, variation_id: large.id, quantity: 2 }];
      const order = await client.shop.orders.create({ line_items, set_paid: true });
      assert.equal(order.total, "25.00");
      const refund = await client.shop.refunds(order.id).create({ amount: "5.00", api_refund: false });
      assert.equal(refund.amount, "5.00");
      await client.shop.notes(order.id).create({ note: "Leave it with the neighbour" });
      const notes = await client.shop.notes(order.id).list().all();
      assert.ok(notes.some((note) => note.note.includes("neighbour")));
    });

    test("many records of the shop go in one request", async () => {
      const made = await client.shop.coupons.many({
        create: [
          { code: "tenth", amount: "10" },
          { code: "fifth", amount: "20" },
        ],
      });
      const [first = 0, second = 0] = (made.create ?? []).map((coupon) => coupon.id);
      const done = await client.shop.coupons.many({ update: [{ id: first, amount: "11" }], delete: [second] });
      const [changed] = done.update ?? [];
      assert.ok(changed && "amount" in changed);
      assert.equal(changed.amount, "11.00");
      assert.deepEqual(
        (await client.shop.coupons.list().all()).map((coupon) => coupon.id),
        [first],
      );
    });

    for (const [how, sign] of [
      ["basic", signWithKey],
      ["oauth", signWithOAuth],
    ] as const) {
      test(`a consumer key opens the shop, ${how}`, async () => {
        const { consumer_key: key, consumer_secret: secret } = findAccount(site, "shop_manager");
        const keeper = createClient({ url: site.url, auth: sign(key, secret), dialect });
        const made = await keeper.shop.products.create({ name: "Caffè & cups, 50 %", sku: "a b+c~d" });
        const found = await keeper.shop.products.list({ sku: "a b+c~d", include: [made.id] }).all();
        assert.deepEqual(
          found.map((product) => product.id),
          [made.id],
        );
        const wrong = createClient({ url: site.url, auth: sign(key, "cs_wrong"), dialect });
        assert.equal((await refusalOf(wrong.shop.products.list().all())).status, 401);
      });
    }

    test("a visitor fills a cart and buys it", async () => {
      const cup = await makeProduct(client, "Cup");
      const visitor = clientOf(site, null, { dialect });
      const cart = visitor.cart();
      assert.equal((await cart.add(cup, 3)).items_count, 3);
      const [line] = (await cart.get()).items;
      assert.ok(line);
      assert.equal((await cart.update(line.key, 2)).totals.total_price, "800");
      const again = visitor.cart({ token: cart.token });
      assert.equal((await again.get()).items_count, 2);
      const placed = await again.checkout({ payment_method: "cod", billing_address: ADDRESS });
      assert.equal((await client.shop.orders.get(placed.order_id)).total, "8.00");
      assert.equal((await visitor.cart().get()).items_count, 0);
    });

    test("coupons, shipping and lines of a cart change", async () => {
      const cup = await makeProduct(client, "Cup", { virtual: false });
      await client.shop.coupons.create({ code: "tenth", amount: "10", discount_type: "percent" });
      await client.request("POST", "/shop/v3/shipping/zones/0/methods", {
        body: { method_id: "flat_rate", settings: { cost: "5" } },
      });
      await client.request("POST", "/shop/v3/shipping/zones/0/methods", { body: { method_id: "free_shipping" } });
      const cart = clientOf(site, null, { dialect }).cart();
      await cart.add(cup, 10);
      assert.equal((await cart.applyCoupon("tenth")).totals.total_discount, "400");
      assert.deepEqual((await cart.removeCoupon("tenth")).coupons, []);
      const placed = await cart.updateCustomer({ shipping_address: ADDRESS });
      const rates = placed.shipping_rates[0]?.shipping_rates ?? [];
      assert.equal(rates.length, 2);
      for (const rate of rates) {
        const chosen = (await cart.selectShippingRate(rate.rate_id)).shipping_rates[0]?.shipping_rates;
        assert.equal(chosen?.find((one) => one.selected)?.rate_id, rate.rate_id);
      }
      const [line] = (await cart.get()).items;
      assert.equal((await cart.remove(line?.key ?? "")).items_count, 0);
    });

    test("a refusal of the cart has its code and the cart", async () => {
      const cart = clientOf(site, null, { dialect }).cart();
      const error = await refusalOf(cart.update("no such line", 2));
      assert.equal(error.status, 409);
      assert.match(error.code, /rest_cart_invalid_key$/);
      assert.ok("cart" in error.data);
    });

    test("reports are read row by row and interval by interval", async () => {
      const cup = await makeProduct(client, "Cup");
      await client.shop.orders.create({ line_items: [{ product_id: cup, quantity: 2 }], status: "completed" });
      await runDueJobs(site);
      const span = { after: "2020-01-01T00:00:00", before: "2030-12-31T23:59:59" };
      assert.equal((await client.reports.totals("revenue", span))["orders_count"], 1);
      const rows = await client.reports.rows<{ items_sold: number }>("products", span).all();
      assert.deepEqual(
        rows.map((row) => row.items_sold),
        [2],
      );
      const months = await client.reports.intervals("orders", { interval: "month", per_page: 50, ...span }).all();
      assert.equal(months.length, 132);
      assert.equal(
        months.reduce((sum, month) => sum + (month.subtotals["orders_count"] ?? 0), 0),
        1,
      );
    });
  });
}

describe("whose cart it is", () => {
  beforeEach(() => reset(site));

  test("two calls at once fill one cart", async () => {
    const client = clientOf(site);
    const [cup, mug] = [await makeProduct(client, "Cup"), await makeProduct(client, "Mug")];
    const cart = clientOf(site, null).cart();
    await Promise.all([cart.add(cup), cart.add(mug, 2)]);
    assert.equal((await cart.get()).items_count, 3);
  });

  test("a token is kept where a page keeps things", async () => {
    const cup = await makeProduct(clientOf(site), "Cup");
    const kept = new Map<string, string>();
    const storage = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, text: string) => void kept.set(name, text),
    };
    await clientOf(site, null).cart({ storage }).add(cup, 2);
    assert.equal((await clientOf(site, null).cart({ storage }).get()).items_count, 2);
  });

  test("a token that is good no more gives way to a new cart", async () => {
    const cup = await makeProduct(clientOf(site), "Cup");
    const cart = clientOf(site, null).cart({ token: "of.another.shop" });
    assert.equal((await cart.add(cup)).items_count, 1);
    assert.equal((await cart.get()).items_count, 1);
  });

  test("a cart by cookie proves its writes by a nonce", async () => {
    const cup = await makeProduct(clientOf(site), "Cup");
    const jar = new Map<string, string>();
    const browser: typeof fetch = async (url, init = {}) => {
      const headers = new Headers(init.headers);
      assert.equal(headers.get("cart-token"), null);
      headers.set("cookie", [...jar].map(([name, text]) => `${name}=${text}`).join("; "));
      const answer = await fetch(url, { ...init, headers });
      for (const line of answer.headers.getSetCookie()) {
        const [name = "", text = ""] = (line.split(";")[0] ?? "").split("=");
        jar.set(name, text);
      }
      return answer;
    };
    const visitor = clientOf(site, null, { fetch: browser });
    assert.equal((await visitor.cart({ cookies: true }).add(cup, 2)).items_count, 2);
    assert.equal((await visitor.cart({ cookies: true }).get()).items_count, 2);
  });
});

test("a session signs in with its nonce", async () => {
  await reset(site);
  const account = findAccount(site, "editor");
  const form = await fetch(`${site.url}/admin/sign-in`);
  const hidden = [...(await form.text()).matchAll(/name="([^"]+)" value="([^"]*)"/g)];
  const filled = new URLSearchParams(hidden.map(([, name = "", value = ""]) => [name, value]));
  filled.set("login", account.login);
  filled.set("password", account.password);
  const cookiesOf = (answer: Response) => answer.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
  const before = cookiesOf(form);
  const signed = await fetch(`${site.url}/admin/sign-in`, {
    method: "POST",
    body: filled,
    headers: { Cookie: before.join("; ") },
    redirect: "manual",
  });
  const cookies = [...before, ...cookiesOf(signed)].join("; ");
  const nonce = await (await fetch(`${site.url}/admin/nonce`, { headers: { Cookie: cookies } })).text();
  const client = createClient({ url: site.url, auth: signWithSession(nonce, cookies) });
  assert.equal((await client.me()).username, "editor");
  const wrong = createClient({ url: site.url, auth: signWithSession("wrong", cookies) });
  assert.equal((await refusalOf(wrong.me())).status, 403);
});

async function makeProduct(client: Client, name: string, more: object = {}): Promise<number> {
  await client.request("PUT", "/shop/v3/payment_gateways/cod", { body: { enabled: true } });
  const values = { name, regular_price: "4.00", virtual: true, status: "publish", ...more };
  return (await client.shop.products.create(values)).id;
}
