/** Calls of the engine at render nodes: which node, and which next if that fails. */
import { randomUUID } from "node:crypto";
import { fromPlain, Overloaded } from "../../engine/index.ts";
import { NodeLost, NodeUnreachable, NoRenderNode } from "./errors.ts";
import { createNodeClient, type NodeClient } from "./node-client.ts";
import type { NodeList, RenderNode } from "./node-list.ts";
import { type CallName, type PackedValue, pack, unpack } from "./protocol.ts";
import type { RecordReader } from "./record-reader.ts";

/** Time limits of calls, in milliseconds. */
export interface CallLimits {
  /** How long a call looks for a node, from its start and again from each loss of one. */
  readonly searchMs: number;
  /** How long a node that did not take a call, or was lost with one, gets no further ones. */
  readonly suspendedMs: number;
  /** Longest time without progress until a node begins its response. */
  readonly takeMs: number;
}

export const CALL_LIMITS: CallLimits = { searchMs: 5000, suspendedMs: 2000, takeMs: 5000 };

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
  { searchMs, suspendedMs, takeMs }: CallLimits,
): RemoteCalls {
  const client = createNodeClient(secret, version, takeMs);
  let waiting = 0;

  const send = async (call: Call): Promise<CallResult> => {
    const { signal } = call;
    const sources = new Map<string, Uint8Array>();
    const packed = pack(call.args, sources);
    const [subject = randomUUID()] = sources.keys();
    const avoid = new Set<RenderNode>();
    let untilMs = performance.now() + searchMs;
    let lost = 0;
    let failure: unknown;
    for (;;) {
      waiting++;
      const choosing = list.choose({ subject, avoid, untilMs, signal });
      const node = await choosing.finally(() => waiting--);
      if (node === null) {
        if (failure instanceof Overloaded) throw failure;
        throw new NoRenderNode(version, waiting, { cause: failure });
      }
      try {
        const { value, reader } = await callNode(client, node, call, packed, sources);
        return { value, reader, release: () => node.outstanding-- };
      } catch (error) {
        node.outstanding--;
        signal.throwIfAborted();
        // A full node says more than one that cannot be reached.
        if (!(failure instanceof Overloaded)) failure = error;
        if (error instanceof Overloaded && avoid.size === 0) {
          // One that takes it is found at once, or not at all.
          avoid.add(node);
          untilMs = 0;
        } else if (error instanceof NodeUnreachable) {
          list.suspend(node, suspendedMs);
          // A try may last longer than the suspension of another node: each gets one more at most.
          if (performance.now() >= untilMs) avoid.add(node);
        } else if (error instanceof NodeLost && ++lost < MAX_LOST) {
          list.suspend(node, suspendedMs);
          untilMs = performance.now() + searchMs;
        } else throw error;
      }
    }
  };
  return { send, waiting: () => waiting, close: client.close };
}

/** Has this node run a call. Throws NodeUnreachable and NodeLost beside what the engine throws. */
async function callNode(
  client: NodeClient,
  node: RenderNode,
  { name, owner, signal }: Call,
  { json: args, parts }: PackedValue,
  sources: ReadonlyMap<string, Uint8Array>,
): Promise<Omit<CallResult, "release">> {
  for (let sent = 0; ; sent++) {
    const head = { name, args, owner: owner ?? null };
    const reader = await client.call(node, head, parts, signal);
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
    await client.sendSource(node, message.sha256, bytes, signal);
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
