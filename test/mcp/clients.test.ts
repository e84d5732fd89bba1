/** The SDK's own clients over each transport can use everything the service offers. */
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import t, { type Test } from "tap";
import { temporaryFolder } from "../helpers/database.ts";
import { rasterOf } from "../helpers/pictures.ts";
import { testServer } from "../helpers/server.ts";
import { allPositions, differenceUnder, tableRow } from "../helpers/symmetry.ts";
import { keyedDatabase } from "./keyed-database.ts";
import type { Message } from "./sse-session.ts";

const CLI = fileURLToPath(new URL("../../server/cli.ts", import.meta.url));

/** Opens a stream with the key; messages carry none, as in the contract's example. */
function keyOnTheStreamOnly(url: URL, key: string): Transport {
  return new SSEClientTransport(url, {
    eventSourceInit: {
      fetch: (input, init) =>
        fetch(input, { ...init, headers: { ...init?.headers, "X-API-Key": key } }),
    },
  });
}

const OVER_HTTP: Readonly<Record<string, (url: string, key: string) => Transport>> = {
  "SSE with a key on all requests": (url, key) =>
    new SSEClientTransport(new URL(`${url}/api/v1/mcp/sse`), {
      requestInit: { headers: { "X-API-Key": key } },
    }),
  "SSE with a key on the stream alone": (url, key) =>
    keyOnTheStreamOnly(new URL(`${url}/api/v1/mcp/sse`), key),
  "Streamable HTTP": (url, key) =>
    new StreamableHTTPClientTransport(new URL(`${url}/api/v1/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    }),
};

for (const [name, transportTo] of Object.entries(OVER_HTTP)) {
  t.test(`a client designs a pattern over ${name}`, async (t) => {
    const server = await testServer(t);
    await design(t, transportTo(server.url, server.key));
  });
}

t.test("a client designs a pattern over stdio", async (t) => {
  const { DATABASE_URL, SERVICE_API_KEY } = await keyedDatabase(t);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, "mcp"],
    env: {
      ...process.env,
      DATABASE_URL,
      DATA_DIR: await temporaryFolder(t),
      SERVICE_API_KEY,
      ENGINE_THREADS: "1",
      ENGINE_BACKEND: "webasm",
    },
    stderr: "ignore",
  });
  await design(t, transport);
});

/** The requirements of every client. */
async function design(t: Test, transport: Transport): Promise<void> {
  const client = new Client({ name: "a test", version: "1" });
  await client.connect(transport);
  t.teardown(() => client.close());
  const call = async (name: string, given: object): Promise<Message> =>
    client.callTool({ name, arguments: { ...given } });

  t.match(client.getServerVersion(), { name: "orbifold", version: "0.1.0" });
  t.match(client.getInstructions(), "create_pattern");
  const { tools } = await client.listTools();
  t.equal(tools.length, 20);

  const source = await call("generate_preset", { preset: "floral", seed: 7 });
  const source_id = source.structuredContent.id;
  const made = await call("create_pattern", { source_id, group: "p4", name: "Floral" });
  const pattern_id = made.structuredContent.id;

  const heard: unknown[] = [];
  const tile = (await client.callTool(
    { name: "render_pattern_tile", arguments: { pattern_id, size: 128 } },
    undefined,
    { onprogress: (progress) => heard.push(progress) },
  )) as Message;
  const [picture, text] = tile.content;
  t.equal(tile.structuredContent, undefined);
  t.match(picture, { type: "image", mimeType: "image/png" });
  const raster = rasterOf(Buffer.from(picture.data, "base64"));
  t.match(raster, { width: 128, height: 128 });
  for (const position of allPositions(tableRow("p4"))) {
    t.ok(differenceUnder(position, raster) <= 1, `the tile is the same under ${position}`);
  }
  t.match(JSON.parse(text.text), { pattern_id, group: "p4", symmetry: { verdict: "valid" } });
  t.ok(heard.length > 0, "it hears that the render is under way");

  const { structuredContent: certificate } = await call("validate_symmetry", { pattern_id });
  t.match(certificate, { verdict: "valid", claimed: "p4" });

  const uri = `orbifold://patterns/${pattern_id}`;
  t.match((await client.listResources()).resources, [{ uri, title: "Floral" }]);
  t.match((await client.listResourceTemplates()).resourceTemplates, [{ name: "pattern" }]);
  const { contents } = (await client.readResource({ uri })) as Message;
  t.equal(rasterOf(Buffer.from(contents[0].blob, "base64")).width, 512);
  t.match(JSON.parse(contents[1].text), { id: pattern_id, group: "p4" });

  t.equal((await client.listPrompts()).prompts.length, 3);
  const arguments_ = { pattern_id: String(pattern_id) };
  const prompt = await client.getPrompt({ name: "check_symmetry", arguments: arguments_ });
  t.match(prompt.messages, [{ role: "user", content: { text: `pattern ${pattern_id}` } }]);
}
