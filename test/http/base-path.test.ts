/** The service behind a proxy that serves it under a path: PUBLIC_URL=https://shop.example/patterns. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import t from "tap";
import { fetchDocument } from "../contract/document.ts";
import { underPrefix } from "../helpers/prefix-proxy.ts";

t.test("URLs in responses start with the public path", async (t) => {
  const { publicUrl, server } = await underPrefix(t);
  t.match(await fetchDocument(publicUrl), { servers: [{ url: publicUrl }] });
  const missing = await server.request("GET", "/patterns/4711");
  t.equal(missing.json.type, "/patterns/docs/problems#not_found");
  t.equal((await fetch(new URL(missing.json.type, publicUrl))).status, 200);
  const json = { preset: "stripes", seed: 1 };
  const made = await server.request("POST", "/sources/presets", { json });
  const location = made.headers.get("Location") ?? "";
  t.equal(location, `${publicUrl}/api/v1/sources/${made.json.id}`);
  const found = await fetch(location, { headers: { "X-API-Key": server.key } });
  t.same(await found.json(), made.json);
});

t.test("an MCP client gets the URL for its messages", async (t) => {
  const { publicUrl, server } = await underPrefix(t);
  const requestInit = { headers: { "X-API-Key": server.key } };
  const client = new Client({ name: "a test", version: "1" });
  await client.connect(
    new SSEClientTransport(new URL(`${publicUrl}/api/v1/mcp/sse`), { requestInit }),
  );
  t.teardown(() => client.close());
  t.equal((await client.listTools()).tools.length, 20);
});
