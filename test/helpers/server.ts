/** A server for tests: real sockets, a new database, an engine with one thread. */
import type { Test } from "tap";
import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import type { Account, Database, DatabaseOptions, Quotas } from "../../db/index.ts";
import type { JobsOptions } from "../../db/jobs/types.ts";
import type { Engine } from "../../engine/index.ts";
import { createAccount } from "../../server/actions/accounts.ts";
import { createApiKey } from "../../server/actions/api-keys.ts";
import { FAILURES } from "../../server/actions/failures.ts";
import type { Services } from "../../server/actions/services.ts";
import { createApp, ROUTES } from "../../server/http/app.ts";
import { type Listening, listen } from "../../server/http/listen.ts";
import { Problem } from "../../server/http/problem.ts";
import type { Route } from "../../server/http/route.ts";
import { startJobWorkers } from "../../server/jobs/index.ts";
import { createMcpOverHttp } from "../../server/mcp/index.ts";
import type { FetcherOptions, WebhookClientOptions } from "../../server/outbound/index.ts";
import { processEngine } from "./engine.ts";
import { openTestJobs } from "./jobs.ts";
import { type LogEntry, testLog } from "./log.ts";
import { photograph, pngOf } from "./pictures.ts";
import { testServices } from "./services.ts";

/** A caller: an account with an API key and a user session token. */
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
  /** Whose key is sent; null: none. Default: the server's own caller. */
  readonly as?: Caller | null;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** The body as JSON; fails the test if it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}

export interface TestServer extends Caller {
  readonly url: string;
  readonly db: Database;
  readonly engine: Engine;
  readonly listening: Listening;
  /** Log entries so far. */
  readonly log: readonly LogEntry[];
  /** Runs jobs from now on. */
  takeJobs(options?: Pick<JobsOptions, "clock"> & { batchRunMs?: number }): Promise<void>;
  /** Tells the server to stop. */
  stop(): void;
  /** Number of started renders so far. */
  renders(): number;
  /** Makes every render fail with this message from now on, as an internal error. */
  breakRenders(message: string): void;
  /** Creates another account on the same server. */
  makeCaller(
    fields: Partial<Pick<Account, "role" | "plan" | "credits" | "frozen">>,
  ): Promise<Caller>;
  /** A user session token of a version of the account's tokens. */
  makeToken(accountId: number, version: number): Promise<string>;
  /** Sends a request under `/api/v1` and checks the response against the route's documentation. */
  request(method: string, path: string, options?: RequestOptions): Promise<Reply>;
  /** Uploads a photograph-like picture; returns the source's id. */
  makeSource(): Promise<number>;
  /** Creates a pattern of a new source; returns its id. */
  makePattern(fields?: object): Promise<number>;
}

export interface ServerOptions {
  /** Default: one that all tests of the process share. */
  readonly engine?: Engine;
  /** Default: only public addresses. */
  readonly outbound?: Partial<FetcherOptions & WebhookClientOptions>;
  readonly services?: Partial<
    Pick<
      Services,
      "bodies" | "mailer" | "renders" | "rendersInFlight" | "renderTimeoutMs" | "signUps"
    >
  >;
  /** Left out: the default ones. */
  readonly quotas?: Quotas;
  /** Default: bytes are in the database. */
  readonly objects?: DatabaseOptions["objects"];
  readonly trustedProxies?: number;
  /** Default: its own address. */
  readonly publicUrl?: string;
  /** Default: below the public URL. */
  readonly editorUrl?: string;
  /** Whether it runs jobs: makes exports, draws mockups, delivers events. */
  readonly takesJobs?: boolean;
}

