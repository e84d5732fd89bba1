/** Nodes of the service on one database, and the faults that they may have. */
import { setTimeout as delay } from "node:timers/promises";
import type { Test } from "tap";
import { childrenOf, descendantsOf, signalAll } from "../helpers/child-processes.ts";
import { dataFolder, type Service, startService } from "../helpers/service.ts";
import { EXHAUSTED } from "./exhausted.ts";

export interface Nodes {
  /** The addresses of those that listen. */
  urls(): readonly string[];
  /** Kills one, and starts it again with what is left in its folder. */
  kill(index: number): Promise<void>;
  /** Ends one as a supervisor would, and starts it again. */
  terminate(index: number): Promise<void>;
  /** Stops one for some time. */
  pause(index: number, milliseconds: number): Promise<void>;
  /** Kills the processes that decode and encode for one, as a system does that is out of memory. */
  killCodecs(index: number): Promise<void>;
  /** Kills the process that starts those. */
  killSpawner(index: number): Promise<void>;
  /** Makes a render thread of one fill its heap, in the middle of a job. */
  exhaustThread(index: number): Promise<void>;
  /** Returns how many threads have filled their heaps. */
  exhaustedThreads(): number;
  /** The process ids of all. */
  pids(): readonly number[];
  /** The data folders of all. */
  readonly folders: readonly string[];
  /** Returns the errors that all of them have logged. */
  errors(): readonly string[];
  /** Ends all. Resolves with the exit code of each; null for one that had to be killed. */
  stop(): Promise<readonly (number | null)[]>;
}

interface Node {
  readonly environment: Environment & { readonly DATA_DIR: string };
  service: Service;
  /** Null while it starts or ends. */
  url: string | null;
}

/** How long codec processes are stopped before they are killed. */
const STUCK_MS = 500;

/** A node that does not end by itself after this time is killed. */
const GRACE_MS = 60_000;

/** How often a node is started that ends before it listens. */
const MAX_STARTS = 5;

export type Environment = Readonly<Record<string, string>>;

/** Starts nodes with these environment variables until the test ends. */
export async function startNodes(t: Test, environments: readonly Environment[]): Promise<Nodes> {
  const lives: Service[] = [];
  /** Starts a service again where it does not start, as a supervisor does. */
  const live = async (environment: Environment) => {
    for (let starts = 1; ; starts++) {
      const service = await startService(t, environment);
      lives.push(service);
      try {
        return { service, url: await service.url() };
      } catch (error) {
        // One that was killed was to end.
        const isKilled = service.process.signalCode !== null;
        if (isKilled || starts === MAX_STARTS) throw error;
        await delay(1000);
      }
    }
  };
  const start = async (own: Environment): Promise<Node> => {
    const environment = { DATA_DIR: await dataFolder(t), SHUTDOWN_GRACE_MS: "5000", ...own };
    return { environment, ...(await live(environment)) };
  };
  const nodes = await Promise.all(environments.map(start));
  const startAgain = async (node: Node) => {
    Object.assign(node, await live(node.environment));
  };
  const end = async ({ service }: Node, signal: NodeJS.Signals) => {
    service.process.kill(signal);
    const late = setTimeout(() => service.process.kill("SIGKILL"), GRACE_MS);
    const code = await service.ended;
    clearTimeout(late);
    return code;
  };
  const spawnersOf = (index: number) => childrenOf(nodes[index].service.process.pid ?? 0);
  const codecsOf = (index: number) => spawnersOf(index).flatMap(({ id }) => descendantsOf(id));
  return {
    urls: () => nodes.flatMap(({ url }) => url ?? []),
    async kill(index) {
      const node = nodes[index];
      node.url = null;
      await end(node, "SIGKILL");
      await startAgain(node);
    },
    async terminate(index) {
      const node = nodes[index];
      node.url = null;
      await end(node, "SIGTERM");
      await startAgain(node);
    },
    async pause(index, milliseconds) {
      const { service } = nodes[index];
      service.process.kill("SIGSTOP");
      await delay(milliseconds);
      service.process.kill("SIGCONT");
    },
    async killCodecs(index) {
      const stuck = codecsOf(index);
      signalAll(stuck, "SIGSTOP");
      // Some have requests then.
      await delay(STUCK_MS);
      signalAll(stuck, "SIGKILL");
    },
    async killSpawner(index) {
      signalAll(spawnersOf(index), "SIGKILL");
    },
    async exhaustThread(index) {
      nodes[index].service.process.kill("SIGUSR2");
    },
    exhaustedThreads: () =>
      lives.flatMap(({ lines }) => lines).filter((line) => line === EXHAUSTED).length,
    folders: nodes.map(({ environment }) => environment.DATA_DIR),
    pids: () => nodes.map(({ service }) => service.process.pid ?? 0),
    errors: () =>
      lives.flatMap(({ lines }) => lines.filter((line) => line.includes('"level":"error"'))),
    stop: () => Promise.all(nodes.map((node) => end(node, "SIGTERM"))),
  };
}
