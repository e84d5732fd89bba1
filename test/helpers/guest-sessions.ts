/** Guest sessions: handoffs, and what guests create. */
import { createHash, randomBytes } from "node:crypto";
import type { TestServer } from "./server.ts";

export const RETURN = "https://shop.example/products/4711?variant=blue#buy";
/** Options of a request without a key. */
export const open = { as: null } as const;
/** Options of a request with a token, with or without a body. */
export const bearer = (token: string, json?: object) => ({
  ...open,
  headers: { Authorization: `Bearer ${token}` },
  ...(json && { json }),
});

/** Creates a handoff; returns the response, the editor's URL and its token. */
export async function handOver(server: TestServer, fields: object = {}) {
  const made = await server.request("POST", "/embed/handoff", {
    json: { product_id: 4711, return_url: RETURN, ...fields },
  });
  const editor = new URL(made.json.editor_url ?? server.url);
  return { made, editor, handoff: editor.searchParams.get("handoff") ?? "" };
}

/** As `handOver`, with a link that has expired. */
export async function handOverExpired(server: TestServer) {
  const handoff = randomBytes(32).toString("base64url");
  await server.db.handoffs.create(server.account.id, {
    tokenHash: createHash("sha256").update(handoff).digest(),
    lifetimeSeconds: -1,
    product_id: 4711,
    product: null,
    return_url: RETURN,
    cancel_url: null,
    locale: null,
    metadata: null,
    state: null,
    max_patterns: 20,
  });
  return { editor: new URL(`${server.url}/editor?handoff=${handoff}`), handoff };
}

/** Begins a guest session in a new handoff. */
export async function beginSession(server: TestServer, fields: object = {}) {
  const { handoff } = await handOver(server, fields);
  const begun = await server.request("POST", "/embed/sessions", { ...open, json: { handoff } });
  return { begun, token: String(begun.json.token) };
}

/** Creates a source and a pattern of it as a guest. */
export async function design(server: TestServer, token: string) {
  const source = await server.request(
    "POST",
    "/sources/presets",
    bearer(token, { preset: "stripes", seed: 1 }),
  );
  const made = { source_id: source.json.id, group: "p4" };
  const pattern = await server.request("POST", "/patterns", bearer(token, made));
  return { source: source.json.id, pattern: pattern.json.id };
}
