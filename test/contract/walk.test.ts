/** Every operation of the document, asked of a running server: it answers as the document says. */

import t, { type Test } from "tap";
import { countRequest } from "../../server/actions/rate-limits.ts";
import { PICTURE_TEXT } from "../../server/actions/resources/picture-text.ts";
import { type Caller, type TestServer, testServer } from "../helpers/server.ts";
import { outside } from "../outbound/outside.ts";
import {
  escapePointer,
  examplesOf,
  fetchDocument,
  type Judge,
  judgeOf,
  operationsOf,
  type Placed,
  resolved,
} from "./document.ts";
import { type Things, thingsOf, type Values } from "./things.ts";

/** Statuses that the walk cannot bring about: faults, overload, races, and many bytes. */
const OUT_OF_REACH = ["409", "413", "500", "503", "504"];

/** And those that take another installation: one that leaves sessions to another issuer. */
const ELSEWHERE = ["postAuthSignup 404", "postAuthLogin 404"];

interface Ask {
  readonly as: Caller | null;
  readonly values: Values;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Values;
}

interface Walk {
  readonly server: TestServer;
  readonly things: Things;
  readonly judge: Judge;
  readonly seen: Set<string>;
  readonly callers: Readonly<Record<"own" | "other" | "frozen" | "starter" | "busy", Caller>>;
  /** Where the picture lies that the example of an address stands for. */
  readonly pictureUrl: string;
}

