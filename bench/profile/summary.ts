/** Where the time of recorded profiles went. */
import type { Profiler } from "node:inspector";
import { fileURLToPath } from "node:url";
import { ROOT } from "../harness/git.ts";
import type { ThreadProfile } from "./collector.ts";

export interface ThreadSummary {
  readonly thread: string;
  /** Milliseconds of processor time, kernels and native code included. */
  readonly busyMs: number;
  readonly kernelMs: number;
  readonly garbageMs: number;
  /** Outside JavaScript and WebAssembly: system calls, zlib, compilation. */
  readonly nativeMs: number;
}

export interface HotFunction {
  readonly name: string;
  /** File and hottest line, `kernel`, or `native code`. */
  readonly where: string;
  readonly ms: number;
  /** Of the busy time of all threads, 0…1. */
  readonly share: number;
}

type Node = Profiler.ProfileNode;

const IDLE = ["(idle)", "(root)"];
/** Stopping the recording takes time itself. */
const RECORDER = "node:inspector";
const isKernel = ({ callFrame }: Node) => callFrame.url.startsWith("wasm:");

/** Milliseconds in which a node's own function ran, for all nodes that are not idle. */
function selfTimes({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Map<Node, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const times = new Map<Node, number>();
  for (const [at, id] of samples.entries()) {
    const node = byId.get(id);
    // A sample stands for the time until the next one.
    const ms = (timeDeltas[at + 1] ?? 0) / 1000;
    if (node === undefined || IDLE.includes(node.callFrame.functionName)) continue;
    if (node.callFrame.url === RECORDER) continue;
    times.set(node, (times.get(node) ?? 0) + ms);
  }
  return times;
}

export function summariseThread({ thread, profile }: ThreadProfile): ThreadSummary {
  const times = [...selfTimes(profile)];
  const sum = (chosen: (node: Node) => boolean) =>
    times.reduce((total, [node, ms]) => (chosen(node) ? total + ms : total), 0);
  const called = (name: string) => sum(({ callFrame }) => callFrame.functionName === name);
  return {
    thread,
    busyMs: sum(() => true),
    kernelMs: sum(isKernel),
    garbageMs: called("(garbage collector)"),
    nativeMs: called("(program)"),
  };
}

interface Total {
  readonly node: Node;
  ms: number;
  /** Samples by line. */
  readonly lines: Map<number, number>;
}

/** Returns the functions of all threads with the longest self times. */
export function hottestFunctions(threads: readonly ThreadProfile[], count: number): HotFunction[] {
  const totals = new Map<string, Total>();
  let busy = 0;
  for (const { profile } of threads) {
    for (const [node, ms] of selfTimes(profile)) {
      const { functionName, url, lineNumber } = node.callFrame;
      // Each size of a kernel's output is a module of its own.
      const key = [functionName, isKernel(node) ? "" : `${url} ${lineNumber}`].join();
      const total = totals.get(key) ?? { node, ms: 0, lines: new Map<number, number>() };
      total.ms += ms;
      for (const { line, ticks } of node.positionTicks ?? []) {
        total.lines.set(line, (total.lines.get(line) ?? 0) + ticks);
      }
      totals.set(key, total);
      busy += ms;
    }
  }
  return [...totals.values()]
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, count)
    .map((total) => ({
      name: total.node.callFrame.functionName || "(anonymous)",
      where: whereOf(total),
      ms: total.ms,
      share: total.ms / busy,
    }));
}

function whereOf({ node, lines }: Total): string {
  const { url, lineNumber } = node.callFrame;
  if (isKernel(node)) return "kernel";
  if (url === "") return "native code";
  const [[line] = [lineNumber + 1]] = [...lines].toSorted((a, b) => b[1] - a[1]);
  const file = url.startsWith("file:") ? fileURLToPath(url) : url;
  return `${file.startsWith(ROOT) ? file.slice(ROOT.length) : file}:${line}`;
}
