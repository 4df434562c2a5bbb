// Drives a shop with a client of hey-api: node built/shop.js ADDRESS KEY SECRET. Writes what it saw as JSON.
import { createClient, createConfig } from "./hey/client";
import { createShopOrder, createShopProduct, getShopOrder, listShopProducts } from "./hey/sdk.gen";

async function main([address, key, secret]: string[]): Promise<Record<string, unknown>> {
  const Authorization = "Basic " + Buffer.from(`${key}:${secret}`).toString("base64");
  const client = createClient(createConfig({ baseUrl: `${address}/en/cms-json`, headers: { Authorization } }));

  const lamp = await createShopProduct({ client, body: { name: "Lamp", regular_price: "12.50" } });
  if (!lamp.data) throw new Error(JSON.stringify(lamp.error));
  const price: string = lamp.data.price;
  const listed = await listShopProducts({ client, query: { per_page: 1 } });
  const names = (listed.data ?? []).map((product) => product.name);

  const made = await createShopOrder({ client, body: { line_items: [{ product_id: lamp.data.id, quantity: 2 }] } });
  if (!made.data) throw new Error(JSON.stringify(made.error));
  const line = made.data.line_items[0];
  const read = await getShopOrder({ client, path: { id: made.data.id } });
  const missing = await getShopOrder({ client, path: { id: 999999 } });
  const code = missing.error && "code" in missing.error ? missing.error.code : "";
  return { price, names, total: made.data.total, quantity: line?.quantity, status: read.data?.status, code };
}

main(process.argv.slice(2)).then((saw) => console.log(JSON.stringify(saw)), (error) => { console.error(error); process.exit(1); });
