/** The memory of the editor's pictures. */
import t from "tap";
import { createPictureMemory } from "../../editor/engine/picture-memory.ts";

const SMALL = { width: 3, height: 5 };
const LARGE = { width: 16, height: 15 };

t.test("memory that was given back is taken again for a picture of its size", async (t) => {
  const memory = createPictureMemory();
  const [small, large] = [memory.take(SMALL), memory.take(LARGE)];
  t.equal(small.byteLength, 60);
  t.not(memory.take(SMALL), small, "not while it is in use");
  memory.give(large);
  memory.give(small);
  t.equal(memory.take({ width: 5, height: 3 }), small);
  t.not(memory.take(SMALL), small, "once");
  t.equal(memory.take(LARGE), large);
});

t.test("a few pictures' memory is kept, that of the last ones", async (t) => {
  const memory = createPictureMemory();
  const given = Array.from({ length: 9 }, () => memory.take(SMALL));
  for (const one of given) memory.give(one);
  const taken = Array.from({ length: 9 }, () => memory.take(SMALL));
  const again = given.filter((one) => taken.includes(one));
  t.same(again, given.slice(-4));
});
