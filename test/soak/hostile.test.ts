/** Invalid and hostile requests: none of them causes an internal error. */
import { Agent } from "node:http";
import t, { type Test } from "tap";
import {
  createSchemaValidator,
  fetchDocument,
  isProtocol,
  operationsOf,
  resolved,
  type SchemaValidator,
} from "../contract/document.ts";
import { createFixtures } from "../contract/fixtures.ts";
import {
  caseOf,
  type HostileCase,
  type Target,
  targetOf,
  type World,
  weightOf,
  worldOf,
} from "../contract/hostile/cases.ts";
import type { Effects } from "../contract/hostile/effects.ts";
import { type Got, send } from "../contract/hostile/send.ts";
import { type TestServer, testServer } from "../helpers/server.ts";

/** `HOSTILE_REQUESTS=20100` for a long run. */
const REQUESTS = Number(process.env.HOSTILE_REQUESTS ?? 1500);
const AT_ONCE = 8;

/** The seed of the run, which a failure prints. */
const SEED = Number(process.env.HOSTILE_SEED ?? 1);

/** The first request's number, to repeat a failure without those before it. */
const FIRST = Number(process.env.HOSTILE_FIRST ?? 0);

/** Requests of one account, which may make 600 a minute. */
const PER_WORLD = 500;

/** Describes what is wrong with a response; null: nothing. */
function issueAt(
  validate: SchemaValidator,
  { target, method, reachesOperation }: HostileCase,
  got: Got,
) {
  const { status, headers, bytes } = got;
  if (status >= 500) return `status ${status}: ${bytes.toString("utf8").slice(0, 300)}`;
  if (isProtocol(target.path)) return null;
  const type = String(headers["content-type"] ?? "");
  if (status >= 400 && method !== "HEAD") {
    if (type !== "application/problem+json; charset=utf-8" && type !== "application/problem+json") {
      return `status ${status} of the type ${type}`;
    }
    const problem = JSON.parse(bytes.toString("utf8"));
    const wrong = validate("#/components/schemas/Problem", problem);
    if (wrong !== null) return `no problem: ${wrong}`;
    if (problem.status !== status) return `a problem of the status ${problem.status}`;
  }
  if (!reachesOperation || status === 405) return null;
  if (!target.operation.responses[status]) return `status ${status} is not documented: ${bytes}`;
  if (status >= 300 || !type.startsWith("application/json")) return null;
  const schema = `${target.pointer}/responses/${status}/content/application~1json/schema`;
  const wrong = validate(schema, JSON.parse(bytes.toString("utf8")));
  return wrong === null ? null : `status ${status} with another answer: ${wrong}`;
}

/** A request as text that can be sent again by hand. */
function told({ method, url, headers, body }: HostileCase): string {
  const text = body === null ? "" : ` ${JSON.stringify(body.toString("utf8").slice(0, 1500))}`;
  return `${method} ${url.slice(0, 500)} ${JSON.stringify(headers).slice(0, 700)}${text}`;
}

/** Creates accounts and resources for each series of requests. */
function worlds(
  server: TestServer,
  targets: readonly Target[],
  effects: Effects,
): (index: number) => Promise<World> {
  const made = new Map<number, Promise<World>>();
  const make = async () => {
    const rich = await server.makeCaller({ plan: "agency", credits: 1_000_000 });
    const poor = await server.makeCaller({ plan: "agency", credits: 0 });
    return worldOf(targets, { rich, poor, effects }, createFixtures(server, rich));
  };
  return (index) => {
    const number = Math.floor(index / PER_WORLD);
    const world = made.get(number) ?? make();
    made.set(number, world);
    return world;
  };
}

async function start(t: Test) {
  const outbound = { totalMs: 500, resolve: () => Promise.reject(notFound()) };
  const server = await testServer(t, { trustedProxies: 1, outbound });
  const document = await fetchDocument(server.url);
  const targets = operationsOf(resolved(document)).map(targetOf);
  const wheel = targets.flatMap((target) => Array<Target>(weightOf(target)).fill(target));
  const list = async (path: string) => (await server.request("GET", path)).json.data;
  const effects = {
    effects: await list("/effects"),
    surface_effects: await list("/surface-effects"),
  };
  const worldAt = worlds(server, targets, effects);
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  t.teardown(() => agent.destroy());
  return { server, validate: createSchemaValidator(document), worldAt, wheel, agent };
}

const notFound = () => Object.assign(new Error("there is no such name"), { code: "ENOTFOUND" });

t.test("no hostile request causes a server error", { timeout: 560_000 }, async (t) => {
  const { server, validate, worldAt, wheel, agent } = await start(t);
  const seen = new Map<number, number>();
  const failures: string[] = [];
  let next = FIRST;
  const work = async () => {
    while (next < FIRST + REQUESTS && failures.length < 20) {
      const index = next++;
      const target = wheel[index % wheel.length];
      const one = caseOf(target, await worldAt(index), SEED, index);
      const got = await send(server.url, agent, one).catch((error: Error) => error);
      const wrong = got instanceof Error ? String(got) : issueAt(validate, one, got);
      if (!(got instanceof Error)) seen.set(got.status, (seen.get(got.status) ?? 0) + 1);
      if (wrong !== null) failures.push(`seed ${SEED}, request ${index}: ${told(one)} → ${wrong}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  t.same(failures, []);
  t.same(
    server.log.filter(({ error }) => error !== undefined),
    [],
    "and none is logged as one",
  );

  // A refused credential would test nothing behind it.
  const count = (status: number) => seen.get(status) ?? 0;
  t.comment(Object.fromEntries([...seen].sort()));
  t.ok(count(422) > REQUESTS / 4, "many are refused for what they say");
  t.ok(count(200) + count(201) > REQUESTS / 10, "many are taken");
  t.ok(count(429) < REQUESTS / 100, "few are refused for their number");
  t.equal((await server.request("GET", "/account")).status, 200, "the service still answers");
  const id = await server.makePattern();
  const render = await server.request("POST", `/patterns/${id}/render`, { json: { size: 64 } });
  t.equal(render.status, 200, "and renders");
});
