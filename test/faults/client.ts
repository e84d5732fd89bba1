/** Requests to nodes that may be gone, repeated until one answers. */
import { setTimeout as delay } from "node:timers/promises";

export interface CallRequest {
  readonly method: string;
  readonly path: string;
  /** Idempotency-Key. */
  readonly name?: string;
  readonly json?: object;
  /** Code of a problem after which the request is not repeated. */
  readonly refusal?: string;
  /** Headers besides; an Authorization takes the place of the API key. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface CallResponse {
  /** 0: the connection broke or timed out. */
  readonly status: number;
  readonly bytes: Buffer;
}

/** What clients have seen. */
export interface Journal {
  /** Numbers of responses by their status and problem, without the successful ones. */
  readonly outcomes: Map<string, number>;
  /** What must never happen. */
  readonly violations: string[];
  succeeded: number;
}

export interface ClientOptions {
  /** API keys, used in turn: a key has a limit of requests. */
  readonly keys: readonly string[];
  /** The addresses of the nodes that listen. */
  readonly urls: () => readonly string[];
  /** A number of 0…1, by the seed. */
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly journal: Journal;
}

export interface Client {
  /** Sends a request to one node, once. */
  send(node: string | undefined, request: CallRequest): Promise<CallResponse>;
  /** Tries at any node until the response has a status that is wanted; null for another that is not transient. */
  call(wanted: readonly number[], request: CallRequest): Promise<Buffer | null>;
  /** The body of a 200; null as `call`. */
  get(path: string): Promise<Buffer | null>;
  /** The JSON of a response; null as `call`. `name` is its Idempotency-Key. */
  post(
    wanted: number,
    path: string,
    name: string,
    json: object,
    rest?: Pick<CallRequest, "refusal" | "headers">,
    // biome-ignore lint/suspicious/noExplicitAny: callers know what they have asked for
  ): Promise<any>;
}

/** A request that takes longer is given up: its node may be paused. */
const REQUEST_MS = 20_000;

/**
 * Statuses for which a client tries again; 408 where a process was stopped while the request arrived,
 * 409 while the first attempt runs, or too much is unfinished, 507 while a disk is full.
 */
const TRANSIENT = new Set([0, 408, 409, 429, 503, 507]);

export const createJournal = (): Journal => ({
  outcomes: new Map(),
  violations: [],
  succeeded: 0,
});

export function createClient({ keys, urls, random, signal, journal }: ClientOptions): Client {
  let sent = 0;
  const send: Client["send"] = async (node, { method, path, name, json, headers = {} }) => {
    const key = keys[sent++ % keys.length];
    try {
      if (node === undefined) throw new Error("no node listens");
      const response = await fetch(`${node}/api/v1${path}`, {
        method,
        headers: {
          ...(!("Authorization" in headers) && { "X-API-Key": key }),
          ...(name && { "Idempotency-Key": name }),
          ...(json && { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(json && { body: JSON.stringify(json) }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
      });
      return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
    } catch {
      return { status: 0, bytes: Buffer.alloc(0) };
    }
  };
  /** Counts a response that is not as wanted, and returns whether the client tries again. */
  const isRepeated = (
    { method, path, refusal }: CallRequest,
    { status, bytes }: CallResponse,
  ): boolean => {
    const text = bytes.toString();
    const [, code = ""] = /"code":"(\w+)"/.exec(text) ?? [];
    const outcome = `${status} ${code}`.trim();
    journal.outcomes.set(outcome, (journal.outcomes.get(outcome) ?? 0) + 1);
    const isTransient = TRANSIENT.has(status);
    if (!isTransient) journal.violations.push(`${method} ${path}: ${status} ${text.slice(0, 500)}`);
    return isTransient && code !== refusal;
  };
  const call: Client["call"] = async (wanted, request) => {
    while (!signal.aborted) {
      const nodes = urls();
      const response = await send(nodes[Math.floor(random() * nodes.length)], request);
      if (wanted.includes(response.status)) {
        journal.succeeded++;
        return response.bytes;
      }
      if (!isRepeated(request, response)) return null;
      await delay(50 + 200 * random());
    }
    return null;
  };
  return {
    send,
    call,
    get: (path) => call([200], { method: "GET", path }),
    async post(wanted, path, name, json, rest) {
      const bytes = await call([wanted], { method: "POST", path, name, json, ...rest });
      return bytes && JSON.parse(bytes.toString());
    },
  };
}
