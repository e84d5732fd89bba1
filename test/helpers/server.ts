/** A real server for tests: real sockets, a fresh database, a real engine with one thread. */
import { readdir } from "node:fs/promises";
import type { Test } from "tap";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { Account, Database } from "../../db/index.ts";
import type { Engine } from "../../engine/index.ts";
import { createAccount } from "../../server/actions/accounts.ts";
import { createApiKey } from "../../server/actions/api-keys.ts";
import type { Services } from "../../server/actions/services.ts";
import { createApp, ROUTES } from "../../server/http/app.ts";
import { type Listening, listen } from "../../server/http/listen.ts";
import { PROBLEMS, Problem } from "../../server/http/problem.ts";
import type { Route } from "../../server/http/route.ts";
import { takeJobs } from "../../server/jobs/index.ts";
import { createMcpOverHttp } from "../../server/mcp/index.ts";
import type { FetcherOptions } from "../../server/outbound/index.ts";
import { temporaryFolder } from "./database.ts";
import { openTestJobs } from "./jobs.ts";
import { photograph, pngOf } from "./pictures.ts";
import { processEngine, testServices } from "./services.ts";

/** Somebody who calls: an account with a key for programs and a token for people. */
export interface Caller {
  readonly account: Account;
  readonly key: string;
  readonly token: string;
}

export interface RequestOptions {
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whose key is sent; null: none. Left out: the server's own caller. */
  readonly as?: Caller | null;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** The body as JSON; fails the test where it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}

export interface TestServer extends Caller {
  readonly url: string;
  readonly db: Database;
  readonly engine: Engine;
  readonly listening: Listening;
  /** What was logged so far. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  /** Tells the server that it is to stop. */
  stop(): void;
  /** How many renders were begun so far. */
  renders(): number;
  /** From now on every render fails with this message, as if by a fault of ours. */
  breakRenders(message: string): void;
  /** Gives uploads a folder of their own; lists what lies in it now. */
  watchUploads(): Promise<() => Promise<string[]>>;
  /** Another account on the same server. */
  makeCaller(fields: Partial<Pick<Account, "plan" | "credits" | "frozen">>): Promise<Caller>;
  /** Makes a request under `/api/v1` and checks the answer against the route's documentation. */
  request(method: string, path: string, options?: RequestOptions): Promise<Reply>;
  /** Uploads a photograph-like picture; gives the source's id. */
  makeSource(): Promise<number>;
  /** Makes a pattern of a new source; gives its id. */
  makePattern(fields?: object): Promise<number>;
}

export interface ServerOptions {
  /** Left out: one that all tests of the process share. */
  readonly engine?: Engine;
  /** Left out: nothing but public addresses is reached, as by default. */
  readonly outbound?: Partial<FetcherOptions>;
  readonly services?: Partial<Pick<Services, "renderTimeoutMs" | "signUpsAreOpen">>;
  readonly trustedProxies?: number;
  /** Whether it takes jobs: makes exports, draws mockups, delivers events. */
  readonly takesJobs?: boolean;
}

