/** The transcript's calls can be repeated with the same results. */
import { readFile } from "node:fs/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import sharp from "sharp";
import t from "tap";
import { testServer } from "../helpers/server.ts";

const DOCS = new URL("../../docs/", import.meta.url);
const LEFT_OUT = "…";
const USUAL_ADDRESS = "http://127.0.0.1:3000";

interface Exchange {
  readonly call: { readonly name: string; readonly arguments: Record<string, unknown> };
  readonly answer: unknown;
}

function readExchanges(page: string): readonly Exchange[] {
  const blocks = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text = ""]) =>
    JSON.parse(text),
  );
  return Array.from({ length: blocks.length / 2 }, (_, at) => ({
    call: blocks[2 * at],
    answer: blocks[2 * at + 1],
  }));
}

/** Lists where a value differs from its printed form; fractions were rounded to three digits. */
function differences(printed: unknown, actual: unknown, place = ""): string[] {
  if (printed === LEFT_OUT) return [];
  if (typeof printed === "string" && printed.endsWith(LEFT_OUT) && typeof actual === "string") {
    return actual.startsWith(printed.slice(0, -1)) ? [] : [`${place}: ${actual}`];
  }
  if (typeof printed === "number" && typeof actual === "number") {
    const isClose = Math.abs(printed - actual) <= 0.01 * Math.abs(printed);
    return isClose ? [] : [`${place}: ${actual}`];
  }
  if (Array.isArray(printed) && Array.isArray(actual)) {
    const isWhole = printed.at(-1) !== LEFT_OUT;
    const shown = isWhole ? printed : printed.slice(0, -1);
    const isSameLength = isWhole ? actual.length === shown.length : actual.length > shown.length;
    const inside = shown.flatMap((one, at) => differences(one, actual[at], `${place}/${at}`));
    return isSameLength ? inside : [`${place} has ${actual.length}`, ...inside];
  }
  if (isObject(printed) && isObject(actual)) {
    const names = new Set([...Object.keys(printed), ...Object.keys(actual)]);
    return [...names].flatMap((name) =>
      differences(printed[name], actual[name], `${place}/${name}`),
    );
  }
  return Object.is(printed, actual) ? [] : [`${place}: ${JSON.stringify(actual)}`];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

t.test("the transcript's calls return what it shows", async (t) => {
  const exchanges = readExchanges(await readFile(new URL("mcp-transcript.md", DOCS), "utf8"));
  t.ok(exchanges.length > 8);
  const { url, key } = await testServer(t);
  const client = new Client({ name: "test", version: "0.0.0" });
  const requestInit = { headers: { "X-API-Key": key } };
  await client.connect(new SSEClientTransport(new URL(`${url}/api/v1/mcp/sse`), { requestInit }));
  t.teardown(() => client.close());
  // The client validates results against the published schemas once it knows them.
  await client.listTools();
  for (const { call, answer } of exchanges) {
    const { content, isError } = (await client.callTool(call)) as CallToolResult;
    const told = content.find(({ type }) => type === "text");
    const text = told?.type === "text" ? told.text.replaceAll(url, USUAL_ADDRESS) : "";
    const actual = isError ? { isError, text } : JSON.parse(text);
    t.same(differences(answer, actual), [], JSON.stringify(call));
  }
});

t.test("its pictures exist and are small", async (t) => {
  const page = await readFile(new URL("mcp-transcript.md", DOCS), "utf8");
  const names = [...page.matchAll(/\]\((images\/\S+)\)/g)].map(([, name = ""]) => name);
  t.ok(names.length > 2);
  for (const name of names) {
    const bytes = await readFile(new URL(name, DOCS));
    t.ok(bytes.length < 60_000, name);
    t.equal((await sharp(bytes).metadata()).format, "jpeg", name);
  }
});
