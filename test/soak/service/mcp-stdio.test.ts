/** MCP over stdio, by a real process: standard output carries only the protocol. */
import t, { type Test } from "tap";
import { photograph, pngOf } from "../../helpers/pictures.ts";
import { keyedDatabase } from "../../mcp/keyed-database.ts";
import { startStdio } from "../../mcp/stdio-process.ts";

const MEBIBYTE = 1024 * 1024;

const ping = (id: string | number) => ({ jsonrpc: "2.0", id, method: "ping" });
const call = (id: string | number, name: string, given: object, progressToken?: string) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: given, ...(progressToken && { _meta: { progressToken } }) },
});
const render = (id: string | number, progressToken?: string) =>
  call(id, "render_pattern_tile", { pattern_id: 1, size: 1024 }, progressToken);

/** A process with a key, on a database with pattern 1. */
async function started(t: Test, environment: Readonly<Record<string, string>> = {}) {
  const { DATABASE_URL, SERVICE_API_KEY } = await keyedDatabase(t);
  const stdio = await startStdio(t, { DATABASE_URL, SERVICE_API_KEY, ...environment });
  const data = Buffer.from(pngOf(photograph(96, 64))).toString("base64");
  stdio.send(call("source", "upload_source_from_base64", { data }));
  const source_id = (await stdio.answer("source")).result.structuredContent.id;
  stdio.send(call("pattern", "create_pattern", { source_id, group: "p4" }));
  t.equal((await stdio.answer("pattern")).result.structuredContent.id, 1);
  return stdio;
}

t.test("exits with a one-line error without a valid key or a database", async (t) => {
  const { DATABASE_URL, SERVICE_API_KEY } = await keyedDatabase(t);
  const mistyped = `${SERVICE_API_KEY.slice(0, -1)}_`;
  const nowhere = "postgres://nobody@127.0.0.1:1/nothing";
  const cases = [
    [{ DATABASE_URL, SERVICE_API_KEY: "" }, /SERVICE_API_KEY: expected an API key/],
    [{ DATABASE_URL, SERVICE_API_KEY: mistyped }, /SERVICE_API_KEY: the key is unknown/],
    [{ DATABASE_URL: nowhere, SERVICE_API_KEY }, /cannot reach PostgreSQL at 127\.0\.0\.1:1/],
  ] as const;
  for (const [environment, issue] of cases) {
    const stdio = await startStdio(t, environment);
    t.equal(await stdio.ended(), 1);
    t.same(stdio.messages, []);
    const lines = stdio.issues().trimEnd().split("\n");
    t.equal(lines.length, 1, lines.join("\n"));
    t.match(lines[0], issue);
    t.notMatch(lines[0], SERVICE_API_KEY);
  }
});

t.test("garbage and long messages do not end the session", async (t) => {
  const stdio = await started(t);
  stdio.write("\n\r\n  \n");
  const errors = () => stdio.messages.filter(({ error }) => error);
  const garbage = ["hello", "{", "[]", "5", `[${JSON.stringify(ping(1))}]`, "{}", "\u0000\uffff"];
  stdio.write(`${garbage.join("\n")}\n`);
  stdio.write(`${JSON.stringify(ping("crlf"))}\r\n`);
  t.same((await stdio.answer("crlf")).result, {});
  t.same(
    errors().map(({ id, error }) => [id, error.code]),
    [-32700, -32700, -32600, -32600, -32600, -32600, -32700].map((code) => [null, code]),
  );

  stdio.send(call("large", "upload_source_from_base64", { data: "A".repeat(12 * MEBIBYTE) }));
  const { result } = await stdio.answer("large");
  t.match(result.content[0].text, /^source_unreadable/, "12 MB are read");

  const before = errors().length;
  for (let at = 0; at < 40; at++) stdio.write("A".repeat(MEBIBYTE));
  stdio.write("\n");
  stdio.send(ping("after"));
  t.same((await stdio.answer("after")).result, {});
  t.equal(errors().length, before + 1);
  t.match(errors().at(-1), { id: null, error: { code: -32600, message: "16777216 bytes" } });

  stdio.write(JSON.stringify(ping("last")));
  stdio.process.stdin.end();
  t.same((await stdio.answer("last")).result, {}, "the last line may lack its end");
  t.equal(await stdio.ended(), 0);
  t.equal(stdio.issues(), "");
});

