/**
 * A shop, small enough to be read in one go. Its product page opens the editor, and the shop
 *
 *   1. hands the customer over to the editor for a product,
 *   2. takes the customer's return only if the service signed it, for this customer's basket,
 *   3. reads back what was handed over, and shows the product with it,
 *   4. orders the print file, waits for it and fetches it,
 *   5. checks the signature of every event that comes.
 *
 * It needs nothing but Node 24 and a key:
 *
 *   npx node docs/examples/shop/shop.ts --api http://127.0.0.1:3000/api/v1 --key pf_…
 *
 * and then a browser at the address that it prints. With --play it plays the customer itself, and ends with
 * the print file. Events come only from a service that may reach this machine: OUTBOUND_ALLOW=127.0.0.0/8.
 */
import { createHash, createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { messagePage, orderPage, productPage, STYLE } from "./pages.ts";
import { verifyReturn } from "./verify-return.ts";

// A line is enough for those who run it.
process.on("uncaughtException", ({ message, cause }) => {
  console.error(`shop: ${message}${cause instanceof Error ? `: ${cause.message}` : ""}`);
  process.exit(1);
});

const { values } = parseArgs({
  options: {
    api: { type: "string", default: "http://127.0.0.1:3000/api/v1" },
    key: { type: "string", default: process.env.ORBIFOLD_KEY ?? "" },
    secret: { type: "string", default: process.env.ORBIFOLD_HANDOFF_SECRET ?? "" },
    port: { type: "string", default: "0" },
    out: { type: "string", default: "." },
    play: { type: "boolean", default: false },
  },
});
const { api, key, out } = values;
if (key === "") throw new Error("expected --key pf_… or ORBIFOLD_KEY");
const SERVICE = api.replace(/\/api\/v1\/?$/, "");

/** What the shop sells, and how it prints it. */
const PRODUCT = { title: "Tote bag", mockup: "tote-bag", width_mm: 380, height_mm: 420 };
const PRODUCT_ID = 4711;
const PRINT = { width_mm: 380, height_mm: 420, bleed_mm: 3, crop_marks: true, cell_mm: 95 };

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

/** Signs returns. A real shop stores it; this one sets a new one where none is given. */
const handoffSecret =
  values.secret || (await call("POST", "/embed/secret", { overlap_hours: 0 })).secret;

/** Orders by the customer's basket. */
const orders = new Map<string, { readonly patternId: number }>();
/** Secret of the subscription to events. */
let hookSecret = "";
/** Deliveries that came: what comes twice has the same delivery_id. */
const delivered = new Set<string>();

/** The customer's basket, from the cookie. */
const basketOf = ({ headers }: IncomingMessage) =>
  /(?:^|; )basket=([\w-]+)/.exec(headers.cookie ?? "")?.[1] ?? "";

const shop = createServer((request, response) => {
  serve(request, response).catch((error) => {
    say(`error  ${error.message}`);
    response.writeHead(502, HTML).end(messagePage("Sorry", "Please try again in a minute."));
  });
});
shop.listen(Number(values.port), "127.0.0.1");
await once(shop, "listening");
const address = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;

/** What the pages may load: the script, the frame and the pictures of the service. */
const HTML = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": `default-src 'none'; script-src ${SERVICE}; frame-src ${SERVICE}; img-src ${SERVICE} data:; style-src 'self'; connect-src 'self'; form-action 'self' ${SERVICE}; base-uri 'none'; frame-ancestors 'none'`,
};

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "/", address);
  switch (`${request.method} ${pathname}`) {
    case "GET /":
      response.writeHead(200, HTML).end(productPage(PRODUCT.title, SERVICE));
      return;
    case "GET /shop.css":
      response.writeHead(200, { "Content-Type": "text/css" }).end(STYLE);
      return;
    case "POST /design":
      return handOver(request, response);
    case "GET /designed":
      return takeBack(basketOf(request), searchParams, response);
    case "POST /hooks":
      return receive(request, response);
    default:
      response.writeHead(404, HTML).end(messagePage("Not here", "There is no such page."));
  }
}

/** Makes a link to the editor: for the script of the page, or as a redirect. */
async function handOver(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const basket = basketOf(request) || randomUUID();
  const { editor_url } = await call("POST", "/embed/handoff", {
    product_id: PRODUCT_ID,
    product: PRODUCT,
    return_url: `${address}/designed`,
    state: basket,
  });
  say(`editor ${editor_url}`);
  const cookie = { "Set-Cookie": `basket=${basket}; HttpOnly; SameSite=Lax; Path=/` };
  if (request.headers.accept === "application/json") {
    const json = { ...cookie, "Content-Type": "application/json" };
    response.writeHead(201, json).end(JSON.stringify({ editor_url }));
  } else response.writeHead(303, { ...cookie, Location: editor_url }).end();
}

