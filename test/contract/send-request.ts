/** Calls operations of the document and checks the responses against it. */
import type { Test } from "tap";
import type { Caller, TestServer } from "../helpers/server.ts";
import { escapePointer, isEndless, isJson, type Placed, type SchemaValidator } from "./document.ts";
import type { Fixtures, Values } from "./fixtures.ts";

/** A request to an operation, and its caller. */
export interface ContractRequest {
  readonly as: Caller | null;
  readonly values: Values;
  readonly body?: object;
  /** Replaces the body. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Values;
}

export interface ContractRun {
  readonly server: TestServer;
  readonly fixtures: Fixtures;
  readonly validate: SchemaValidator;
  readonly seen: Set<string>;
  readonly callers: Readonly<
    Record<"own" | "other" | "operator" | "frozen" | "starter" | "busy", Caller>
  >;
  /** URL of the picture that replaces the URL in examples. */
  readonly pictureUrl: string;
}

/** Sends a request to an operation with the credentials that the document requires. */
export async function sendRequest(
  { server }: ContractRun,
  { method, path, operation }: Placed,
  request: ContractRequest,
) {
  const { as, values, body, text = JSON.stringify(body), headers, query = {} } = request;
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
      ...(text !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    body: text ?? null,
  });
}

/** Sends a request and checks the response's status, headers and body against the document. */
export async function expectResponse(
  t: Test,
  run: ContractRun,
  placed: Placed,
  status: number,
  request: ContractRequest,
): Promise<void> {
  const { operation, pointer, method } = placed;
  const answer = await sendRequest(run, placed, request);
  const text = await bodyOf(answer);
  const what = `${operation.operationId} → ${status}`;
  run.seen.add(`${operation.operationId} ${answer.status}`);
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
  if (method === "HEAD" || !known || !isJson(known)) return;
  const schema = `${pointer}/responses/${status}/content/${escapePointer(known)}/schema`;
  t.equal(run.validate(schema, JSON.parse(text)), null, what);
}

/** The body as text; empty for an endless one. */
async function bodyOf(answer: Response): Promise<string> {
  if (!isEndless(answer.headers.get("Content-Type"))) return answer.text();
  await answer.body?.cancel();
  return "";
}

/** Whether a documented media type or range includes that of a response. */
function covers(documented: string, type: string): boolean {
  if (documented.endsWith("/*")) return type.startsWith(documented.slice(0, -1));
  return type === documented || type.split(";")[0] === documented;
}
