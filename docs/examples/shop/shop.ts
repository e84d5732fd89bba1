/**
 * A shop, small enough to be read in one go. It plays the plugin of a real one and its customer:
 *
 *   1. subscribes to events, and checks the signature of every one that comes,
 *   2. hands a customer over to the editor for a product,
 *   3. plays the customer, who makes a pattern there and comes back,
 *   4. stores the pattern with the order,
 *   5. orders a picture of the product with it, and fetches that when it is told that it is there,
 *   6. orders the print file later, waits for it and fetches it.
 *
 * It needs nothing but Node 24 and a key:
 *
 *   npx node docs/examples/shop/shop.ts --api http://127.0.0.1:3000/api/v1 --key pf_…
 *
 * The service reaches this machine only where it is told to: start it with OUTBOUND_ALLOW=127.0.0.0/8.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";

// A line is enough for those who run it.
process.on("uncaughtException", ({ message, cause }) => {
  console.error(`shop: ${message}${cause instanceof Error ? `: ${cause.message}` : ""}`);
  process.exit(1);
});

const { values } = parseArgs({
  options: {
    api: { type: "string", default: "http://127.0.0.1:3000/api/v1" },
    key: { type: "string", default: process.env.ORBIFOLD_KEY ?? "" },
    out: { type: "string", default: "." },
  },
});
const { api, key, out } = values;
const PRODUCT = 4711;
/** What the shop prints on the product, and which of the service's mockups shows it. */
const PRINT = { width_mm: 380, height_mm: 420, bleed_mm: 3, crop_marks: true, cell_mm: 95 };
const MOCKUP = "tote-bag";

if (key === "") throw new Error("expected --key pf_… or ORBIFOLD_KEY");

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

// biome-ignore lint/suspicious/noExplicitAny: each event has fields of its own
type EventData = any;

/** The events that came, each once: what comes twice has the same delivery_id. */
const events = new Map<string, { readonly event: string; readonly data: EventData }>();
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

/** The fields of an event of this name that is like `wanted`, once it has come. */
async function heard(name: string, wanted: (data: EventData) => boolean): Promise<EventData> {
  for (;;) {
    const found = [...events.values()].find((one) => one.event === name && wanted(one.data));
    if (found) return found.data;
    await once(shop, "event", { signal: AbortSignal.timeout(60_000) });
  }
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

/** Fetches a file with the shop's key. */
async function fetchFile(url: string, name: string): Promise<Buffer> {
  const response = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
  if (!response.ok) throw new Error(`${url}: ${await response.text()}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  await writeFile(join(out, name), bytes);
  say(`file   ${name}: ${bytes.byteLength} bytes of ${response.headers.get("Content-Type")}`);
  return bytes;
}

/** What customers see in their order: the product with their pattern on it. */
async function fetchMockup(patternId: number): Promise<void> {
  const order = { products: [MOCKUP], cell_mm: PRINT.cell_mm };
  await call("POST", `/patterns/${patternId}/mockups`, order);
  const { mockups } = await heard("mockup.ready", ({ pattern_id }) => pattern_id === patternId);
  for (const { url, product } of mockups) await fetchFile(url, `order-1-${product}.jpg`);
}

/** What the printer gets. */
async function fetchPrintFile(patternId: number): Promise<void> {
  const { export_id } = await call("POST", `/patterns/${patternId}/export`, PRINT);
  let made = await call("GET", `/exports/${export_id}`);
  for (const { message } of made.preflight.warnings) say(`heed   ${message}`);
  while (made.finished_at === null) {
    await delay(500);
    made = await call("GET", `/exports/${export_id}`);
  }
  if (made.status === "failed") throw new Error(`the print file: ${made.error}`);
  const bytes = await fetchFile(made.file.url, "order-1.pdf");
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (sha256 !== made.file.sha256) throw new Error("the print file came damaged");
}

shop.listen(0, "127.0.0.1");
await once(shop, "listening");
const address = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
const names = ["design.applied", "pattern.created", "mockup.ready"];
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
  await fetchMockup(order.patternId);
  await fetchPrintFile(order.patternId);
} finally {
  await call("DELETE", `/webhooks/${webhook.id}`);
  shop.close();
  shop.closeAllConnections();
}
