/** Guest sessions: handoffs, and what guests create. */
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
export async function handOver(server: TestServer, return_url = RETURN) {
  const made = await server.request("POST", "/embed/handoff", {
    json: { product_id: 4711, return_url },
  });
  const editor = new URL(made.json.editor_url);
  return { made, editor, handoff: editor.searchParams.get("handoff") ?? "" };
}

/** Begins a guest session in a new handoff. */
export async function beginSession(server: TestServer) {
  const { handoff } = await handOver(server);
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