/** Starts a server with an account on the trial plan until the test ends. */
export async function testServer(t: Test, options: ServerOptions = {}): Promise<TestServer> {
  const wholeEngine = options.engine ?? (await processEngine());
  let fault: string | null = null;
  let renders = 0;
  const counted =
    <Arguments extends unknown[], Result>(render: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      renders++;
      if (fault !== null) throw new Error(fault);
      return render(...given);
    };
  const engine: Engine = {
    ...wholeEngine,
    render: counted(wholeEngine.render),
    renderStream: counted(wholeEngine.renderStream),
  };
  const { log, entries } = testLog();
  const services = await testServices(
    t,
    engine,
    options.outbound,
    options.services,
    options.quotas,
    options.objects,
  );
  const { db, tokens } = services;
  const urlAt = (port: number) => `http://127.0.0.1:${port}`;
  const appAt = async (port: number) => {
    const publicUrl = options.publicUrl ?? urlAt(port);
    const whole = { ...services, publicUrl, editorUrl: options.editorUrl ?? `${publicUrl}/editor` };
    const mcp = await createMcpOverHttp(whole, log);
    t.teardown(() => mcp.close(0));
    const { trustedProxies = 0 } = options;
    return createApp({
      services: whole,
      mcp,
      log,
      trustedProxies,
    });
  };
  const listening = await listen(appAt, "127.0.0.1", 0, {
    maxConnections: 1000,
    requestTimeoutMs: 60_000,
  });
  t.teardown(() => listening.drain(0));
  const url = urlAt(listening.port);
  const takeJobs: TestServer["takeJobs"] = async ({ batchRunMs, ...options } = {}) => {
    const jobs = await openTestJobs(t, db, options);
    await startJobWorkers(jobs, { ...services, publicUrl: url }, log, { runMs: batchRunMs });
  };
  if (options.takesJobs) await takeJobs();

  let callers = 0;
  const makeToken: TestServer["makeToken"] = async (accountId, version) =>
    (await tokens.sign(accountId, version)).token;
  const makeCaller: TestServer["makeCaller"] = async ({
    role = "owner",
    plan = "trial",
    frozen,
    credits,
  }) => {
    callers += 1;
    // No key can be created on Starter: such an account comes from another plan.
    const email = `${callers}@example.com`;
    const made = await createAccount(db, { email, plan: "agency", credits });
    const { secret: key } = await createApiKey(db, made.id, "test");
    const changes = { role, plan, ...(frozen && { frozen }) };
    const account = await db.accounts.update(made.id, changes);
    const version = (await db.accounts.credentials(made.id))?.token_version;
    if (!account || version === undefined) throw new Error("the account is gone");
    return { account, key, token: await makeToken(account.id, version) };
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
    log: entries,
    takeJobs,
    stop() {
      services.readiness.stop();
      listening.closeAfterResponses();
    },
    renders: () => renders,
    breakRenders(message) {
      fault = message;
    },
    makeCaller,
    makeToken,
    request,
    makeSource,
    makePattern,
  };
}

/** Fails the test if a response is not in the route's documentation. */
function checkDocumented(t: Test, method: string, path: string, reply: Reply): void {
  const what = `${method} ${path.slice(0, 80)} → ${reply.status}`;
  const type = reply.headers.get("Content-Type") ?? "";
  if (reply.status >= 400 && path === "/mcp") {
    t.match(type, "application/json", `${what} is JSON-RPC`);
    t.match(reply.json, { jsonrpc: "2.0", error: { code: Number, message: String } }, what);
    return;
  }
  if (reply.status >= 400) {
    t.match(type, "application/problem+json", `${what} is a problem`);
    if (method === "HEAD") return;
    checkSchema(t, Problem, reply.json, what);
    const { code, status, request_id } = reply.json as Problem;
    t.equal(FAILURES[code].status, reply.status, `${what} has the status of ${code}`);
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

const validators = new Map<TSchema, Validator>();

function checkSchema(t: Test, schema: TSchema, value: unknown, what: string): void {
  let validator = validators.get(schema);
  if (!validator) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  t.same(validator.Errors(value), [], `${what} is as documented`);
}

/** Returns the entity tag of a response, or an empty string. */
export const etagOf = ({ headers }: { readonly headers: Headers }) => headers.get("ETag") ?? "";
