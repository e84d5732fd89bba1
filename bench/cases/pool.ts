/** Case 6: overhead of the thread pool, scaling to a second thread, time to release a thread. */
import { Value } from "typebox/value";
import { bandRows } from "../../engine/image/bands.ts";
import { createEngine, type Engine, type RenderRequest } from "../../engine/index.ts";
import { checkDesign, checkRender } from "../../engine/recipe/check.ts";
import { plainDesign, RenderFields } from "../../engine/recipe/index.ts";
import { type BenchCase, type PreparedCase, WrongResult } from "../harness/case.ts";
import { closedLoop } from "../harness/closed-loop.ts";
import { quantile } from "../harness/statistics.ts";
import { timed } from "../harness/timed.ts";
import { photoLike } from "../pictures/photo-like.ts";
import {
  asUpload,
  type InThreadEngine,
  inSharedMemory,
  openInThreadEngine,
} from "./in-thread-engine.ts";

/** In each round. */
const TINY_JOBS = 60;
const EQUAL_JOBS_A_THREAD = 10;
const ABORTS = 5;
const SHEETS = 3;

const SHEET = 2048;

export const pool: BenchCase = {
  name: "pool",
  number: 6,
  title:
    "The pool: time added to a job, throughput of two threads over one, time to let go of a job",
  scope: "kernel figure",
  fairness: `Added is the median of ${TINY_JOBS} PNG tiles of 16² by a pool of one thread less that in this thread, taken in turns. Scaling is the throughput of ${EQUAL_JOBS_A_THREAD} tiles of 1024² for each thread, with two under way for each; all threads have made as many before. Letting go is the longest of ${ABORTS} times from an abort of a sheet with effects until a tiny job after it is done, less what that job takes after a whole sheet; the sheet's bands are timed in the same round. This thread reads all answers, on the same cores.`,
  metrics: [
    { name: "added", unit: "ms added", better: "lower" },
    { name: "scaling", unit: "× by 2 threads", better: "higher" },
    { name: "release", unit: "bands to let go", better: "lower" },
    { name: "releaseMs", unit: "ms to let go", better: "lower" },
    { name: "bandMs", unit: "ms a band", better: "lower" },
  ],
  targets: [
    { metric: "added", must: 1 },
    { metric: "scaling", must: 1.75 },
    { metric: "release", must: 1 },
  ],
  prepare,
};

interface Jobs {
  readonly tiny: RenderRequest;
  readonly equal: RenderRequest;
  readonly large: RenderRequest;
}

function makeJobs(): Jobs {
  const source = inSharedMemory(asUpload(photoLike(512)));
  const design = checkDesign(plainDesign("p4"));
  const job = (fields: Partial<RenderFields>): RenderRequest => {
    return { design, source, render: checkRender({ ...Value.Create(RenderFields), ...fields }) };
  };
  return {
    tiny: job({ size: 16 }),
    equal: job({ size: 1024 }),
    large: job({
      mode: "surface",
      surface_width: SHEET,
      surface_height: SHEET,
      cell: 256,
      surface_effects: [{ id: "vignette" }, { id: "grain" }, { id: "paper" }],
    }),
  };
}

async function prepare(): Promise<PreparedCase> {
  const jobs = makeJobs();
  const one = await createEngine({ backend: "webasm", threads: 1, queueMax: 64 });
  const two = await createEngine({ backend: "webasm", threads: 2, queueMax: 64 });
  const inThread = await openInThreadEngine();
  return {
    contenders: [
      {
        name: "orbifold (webasm)",
        ours: true,
        async run() {
          const added = await addedByPool(one, inThread, jobs);
          const { bandMs, nextMs } = await sheetTime(one, jobs);
          const releaseMs = await timeToLetGo(one, jobs, nextMs, bandMs);
          const scaling = (await throughput(two, 2, jobs)) / (await throughput(one, 1, jobs));
          return { added, scaling, release: releaseMs / bandMs, releaseMs, bandMs };
        },
      },
    ],
    notes: [],
    versions: {},
    async check() {
      for (const job of Object.values(jobs)) {
        const bytes = await inThread.file(job);
        for (const engine of [one, two]) {
          if (Buffer.compare(bytes, await whole(engine, job)) !== 0) {
            throw new WrongResult("a thread of the pool gave other bytes than this one");
          }
        }
      }
      // V8 compiles a thread's code as it is used.
      await throughput(one, 1, jobs);
      await throughput(two, 2, jobs);
    },
    async close() {
      await Promise.all([one.close(0), two.close(0), inThread.close()]);
    },
  };
}

async function whole(engine: Engine, job: RenderRequest, signal?: AbortSignal): Promise<Buffer> {
  const { body } = await engine.renderStream(job, signal);
  return Buffer.concat(await Array.fromAsync(body));
}

/** Milliseconds that the pool adds to a tiny job. */
async function addedByPool(engine: Engine, inThread: InThreadEngine, { tiny }: Jobs) {
  const byPool: number[] = [];
  const here: number[] = [];
  for (let job = 0; job < TINY_JOBS; job++) {
    byPool.push(await timed(() => whole(engine, tiny)));
    here.push(await timed(() => inThread.file(tiny)));
  }
  return quantile(byPool, 0.5) - quantile(here, 0.5);
}

/** Jobs a second, with enough queued that no thread is ever idle. */
async function throughput(engine: Engine, threads: number, { equal }: Jobs): Promise<number> {
  const queue = Array.from({ length: EQUAL_JOBS_A_THREAD * threads }, () => equal);
  return (await closedLoop(queue, 2 * threads, (job) => whole(engine, job))).rate;
}

/**
 * Milliseconds of a band of the large sheet, and of a tiny job after a whole sheet, which finds the
 * thread's caches full of other data.
 */
async function sheetTime(engine: Engine, { tiny, large }: Jobs) {
  const bands = Math.ceil(SHEET / bandRows(SHEET, SHEET, 0));
  const sheets: number[] = [];
  const next: number[] = [];
  for (let sheet = 0; sheet < SHEETS; sheet++) {
    sheets.push(await timed(() => whole(engine, large)));
    next.push(await timed(() => whole(engine, tiny)));
  }
  return { bandMs: quantile(sheets, 0.5) / bands, nextMs: quantile(next, 0.5) };
}

/** Returns the longest of several aborts, each at another time within a band. */
async function timeToLetGo(
  engine: Engine,
  { tiny, large }: Jobs,
  tinyMs: number,
  bandMs: number,
): Promise<number> {
  const times: number[] = [];
  for (let abort = 0; abort < ABORTS; abort++) {
    const controller = new AbortController();
    const { body } = await engine.renderStream(large, controller.signal);
    const reading = Array.fromAsync(body).catch((error) => error);
    await new Promise((resolve) => setTimeout(resolve, bandMs * (1 + abort / ABORTS)));
    times.push(
      await timed(() => {
        controller.abort();
        return whole(engine, tiny);
      }),
    );
    if (!((await reading) instanceof Error)) throw new WrongResult("an aborted sheet was made");
  }
  return Math.max(0, Math.max(...times) - tinyMs);
}
