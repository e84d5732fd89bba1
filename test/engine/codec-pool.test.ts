/** Codec processes are reused only if they can take another request. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import t from "tap";
import { createCodecPool } from "../../engine/pool/codec/codec-pool.ts";
import { createCodecProcesses } from "../../engine/pool/codec/codec-process.ts";
import { childrenOf, descendantsOf, signalAll } from "../helpers/child-processes.ts";
import { faded, photograph, pngOf } from "../helpers/pictures.ts";

t.test("a killed process takes no requests, even before it has ended", async (t) => {
  const processes = createCodecProcesses();
  const process = await processes.start(2 ** 32);
  await process.ready;
  t.ok(process.isRunning());
  process.kill();
  t.notOk(process.isRunning());
  await process.ended;
  await process.file.close();
  processes.close();
});

t.test("a request after a cancelled one is executed, whenever it was cancelled", async (t) => {
  const codecs = createCodecPool();
  t.teardown(() => codecs.close());
  const picture = pngOf(photograph(900, 600));
  const decode = (signal?: AbortSignal) =>
    codecs.run({ kind: "decode", sha256: null }, picture, signal);
  await decode();
  const began = performance.now();
  await decode();
  const usual = performance.now() - began;
  for (let share = 0.8; share < 1.1; share += 0.02) {
    const cancelling = new AbortController();
    const cancelled = decode(cancelling.signal).catch(() => "cancelled");
    await sleep(usual * share);
    cancelling.abort();
    await cancelled;
    t.equal(
      (await decode()).output.byteLength,
      900 * 600 * 3,
      `after ${Math.round(share * 100)} %`,
    );
  }
});

t.test("what was inspected need not be decoded again, once", async (t) => {
  const codecs = createCodecPool();
  t.teardown(() => codecs.close());
  const picture = photograph(90, 60);
  const file = pngOf(picture);
  const { result } = await codecs.run({ kind: "inspect" }, file);
  const { sha256 } = result;
  // Bytes that cannot be decoded show that they are not.
  const decode = (bytes: Uint8Array) => codecs.run({ kind: "decode", sha256 }, bytes);
  t.strictSame((await decode(Buffer.alloc(9))).output, Buffer.from(picture.pixels));
  await t.rejects(decode(Buffer.alloc(9)), { name: "SourceUnreadable" });
  await codecs.run({ kind: "inspect" }, file);
  const other = pngOf(photograph(30, 20));
  await codecs.run({ kind: "inspect" }, other);
  await t.rejects(decode(Buffer.alloc(9)), { name: "SourceUnreadable" });
  t.strictSame((await decode(file)).output, Buffer.from(picture.pixels));
});

const skip = process.platform !== "linux" && "processes are found in /proc";
const spawners = () => childrenOf(process.pid);
const codecProcesses = () => spawners().flatMap(({ id }) => descendantsOf(id));

t.test("processes get settings of malloc, and no secrets", { skip }, async (t) => {
  process.env.SECRET_OF_TEST = "hidden";
  t.teardown(() => delete process.env.SECRET_OF_TEST);
  const codecs = createCodecPool();
  t.teardown(() => codecs.close());
  await codecs.run({ kind: "decode", sha256: null }, pngOf(photograph(9, 9)));
  const environments = codecProcesses().map(({ id }) =>
    readFileSync(`/proc/${id}/environ`, "utf8"),
  );
  t.ok(environments.length > 0);
  for (const environment of environments) {
    const names = environment.split("\0").map((variable) => variable.split("=", 1)[0]);
    t.ok(names.includes("MALLOC_ARENA_MAX") && names.includes("PATH"));
    t.notOk(names.includes("SECRET_OF_TEST"));
  }
});

for (const [what, victims] of [
  ["codec process", codecProcesses],
  ["spawner", spawners],
] as const) {
  t.test(`a request whose ${what} is killed is executed again`, { skip }, async (t) => {
    const codecs = createCodecPool();
    t.teardown(() => codecs.close());
    const file = pngOf(photograph(90, 60));
    const inspect = async () => (await codecs.run({ kind: "inspect" }, file)).result.sha256;
    const expected = await inspect();
    // It cannot reply before it is killed.
    const stopped = codecProcesses();
    signalAll(stopped, "SIGSTOP");
    const inspected = inspect();
    await sleep(100);
    signalAll(victims(), "SIGKILL");
    // One that is stopped may not notice that its spawner is gone.
    signalAll(stopped, "SIGKILL");
    t.equal(await inspected, expected);
  });
}

/** A picture whose output has three pieces. */
const large = photograph(1700, 1300);

t.test("an output comes in pieces of whole pixels", async (t) => {
  const codecs = createCodecPool();
  t.teardown(() => codecs.close());
  for (const { pixels, ...picture } of [large, faded(photograph(1100, 900))]) {
    const pieces: Uint8Array[] = [];
    const file = pngOf({ pixels, ...picture });
    const result = await codecs.stream({ kind: "decode", sha256: null }, file, (begun, bytes) => {
      t.match(begun, picture);
      t.equal(bytes, pixels.byteLength);
      // The memory of a piece is used again for the next one.
      return async (piece) => void pieces.push(piece.slice());
    });
    t.match(result, picture);
    t.ok(pieces.length > 1);
    t.ok(pieces.every(({ byteLength }) => byteLength % picture.channels === 0));
    t.ok(Buffer.concat(pieces).equals(pixels));
  }
});

t.test("the output of a killed process begins anew", { skip }, async (t) => {
  const codecs = createCodecPool();
  t.teardown(() => codecs.close());
  const begun: Uint8Array[][] = [];
  await codecs.stream({ kind: "decode", sha256: null }, pngOf(large), () => {
    const pieces: Uint8Array[] = [];
    begun.push(pieces);
    return async (piece) => {
      pieces.push(piece.slice());
      // The second piece has been asked for; the third is not.
      if (begun.length === 1) signalAll(codecProcesses(), "SIGKILL");
    };
  });
  t.equal(begun.length, 2);
  t.ok(Buffer.concat(begun[1]).equals(large.pixels));
});

t.test(
  "a request whose processes are killed each time fails, and may be repeated",
  { skip },
  async (t) => {
    const codecs = createCodecPool();
    t.teardown(() => codecs.close());
    let isOver = false;
    const inspected = codecs.run({ kind: "inspect" }, pngOf(photograph(90, 60)));
    const rejected = t.rejects(inspected, { name: "CodecKilled", code: "unavailable" }).then(() => {
      isOver = true;
    });
    while (!isOver) {
      signalAll(codecProcesses(), "SIGKILL");
      await new Promise(setImmediate);
    }
    await rejected;
  },
);
