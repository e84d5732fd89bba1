import { Readable } from "node:stream";
import t from "tap";
import { singleUseStream, startStream } from "../../engine/single-use-stream.ts";

/** A stream of some numbers, and how it ended each time. */
function counted(numbers: readonly number[], failure?: Error) {
  const left = numbers.values();
  const ends: unknown[] = [];
  const next = async () => {
    const piece = left.next();
    if (piece.done && failure) throw failure;
    return piece;
  };
  const ended = (error: unknown) => {
    ends.push(error);
  };
  return { stream: singleUseStream(next, ended), ends };
}

t.test("a stream ends once, after its last piece", async (t) => {
  const { stream, ends } = counted([1, 2, 3]);
  t.strictSame(await Array.fromAsync(stream), [1, 2, 3]);
  t.strictSame(await Array.fromAsync(stream), [], "it is read once");
  await stream[Symbol.asyncIterator]().return?.();
  t.strictSame(ends, [null]);
});

t.test("a stream ends with the error of a piece", async (t) => {
  const failure = new Error("torn");
  const { stream, ends } = counted([1], failure);
  await t.rejects(Array.fromAsync(stream), failure);
  t.strictSame(ends, [failure]);
});

t.test("a stream ends when its reader stops, even before the first piece", async (t) => {
  for (const begins of [false, true]) {
    const { stream, ends } = counted([1, 2]);
    const iterator = stream[Symbol.asyncIterator]();
    if (begins) await iterator.next();
    await iterator.return?.();
    t.match(ends, [{ message: /not read to its end/ }]);
    t.match(await iterator.next(), { done: true });
  }
});

t.test("a destroyed Readable ends its stream and throws nothing into it", async (t) => {
  const { stream, ends } = counted([1, 2]);
  const body = Readable.from(stream).on("error", () => undefined);
  body.destroy(new Error("the client has left"));
  await new Promise((resolve) => body.once("close", resolve));
  t.match(ends, [{ message: /not read to its end/ }]);
});

t.test("a started stream has all its pieces", async (t) => {
  const { stream, ends } = counted([1, 2, 3]);
  const started = await startStream(stream);
  t.strictSame(await Array.fromAsync(started), [1, 2, 3]);
  t.strictSame(ends, [null]);
  t.strictSame(await Array.fromAsync(await startStream(counted([]).stream)), []);
});

t.test("the start of a stream throws its first piece's error, reading it later ones", async (t) => {
  const failure = new Error("torn");
  await t.rejects(startStream(counted([], failure).stream), failure);
  const started = await startStream(counted([1], failure).stream);
  await t.rejects(Array.fromAsync(started), failure);
});

t.test("a reader that stops ends the source of a started stream", async (t) => {
  const { stream, ends } = counted([1, 2]);
  const started = await startStream(stream);
  await started[Symbol.asyncIterator]().return?.();
  t.match(ends, [{ message: /not read to its end/ }]);
});
