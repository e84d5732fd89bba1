/** The service behind a proxy that serves it under a path: PUBLIC_URL=https://shop.example/patterns. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import t, { type Test } from "tap";
import { fetchDocument } from "../contract/document.ts";
import { openPage, skipWithoutBrowser as skip } from "../helpers/browser.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";
import { prefixProxy } from "../helpers/prefix-proxy.ts";
import { testServer } from "../helpers/server.ts";

async function underPrefix(t: Test) {
  const proxy = await prefixProxy(t, "/patterns");
  const server = await testServer(t, { publicUrl: proxy.url });
  proxy.forwardTo(server.url);
  return { publicUrl: proxy.url, server };
}

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

t.test("the pages load and work", { skip }, async (t) => {
  const { publicUrl, server } = await underPrefix(t);
  const { page, hosts, issues } = await openPage(t, `${publicUrl}/docs`);
  const operation = page.locator("#operations-Operation-getReadiness");
  await operation.locator(".opblock-summary").click();
  await operation.getByRole("button", { name: "Execute" }).click();
  const response = operation.locator(".live-responses-table");
  await response.waitFor();
  t.match(await response.innerText(), '"status": "ready"');
  t.match(await operation.innerText(), `${publicUrl}/readyz`);

  await page.goto(`${publicUrl}/docs/problems#conflict`);
  const row = page.locator("#conflict");
  t.match(await row.innerText(), /409\s+Conflict/);
  t.not(
    await row.evaluate((element) => getComputedStyle(element).backgroundColor),
    "rgba(0, 0, 0, 0)",
  );

  const json = { product_id: 4711, return_url: "https://shop.example/" };
  const { editor_url } = (await server.request("POST", "/embed/handoff", { json })).json;
  await page.goto(editor_url);
  const buffer = Buffer.from(pngOf(photograph(60, 40)));
  const file = { name: "picture.png", mimeType: "image/png", buffer };
  await page.getByLabel("Your picture").setInputFiles(file);
  await page.locator('canvas[role="img"][aria-busy="false"]').waitFor();
  t.same([...hosts], [new URL(publicUrl).host]);
  t.same(issues, [], "nothing failed to load");
});
