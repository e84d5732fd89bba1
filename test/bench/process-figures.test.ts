import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import t from "tap";
import {
  familyMegabytes,
  forgetPeak,
  processFigures,
} from "../../bench/harness/process-figures.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const skip = process.platform === "linux" ? false : "figures are read from Linux's /proc";

t.test("the peak memory of a process can be reset", { skip }, async (t) => {
  let ballast: Buffer | null = Buffer.alloc(200_000_000, 1);
  t.ok(processFigures(process.pid).megabytes > ballast.length / 1e6);
  ballast = null;
  let after = processFigures(process.pid);
  // Another thread releases collected memory, with a delay.
  while (after.peakMegabytes <= after.megabytes + 150) {
    collectGarbage();
    await delay(10);
    after = processFigures(process.pid);
  }
  forgetPeak(process.pid);
  const { peakMegabytes } = processFigures(process.pid);
  t.ok(peakMegabytes < after.peakMegabytes - 150, `${peakMegabytes}`);
});

/** Uses half a second of processor time, prints a line, and runs until it is killed. */
const BUSY = `
while (process.cpuUsage().user < 500_000);
console.log("done");
setInterval(() => undefined, 1000);`;

t.test("the time of a process includes its children", { skip }, async (t) => {
  const before = processFigures(process.pid).cpuSeconds;
  const own = process.cpuUsage();
  const child = spawn(process.execPath, ["-e", BUSY], { stdio: ["ignore", "pipe", "inherit"] });
  t.teardown(() => child.kill());
  await once(child.stdout, "data");
  const { user, system } = process.cpuUsage(own);
  const theirs = processFigures(process.pid).cpuSeconds - before - (user + system) / 1e6;
  t.ok(theirs > 0.4, `${theirs} s`);
});

/** Fills memory, prints a line, and runs until it is killed. */
const LARGE = `
const ballast = Buffer.alloc(100_000_000, 1);
console.log("done");
setInterval(() => ballast.length, 1000);`;

t.test(
  "the memory of a process tree includes only children of the same program",
  { skip },
  async (t) => {
    // This process's own memory shrinks when its garbage is collected.
    const childrenMegabytes = () => familyMegabytes(process.pid) - process.memoryUsage.rss() / 1e6;
    const before = childrenMegabytes();
    const other = spawn("sleep", ["60"]);
    const child = spawn(process.execPath, ["-e", LARGE], { stdio: ["ignore", "pipe", "inherit"] });
    t.teardown(() => {
      other.kill();
      child.kill();
    });
    await once(child.stdout, "data");
    const grown = childrenMegabytes() - before;
    t.ok(grown > 90, `${grown} MB`);
    t.ok(familyMegabytes(other.pid ?? 0) < 50, "a program without children");
  },
);

t.test("returns no figures of a process that has ended", { skip }, async (t) => {
  t.throws(() => processFigures(2 ** 30), { code: "ENOENT" });
});
