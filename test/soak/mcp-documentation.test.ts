/** The facts in docs/mcp.md and the README about MCP are true. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import t, { type Test } from "tap";
import { FAILURES } from "../../server/actions/failures.ts";
import { clientConfigs } from "../../server/mcp/client-configs.ts";
import { LISTED_TOOLS } from "../../server/mcp/listings.ts";
import { listPrompts } from "../../server/mcp/prompts.ts";
import { TOOLS } from "../../server/mcp/tools/index.ts";
import { temporaryFolder } from "../helpers/database.ts";
import { testServer } from "../helpers/server.ts";
import { startService } from "../helpers/service.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string) => readFile(`${ROOT}${path}`, "utf8");
const DOCUMENTED = clientConfigs("http://127.0.0.1:3000");

/** The fenced blocks of a language. */
function blocks(markdown: string, language: string): readonly string[] {
  const fences = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms");
  return [...markdown.matchAll(fences)].map(([, text = ""]) => text);
}

/** Fails the test unless the tools are listed over this transport. */
async function connects(t: Test, transport: Transport, what: string) {
  const client = new Client({ name: "test", version: "0.0.0" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  t.equal(tools.length, TOOLS.length, what);
  await client.close();
}

t.test("the documented configurations agree with the service's", async (t) => {
  const page = await read("docs/mcp.md");
  const { codex, commands, ...files } = DOCUMENTED;
  const inOrder = [
    files.claudeDesktop,
    files.claudeCode,
    files.cursor,
    files.vsCode,
    files.local,
  ].map((config) => `${JSON.stringify(config, null, 2)}\n`);
  t.same(blocks(page, "json"), inOrder);
  t.same(blocks(page, "toml"), [codex]);
  t.same(blocks(page, "sh"), [`${commands.claudeCode}\n`, `${commands.codex}\n`]);
  t.equal(Object.keys(files).length, inOrder.length, "none is left out");
  t.ok((await read("README.md")).includes(JSON.stringify(files.local, null, 2)));
});

t.test("clients connect with the configurations and a key", async (t) => {
  const { url, key } = await testServer(t);
  const { claudeCode, cursor, vsCode, codex } = clientConfigs(url);
  const remote = {
    "Claude Code": claudeCode.mcpServers.orbifold,
    Cursor: cursor.mcpServers.orbifold,
    "VS Code": vsCode.servers.orbifold,
  };
  for (const [client, { url, headers }] of Object.entries(remote)) {
    const filled = { "X-API-Key": headers["X-API-Key"].replace(/^\$\{.*\}$/, key) };
    const requestInit = { headers: filled };
    await connects(t, new StreamableHTTPClientTransport(new URL(url), { requestInit }), client);
  }
  const [, address = "", header = ""] =
    /url = "(.*)"\nenv_http_headers = \{ "(.*)" = "ORBIFOLD_KEY" \}/.exec(codex) ?? [];
  const requestInit = { headers: { [header]: key } };
  await connects(t, new StreamableHTTPClientTransport(new URL(address), { requestInit }), "Codex");
});

t.test("the stdio configuration starts a server from any folder", async (t) => {
  const DATA_DIR = await temporaryFolder(t);
  // With a database of its own, created by the service in its folder.
  const service = await startService(t, { DATABASE_URL: "", DATA_DIR });
  await service.line(/its key is in/);
  const key = (await readFile(join(DATA_DIR, "first-key"), "utf8")).trimEnd();
  const { command, args, env } = clientConfigs("", ROOT.replace(/\/$/, "")).local.mcpServers
    .orbifold;
  t.same(Object.keys(env), ["SERVICE_API_KEY", "DATA_DIR"]);
  const cwd = await temporaryFolder(t);
  const stdio = { command, args: [...args], cwd, env: { SERVICE_API_KEY: key, DATA_DIR } };
  await connects(t, new StdioClientTransport({ ...stdio, stderr: "ignore" }), "stdio");
});

t.test("the table of tools agrees with the catalogue", async (t) => {
  const page = await read("docs/mcp.md");
  const rows = TOOLS.map(({ name, title, kind, cost, behaviour }) => {
    const { inputSchema } = LISTED_TOOLS.find((listed) => listed.name === name) ?? {};
    const needs = inputSchema?.required?.map((field) => `\`${field}\``).join(", ") ?? "";
    const does = behaviour.readOnly ? title : `**${title}**`;
    return `| \`${name}\` | ${does} | ${needs} | ${kind} | ${cost || ""} |`;
  });
  t.equal(/^(\| `.*\n)+/m.exec(page.slice(page.indexOf("## Tools")))?.[0], `${rows.join("\n")}\n`);
});

t.test("prompts and error codes have their actual names", async (t) => {
  const page = await read("docs/mcp.md");
  for (const { name } of listPrompts()) t.ok(page.includes(`\`${name}\``), name);
  const table = page.slice(page.indexOf("| code at its start"));
  const codes = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
  t.ok(codes.length > 5);
  for (const code of codes) t.ok(code && code in FAILURES, code);
});
