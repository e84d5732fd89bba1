/** Batches of a server under test. */
import { createHash } from "node:crypto";
import { until } from "./jobs.ts";
import type { Caller, TestServer } from "./server.ts";

export const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Headers of a body of NDJSON. */
export const NDJSON = { "Content-Type": "application/x-ndjson" };

export const linesOf = (items: readonly unknown[]) =>
  items.map((item) => JSON.stringify(item)).join("\n");

/** Orders a batch and returns its id. Throws the problem if it is refused. */
export async function orderBatch(server: TestServer, json: object, as: Caller = server) {
  const reply = await server.request("POST", "/batches", { json, as });
  if (reply.status !== 202) throw new Error(reply.bytes.toString());
  return reply.json.id;
}

/** Waits until a batch has ended, and returns it. */
export async function endedBatch(server: TestServer, id: number) {
  // Polling over HTTP would exceed a key's rate limit.
  const stored = () => server.db.batches.get(server.account.id, id);
  await until(async () => (await stored())?.finished_at != null);
  return (await server.request("GET", `/batches/${id}`)).json;
}

/** The lines of a batch's manifest. */
export async function manifestOf(server: TestServer, id: number) {
  const { bytes } = await server.request("GET", `/batches/${id}/manifest`);
  const lines = bytes.toString().trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}
