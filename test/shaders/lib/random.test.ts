import t from "tap";
import {
  permutationTable,
  pick,
  randomSequence,
  shuffled,
  whole,
} from "../../../shaders/lib/random.ts";

const SEEDS = [0, 1, -1, 2 ** 31, 2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER];

function first(seed: number, stream = 0): string {
  const random = randomSequence(seed, stream);
  return [random(), random(), random()].join(" ");
}

t.test("the same seed gives the same numbers, another seed or stream others", async (t) => {
  t.equal(new Set(SEEDS.map((seed) => first(seed))).size, SEEDS.length);
  for (const seed of SEEDS) t.equal(first(seed), first(seed));
  t.not(first(7, 1), first(7, 2));
});

t.test("is the same on every machine", async (t) => {
  const random = randomSequence(42, 3);
  t.strictSame(
    [random(), random()].map((value) => Math.round(value * 2 ** 32)),
    [2783362959, 694853914],
  );
});

t.test("numbers are uniform in [0, 1)", async (t) => {
  const random = randomSequence(3);
  const counts = new Array<number>(10).fill(0);
  for (let draw = 0; draw < 20000; draw++) {
    const bin = Math.floor(random() * 10);
    counts[bin] = counts[bin] + 1;
  }
  t.ok(
    counts.every((count) => Math.abs(count - 2000) < 200),
    counts.join(" "),
  );
});

t.test("a permutation table holds 0…4095 once each, in an order of its seed", async (t) => {
  const tables = SEEDS.map(permutationTable);
  for (const table of tables) {
    t.strictSame(
      Float32Array.from(table).sort(),
      Float32Array.from({ length: 4096 }, (_, i) => i),
    );
  }
  t.equal(new Set(tables.map((table) => table.slice(0, 8).join())).size, SEEDS.length);
});

t.test("whole numbers reach both ends, picking and shuffling lose nothing", async (t) => {
  const random = randomSequence(5);
  const drawn = Array.from({ length: 200 }, () => whole(random, 2, 4));
  t.strictSame([...new Set(drawn)].sort(), [2, 3, 4]);
  const letters = ["a", "b", "c", "d"];
  t.strictSame(shuffled(random, letters).sort(), letters);
  t.ok(letters.includes(pick(random, letters)));
});
