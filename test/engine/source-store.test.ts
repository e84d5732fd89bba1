/** Places of prepared sources in shared memory. */
import t from "tap";
import {
  createSourceStore,
  type JobSources,
  type SharedLevels,
} from "../../engine/pool/source-store.ts";
import { hash } from "../helpers/pictures.ts";
import { seed } from "../helpers/random-subset.ts";

t.test("places of sources that jobs use at the same time never overlap", async (t) => {
  const CAPACITY = 4096;
  t.comment(`SEED=${seed}`);
  let draws = 0;
  const below = (end: number) => Math.floor(hash(seed, draws++) * end);
  const bytesOf = (sha256: string) => 64 + ((Number(sha256) * 997) % 1500);
  const store = createSourceStore(CAPACITY);
  interface RandomJob {
    readonly sources: JobSources;
    readonly sha256: string;
    step: "waits" | "prepares" | "has a place" | "reads" | "has ended";
    levels: SharedLevels | null;
  }
  const jobs: RandomJob[] = [];
  const seen = new Map<string, number>();
  const begin = () => {
    const sources = store.forJob();
    const sha256 = String(below(12));
    const levels = sources.known(sha256);
    const job: RandomJob = { sources, sha256, step: levels ? "reads" : "waits", levels };
    jobs.push(job);
    if (levels !== null) return;
    void sources.claim(sha256).then((claimed) => {
      if (job.step === "has ended") return;
      job.step = claimed ? "reads" : "prepares";
      job.levels = claimed;
    });
  };
  /** Goes on with a job, or ends it. */
  const advance = (job: RandomJob) => {
    const { sources, sha256, step } = job;
    seen.set(step, (seen.get(step) ?? 0) + 1);
    if (step === "has ended") {
      t.throws(() => sources.allocate(sha256, bytesOf(sha256)));
      sources.settle(sha256);
      sources.end();
      jobs.splice(jobs.indexOf(job), 1);
    } else if (step === "prepares" && below(4) > 0) {
      job.levels = sources.allocate(sha256, bytesOf(sha256));
      job.step = "has a place";
    } else if (step === "has a place" && below(4) > 0) {
      sources.settle(sha256);
      job.step = "reads";
    } else {
      sources.end();
      job.levels = null;
      job.step = "has ended";
    }
  };
  let outside = 0;
  for (let n = 0; n < 6000; n++) {
    if (jobs.length < 9 && below(3) === 0) begin();
    else if (jobs.length > 0) advance(jobs[below(jobs.length)]);
    await new Promise(setImmediate);
    const used = jobs.flatMap(({ levels }) => levels ?? []);
    const inBlock = used.filter(({ memory }) => memory.byteLength === CAPACITY);
    outside += used.length - inBlock.length;
    const end = (levels: SharedLevels) => levels.start + bytesOf(levels.sha256);
    const isApart = inBlock.every((one) =>
      inBlock.every(
        (other) => one.id === other.id || end(one) <= other.start || end(other) <= one.start,
      ),
    );
    if (!isApart || inBlock.some((one) => end(one) > CAPACITY)) t.fail(JSON.stringify(used));
  }
  t.ok(outside > 100, "there was no room for some");
  for (const step of ["waits", "prepares", "has a place", "reads", "has ended"]) {
    t.ok(Number(seen.get(step)) > 50, `${step} ${seen.get(step)}`);
  }
});

t.test("a block of many small sources makes room for a large one", (t) => {
  const store = createSourceStore(2 ** 20);
  const prepare = (sha256: string, bytes: number) => {
    const job = store.forJob();
    void job.claim(sha256);
    const levels = job.allocate(sha256, bytes);
    job.settle(sha256);
    return { job, levels };
  };
  for (let n = 0; n < 1000; n++) prepare(`small ${n}`, 100).job.end();
  t.equal(store.forJob().known("small 0"), null, "few of them are kept");
  const { levels } = prepare("large", 2 ** 20);
  t.same([levels.start, levels.memory.byteLength], [0, 2 ** 20]);
  t.equal(store.forJob().known("small 999"), null);
  t.end();
});
