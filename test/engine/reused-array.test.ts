import t from "tap";
import { createPictureMemory, newBytes, reusedArray } from "../../engine/reused-array.ts";

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

t.test(
  "the smallest memory that suffices is taken, and no more is kept than the maximum",
  async (t) => {
    const memory = createPictureMemory(1000);
    const [small, large] = [memory.take(50), memory.take(150)];
    memory.giveBack(large);
    memory.giveBack(small);
    t.equal(memory.take(50).buffer, small.buffer);
    const beyond = memory.take(200);
    memory.giveBack(beyond);
    t.not(memory.take(200).buffer, beyond.buffer, "600 and 800 bytes are more than 1000");
  },
);