t.test("output of dependencies does not mix with messages", async (t) => {
  const prints = new URL("noisy-dependency.ts", import.meta.url).href;
  const stdio = await started(t, { NODE_OPTIONS: `--import=${prints}` });
  stdio.send(render("tile"));
  t.equal((await stdio.answer("tile")).result.content[0].type, "image");
  stdio.process.stdin.end();
  t.equal(await stdio.ended(), 0);
  const issues = stdio.issues();
  for (const way of ["console.log", "console.info", "process.stdout"]) {
    t.match(issues, `${way} of a dependency`);
  }
});

t.test("finishes calls in progress at the end of input", async (t) => {
  const stdio = await started(t);
  stdio.send(render("tile"));
  stdio.send(ping("ping"));
  stdio.send(render("cancelled"));
  const params = { requestId: "cancelled" };
  stdio.send({ jsonrpc: "2.0", method: "notifications/cancelled", params });
  stdio.process.stdin.end();
  t.equal((await stdio.answer("tile")).result.content[0].type, "image");
  t.same((await stdio.answer("ping")).result, {});
  t.equal(await stdio.ended(), 0);
  t.equal(stdio.messages.length, 4, "what was cancelled is not waited for, nor answered");
  t.equal(stdio.issues(), "");
});

t.test("finishes calls in progress on SIGTERM", async (t) => {
  const stdio = await started(t);
  stdio.send(render("tile", "token"));
  await stdio.find(({ method }) => method === "notifications/progress");
  stdio.process.kill("SIGTERM");
  t.equal((await stdio.answer("tile")).result.content[0].type, "image");
  t.equal(await stdio.ended(), 0, "though the input is still open");
  t.equal(stdio.issues(), "");
});

t.test("exits when its output is closed", async (t) => {
  const stdio = await started(t);
  stdio.process.stdout?.destroy();
  stdio.send(render("tile", "token"));
  t.equal(await stdio.ended(), 0, "though the input is still open");
  t.equal(stdio.issues(), "");
});

t.test("rejects the 121st call of a minute with a protocol error", async (t) => {
  const { DATABASE_URL, SERVICE_API_KEY } = await keyedDatabase(t);
  const stdio = await startStdio(t, { DATABASE_URL, SERVICE_API_KEY });
  for (let id = 1; id <= 121; id++) stdio.send(call(id, "get_pattern", { pattern_id: 9 }));
  for (let id = 1; id <= 121; id++) await stdio.answer(id);
  const refused = stdio.messages.filter(({ error }) => error);
  t.equal(refused.length, 1);
  t.match(refused[0].error, { code: -31429, data: { code: "rate_limited", retry_after: Number } });
  t.match(refused[0].error.message, /^rate_limited: more than 120 requests came within 60 seconds/);
  stdio.send(ping("ping"));
  t.same((await stdio.answer("ping")).result, {});
});

t.test("a revoked key's calls fail, but the session continues", async (t) => {
  const { db, account, DATABASE_URL, SERVICE_API_KEY } = await keyedDatabase(t);
  const stdio = await startStdio(t, { DATABASE_URL, SERVICE_API_KEY });
  stdio.send(call(1, "list_patterns", {}));
  t.same((await stdio.answer(1)).result.structuredContent.data, []);
  const [key] = await db.apiKeys.list(account.id);
  await db.apiKeys.revoke(account.id, key.id);
  stdio.send(call(2, "list_patterns", {}));
  t.match((await stdio.answer(2)).error, { code: -31401, message: /^unauthorized: .*revoked/ });
  stdio.send(ping(3));
  t.same((await stdio.answer(3)).result, {});
});
