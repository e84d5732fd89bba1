/** The faults that an installation may have, and what has them. */
import type { FaultyDatabase } from "./database.ts";
import type { FaultyDisk } from "./disk.ts";
import type { Nodes } from "./nodes.ts";
import type { FaultyObjectStore } from "./object-store.ts";

/** What has faults; null: there is none. */
export interface Installation {
  readonly nodes: Nodes;
  readonly database: FaultyDatabase;
  readonly objectStore: FaultyObjectStore | null;
  /** The disk of one node's data and temporary files. */
  readonly disk: FaultyDisk | null;
}

export interface Fault {
  readonly name: string;
  /** How often it is drawn, relative to the others. */
  readonly weight: number;
  /** Resolves when it is over. `milliseconds` is how long it lasts, if it lasts. */
  run(node: number, milliseconds: number): Promise<void>;
}

/** Returns every fault that what there is may have. */
export const faultsOf = ({
  nodes,
  database,
  objectStore: store,
  disk,
}: Installation): readonly Fault[] => [
  { name: "node killed", weight: 8, run: (node) => nodes.kill(node) },
  { name: "node terminated", weight: 3, run: (node) => nodes.terminate(node) },
  { name: "node paused", weight: 2, run: (node, pause) => nodes.pause(node, pause) },
  { name: "codecs killed", weight: 2, run: (node) => nodes.killCodecs(node) },
  { name: "spawner killed", weight: 1, run: (node) => nodes.killSpawner(node) },
  { name: "thread out of memory", weight: 2, run: (node) => nodes.exhaustThread(node) },
  { name: "database killed", weight: 1, run: () => database.kill() },
  { name: "database restarted", weight: 1, run: () => database.restart() },
  { name: "database paused", weight: 1, run: (_, pause) => database.pause(pause) },
  { name: "connections ended", weight: 2, run: () => database.disconnect() },
  { name: "connections exhausted", weight: 1, run: (_, pause) => database.exhaust(pause / 2) },
  ...(store === null
    ? []
    : ([
        { name: "store stopped", weight: 1, run: (_, pause) => store.stop(pause) },
        { name: "store frozen", weight: 1, run: (_, pause) => store.freeze(pause) },
        { name: "store slow", weight: 1, run: (_, pause) => store.slowDown(pause) },
        { name: "store failing", weight: 2, run: (_, pause) => store.fail(pause) },
      ] satisfies Fault[])),
  ...(disk === null
    ? []
    : ([{ name: "disk full", weight: 2, run: (_, pause) => disk.fill(pause) }] satisfies Fault[])),
];

/** Draws a fault by its weight. */
export function drawFault(faults: readonly Fault[], random: () => number): Fault {
  const lots = faults.flatMap((fault) => Array<Fault>(fault.weight).fill(fault));
  return lots[Math.floor(random() * lots.length)];
}
