/** Nodes of the service on one database, and the faults that they may have. */
import { setTimeout as delay } from "node:timers/promises";
import type { Test } from "tap";
import { dataFolder, type Service, startService } from "../helpers/service.ts";

export interface Nodes {
  /** The addresses of those that listen. */
  urls(): readonly string[];
  /** Kills one, and starts it again with what is left in its folder. */
  kill(index: number): Promise<void>;
  /** Ends one as a supervisor would, and starts it again. */
  terminate(index: number): Promise<void>;
  /** Stops one for some time. */
  pause(index: number, milliseconds: number): Promise<void>;
  /** Returns the errors that all of them have logged. */
  errors(): readonly string[];
  /** Ends all. Resolves with the exit code of each; null for one that had to be killed. */
  stop(): Promise<readonly (number | null)[]>;
}

interface Node {
  readonly environment: Readonly<Record<string, string>>;
  service: Service;
  /** Null while it starts or ends. */
  url: string | null;
}

/** A node that does not end by itself after this time is killed. */
const GRACE_MS = 60_000;

/** Starts nodes until the test ends; the clock of the first is ten minutes ahead. */
export async function startNodes(
  t: Test,
  count: number,
  shared: Readonly<Record<string, string>>,
): Promise<Nodes> {
  const ahead = new URL("./clock-ahead.ts", import.meta.url).href;
  const lives: Service[] = [];
  const live = async (environment: Node["environment"]) => {
    const service = await startService(t, environment);
    lives.push(service);
    return service;
  };
  const start = async (index: number): Promise<Node> => {
    const environment = {
      ...shared,
      DATA_DIR: await dataFolder(t),
      SHUTDOWN_GRACE_MS: "5000",
      ...(index === 0 && { NODE_OPTIONS: `--import=${ahead}` }),
    };
    const service = await live(environment);
    return { environment, service, url: await service.url() };
  };
  const nodes = await Promise.all(Array.from({ length: count }, (_, index) => start(index)));
  const startAgain = async (node: Node) => {
    node.service = await live(node.environment);
    node.url = await node.service.url();
  };
  const end = async ({ service }: Node, signal: NodeJS.Signals) => {
    service.process.kill(signal);
    const late = setTimeout(() => service.process.kill("SIGKILL"), GRACE_MS);
    const code = await service.ended;
    clearTimeout(late);
    return code;
  };
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
    errors: () =>
      lives.flatMap(({ lines }) => lines.filter((line) => line.includes('"level":"error"'))),
    stop: () => Promise.all(nodes.map((node) => end(node, "SIGTERM"))),
  };
}
