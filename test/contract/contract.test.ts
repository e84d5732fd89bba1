/** Every operation of the document, called on a running server, responds as the document says. */

import { randomUUID } from "node:crypto";
import t, { type Test } from "tap";
import { setPassword } from "../../server/actions/accounts.ts";
import { countRequest } from "../../server/actions/rate-limits.ts";
import { EXAMPLE_PNG } from "../../server/actions/received-picture.ts";
import { createMailer } from "../../server/outbound/index.ts";
import { testServer } from "../helpers/server.ts";
import { httpServer } from "../outbound/test-servers.ts";
import {
  createSchemaValidator,
  examplesOf,
  fetchDocument,
  isForOperators,
  isOpen,
  isProtocol,
  operationsOf,
  type Placed,
  resolved,
} from "./document.ts";
import { ELSEWHERE, OUT_OF_REACH } from "./elsewhere.ts";
import { createFixtures, type Fixtures } from "./fixtures.ts";
import { GUEST_OPERATIONS } from "./guest-operations.ts";
import {
  type ContractRequest,
  type ContractRun,
  expectResponse,
  sendRequest,
} from "./send-request.ts";

/** Returns an example of the document, with ids that exist. */
async function adapt(run: ContractRun, path: string, example: object): Promise<object> {
  const { fixtures, pictureUrl } = run;
  const body = { ...example };
  if ("source_id" in body) body.source_id = await fixtures.makeSource();
  if ("palettes" in body) body.palettes = await fixtures.palettesOf(body.palettes);
  if ("url" in body) body.url = pictureUrl;
  if ("token" in body) body.token = await fixtures.makeMailToken(path);
  if ("handoff" in body) body.handoff = await fixtures.makeHandoff();
  return body;
}

/** Calls that the operation refuses before it does anything. */
async function expectRefusals(
  t: Test,
  run: ContractRun,
  placed: Placed,
  request: ContractRequest,
): Promise<void> {
  const { path, operation } = placed;
  const { own, other, frozen, starter, busy } = run.callers;
  const refused = (status: number, changes: Partial<ContractRequest>) =>
    expectResponse(t, run, placed, status, { ...request, ...changes });
  const { body, headers, values } = request;
  const has = (name: string) => operation.parameters.some((one) => one.name === name);
  if (!isOpen(operation)) {
    await refused(401, { as: null });
    await refused(401, { as: { ...own, key: `${own.key}x`, token: `${own.token}x` } });
    await refused(402, { as: frozen });
    if (operation.responses[403]) await refused(403, { as: isForOperators(path) ? own : starter });
    await useUp(run);
    await refused(429, { as: busy });
    if (path.includes("{") && !isForOperators(path)) await refused(404, { as: other });
  }
  if (path.includes("{id}")) await refused(404, { values: { id: "0" } });
  if (body !== undefined) {
    const { schema } = operation.requestBody?.content["application/json"] ?? {};
    if (schema?.additionalProperties === false) {
      await refused(422, { body: { ...body, unknown: 1 } });
    }
    await refused(400, { text: "{" });
    await refused(415, { headers: { ...headers, "Content-Type": "text/plain" } });
    if ("source_id" in body) await refused(404, { as: other });
  }
  if (operation.parameters.some((one) => one.in === "query")) {
    await refused(422, { query: { unknown: "1" } });
  }
  if (has("Idempotency-Key")) await refused(400, { headers: { "Idempotency-Key": "a b" } });
  if (has("Idempotency-Key") && body === undefined) {
    const once = { headers: { "Idempotency-Key": randomUUID() } };
    await sendRequest(run, placed, { ...request, ...once });
    await refused(422, { ...once, values: await run.fixtures.valuesFor(path) });
  }
  if (has("If-Match")) {
    await refused(400, { headers: { "If-Match": "12" } });
    await refused(412, { headers: { "If-Match": '"0-0"' } });
  }
  if (has("Range")) await refused(416, { headers: { Range: "bytes=99999999-" } });
  const [secret] = operation.parameters.filter((one) => one.in === "query" && one.required);
  if (secret) {
    await refused(404, { values: { ...values, [secret.name]: randomUUID() } });
  }
  if (path.includes("{name}")) {
    const link = (fixtures: Fixtures) => fixtures.valuesFor(path);
    await refused(402, { values: await fallen(run, FROZEN, link) });
    await refused(403, { values: await fallen(run, STARTER, link) });
  }
  if (body !== undefined && "token" in body) {
    await refused(404, { body: { ...body, token: "unknown" } });
  }
  if (body !== undefined && "handoff" in body) {
    const handoff = async (fixtures: Fixtures) => ({ handoff: await fixtures.makeHandoff() });
    await refused(404, { body: { handoff: "unknown" } });
    await refused(402, { body: await fallen(run, FROZEN, handoff) });
    await refused(403, { body: await fallen(run, STARTER, handoff) });
  }
}

const FROZEN = { frozen: true } as const;
const STARTER = { plan: "starter" } as const;

/** Resources of accounts that have lost access since. */
async function fallen<Made>(
  { server }: ContractRun,
  fall: typeof FROZEN | typeof STARTER,
  make: (fixtures: Fixtures) => Promise<Made>,
): Promise<Made> {
  const caller = await server.makeCaller({});
  const made = await make(createFixtures(server, caller));
  await server.db.accounts.update(caller.account.id, fall);
  return made;
}

