/** The MCP server, tested by the clients and test suites in tools/mcp-validators. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import t from "tap";
import { clientConfigs } from "../../server/mcp/client-configs.ts";
import { TOOLS } from "../../server/mcp/tools/index.ts";
import { temporaryFolder } from "../helpers/database.ts";
import { rasterOf } from "../helpers/pictures.ts";
import { startService } from "../helpers/service.ts";
import { allPositions, differenceUnder, tableRow } from "../helpers/symmetry.ts";
import { keyAddingProxy } from "./key-adding-proxy.ts";

const VALIDATORS = fileURLToPath(new URL("../../tools/mcp-validators/", import.meta.url));
const program = (name: string) => `${VALIDATORS}node_modules/.bin/${name}`;

/** In CI a missing installation is a failure. */
const isMissing = !existsSync(`${VALIDATORS}node_modules`) && process.env.CI !== "true";
const skip = isMissing ? "npm ci --prefix tools/mcp-validators installs them" : false;

/** Scenarios that the suite can run on any server. */
const SCENARIOS_PASSED = [
  "dns-rebinding-protection",
  "ping",
  "prompts-list",
  "resources-list",
  "server-initialize",
  "tools-list",
];

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a service with an account. */
async function start() {
  const url = await (await startService(t)).url();
  const home = await temporaryFolder(t);
  // Programs store notes in the home folder.
  const env = { PATH: process.env.PATH ?? "", HOME: home, FORCE_COLOR: "0" };
  const post = async (path: string, json: object, token?: string) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(json),
    });
    return response.json();
  };
  const makeKey = async (): Promise<string> =>
    (await post("/api-keys", { name: "validator" }, token)).secret;
  const { token } = await post("/auth/signup", {
    email: "validator@example.com",
    password: "correct horse battery",
  });
  return {
    url,
    mcp: `${url}/api/v1/mcp`,
    env,
    makeKey,
    /** One for all tests with few requests: a trial account has few keys. */
    key: await makeKey(),
    run: (name: string, args: readonly string[]) =>
      new Promise<Ended>((resolve) => {
        const options = { env, cwd: home, maxBuffer: 2 ** 26 };
        execFile(process.execPath, [program(name), ...args], options, (error, stdout, stderr) =>
          resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
        );
      }),
  };
}

let started: ReturnType<typeof start> | undefined;

/** One for all tests, started with the first. */
function service() {
  started ??= start();
  return started;
}

t.test("the conformance suite reports only what its baseline names", { skip }, async (t) => {
  const { url, run, makeKey } = await service();
  // The suite makes more requests in a minute than one key may.
  const keys = await Promise.all([makeKey(), makeKey(), makeKey()]);
  const proxy = await keyAddingProxy(t, url, keys);
  const baseline = `${VALIDATORS}conformance-baseline.yml`;
  const { code, stdout } = await run("conformance", [
    "server",
    ...["--url", `${proxy}/api/v1/mcp`],
    ...["--suite", "all"],
    ...["--expected-failures", baseline],
  ]);
  t.equal(code, 0, stdout.slice(stdout.indexOf("=== SUMMARY")));
  const passed = [...stdout.matchAll(/^✓ ([\w-]+): [1-9]\d* passed, 0 failed$/gm)].map(
    ([, name]) => name,
  );
  t.same(passed.toSorted(), SCENARIOS_PASSED);
});

const WAYS = [
  { transport: "http", path: "" },
  { transport: "sse", path: "/sse" },
];

t.test("the inspector lists the tools without warnings", { skip }, async (t) => {
  const { mcp, run, key } = await service();
  const header = `X-API-Key: ${key}`;
  for (const { transport, path } of WAYS) {
    const { code, stdout, stderr } = await run("inspector", [
      ...["--cli", `${mcp}${path}`, "--transport", transport, "--header", header],
      ...["--method", "tools/list", "--strict"],
    ]);
    t.equal(code, 0, `${transport}: ${stderr}`);
    t.equal(stderr, "", transport);
    const names = JSON.parse(stdout).tools.map(({ name }: { name: string }) => name);
    t.same(
      names,
      TOOLS.map(({ name }) => name),
      transport,
    );
  }
});

/** Bridges from standard input and output to the service: arguments and environment. */
const BRIDGES = {
  "mcp-remote over SSE, as Claude Desktop starts it": (url: string, key: string) => {
    const { args } = clientConfigs(url).claudeDesktop.mcpServers.orbifold;
    const [, name, ...rest] = args;
    return { args: [program(String(name)), ...rest], env: { ORBIFOLD_KEY: key } };
  },
  "mcp-remote over Streamable HTTP": (url: string, key: string) => ({
    args: [program("mcp-remote"), `${url}/api/v1/mcp`, "--header", `X-API-Key:${key}`],
    env: {},
  }),
  "supergateway over SSE": (url: string, key: string) => ({
    args: [
      program("supergateway"),
      ...["--sse", `${url}/api/v1/mcp/sse`, "--header", `X-API-Key:${key}`, "--logLevel", "none"],
    ],
    env: {},
  }),
};

for (const [name, bridge] of Object.entries(BRIDGES)) {
  t.test(`${name}: renders a preset as a tile with exact p4 symmetry`, { skip }, async (t) => {
    const { url, env, key } = await service();
    const { args, env: own } = bridge(url, key);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args,
      env: { ...env, ...own },
      stderr: "ignore",
    });
    const client = new Client({ name: "test", version: "0.0.0" });
    await client.connect(transport);
    t.teardown(() => client.close());
    const call = async (name: string, given: object) =>
      (await client.callTool({ name, arguments: { ...given } })) as CallToolResult;

    const { tools } = await client.listTools();
    t.equal(tools.length, TOOLS.length);
    const source = await call("generate_preset", { preset: "terrazzo", seed: 3 });
    const source_id = source.structuredContent?.id;
    const pattern = await call("create_pattern", { source_id, group: "p4" });
    const pattern_id = pattern.structuredContent?.id;
    const { content } = await call("render_pattern_tile", { pattern_id, size: 192 });
    const [image, text] = content;
    if (image?.type !== "image" || text?.type !== "text") throw new Error("that is no picture");
    const raster = rasterOf(Buffer.from(image.data, "base64"));
    t.same([raster.width, raster.height], [192, 192]);
    for (const position of allPositions(tableRow("p4"))) {
      t.equal(differenceUnder(position, raster), 0, position);
    }
    t.not(differenceUnder("-x,y", raster), 0, "and no mirror");
    t.match(JSON.parse(text.text), { pattern_id, symmetry: { verdict: "valid", found: "p4" } });
  });
}