/** Starts a server with an account on the trial plan; it stops when the test ends. */
export async function testServer(t: Test, options: ServerOptions = {}): Promise<TestServer> {
  const wholeEngine = options.engine ?? (await processEngine());
  let fault: string | null = null;
  let renders = 0;
  const engine: Engine = {
    ...wholeEngine,
    render: (...request) => {
      renders++;
      return fault === null ? wholeEngine.render(...request) : Promise.reject(new Error(fault));
    },
  };
  const log: Readonly<Record<string, unknown>>[] = [];
  const stopping = new AbortController();
  const services = await testServices(t, engine, options.outbound, options.services);
  const { db, tokens } = services;
  const urlAt = (port: number) => `http://127.0.0.1:${port}`;
  const note = (entry: Readonly<Record<string, unknown>>) => log.push(entry);
  const appAt = async (port: number) => {
    const publicUrl = urlAt(port);
    const whole = { ...services, publicUrl, editorUrl: `${publicUrl}/editor` };
    const mcp = await createMcpOverHttp(whole, note);
    t.teardown(() => mcp.close());
    const { trustedProxies = 0 } = options;
    return createApp({
      services: whole,
      mcp,
      log: note,
      trustedProxies,
      stopping: stopping.signal,
    });
  };
  const listening = await listen(appAt, "127.0.0.1", 0);
  t.teardown(() => listening.drain(0));
  const url = urlAt(listening.port);
  if (options.takesJobs) {
    const jobs = await openTestJobs(t, db);
    await takeJobs(jobs, { ...services, publicUrl: url });
  }

  let callers = 0;
  const makeCaller: TestServer["makeCaller"] = async ({ plan = "trial", frozen, credits }) => {
    callers += 1;
    const made = await createAccount(db, { email: `${callers}@example.com`, plan, credits });
    const { secret: key } = await createApiKey(db, made.id, "test");
    const account = frozen ? await db.accounts.update(made.id, { frozen }) : made;
    if (!account) throw new Error("the account is gone");
    return { account, key, token: (await tokens.sign(account.id)).token };
  };
  const caller = await makeCaller({});

  const request: TestServer["request"] = async (method, path, { as = caller, ...options } = {}) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(as && { "X-API-Key": as.key }),
        ...("json" in options && { "Content-Type": "application/json" }),
        ...options.headers,
      },
      body: "json" in options ? JSON.stringify(options.json) : (options.body ?? null),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const reply = {
      status: response.status,
      headers: response.headers,
      bytes,
      get json() {
        return JSON.parse(bytes.toString());
      },
    };
    checkDocumented(t, method, path, reply);
    return reply;
  };

  const makeSource = async () => {
    const file = new Blob([Buffer.from(pngOf(photograph(96, 64)))], { type: "image/png" });
    const form = new FormData();
    form.append("file", file, "photograph.png");
    return (await request("POST", "/sources/upload", { body: form })).json.id;
  };
  const makePattern = async (fields: object = {}) => {
    const json = { source_id: await makeSource(), group: "p4", ...fields };
    return (await request("POST", "/patterns", { json })).json.id;
  };
  return {
    ...caller,
    url,
    db,
    engine,
    listening,
    log,
    stop: () => stopping.abort(),
    async watchUploads() {
      const folder = await temporaryFolder(t);
      const { TMPDIR } = process.env;
      process.env.TMPDIR = folder;
      t.teardown(() => {
        if (TMPDIR === undefined) delete process.env.TMPDIR;
        else process.env.TMPDIR = TMPDIR;
      });
      return () => readdir(folder);
    },
    renders: () => renders,
    breakRenders(message) {
      fault = message;
    },
    makeCaller,
    request,
    makeSource,
    makePattern,
  };
}

/** Fails the test when an answer is not one that the route's documentation promises. */
function checkDocumented(t: Test, method: string, path: string, reply: Reply): void {
  const what = `${method} ${path.slice(0, 80)} → ${reply.status}`;
  const type = reply.headers.get("Content-Type") ?? "";
  if (reply.status >= 400) {
    t.match(type, "application/problem+json", `${what} is a problem`);
    if (method === "HEAD") return;
    checkSchema(t, Problem, reply.json, what);
    const { code, status, request_id } = reply.json as Problem;
    t.equal(PROBLEMS[code].status, reply.status, `${what} has the status of ${code}`);
    t.equal(status, reply.status);
    t.equal(request_id, reply.headers.get("X-Request-Id"));
    return;
  }
  const route = ROUTES.find((one) => one.method === method && matches(one, path));
  if (!route) return;
  const documented = route.responses[reply.status];
  t.ok(documented, `${what} is documented`);
  if (documented?.schema) checkSchema(t, documented.schema, reply.json, what);
  for (const name of Object.keys(documented?.headers ?? {})) {
    t.ok(reply.headers.has(name), `${what} has the header ${name}`);
  }
}

function matches({ path: template }: Route, path: string): boolean {
  const pattern = template.replace(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${pattern}$`).test(`/api/v1${path.split("?")[0]}`);
}

function checkSchema(t: Test, schema: TSchema, value: unknown, what: string): void {
  t.same(Compile(schema).Errors(value), [], `${what} is as documented`);
}
