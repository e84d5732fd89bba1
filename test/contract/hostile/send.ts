import { type Agent, request } from "node:http";
import { isEndless } from "../document.ts";

/** A raw HTTP request. */
export interface Sent {
  readonly method: string;
  /** Path and query, unescaped. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

export interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

/** No request here takes a second; one that takes this long hangs. */
const TIMEOUT_MS = 30_000;

const UNFRAMED = new Set(["OPTIONS", "TRACE"]);

/** Sends a request without normalising it, unlike `fetch`. */
export function send(server: string, agent: Agent, sent: Sent): Promise<Got> {
  const { hostname, port } = new URL(server);
  const { method, url: path, body } = sent;
  // For OPTIONS and TRACE Node sends no body length, so the body would be parsed as another request.
  const framing = body && UNFRAMED.has(method) ? { "Content-Length": String(body.byteLength) } : {};
  const headers = { ...framing, ...sent.headers };
  return new Promise((resolve, reject) => {
    const options = { agent, hostname, port, method, path, headers, timeout: TIMEOUT_MS };
    const outgoing = request(options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      const { statusCode: status = 0, headers } = incoming;
      const done = () => resolve({ status, headers, bytes: Buffer.concat(chunks) });
      incoming.on("end", done);
      if (isEndless(headers["content-type"])) {
        done();
        incoming.destroy();
      }
    });
    outgoing.on("error", reject);
    outgoing.on("timeout", () => outgoing.destroy(new Error("no answer came in time")));
    outgoing.end(body);
  });
}
