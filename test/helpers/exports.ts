/** Print files of a server under test. */
import { until } from "./jobs.ts";
import type { TestServer } from "./server.ts";

/** Orders a print file and returns its id. Throws the problem if it is refused. */
export async function orderExport(server: TestServer, patternId: number, json: object) {
  const reply = await server.request("POST", `/patterns/${patternId}/export`, { json });
  if (reply.status !== 202) throw new Error(reply.bytes.toString());
  return reply.json.export_id;
}

/** Waits until an export is finished, and returns it. */
export async function finishedExport(server: TestServer, id: number) {
  // Polling over HTTP would exceed a key's rate limit.
  const stored = () => server.db.exports.get(server.account.id, id);
  await until(async () => (await stored())?.finished_at != null);
  return (await server.request("GET", `/exports/${id}`)).json;
}
