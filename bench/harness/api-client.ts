/** The API calls that cases need, with several keys of one account. */

import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Design, SourceBytes } from "../../engine/recipe/index.ts";
import { WrongResult } from "./case.ts";
import type { StartedServer } from "./started-server.ts";

export interface ApiClient {
  /** Secrets of keys, each with its own rate limit. */
  readonly keys: readonly string[];
  upload(source: SourceBytes): Promise<number>;
  createPattern(source: number, design: Design): Promise<number>;
  /** Renders a pattern with the fields of a render request. */
  render(pattern: number, fields: object): Promise<Uint8Array>;
  /** Renders a pattern as a PNG tile of `size` × `size` pixels. */
  tile(pattern: number, size: number): Promise<Uint8Array>;
  /** Certifies a tile of a pattern of `size` × `size` pixels. */
  certificate(pattern: number, size: number): Promise<CertificateFacts>;
  /** Calls an MCP tool that returns a picture, over Streamable HTTP; returns the facts beside it. */
  toolFacts(name: string, input: object): Promise<{ readonly symmetry: CertificateFacts }>;
}

/** The part of a certificate that cases check. */
export interface CertificateFacts {
  readonly verdict: string;
  readonly found: string | null;
}

/** The account's owner, who can sign in to the editor. */
export const BENCH_USER = { email: "bench@example.com", password: "a bench of oak" } as const;

/** Time limit of a request. */
const PATIENCE_MS = 30_000;

const JSON_TYPES = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/**
 * Creates an account on the largest plan and its keys, which are used in turn: each may make 600
 * requests a minute. Creates fewer keys than that, because their creation is limited too.
 */
export async function openApi(server: StartedServer, keyCount: number): Promise<ApiClient> {
  // Half of the processor time of `fetch`: the clients share the server's cores. An idle connection is closed before
  // the server closes it.
  const agent = new Agent({ keepAlive: true, timeout: PATIENCE_MS });
  const call = async (path: string, headers: object, body: string | Uint8Array) => {
    const sent = request(`${server.url}/api/v1${path}`, {
      method: "POST",
      headers: { ...JSON_TYPES, ...headers },
      agent,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    sent.end(body);
    const [response]: IncomingMessage[] = await once(sent, "response");
    const answer = await buffer(response);
    const { statusCode = 0 } = response;
    if (statusCode < 200 || statusCode >= 300) {
      const story = `${answer}\n${server.lastWords()}`;
      throw new WrongResult(`POST ${path}: ${statusCode} ${story}`);
    }
    return answer;
  };
  const json = (bytes: Buffer) => JSON.parse(bytes.toString());
  const person = JSON.stringify(BENCH_USER);
  const session = json(await call("/auth/signup", {}, person));
  const id = String(session.account_id);
  await server.cli("accounts", "set", id, "--plan", "agency", "--credits", "9999999");
  const keys: string[] = [];
  for (let made = 0; made < keyCount; made++) {
    const authorization = `Bearer ${session.token}`;
    const name = JSON.stringify({ name: `bench ${made}` });
    keys.push(json(await call("/api-keys", { authorization }, name)).secret);
  }
  let used = 0;
  const nextKey = () => ({ "x-api-key": keys[used++ % keyCount] });
  const post = (path: string, body: string) => call(path, nextKey(), body);
  const render = (pattern: number, fields: object) =>
    post(`/patterns/${pattern}/render`, JSON.stringify(fields));
  return {
    keys,
    render,
    async upload({ bytes }) {
      const form = new FormData();
      form.append("file", new Blob([new Uint8Array(bytes)]), "photo-like.png");
      const encoded = new Response(form);
      const headers = { ...nextKey(), "content-type": encoded.headers.get("content-type") };
      return json(await call("/sources/upload", headers, await encoded.bytes())).id;
    },
    async createPattern(source, { group, motif, seam }) {
      const body = JSON.stringify({ source_id: source, group, motif, seam });
      return json(await post("/patterns", body)).id;
    },
    tile: (pattern, size) => render(pattern, { size, format: "png" }),
    async certificate(pattern, size) {
      return json(await post(`/patterns/${pattern}/validate`, JSON.stringify({ size })));
    },
    async toolFacts(name, input) {
      const params = { name, arguments: input };
      const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
      const events = (await post("/mcp", JSON.stringify(message))).toString();
      const { result, error } = JSON.parse(/^data: (.+)$/m.exec(events)?.[1] ?? events);
      const [picture, facts] = result?.content ?? [];
      if (picture?.type !== "image") {
        throw new WrongResult(`${name}: ${JSON.stringify(error ?? result)}`);
      }
      return JSON.parse(facts.text);
    },
  };
}
