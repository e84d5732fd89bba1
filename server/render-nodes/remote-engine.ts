/** An engine that has render nodes do its work. */
import {
  type Engine,
  type EngineOptions,
  Overloaded,
  type SourceBytes,
  versionOf,
} from "../../engine/index.ts";
import type { NodeList } from "./node-list.ts";
import type { CallName } from "./protocol.ts";
import { CALL_LIMITS, createRemoteCalls } from "./remote-call.ts";
import { remoteStream } from "./remote-stream.ts";

export type RemoteBackend = Exclude<EngineOptions["backend"], "auto">;

/** An inspected source; null if its bytes are those that were sent. */
type InspectionResult = Omit<Awaited<ReturnType<Engine["inspect"]>>, "bytes"> & {
  readonly bytes: Uint8Array | null;
};

/** How often a closing engine looks whether its calls have ended. */
const CLOSE_CHECK_MS = 50;

/**
 * Returns the engine. Each call goes to one of the nodes; how many wait there is up to them.
 * @param list is closed with the engine
 * @param secret of all nodes
 */
export function createRemoteEngine(
  list: NodeList,
  secret: string,
  backend: RemoteBackend,
  limits = CALL_LIMITS,
): Engine {
  const version = versionOf(backend);
  const calls = createRemoteCalls(list, secret, version, limits);
  const closing = new AbortController();
  let running = 0;
  let isClosed = false;
  /** When a call last began or ended. */
  let progressMs = performance.now();
  const count = (change: 1 | -1) => {
    running += change;
    progressMs = performance.now();
  };

  const begin = async (
    name: CallName,
    args: readonly unknown[],
    caller: AbortSignal | undefined,
    owner: string | undefined,
  ) => {
    caller?.throwIfAborted();
    if (isClosed) throw new Overloaded(running);
    const signal = caller ? AbortSignal.any([caller, closing.signal]) : closing.signal;
    count(1);
    try {
      const answered = await calls.send({ name, args, owner, signal });
      const release = () => {
        answered.release();
        count(-1);
      };
      return { ...answered, release, signal };
    } catch (error) {
      count(-1);
      throw error;
    }
  };
  const run = async <Result>(
    name: CallName,
    args: readonly unknown[],
    signal: AbortSignal | undefined,
    owner: string | undefined,
  ): Promise<Result> => {
    const { value, release } = await begin(name, args, signal, owner);
    release();
    return value as Result;
  };
  const stream = async (
    name: CallName,
    request: unknown,
    caller: AbortSignal | undefined,
    owner: string | undefined,
  ) => {
    const { signal, ...answered } = await begin(name, [request], caller, owner);
    return remoteStream(answered, signal);
  };

  return {
    backend,
    device: "",
    get threads() {
      return list.nodes.reduce((sum, { threads }) => sum + threads, 0);
    },
    version,
    progress() {
      const waiting = calls.waiting();
      const stalledMs = waiting === 0 ? 0 : performance.now() - progressMs;
      return { running: running - waiting, waiting, stalledMs };
    },
    // Each node probes and counts its own threads.
    probe: () => Promise.resolve(),
    lostThreads: () => 0,
    // Nodes know how many wait for them.
    reserveSlot() {
      if (isClosed) throw new Overloaded(running);
      return () => undefined;
    },
    render: (request, signal, owner) => run("render", [request], signal, owner),
    async renderStream(request, signal, owner) {
      const { rendering } = await stream("renderStream", request, signal, owner);
      return rendering;
    },
    async print(request, signal, owner) {
      const { rendering, ...others } = await stream("print", request, signal, owner);
      return { ...rendering, ...others };
    },
    drawPreset: (name, seed, size, palette = null, signal, owner) =>
      run("drawPreset", [name, seed, size, palette], signal, owner),
    async inspect(bytes, signal, owner) {
      const found = await run<InspectionResult>("inspect", [bytes], signal, owner);
      return { ...found, bytes: found.bytes ?? bytes };
    },
    prepare({ sha256, bytes }: SourceBytes, owner) {
      // Nothing else of an inspected source: it is sent as renders send it, to the node that they choose.
      const source = { sha256, bytes };
      // A render of the source reports the error.
      run("prepare", [source], undefined, owner).catch(() => undefined);
    },
    encodeLevel: (request, signal, owner) => run("encodeLevel", [request], signal, owner),
    sourceColours: (request, signal, owner) => run("sourceColours", [request], signal, owner),
    ideas: (request, signal, owner) => run("ideas", [request], signal, owner),
    inks: (request, signal, owner) => run("inks", [request], signal, owner),
    separate: (request, signal, owner) => run("separate", [request], signal, owner),
    drawVector: (request, signal, owner) => run("drawVector", [request], signal, owner),
    certify: (subject, signal, owner) => run("certify", [subject], signal, owner),
    drawMockup: (request, signal, owner) => run("drawMockup", [request], signal, owner),
    packedMap: (product, side, signal, owner) => run("packedMap", [product, side], signal, owner),
    drawContactSheet: (pictures, signal, owner) =>
      run("drawContactSheet", [pictures], signal, owner),
    async close(graceMs) {
      isClosed = true;
      const end = performance.now() + graceMs;
      while (running > 0 && performance.now() < end) {
        await new Promise((resolve) => setTimeout(resolve, CLOSE_CHECK_MS));
      }
      closing.abort(new Overloaded(running));
      calls.close();
      list.close();
    },
  };
}