/** Sends a request to an operation with the credentials that the document asks for. */
async function ask({ server }: Walk, { method, path, operation }: Placed, request: Ask) {
  const { as, values, body, headers, query = {} } = request;
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ""));
  const url = new URL(filled, server.url);
  for (const { name, in: place, required } of operation.parameters) {
    if (place === "query" && required) url.searchParams.set(name, values[name] ?? "");
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const byKey = operation.security.some((one) => one.apiKey);
  const byToken = operation.security.some((one) => one.bearer);
  return fetch(url, {
    method,
    headers: {
      ...(as && byKey && { "X-API-Key": as.key }),
      ...(as && byToken && !byKey && { Authorization: `Bearer ${as.token}` }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    body: body === undefined || typeof body === "string" ? (body ?? null) : JSON.stringify(body),
  });
}

/** Asks, and checks that the answer has this status and is as the document describes it. */
async function expectAnswer(
  t: Test,
  walk: Walk,
  placed: Placed,
  status: number,
  request: Ask,
): Promise<void> {
  const { operation, pointer, method } = placed;
  const answer = await ask(walk, placed, request);
  const text = Buffer.from(await answer.arrayBuffer()).toString("utf8");
  const what = `${operation.operationId} → ${status}`;
  walk.seen.add(`${operation.operationId} ${answer.status}`);
  t.equal(answer.status, status, answer.status === status ? what : `${what}: ${text}`);
  const documented = operation.responses[answer.status];
  if (!documented) {
    t.fail(`${what} is documented`);
    return;
  }
  for (const [name, { required }] of Object.entries(documented.headers)) {
    t.ok(!required || answer.headers.has(name), `${what} has ${name}`);
  }
  const type = answer.headers.get("Content-Type");
  if (!documented.content) {
    t.equal(text, "", `${what} has no body`);
    return;
  }
  const known = Object.keys(documented.content).find((one) => covers(one, type ?? ""));
  t.ok(known, `${what} is not of the type ${type}`);
  if (method === "HEAD" || !known?.includes("json")) return;
  const schema = `${pointer}/responses/${status}/content/${escapePointer(known)}/schema`;
  t.equal(walk.judge(schema, JSON.parse(text)), null, what);
}

/** Whether a media type or range of the document takes in the one of an answer. */
function covers(documented: string, type: string): boolean {
  if (documented.endsWith("/*")) return type.startsWith(documented.slice(0, -1));
  return type === documented || type.split(";")[0] === documented;
}

/** An example of the document, about things that there are. */
async function adapt({ things, pictureUrl }: Walk, example: unknown): Promise<object> {
  const body = { ...(example as object) };
  if ("source_id" in body) body.source_id = await things.makeSource();
  if ("url" in body) body.url = pictureUrl;
  return body;
}

/** What the operation refuses, before anything is done. */
async function expectRefusals(t: Test, walk: Walk, placed: Placed, request: Ask): Promise<void> {
  const { path, operation } = placed;
  const { own, other, frozen, starter, busy } = walk.callers;
  const refused = (status: number, changes: Partial<Ask>) =>
    expectAnswer(t, walk, placed, status, { ...request, ...changes });
  const { body, headers, values } = request;
  const has = (name: string) => operation.parameters.some((one) => one.name === name);
  if (operation.security.length > 0) {
    await refused(401, { as: null });
    await refused(401, { as: { ...own, key: `${own.key}x`, token: `${own.token}x` } });
    await refused(402, { as: frozen });
    if (operation.responses[403]) await refused(403, { as: starter });
    await refused(429, { as: busy });
    if (path.includes("{")) await refused(404, { as: other });
  }
  if (path.includes("{id}")) await refused(404, { values: { id: "0" } });
  if (body !== undefined) {
    await refused(422, { body: { ...(body as object), unknown: 1 } });
    await refused(400, { body: "{" });
    await refused(415, { headers: { ...headers, "Content-Type": "text/plain" } });
    if ("source_id" in (body as object)) await refused(404, { as: other });
  }
  if (operation.parameters.some((one) => one.in === "query")) {
    await refused(422, { query: { unknown: "1" } });
  }
  if (has("Idempotency-Key")) await refused(400, { headers: { "Idempotency-Key": "a b" } });
  if (has("If-Match")) {
    await refused(400, { headers: { "If-Match": "12" } });
    await refused(412, { headers: { "If-Match": '"0-0"' } });
  }
  if (has("Range")) await refused(416, { headers: { Range: "bytes=99999999-" } });
  if (path.includes("{name}")) {
    await refused(404, { values: { ...values, token: "forged" } });
    await refused(402, { values: await fallenLink(walk, path, { frozen: true }) });
    await refused(403, { values: await fallenLink(walk, path, { plan: "starter" }) });
  }
}

/** A link of an account that has lost its right to it. */
async function fallenLink(
  { server }: Walk,
  path: string,
  fall: { frozen?: boolean; plan?: "starter" },
): Promise<Values> {
  const caller = await server.makeCaller({});
  const values = await thingsOf(server, caller).valuesFor(path);
  await server.db.accounts.update(caller.account.id, fall);
  return values;
}

/** What operations without credentials refuse to whoever comes too often, or with a wrong password. */
async function expectLimits(t: Test, walk: Walk, placed: Placed, request: Ask): Promise<void> {
  const { security, responses } = placed.operation;
  if (security.length > 0) return;
  if (responses[401]) {
    const body = { ...(request.body as object), password: "another password" };
    await expectAnswer(t, walk, placed, 401, { ...request, body });
  }
  if (!responses[429]) return;
  const spend = async () => (await ask(walk, placed, { ...request, body: {} })).headers;
  while (!(await spend()).get("RateLimit")?.includes(";r=0;"));
  await expectAnswer(t, walk, placed, 429, request);
}

/** What the operation answers when all is well. */
async function expectSuccess(t: Test, walk: Walk, placed: Placed, request: Ask): Promise<void> {
  const { operation } = placed;
  const { responses, requestBody } = operation;
  const success = Number(Object.keys(responses).find((status) => status.startsWith("2")));
  const media = requestBody?.content["application/json"];
  for (const example of media ? examplesOf(media) : [undefined]) {
    const body = example === undefined ? {} : { body: await adapt(walk, example) };
    await expectAnswer(t, walk, placed, success, { ...request, ...body });
  }
  if (responses[304]) {
    await expectAnswer(t, walk, placed, 304, { ...request, headers: { "If-None-Match": "*" } });
  }
  if (responses[206]) {
    await expectAnswer(t, walk, placed, 206, { ...request, headers: { Range: "bytes=0-9" } });
  }
}

async function start(t: Test): Promise<Walk> {
  const { url } = await outside(t, (_, response) =>
    response.end(Buffer.from(PICTURE_TEXT, "base64")),
  );
  const server = await testServer(t, { outbound: { allow: ["127.0.0.1/32"] } });
  const own = await server.makeCaller({ plan: "agency", credits: 1000 });
  const busy = await server.makeCaller({});
  for (let count = 0; count < 600; count++) {
    await countRequest(server.db, { kind: "token", token: busy.token });
    const [key] = await server.db.apiKeys.list(busy.account.id);
    if (count < 120 && key) {
      await countRequest(server.db, { kind: "key", id: key.id, account: busy.account });
    }
  }
  const callers = {
    own,
    busy,
    other: await server.makeCaller({ plan: "agency" }),
    frozen: await server.makeCaller({ frozen: true }),
    starter: await server.makeCaller({ plan: "starter" }),
  };
  const judge = judgeOf(await fetchDocument(server.url));
  const pictureUrl = `${url}/leaves.png`;
  return { server, things: thingsOf(server, own), judge, seen: new Set(), callers, pictureUrl };
}

t.test("every operation answers as the document says", async (t) => {
  const walk = await start(t);
  const operations = operationsOf(resolved(await fetchDocument(walk.server.url)));
  t.ok(operations.length > 30);
  for (const placed of operations) {
    const { operation, path } = placed;
    const media = operation.requestBody?.content["application/json"];
    const values = await walk.things.valuesFor(path);
    const body = media ? { body: await adapt(walk, examplesOf(media)[0]) } : {};
    const request = { as: walk.callers.own, values, ...body };
    await expectRefusals(t, walk, placed, request);
    await expectSuccess(t, walk, placed, request);
    await expectLimits(t, walk, placed, request);
  }
  const promised = operations.flatMap(({ operation }) =>
    Object.keys(operation.responses)
      .filter((status) => !OUT_OF_REACH.includes(status))
      .map((status) => `${operation.operationId} ${status}`),
  );
  t.same(
    promised.filter((one) => !walk.seen.has(one) && !ELSEWHERE.includes(one)),
    [],
    "nothing is documented that does not happen",
  );
});
