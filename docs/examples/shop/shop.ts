/**
 * A shop, small enough to be read in one go. It plays the plugin of a real one and its customer:
 *
 *   1. subscribes to events, and checks the signature of every one that comes,
 *   2. hands a customer over to the editor for a product,
 *   3. plays the customer, who makes a pattern there and comes back,
 *   4. stores the pattern with the order,
 *   5. fetches the print file of the order later.
 *
 * It needs nothing but Node 24 and a key:
 *
 *   node docs/examples/shop/shop.ts --api http://127.0.0.1:3000/api/v1 --key pf_…
 *
 * The service reaches this machine only where it is told to: start it with OUTBOUND_ALLOW=127.0.0.0/8.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    api: { type: "string", default: "http://127.0.0.1:3000/api/v1" },
    key: { type: "string", default: process.env.ORBIFOLD_KEY ?? "" },
    out: { type: "string", default: "order-1.png" },
  },
});
const { api, key, out } = values;
const PRODUCT = 4711;

const say = (line: string) => console.log(line);

/** Calls the service with the shop's key, or as a customer with the token of a session. */
async function call(method: string, path: string, body?: object, token = key) {
  const response = await fetch(`${api}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return response.status === 204 ? null : response.json();
}

/** The events that came, each once: what comes twice has the same delivery_id. */
const events = new Map<
  string,
  { readonly event: string; readonly data: Record<string, unknown> }
>();
/** Orders by the shop's own number, with the pattern that belongs to each. */
const orders = new Map<number, { readonly patternId: number }>();
let secret = "";

/** Whether a body was signed with the secret of our subscription. */
function isSigned({ headers }: IncomingMessage, body: Buffer): boolean {
  const expected = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const received = String(headers["x-service-signature"]);
  return (
    received.length === expected.length &&
    timingSafeEqual(Buffer.from(received), Buffer.from(expected))
  );
}

const shop = createServer(async (request, response) => {
  const url = new URL(request.url ?? "/", "http://shop");
  const body = await buffer(request);
  if (url.pathname === "/hooks") {
    if (!isSigned(request, body)) {
      say("an event with a wrong signature: refused");
      return response.writeHead(401).end();
    }
    const { event, data } = JSON.parse(body.toString());
    events.set(data.delivery_id, { event, data });
    say(`event  ${event} ${JSON.stringify(data)}`);
    shop.emit("event", event);
    return response.writeHead(204).end();
  }
  // The customer is back, with the pattern in the address.
  const patternId = Number(url.searchParams.get("pf_pattern_id"));
  orders.set(1, { patternId });
  say(`order  1 of product ${PRODUCT} with pattern ${patternId}`);
  return response.end("Thank you!");
});

/** Settles once an event of this name has come that is like `wanted`. */
async function heard(name: string, wanted: (data: Record<string, unknown>) => boolean) {
  const isThere = () => [...events.values()].some((one) => one.event === name && wanted(one.data));
  while (!isThere()) await once(shop, "event", { signal: AbortSignal.timeout(30_000) });
}

/** What the customer does: opens the link, makes a pattern in the session and finishes. */
async function playCustomer(editorUrl: string): Promise<string> {
  const handoff = new URL(editorUrl).searchParams.get("handoff");
  const session = await call("POST", "/embed/sessions", { handoff });
  const as = (method: string, path: string, body: object) =>
    call(method, path, body, session.token);
  const source = await as("POST", "/sources/presets", { preset: "floral", seed: 12 });
  const design = { source_id: source.id, group: "p4m", name: "My bag", palette: "lagoon" };
  const pattern = await as("POST", "/patterns", design);
  const done = await as("POST", "/embed/finish", { pattern_id: pattern.id });
  return done.redirect_url;
}

async function fetchPrintFile(patternId: number): Promise<void> {
  const print = { size: 2400, dpi: 300 };
  const { url } = await call("POST", `/patterns/${patternId}/render-url`, print);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the print file: ${response.status}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  await writeFile(out, bytes);
  say(`print  ${out}: ${bytes.byteLength} bytes of ${response.headers.get("Content-Type")}`);
}

shop.listen(0, "127.0.0.1");
await once(shop, "listening");
const address = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
const names = ["design.applied", "pattern.created"];
const webhook = await call("POST", "/webhooks", { url: `${address}/hooks`, events: names });
secret = webhook.secret;
try {
  const return_url = `${address}/thanks?product=${PRODUCT}`;
  const handoff = await call("POST", "/embed/handoff", { product_id: PRODUCT, return_url });
  say(`editor ${handoff.editor_url}`);
  await fetch(await playCustomer(handoff.editor_url));
  const order = orders.get(1);
  if (!order) throw new Error("the customer did not come back");
  await heard("pattern.created", ({ pattern_id }) => pattern_id === order.patternId);
  await heard("design.applied", ({ pattern_id }) => pattern_id === order.patternId);
  await fetchPrintFile(order.patternId);
} finally {
  await call("DELETE", `/webhooks/${webhook.id}`);
  shop.close();
  shop.closeAllConnections();
}
