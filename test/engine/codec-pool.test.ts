/** Codec processes are reused only if they can take another request. */
import { setTimeout as sleep } from "node:timers/promises";
import t from "tap";
import { createCodecPool } from "../../engine/pool/codec/codec-pool.ts";
import { createCodecProcesses } from "../../engine/pool/codec/codec-process.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";

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