/** The customer is back. What the address says counts only if the service signed it for this basket. */
async function takeBack(
  basket: string,
  query: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  if (!verifyReturn(query, handoffSecret) || query.get("state") !== basket) {
    say("return refused: forged, or of another customer");
    const text = "This address was changed on its way, or belongs to another basket.";
    response.writeHead(403, HTML).end(messagePage("We cannot use this", text));
    return;
  }
  if (query.get("pf_status") === "cancelled") {
    response.writeHead(303, { Location: "/" }).end();
    return;
  }
  const patternId = Number(query.get("pf_pattern_id"));
  const path = `/embed/handoffs/${query.get("pf_handoff")}?pattern_id=${patternId}`;
  const { links } = await call("GET", path);
  // A customer may come back to this page: it is the same order.
  orders.set(basket, { patternId });
  say(`order  of product ${PRODUCT_ID} with pattern ${patternId}`);
  response.writeHead(200, HTML).end(orderPage(patternId, links.mockup.url));
}

/** An event, of which the body was signed with the secret of our subscription. */
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  const expected = `sha256=${createHmac("sha256", hookSecret).update(body).digest("hex")}`;
  const received = String(request.headers["x-service-signature"]);
  const isSigned =
    received.length === expected.length &&
    timingSafeEqual(Buffer.from(received), Buffer.from(expected));
  response.writeHead(isSigned ? 204 : 401).end();
  if (!isSigned) return say("event  refused: its signature is wrong");
  const { event, data } = JSON.parse(body.toString());
  if (delivered.has(data.delivery_id)) return;
  delivered.add(data.delivery_id);
  say(`event  ${event} ${JSON.stringify(data)}`);
  shop.emit("event");
}

/** What a customer does in the editor: makes a pattern in the session, and finishes. */
async function playCustomer(): Promise<string> {
  const page = { method: "POST", headers: { Accept: "application/json" } };
  const opened = await fetch(`${address}/design`, page);
  const { editor_url }: { readonly editor_url: string } = await opened.json();
  const handoff = new URL(editor_url).searchParams.get("handoff");
  const session = await call("POST", "/embed/sessions", { handoff });
  const as = (path: string, body: object) => call("POST", path, body, session.token);
  const source = await as("/sources/presets", { preset: "floral", seed: 12 });
  const design = { source_id: source.id, group: "p4m", name: "My bag", palette: "lagoon" };
  const pattern = await as("/patterns", design);
  const { redirect_url } = await as("/embed/finish", { pattern_id: pattern.id });
  const [cookie = ""] = opened.headers.getSetCookie();
  const headers = { Cookie: cookie.split(";")[0] ?? "" };
  const forged = redirect_url.replace(`pf_pattern_id=${pattern.id}`, "pf_pattern_id=1000");
  if ((await fetch(forged, { headers })).status !== 403) throw new Error("a forged return counted");
  await fetch(redirect_url, { headers });
  return /basket=([\w-]+)/.exec(cookie)?.[1] ?? "";
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
  const response = await fetch(made.file.url, { headers: { Authorization: `Bearer ${key}` } });
  const bytes = Buffer.from(await response.arrayBuffer());
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (sha256 !== made.file.sha256) throw new Error("the print file came damaged");
  await writeFile(join(out, "order-1.pdf"), bytes);
  say(`file   order-1.pdf: ${bytes.byteLength} bytes of ${response.headers.get("Content-Type")}`);
}

say(`shop   ${address}/`);
if (values.play) {
  const events = ["design.applied", "pattern.created"];
  const webhook = await call("POST", "/webhooks", { url: `${address}/hooks`, events });
  hookSecret = webhook.secret;
  try {
    const order = orders.get(await playCustomer());
    if (!order) throw new Error("the customer did not come back");
    await fetchPrintFile(order.patternId);
    // Started, created, finished.
    while (delivered.size < 3) await once(shop, "event", { signal: AbortSignal.timeout(60_000) });
  } finally {
    await call("DELETE", `/webhooks/${webhook.id}`);
    shop.close();
    shop.closeAllConnections();
  }
}
