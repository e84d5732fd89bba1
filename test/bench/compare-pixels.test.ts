import t from "tap";
import { assertSamePixels } from "../../bench/harness/compare-pixels.ts";

const exactly = { most: 0, mean: 0 };

t.test("accepts equal pictures and pictures within the tolerance", async (t) => {
  assertSamePixels("peer", [1, 2, 3], [1, 2, 3], exactly);
  assertSamePixels("peer", [1, 2, 3, 4], [1, 2, 4, 4], { most: 1, mean: 0.25 });
  t.pass();
});

t.test("rejects one value far off, many slightly off, and another size", async (t) => {
  t.throws(() => assertSamePixels("peer", [1, 2], [1, 4], { most: 1, mean: 9 }), {
    name: "WrongResult",
    message: /^peer: differs by up to 2 /,
  });
  t.throws(() => assertSamePixels("peer", [1, 2], [2, 3], { most: 1, mean: 0.5 }), {
    name: "WrongResult",
  });
  t.throws(() => assertSamePixels("peer", [1], [1, 2], exactly), {
    message: "peer: 1 values, expected 2",
  });
});