/** Refusals of operations without credentials: too many requests, or a wrong password. */
async function expectLimits(
  t: Test,
  run: ContractRun,
  placed: Placed,
  request: ContractRequest,
): Promise<void> {
  const { responses } = placed.operation;
  if (!isOpen(placed.operation)) return;
  const { body: right = {}, values } = request;
  if (responses[401] && "password" in right) {
    const body = { ...right, password: "another password" };
    await expectResponse(t, run, placed, 401, { ...request, body });
  }
  if (!responses[429] || Object.keys(values).length > 0) return;
  // From another address than the rest of the run.
  const elsewhere = { ...request, headers: { "X-Forwarded-For": "10.0.0.1" } };
  const spend = async () => (await sendRequest(run, placed, { ...elsewhere, body: {} })).headers;
  while (!(await spend()).get("RateLimit")?.includes(";r=0;"));
  await expectResponse(t, run, placed, 429, elsewhere);
}

/** Successful responses of the operation. */
async function expectSuccess(
  t: Test,
  run: ContractRun,
  placed: Placed,
  request: ContractRequest,
): Promise<void> {
  const { operation } = placed;
  const { responses, requestBody } = operation;
  const success = Number(Object.keys(responses).find((status) => status.startsWith("2")));
  const media = requestBody?.content["application/json"];
  for (const example of media ? examplesOf(media) : [undefined]) {
    const body = example === undefined ? {} : { body: await adapt(run, placed.path, example) };
    await expectResponse(t, run, placed, success, { ...request, ...body });
  }
  if (responses[304]) {
    await expectResponse(t, run, placed, 304, { ...request, headers: { "If-None-Match": "*" } });
  }
  if (responses[206]) {
    await expectResponse(t, run, placed, 206, { ...request, headers: { Range: "bytes=0-9" } });
  }
}

/** What ends a session, or takes the password. */
const OF_NEW_CALLERS: ReadonlySet<string> = new Set([
  "/api/v1/auth/logout",
  "/api/v1/auth/password",
  "/api/v1/auth/email",
  "/api/v1/account/delete",
]);

async function callerFor({ server, callers }: ContractRun, path: string) {
  if (isForOperators(path)) return callers.operator;
  if (!OF_NEW_CALLERS.has(path)) return callers.own;
  const caller = await server.makeCaller({});
  const version = await setPassword(server.db, caller.account.id, "correct horse battery");
  return { ...caller, token: await server.makeToken(caller.account.id, version) };
}

/** Uses up the limits of the busy caller; on a slow machine a window may end meanwhile. */
async function useUp({ server: { db }, callers: { busy } }: ContractRun): Promise<void> {
  const [key] = await db.apiKeys.list(busy.account.id);
  if (!key) throw new Error("the busy caller has no key");
  const { account, token } = busy;
  const spend = (counted: Parameters<typeof countRequest>[1]) => countRequest(db, counted);
  while ((await spend({ kind: "token", token })).allowed);
  while ((await spend({ kind: "key", id: key.id, account })).allowed);
}

async function start(t: Test): Promise<ContractRun> {
  const { url } = await httpServer(t, (_, response) =>
    response.end(Buffer.from(EXAMPLE_PNG, "base64")),
  );
  // Nothing is sent, because no jobs run.
  const mailer = createMailer({ url: "smtp://127.0.0.1:1", from: "a@example.com" });
  const server = await testServer(t, {
    outbound: { allow: ["127.0.0.1/32"] },
    trustedProxies: 1,
    services: { mailer },
  });
  const own = await server.makeCaller({ plan: "agency", credits: 1000 });
  const busy = await server.makeCaller({ role: "operator" });
  const callers = {
    own,
    busy,
    other: await server.makeCaller({ plan: "agency" }),
    operator: await server.makeCaller({ role: "operator" }),
    frozen: await server.makeCaller({ frozen: true }),
    starter: await server.makeCaller({ plan: "starter" }),
  };
  const validate = createSchemaValidator(await fetchDocument(server.url));
  const pictureUrl = `${url}/leaves.png`;
  return {
    server,
    fixtures: createFixtures(server, own),
    validate,
    seen: new Set(),
    callers,
    pictureUrl,
  };
}

t.test("every operation responds as documented", async (t) => {
  const run = await start(t);
  const operations = operationsOf(resolved(await fetchDocument(run.server.url)));
  t.ok(operations.length > 30);
  for (const placed of operations) {
    const { operation, path } = placed;
    if (isProtocol(path)) continue;
    const media = operation.requestBody?.content["application/json"];
    const values = await run.fixtures.valuesFor(path);
    const body = media ? { body: await adapt(run, path, examplesOf(media)[0]) } : {};
    const as = isForOperators(path) ? run.callers.operator : run.callers.own;
    const request = { as, values, ...body };
    const expectGuest = GUEST_OPERATIONS[path];
    if (expectGuest) {
      await expectGuest(t, run, placed);
      continue;
    }
    await expectRefusals(t, run, placed, request);
    await expectSuccess(t, run, placed, { ...request, as: await callerFor(run, path) });
    await expectLimits(t, run, placed, request);
  }
  const walked = operations.filter(({ path }) => !isProtocol(path));
  const promised = walked.flatMap(({ operation }) =>
    Object.keys(operation.responses)
      .filter((status) => !OUT_OF_REACH.includes(status))
      .map((status) => `${operation.operationId} ${status}`),
  );
  t.same(
    promised.filter((one) => !run.seen.has(one) && !ELSEWHERE.includes(one)),
    [],
    "nothing is documented that does not happen",
  );
});
