/** Invalid parameters over every transport: short, clear errors, and the service continues. */
import t, { type Test } from "tap";
import { testServer } from "../helpers/server.ts";
import { keyedDatabase } from "./keyed-database.ts";
import { type Message, openSse } from "./sse-session.ts";
import { startStdio } from "./stdio-process.ts";

const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;

/** Values that no parameter accepts. */
const WRONG = [null, 5, true, [], [{}], "x"];

const client = { name: "a test", version: "1" };
const begin = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: client };

/** Invalid requests by their error: the method, its parameters, and the code of the response. */
const CASES: readonly (readonly [method: string, params: unknown, code: number])[] = [
  ...WRONG.map((params) => ["tools/call", params, INVALID_REQUEST] as const),
  ...WRONG.map((params) => ["initialize", params, INVALID_REQUEST] as const),
  ...[5, "x", { progressToken: {} }, { progressToken: [1] }].map(
    (_meta) => ["tools/call", { name: "list_groups", _meta }, INVALID_REQUEST] as const,
  ),
  ["initialize", undefined, INVALID_PARAMS],
  ["initialize", {}, INVALID_PARAMS],
  ["initialize", { ...begin, protocolVersion: 5 }, INVALID_PARAMS],
  ["initialize", { ...begin, capabilities: "all" }, INVALID_PARAMS],
  ["initialize", { ...begin, clientInfo: "me" }, INVALID_PARAMS],
  ["initialize", { ...begin, clientInfo: { name: {}, version: [] } }, INVALID_PARAMS],
  ["tools/list", { cursor: {} }, INVALID_PARAMS],
  ["tools/call", {}, INVALID_PARAMS],
  ["tools/call", { name: 5 }, INVALID_PARAMS],
  ["tools/call", { name: ["list_groups"] }, INVALID_PARAMS],
  ["tools/call", { name: "x".repeat(50_000) }, INVALID_PARAMS],
  ["tools/call", { name: "__proto__" }, INVALID_PARAMS],
  ["tools/call", { name: "list_groups", arguments: 5 }, INVALID_PARAMS],
  ["tools/call", { name: "list_groups", arguments: [] }, INVALID_PARAMS],
  ["tools/call", { name: "list_groups", arguments: "{}" }, INVALID_PARAMS],
  ["resources/list", { cursor: 5 }, INVALID_PARAMS],
  ["resources/list", { cursor: "nonsense" }, INVALID_PARAMS],
  ["resources/templates/list", { cursor: [] }, INVALID_PARAMS],
  ["resources/read", undefined, INVALID_PARAMS],
  ["resources/read", { uri: {} }, INVALID_PARAMS],
  ["resources/read", { uri: "file:///etc/passwd" }, -32002],
  ["prompts/list", { cursor: 5 }, INVALID_PARAMS],
  ["prompts/get", {}, INVALID_PARAMS],
  ["prompts/get", { name: null }, INVALID_PARAMS],
  ["prompts/get", { name: "check_symmetry", arguments: [] }, INVALID_PARAMS],
  ["prompts/get", { name: "check_symmetry", arguments: { pattern_id: 12 } }, INVALID_PARAMS],
  ["logging/setLevel", { level: {} }, -32601],
  ["completion/complete", { ref: 5 }, -32601],
  ["tasks/get", { taskId: {} }, -32601],
  ["toString", {}, -32601],
];

/** Notifications without effect. */
const NOTIFICATIONS = [
  ["notifications/cancelled", {}],
  ["notifications/cancelled", { requestId: {} }],
  ["notifications/cancelled", { requestId: null, reason: 5 }],
  ["notifications/progress", { progressToken: {}, progress: "much" }],
  ["notifications/progress", { progressToken: "unknown", progress: 1 }],
  ["notifications/initialized", { _meta: {} }],
  ["notifications/unheard_of", { a: 1 }],
] as const;

/** Sends requests in turn; each gets the response to its id, unless it is a notification. */
interface Line {
  ask(message: {
    readonly jsonrpc: "2.0";
    readonly id?: string;
    readonly method: string;
    readonly params?: unknown;
  }): Promise<Message | undefined>;
  /** The internal errors in the log. */
  faults(): readonly unknown[];
}

async function overStdio(t: Test): Promise<Line> {
  const { DATABASE_URL, SERVICE_API_KEY } = await keyedDatabase(t);
  const stdio = await startStdio(t, { DATABASE_URL, SERVICE_API_KEY });
  return {
    async ask(message) {
      stdio.send(message);
      return message.id === undefined ? undefined : stdio.answer(message.id);
    },
    faults: () => stdio.issues().split("\n").filter(Boolean),
  };
}

async function overSse(t: Test): Promise<Line> {
  const server = await testServer(t);
  await server.db.accounts.update(server.account.id, { plan: "agency" });
  const session = await openSse(server);
  return {
    async ask(message) {
      const status = await session.post(message);
      if (message.id === undefined) return void t.equal(status, 202);
      return session.answer(message.id);
    },
    faults: () => server.log.filter(({ error }) => error),
  };
}

async function overStreamable(t: Test): Promise<Line> {
  const server = await testServer(t);
  await server.db.accounts.update(server.account.id, { plan: "agency" });
  return {
    async ask(message) {
      const response = await fetch(`${server.url}/api/v1/mcp`, {
        method: "POST",
        headers: {
          "X-API-Key": server.key,
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
        },
        body: JSON.stringify(message),
      });
      const text = await response.text();
      if (message.id === undefined) return void t.same([response.status, text], [202, ""]);
      return JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text);
    },
    faults: () => server.log.filter(({ error }) => error),
  };
}

for (const [name, open] of Object.entries({ overStdio, overSse, overStreamable })) {
  t.test(`${name}: invalid parameters get short errors`, async (t) => {
    const line = await open(t);
    for (const [at, [method, params, code]] of CASES.entries()) {
      const id = `${at}`;
      const what = `${method} ${JSON.stringify(params)?.slice(0, 80)}`;
      const { error } = await line.ask({ jsonrpc: "2.0", id, method, params });
      t.equal(error?.code, code, what);
      t.ok(error?.message.length < 400, what);
      t.notMatch(JSON.stringify(error), /invalid_type|zod|"path"|node_modules|\.ts:|\.js:/i, what);
    }
    for (const [method, params] of NOTIFICATIONS) {
      await line.ask({ jsonrpc: "2.0", method, params });
    }
    const ping = await line.ask({ jsonrpc: "2.0", id: "ping", method: "ping" });
    t.same(ping.result, {}, "and it goes on");
    t.same(line.faults(), []);
  });
}
