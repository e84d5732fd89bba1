/**
 * `npm run soak -- --minutes 120 --nodes 1 --faults`: customers come, use the service in every way and
 * leave, while what its processes and their database use is sampled. Stores the samples in
 * bench/results and draws them for docs/reliability.md.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import t, { type Test } from "tap";
import { describeEnvironment, environment } from "../../../bench/harness/environment.ts";
import { counted } from "../../../bench/harness/format-table.ts";
import { parsePositive, parseWhole } from "../../../bench/harness/parse-number.ts";
import { storeResults } from "../../../bench/harness/results-folder.ts";
import { MEMORY_VARIABLES } from "../../../bench/harness/started-server.ts";
import { describeSlope, soakPlot } from "../../../bench/soak/plot.ts";
import { type Soak, slopeOf } from "../../../bench/soak/soak.ts";
import { noisePng } from "../../helpers/pictures.ts";
import { seed } from "../../helpers/random-subset.ts";
import { receiver } from "../../helpers/webhooks.ts";
import { createJournal } from "../client.ts";
import { drawFault, faultsOf } from "../faults.ts";
import { startInstallation } from "../installation.ts";
import { randomNumbers } from "../random-numbers.ts";
import { createSampler } from "./samples.ts";
import { visit } from "./visit.ts";

const { values: given } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    nodes: { type: "string", default: "1" },
    faults: { type: "boolean", default: false },
  },
});
const MINUTES = parsePositive("--minutes", given.minutes);
const NODES = parseWhole("--nodes", given.nodes, 1);

/** Customers at a time, and the pictures that they have. */
const VISITORS = 4;
const PICTURES = 32;

const SAMPLE_MS = 5000;

/** The longest time between two faults, and the longest that one lasts, in milliseconds. */
const CALM_MS = 20_000;
const PAUSE_MS = 20_000;

/** It is full within the first third, which is not judged. */
const CACHE_BYTES = 32 * 2 ** 20;

const ENV = {
  ...MEMORY_VARIABLES,
  ENGINE_THREADS: String(Math.max(1, Math.floor(availableParallelism() / NODES))),
  CACHE_MAX_BYTES: String(CACHE_BYTES),
};

const place = environment(new Date());
const name = `soak-${NODES}${given.faults ? "-faults" : ""}`;

const timeout = (MINUTES + 10) * 60_000;
// Otherwise all of it has 30 seconds.
t.setTimeout(timeout);

t.test(name, { timeout }, async (t) => {
  const installation = await startInstallation(t, {
    nodes: NODES,
    keys: 20,
    env: ENV,
    hasObjectStore: false,
    hasSmallDisk: given.faults,
    hasRoles: false,
  });
  const { db, nodes, databaseUrl } = installation;
  const target = await receiver(t);
  const journal = createJournal();
  const over = new AbortController();
  t.teardown(() => over.abort());
  const end = performance.now() + MINUTES * 60_000;
  const isOver = () => over.signal.aborted || performance.now() > end;

  const pictures = await Promise.all(Array.from({ length: PICTURES }, () => noisePng(240, 180)));
  const visitors = Array.from({ length: VISITORS }, async (_, at) => {
    const random = randomNumbers(10 + at);
    const rest = { urls: nodes.urls, random, signal: over.signal, journal };
    while (!isOver()) await visit({ db, receiverUrl: target.url, pictures, ...rest });
  });
  const answered = () => journal.succeeded;
  const sampler = createSampler({ nodes, databaseUrl, answered });
  const sampling = async () => {
    while (!isOver()) {
      await delay(SAMPLE_MS);
      await sampler.sample();
    }
  };
  const minutesOfFaults: Record<string, number[]> = {};
  const failing = async () => {
    const random = randomNumbers(1);
    const faults = faultsOf(installation);
    while (given.faults && !isOver()) {
      await delay(CALM_MS * random());
      if (isOver()) return;
      const fault = drawFault(faults, random);
      const minute = MINUTES - (end - performance.now()) / 60_000;
      const before = minutesOfFaults[fault.name] ?? [];
      minutesOfFaults[fault.name] = [...before, Math.round(100 * minute) / 100];
      await fault.run(Math.floor(random() * NODES), PAUSE_MS * random());
    }
  };
  const failure: unknown = await Promise.all([...visitors, sampling(), failing()]).then(
    () => null,
    (error) => error,
  );
  over.abort();

  const { violations, outcomes, succeeded } = journal;
  if (violations.length > 0) t.fail(`violations with SEED=${seed}`, { violations });
  await report(t, {
    environment: place,
    nodes: NODES,
    faults: minutesOfFaults,
    requests: succeeded,
    outcomes: Object.fromEntries(outcomes),
    minutes: sampler.minutes(),
    soak: sampler.series(),
  });
  // What was measured until then is kept.
  if (failure !== null) throw failure;
  t.same(await nodes.stop(), Array(NODES).fill(0), "each node ends by itself");
});

/** Prints whether each series grows, stores all and draws it. */
async function report(t: Test, run: Soak): Promise<void> {
  const { minutes, soak, requests, outcomes, faults } = run;
  for (const { name, unit, values } of soak) {
    const slope = slopeOf(minutes, values);
    const mean = `${slope.mean.toFixed(1)} ${unit}`.trim();
    t.comment(`${name}: ${mean}, ${describeSlope(slope, unit)}`);
  }
  t.comment(`${requests} requests answered, others: ${JSON.stringify(outcomes)}`);
  t.comment(`faults: ${JSON.stringify(faults)}`);
  const folder = new URL("../../../docs/images/reliability/", import.meta.url);
  const what = `${Math.round(MINUTES)} minutes, ${counted(NODES, "node")}`;
  await mkdir(folder, { recursive: true });
  const caption = `${what}. ${describeEnvironment(place)}; commit ${place.commit}`;
  await writeFile(new URL(`${name}.svg`, folder), soakPlot(run, caption));
  t.comment(`kept as bench/results/${await storeResults(run, name)}`);
}
