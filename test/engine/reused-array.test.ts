import t from "tap";
import {
  createPictureMemory,
  createRowMemory,
  newBytes,
  reusedArray,
} from "../../engine/reused-array.ts";

t.test("an array has its length, and shares its memory with the one before", async (t) => {
  const allocate = reusedArray(newBytes, 100);
  const long = allocate(60).fill(1);
  const short = allocate(20);
  t.equal(short.length, 20);
  t.equal(short.buffer, long.buffer);
  t.equal(allocate(80).length, 80, "more memory is taken where it does not suffice");
});

t.test("an array beyond the maximum has memory of its own", async (t) => {
  const allocate = reusedArray(newBytes, 100);
  const kept = allocate(100);
  const long = allocate(101);
  t.equal(long.length, 101);
  t.not(long.buffer, kept.buffer);
  t.equal(allocate(100).buffer, kept.buffer);
});

t.test("memory of pictures belongs to one at a time", async (t) => {
  const memory = createPictureMemory(1000);
  const [one, other] = [memory.take(100), memory.take(100)];
  t.not(one.buffer, other.buffer);
  memory.giveBack(one);
  const next = memory.take(50);
  t.equal(next.buffer, one.buffer, "what was given back is taken again");
  t.equal(next.length, 50);
  t.not(memory.take(100).buffer, other.buffer);
});

t.test("memory that is far too large is not taken", async (t) => {
  const memory = createPictureMemory(1000);
  const large = memory.take(200);
  memory.giveBack(large);
  t.not(memory.take(99).buffer, large.buffer);
  t.equal(memory.take(100).buffer, large.buffer);
});

t.test("beyond the maximum, what was unused longest is let go", async (t) => {
  const memory = createPictureMemory(1000);
  const [first, second, third] = [memory.take(100), memory.take(100), memory.take(100)];
  for (const numbers of [first, second, third]) memory.giveBack(numbers);
  const taken = [memory.take(100), memory.take(100), memory.take(100)].map(({ buffer }) => buffer);
  t.ok(taken.includes(second.buffer) && taken.includes(third.buffer));
  t.notOk(taken.includes(first.buffer));
  const beyond = memory.take(300);
  memory.giveBack(beyond);
  t.not(memory.take(300).buffer, beyond.buffer);
});

t.test("rows take the memory of those before", async (t) => {
  const memory = createPictureMemory(1000);
  const { rows, end } = createRowMemory(memory);
  const two = async (allocate: (length: number) => Float32Array) => [allocate(100), allocate(80)];
  const first = (await rows(two)).map(({ buffer }) => buffer);
  const failing = rows(async (allocate) => {
    allocate(100);
    throw new Error("the device was lost");
  });
  await t.rejects(failing, /lost/);
  for (const { buffer } of await rows(two)) t.ok(first.includes(buffer));
  end();
  end();
  t.not(memory.take(100).buffer, memory.take(100).buffer, "each was given back once");
});

t.test("the memory that fits best is taken", async (t) => {
  const memory = createPictureMemory(1000);
  const [small, large] = [memory.take(60), memory.take(100)];
  for (const numbers of [small, large]) memory.giveBack(numbers);
  t.equal(memory.take(50).buffer, small.buffer);
  t.equal(memory.take(50).buffer, large.buffer);
});
