/**
 * Compares the public interface with a stored copy: paths, parameters, statuses and schemas of the
 * OpenAPI document, and the MCP tools with theirs, without descriptions. After an intended change
 * run this file with UPDATE_SURFACE=1 and read the diff.
 */
import { readFile, writeFile } from "node:fs/promises";
import t from "tap";
import { testServer } from "../helpers/server.ts";
import { openSse } from "../mcp/sse-session.ts";
import { fetchDocument } from "./document.ts";

const KEPT = new URL("surface.txt", import.meta.url);

/** Members that only people read. */
const PROSE = new Set([
  "description",
  "summary",
  "title",
  "example",
  "examples",
  "servers",
  "info",
]);

/** Whether a value's members are names that the API defines, such as properties. */
const NAMING = new Set([
  "properties",
  "schemas",
  "parameters",
  "headers",
  "responses",
  "paths",
  "tools",
]);

/** Returns a JSON value as an outline: a line for each member, nested members after their parent. */
function outlineOf(value: object, isNaming = false, indent = ""): string[] {
  return membersOf(value, isNaming).flatMap(([name, member]) => {
    const isInner = NAMING.has(name);
    const isShort = isPlain(member) || membersOf(member, isInner).every(([, one]) => isPlain(one));
    if (!isShort) return [`${indent}${name}`, ...outlineOf(member, isInner, `${indent} `)];
    const shown = isPlain(member) ? member : Object.fromEntries(membersOf(member, isInner));
    return [`${indent}${name} ${JSON.stringify(shown)}`];
  });
}

const membersOf = (value: object, isNaming: boolean) =>
  Object.entries(value)
    .filter(([name]) => isNaming || !PROSE.has(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));

const isPlain = (value: unknown): boolean =>
  typeof value !== "object" || value === null || (Array.isArray(value) && value.every(isPlain));

t.test("the public API is unchanged", async (t) => {
  const server = await testServer(t);
  const { paths, components } = await fetchDocument(server.url);
  const session = await openSse(server);
  const { tools } = (await session.call("tools/list")).result;
  const byName = Object.fromEntries(tools.map((tool: { name: string }) => [tool.name, tool]));
  const surface = { paths, components, tools: byName };
  const text = `${outlineOf(surface, true).join("\n")}\n`;
  if (process.env.UPDATE_SURFACE) await writeFile(KEPT, text);
  t.equal(text, await readFile(KEPT, "utf8"));
});
