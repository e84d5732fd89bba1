/** A server attacked by free accounts: another account's tiles, the event loop and memory. */
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { plainDesign } from "../../engine/recipe/index.ts";
import { type BenchCase, type PreparedCase, type Reading, WrongResult } from "../harness/case.ts";
import { onServer } from "../harness/on-server.ts";
import { parsePositive } from "../harness/parse-number.ts";
import { familyMegabytes, processFigures } from "../harness/process-figures.ts";
import type { StartedServer } from "../harness/started-server.ts";
import { quantile } from "../harness/statistics.ts";
import { timed } from "../harness/timed.ts";
import { type Attack, type Attacker, attacksOf, type Outcome } from "../hostile/attacks.ts";
import { hostileFiles } from "../hostile/pictures.ts";
import { photoLike } from "../pictures/photo-like.ts";
import { asUpload } from "./in-thread-engine.ts";

const ATTACKERS = 4;
/** Concurrent attacks of each attacker. */
const AT_ONCE = 3;
const TILE_SIZE = 512;
const TILE_EVERY_MS = 1000;
const SAMPLE_EVERY_MS = 2000;
/** A key may make 600 requests a minute, and a tile takes two. */
const KEYS = 2;

const SECONDS = process.env.HOSTILE_SECONDS ?? "120";
const PROBE = fileURLToPath(new URL("../harness/loop-probe.ts", import.meta.url));

export const hostile: BenchCase = {
  name: "hostile",
  title: `A tile of ${TILE_SIZE}² a second for one account while ${ATTACKERS} trial accounts attack for ${SECONDS} s (HOSTILE_SECONDS)`,
  scope: "service",
  fairness: `Attackers run on the same cores as the server, ${AT_ONCE} attacks each at a time, all attacks in turn. A tile is of a new pattern each time. Memory is that of the server and the processes that it starts of itself, without the database: the median of the last fifth of the time over that of the second fifth. A stall is what the event loop's timer was late by; the server's own stalls count the processor time of its thread only, because the attackers' share of the cores makes the others long.`,
  metrics: [
    { name: "tile", unit: "ms p95 of a tile", better: "lower" },
    { name: "slowest", unit: "ms, the slowest tile", better: "lower" },
    { name: "failed", unit: "tiles failed", better: "lower" },
    { name: "stall", unit: "ms, the longest stall", better: "lower" },
    { name: "own", unit: "ms, the longest stall of its own", better: "lower" },
    { name: "stall95", unit: "ms p95 of each second's longest stall", better: "lower" },
    { name: "growth", unit: "MB grown", better: "lower" },
    { name: "highest", unit: "MB at most", better: "lower" },
    { name: "attacks", unit: "attacks/s", better: "higher" },
  ],
  targets: [
    { metric: "tile", must: 1000 },
    { metric: "failed", must: 0 },
    { metric: "own", must: 50 },
    { metric: "growth", must: 64 },
  ],
  long: { why: `${SECONDS} s of attacks`, rounds: 1 },
  prepare,
};

async function prepare(): Promise<PreparedCase> {
  const seconds = parsePositive("HOSTILE_SECONDS", SECONDS);
  const attacks = attacksOf(await hostileFiles());
  const probeFile = join(tmpdir(), `orbifold-loop-probe-${process.pid}`);
  return onServer(
    KEYS,
    async (server, api) => {
      processFigures(server.pid);
      const source = await api.upload(asUpload(photoLike(TILE_SIZE)));
      let made = 0;
      /** Milliseconds to create a pattern and render its tile. */
      const tile = async () => {
        made++;
        const motif = {
          x: (made * 0.618) % 1,
          y: (made * 0.755) % 1,
          scale: 1,
          rotation: made % 360,
        };
        const design = { ...plainDesign("p4"), motif };
        const pattern = await api.createPattern(source, design);
        return timed(() => api.tile(pattern, TILE_SIZE));
      };
      const attackers = await Promise.all(
        Array.from({ length: ATTACKERS }, (_, index) => signUp(server, index)),
      );
      return {
        contenders: [
          {
            name: "orbifold",
            ours: true,
            run: () => measureUnderAttack(server, seconds, probeFile, attacks, attackers, tile),
          },
        ],
        notes: [server.description],
        versions: {},
        async check() {
          await tile();
        },
        async close() {
          await server.stop();
          await rm(probeFile, { force: true });
        },
      };
    },
    { env: { LOOP_PROBE_FILE: probeFile }, nodeOptions: ["--import", PROBE] },
  );
}

