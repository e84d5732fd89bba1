/** An MCP session over SSE without a client library: a stream to read and a path to post to. */
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** A response, or a notification. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type Message = any;

export interface SseSession {
  readonly response: IncomingMessage;
  /** The path for messages. */
  readonly path: string;
  /** Messages so far, in order. */
  readonly messages: readonly Message[];
  /** Resolves with the response to this request, past or future. */
  answer(id: string | number): Promise<Message>;
  /** Posts a message, to this node or another; without a key. */
  post(message: unknown, url?: string): Promise<number>;
  /** Sends a request and waits for its response. */
  call(method: string, params?: object): Promise<Message>;
  /** Disconnects. */
  drop(): void;
  /** Resolves when the stream has ended, on either side. */
  readonly ended: Promise<unknown>;
}

interface Door {
  readonly url: string;
  readonly key: string;
}

/** Opens a session and reads its first event; it ends with its server at the latest. */
export async function openSse({ url, key }: Door): Promise<SseSession> {
  const request = get(`${url}/api/v1/mcp/sse`, { headers: { "X-API-Key": key }, agent: false });
  const [response] = await once(request, "response");
  request.on("error", () => undefined);
  if (response.statusCode !== 200) throw new Error(`the stream answers ${response.statusCode}`);

  const messages: Message[] = [];
  let text = "";
  let path = "";
  response.setEncoding("utf8").on("data", (part: string) => {
    const events = (text + part).split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const [, name, data = ""] = /^event: (\w+)\ndata: (.*)$/s.exec(event) ?? [];
      if (name === "endpoint" && path === "" && messages.length === 0) path = data;
      else if (name === "message") messages.push(JSON.parse(data));
      else if (!event.startsWith(":")) throw new Error(`an unexpected event: ${event}`);
    }
  });
  const ended = once(response, "close").catch(() => undefined);
  await until(() => path !== "");

  let asked = 0;
  const session: SseSession = {
    response,
    path,
    messages,
    async answer(id) {
      const find = () => messages.find((message) => message.id === id && !message.method);
      await until(() => find() !== undefined);
      return find();
    },
    async post(message, at = url) {
      const body = JSON.stringify(message);
      const headers = { "Content-Type": "application/json" };
      const reply = await fetch(`${at}${path}`, { method: "POST", headers, body });
      await reply.arrayBuffer();
      return reply.status;
    },
    async call(method, params = {}) {
      asked += 1;
      const id = `call ${asked}`;
      const status = await session.post({ jsonrpc: "2.0", id, method, params });
      if (status !== 202) throw new Error(`${method} answers ${status}`);
      return session.answer(id);
    },
    drop: () => response.destroy(),
    ended,
  };
  return session;
}

/** Waits until something holds; a test's time limit ends what never does. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(10);
}
