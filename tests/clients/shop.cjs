// Drives a shop with the client `@woocommerce/woocommerce-rest-api`: node shop.cjs ADDRESS KEY SECRET.
// Over plain http the client signs every request (OAuth 1.0a). Writes what it saw as JSON.
const { default: Api } = require("@woocommerce/woocommerce-rest-api");

async function main([url, consumerKey, consumerSecret]) {
  const saw = {};
  const api = new Api({ url, consumerKey, consumerSecret, version: "wc/v3" });

  const lamp = (await api.post("products", { name: "Lampada à olio", regular_price: "12.50", manage_stock: true, stock_quantity: 9 })).data;
  saw.product = [lamp.name, lamp.price, lamp.slug];
  saw.changed = (await api.put(`products/${lamp.id}`, { sale_price: "10.00" })).data.price;
  const batch = (await api.post("products/batch", { create: [{ name: "Wick" }, { name: "Oil" }], delete: [999999] })).data;
  saw.batch = [batch.create.map((one) => one.name), batch.delete[0].error.code];
  const page = await api.get("products", { per_page: 2, orderby: "title", order: "asc" });
  saw.page = [page.data.map((one) => one.name), page.headers["x-wp-total"], page.headers["x-wp-totalpages"]];
  saw.searched = (await api.get("products", { search: "à olio", status: ["publish", "draft"][0] })).data.map((one) => one.id === lamp.id);

  const customer = (await api.post("customers", { email: "ada@example.com", first_name: "Ada" })).data;
  saw.customer = [customer.username, customer.role];
  await api.post("coupons", { code: "TEN", discount_type: "percent", amount: "10" });
  const order = (await api.post("orders", {
    customer_id: customer.id,
    set_paid: true,
    line_items: [{ product_id: lamp.id, quantity: 2 }],
    coupon_lines: [{ code: "ten" }],
  })).data;
  saw.order = [order.status, order.total, order.discount_total, order.line_items[0].quantity];
  saw.stock = (await api.get(`products/${lamp.id}`)).data.stock_quantity;
  const refund = (await api.post(`orders/${order.id}/refunds`, { amount: "8.00", api_refund: false })).data;
  saw.refund = [refund.amount, (await api.get(`orders/${order.id}`)).data.refunds[0].total];
  saw.orders = (await api.get("orders", { customer: customer.id, include: [order.id], status: "any" })).data.length;
  saw.note = (await api.post(`orders/${order.id}/notes`, { note: "Packed & sent?" })).data.note;
  saw.deleted = (await api.delete(`orders/${order.id}`, { force: true })).data.id === order.id;
  saw.missing = await api.get(`orders/${order.id}`).catch((error) => error.response.data.code);
  saw.setting = (await api.put("settings/general/woocommerce_currency", { value: "EUR" })).data.value;
  saw.options = (await api.options("products")).data.namespace;

  const wrong = new Api({ url, consumerKey, consumerSecret: "cs_wrong", version: "wc/v3" });
  saw.refused = await wrong.get("products").catch((error) => [error.response.status, error.response.data.code]);
  return saw;
}

main(process.argv.slice(2)).then((saw) => console.log(JSON.stringify(saw)), (error) => {
  console.error(error.response ? [error.config.method, error.config.url, error.response.data] : error);
  process.exit(1);
});