/** Creates a trial account with a key and a pattern. */
async function signUp(server: StartedServer, index: number): Promise<Attacker> {
  const email = `attacker-${index}@example.com`;
  const account = await server.cli("accounts", "create", "--email", email, "--plan", "trial");
  const key = await server.cli("keys", "create", "--account", String(account.id), "--name", email);
  const secret = String(key.secret);
  const post = async (path: string, body: object): Promise<number> => {
    const response = await fetch(`${server.url}/api/v1${path}`, {
      method: "POST",
      headers: { "x-api-key": secret, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new WrongResult(`POST ${path}: ${await response.text()}`);
    return (await response.json()).id;
  };
  const source = await post("/sources/presets", { preset: "floral" });
  return {
    url: server.url,
    key: secret,
    pattern: await post("/patterns", { source_id: source, group: "p6" }),
  };
}

async function measureUnderAttack(
  server: StartedServer,
  seconds: number,
  probeFile: string,
  attacks: readonly Attack[],
  attackers: readonly Attacker[],
  tile: () => Promise<number>,
): Promise<Reading> {
  const end = performance.now() + 1000 * seconds;
  const isOver = () => performance.now() >= end;
  const before = (await stallsIn(probeFile)).length;
  const outcomes = new Map<string, Map<Outcome, number>>();
  const tiles: number[] = [];
  const failures: unknown[] = [];
  const megabytes: number[] = [];
  let attacked = 0;

  // Steps of the golden ratio: evenly spread, and the same in every run.
  let state = 0;
  const random = () => {
    state = (state + 0.6180339887498949) % 1;
    return state;
  };
  const attack = async (attacker: Attacker) => {
    while (!isOver()) {
      const { name, run } = attacks[attacked++ % attacks.length];
      const outcome = await run(attacker, random);
      const counts = outcomes.get(name) ?? new Map<Outcome, number>();
      outcomes.set(name, counts.set(outcome, (counts.get(outcome) ?? 0) + 1));
    }
  };
  const every = async (milliseconds: number, act: () => unknown) => {
    while (!isOver()) await Promise.all([act(), pause(milliseconds)]);
  };
  await Promise.all([
    ...attackers.flatMap((attacker) => Array.from({ length: AT_ONCE }, () => attack(attacker))),
    every(TILE_EVERY_MS, async () => {
      const sentAt = performance.now();
      const milliseconds = await tile().catch((error) => {
        failures.push(error);
        return performance.now() - sentAt;
      });
      tiles.push(milliseconds);
    }),
    every(SAMPLE_EVERY_MS, () => megabytes.push(familyMegabytes(server.pid))),
  ]);

  report(outcomes);
  for (const failure of new Set(failures.map(String))) console.error(`a tile failed: ${failure}`);
  const stalls = (await stallsIn(probeFile)).slice(before);
  const fifth = (from: number) =>
    quantile(
      megabytes.slice((from * megabytes.length) / 5, ((from + 1) * megabytes.length) / 5),
      0.5,
    );
  return {
    tile: quantile(tiles, 0.95),
    slowest: Math.max(...tiles),
    failed: failures.length,
    stall: Math.max(...stalls.map(({ late }) => late)),
    own: Math.max(...stalls.map(({ own }) => own)),
    stall95: quantile(
      stalls.map(({ late }) => late),
      0.95,
    ),
    growth: fifth(4) - fifth(1),
    highest: Math.max(...megabytes),
    attacks: attacked / seconds,
  };
}

/** Reads the lines of the probe. */
const stallsIn = async (file: string) =>
  (await readFile(file, "utf8"))
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [late = 0, own = 0] = line.split(" ").map(Number);
      return { late, own };
    });

/**
 * Reports the outcomes of each attack on standard error. Throws if one is an error of the server.
 */
function report(outcomes: ReadonlyMap<string, ReadonlyMap<Outcome, number>>): void {
  for (const [name, counts] of outcomes) {
    const list = [...counts].map(([outcome, count]) => `${outcome} × ${count}`);
    console.error(`${name}: ${list.join(", ")}`);
    if (counts.has(500)) throw new WrongResult(`${name}: answered with status 500`);
  }
}
