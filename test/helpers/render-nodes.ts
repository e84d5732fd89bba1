/** Render nodes on real sockets, and the engine of a process that has them render. */
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { Test } from "tap";
import type { Database, RenderNodeRow } from "../../db/index.ts";
import type { Engine } from "../../engine/index.ts";
import { InFlight } from "../../server/actions/in-flight.ts";
import { portOf } from "../../server/http/listen.ts";
import { type CallServerOptions, createCallServer } from "../../server/render-nodes/call-server.ts";
import {
  createRemoteEngine,
  joinRenderNodes,
  type NodeList,
  renderSecret,
  watchRenderNodes,
} from "../../server/render-nodes/index.ts";
import { CALL_PATH } from "../../server/render-nodes/protocol.ts";
import type { CallLimits } from "../../server/render-nodes/remote-call.ts";
import { testLog } from "./log.ts";

export interface TestNode {
  readonly url: string;
  readonly server: Server;
  leave(): Promise<void>;
}

/** Says that a node takes calls, and leaves other requests to a listener. */
const answering =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const isPing = request.method === "GET" && request.url === CALL_PATH;
    return isPing ? void response.writeHead(204).end() : listener(request, response);
  };

/** Serves a listener of calls and sources as a render node until the test ends. */
export const listedNode = (
  t: Test,
  db: Database,
  engine: Pick<Engine, "version" | "threads">,
  listener: RequestListener,
): Promise<TestNode> => listedServer(t, db, engine, answering(listener));

/** Serves a listener of all requests as a render node until the test ends. */
export async function listedServer(
  t: Test,
  db: Database,
  { version, threads }: Pick<Engine, "version" | "threads">,
  listener: RequestListener,
): Promise<TestNode> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${portOf(server)}`;
  const facts: Omit<RenderNodeRow, "id"> = { url, engine: version, threads };
  const { leave } = await joinRenderNodes(db, facts, testLog().log);
  t.teardown(async () => {
    await leave();
    server.closeAllConnections();
    server.close();
  });
  return { url, server, leave };
}

/** Serves an engine as a render node until the test ends. */
export async function renderNode(t: Test, db: Database, engine: Engine): Promise<TestNode> {
  return listedServer(t, db, engine, await callServer(db, engine));
}

export const callServer = async (
  db: Database,
  engine: Engine,
  options: Partial<CallServerOptions> = {},
): Promise<RequestListener> =>
  createCallServer({
    engine,
    secret: await renderSecret(db),
    inFlight: new InFlight("bytes"),
    idleMs: 5000,
    stallMs: 60_000,
    isStopping: () => false,
    onFault: () => undefined,
    ...options,
  });

/** The engine of a process without the role `render`, and the nodes that it knows of. */
export async function remoteEngine(
  t: Test,
  db: Database,
  { version, backend }: Pick<Engine, "version" | "backend">,
  limits?: CallLimits,
): Promise<{ readonly remote: Engine; readonly list: NodeList }> {
  const list = await watchRenderNodes(db, version, testLog().log);
  const remote = createRemoteEngine(list, await renderSecret(db), backend, limits);
  t.teardown(() => remote.close(0));
  return { remote, list };
}
