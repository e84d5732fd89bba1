/** Calls of the engine at render nodes: which node, and which next if that fails. */
import { randomUUID } from "node:crypto";
import { CodecKilled, fromPlain, Overloaded } from "../../engine/index.ts";
import { NodeLost, NodeUnreachable, NoRenderNode } from "./errors.ts";
import { createNodeClient, type NodeClient } from "./node-client.ts";
import type { NodeList } from "./node-list.ts";
import { type CallName, type PackedValue, pack, unpack } from "./protocol.ts";
import type { RecordReader } from "./record-reader.ts";
import type { RenderNode } from "./render-node.ts";
import { watchAnswers } from "./watch-answers.ts";

/** Time limits of calls, in milliseconds. */
export interface CallLimits {
  /** How long a call looks for a node, from its start and again from each loss of one. */
  readonly searchMs: number;
  /** Longest time without progress until a node begins its response. */
  readonly takeMs: number;
  /** How often each node is asked whether it takes calls. */
  readonly askMs: number;
  /** After so long without its answer it gets none. */
  readonly lateMs: number;
}

export const CALL_LIMITS: CallLimits = {
  searchMs: 5000,
  takeMs: 5000,
  askMs: 1000,
  lateMs: 2000,
};

/** How often a call that no node has taken looks whether its node answers. */
const WATCH_MS = 100;

/** Multiple of `searchMs` after which no further node is tried; a slow failure leaves time for one. */
const LAST_TRY = 1.5;

/** Nodes that may be lost with a call before it fails: it may be what ends them. */
const MAX_LOST = 3;

/** How often a source is sent that the node has let go again. */
const MAX_SENT = 3;

export interface Call {
  readonly name: CallName;
  readonly args: readonly unknown[];
  readonly owner: string | undefined;
  readonly signal: AbortSignal;
}

/** The first message of a response, and what follows it. */
export interface CallResult {
  readonly value: unknown;
  readonly reader: RecordReader;
  /** Says that the node no longer works on the call; to be called once. */
  release(): void;
}

export interface RemoteCalls {
  /**
   * Has a node run a call. Resolves with the result, or with the head of a stream. A call whose node is lost before goes
   * to another one. Throws what the engine throws there, NoRenderNode, and what the signal aborts with.
   */
  send(call: Call): Promise<CallResult>;
  /** Calls that wait for a node. */
  waiting(): number;
  /** Ends the connections. */
  close(): void;
}

/** @param secret of all nodes */
export function createRemoteCalls(
  list: NodeList,
  secret: string,
  version: string,
  limits: CallLimits,
): RemoteCalls {
  const { searchMs, takeMs } = limits;
  const client = createNodeClient(secret, version, takeMs);
  const ignoreAnswers = watchAnswers(list, client, limits);
  let waiting = 0;

  const send = async (call: Call): Promise<CallResult> => {
    const { signal } = call;
    const sources = new Map<string, Uint8Array>();
    const packed = pack(call.args, sources);
    const [subject = randomUUID()] = sources.keys();
    let full: RenderNode | null = null;
    let begunMs = performance.now();
    let untilMs = begunMs + searchMs;
    let lost = 0;
    let failure: unknown;
    const refusal = () =>
      isRefusal(failure) ? failure : new NoRenderNode(version, waiting, { cause: failure });
    for (;;) {
      waiting++;
      const choosing = list.choose({ subject, avoid: full, untilMs, signal });
      const node = await choosing.finally(() => waiting--);
      if (node === null) throw refusal();
      // One that answers late may be the only one.
      const isGivenUp = () =>
        node.isSilent &&
        (performance.now() >= untilMs ||
          list.nodes.some((other) => other.takesCalls && other !== full));
      try {
        const { value, reader } = await callNode(client, node, call, packed, sources, isGivenUp);
        node.callAnswered();
        return { value, reader, release: () => node.end() };
      } catch (error) {
        node.end();
        signal.throwIfAborted();
        const isLost = error instanceof NodeLost;
        if (isLost || error instanceof NodeUnreachable) node.callFailed(error);
        else node.callAnswered();
        // A full node says more than one that cannot be reached.
        if (!isRefusal(failure)) failure = error;
        if (isRefusal(error) && full === null) {
          // One that takes it is found at once, or not at all.
          full = node;
          untilMs = 0;
        } else if (error instanceof NodeUnreachable) {
          if (performance.now() >= begunMs + searchMs * LAST_TRY) throw refusal();
        } else if (isLost && (error.wasStopping || ++lost < MAX_LOST)) {
          full = null;
          begunMs = performance.now();
          untilMs = begunMs + searchMs;
        } else throw error;
      }
    }
  };
  const close = () => {
    ignoreAnswers();
    client.close();
  };
  return { send, waiting: () => waiting, close };
}

/** Whether a node has no room for a call, or no memory, so that another one may do it. */
const isRefusal = (error: unknown) => error instanceof Overloaded || error instanceof CodecKilled;

/** Runs `work` with a signal that also aborts, with NodeUnreachable, once `isGivenUp`. */
async function unlessGivenUp<Result>(
  { url }: RenderNode,
  signal: AbortSignal,
  isGivenUp: () => boolean,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  const watch = setInterval(() => {
    if (isGivenUp()) stop.abort(new NodeUnreachable(`${url}: it does not answer`));
  }, WATCH_MS);
  try {
    return await work(AbortSignal.any([signal, stop.signal]));
  } finally {
    clearInterval(watch);
  }
}

/** Has this node run a call, unless it is given up before. Throws NodeUnreachable and NodeLost beside what the engine throws. */
async function callNode(
  client: NodeClient,
  node: RenderNode,
  { name, owner, signal }: Call,
  { json: args, parts }: PackedValue,
  sources: ReadonlyMap<string, Uint8Array>,
  isGivenUp: () => boolean,
): Promise<Omit<CallResult, "release">> {
  const sending = <Result>(work: (signal: AbortSignal) => Promise<Result>) =>
    unlessGivenUp(node, signal, isGivenUp, work);
  for (let sent = 0; ; sent++) {
    const head = { name, args, owner: owner ?? null };
    const reader = await sending((until) => client.call(node, head, parts, until));
    const { message, parts: found } = await nextMessage(reader);
    if (message.kind === "head") return { value: message.value, reader };
    reader.finish();
    if (message.kind === "value") {
      return { value: unpack({ json: message.value, parts: found }), reader };
    }
    if (message.kind === "error") throw fromPlain(message.error);
    const bytes = message.kind === "missing" ? sources.get(message.sha256) : undefined;
    if (message.kind !== "missing" || bytes === undefined || sent === MAX_SENT) {
      throw new NodeLost(`${node.url}: unexpected message: ${message.kind}`);
    }
    const { sha256 } = message;
    await sending((until) => client.sendSource(node, sha256, bytes, until));
  }
}

/** Returns the first message that says more than that the node is alive. */
async function nextMessage(reader: RecordReader) {
  try {
    for (;;) {
      const record = await reader.next();
      if (record.kind === "bytes") throw new NodeLost("it sent bytes of no stream");
      if (record.message.kind !== "alive") return record;
    }
  } catch (error) {
    reader.destroy();
    throw error;
  }
}
