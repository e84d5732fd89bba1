/** The buffers of the editor's pictures. */
import t from "tap";
import { createPixelBuffers } from "../../editor/engine/pixel-buffers.ts";

const SMALL = { width: 96, height: 96 };
const MIDDLE = { width: 200, height: 300 };
const LARGE = { width: 512, height: 512 };

t.test("a buffer that was given back is taken again for a picture of its size", async (t) => {
  const buffers = createPixelBuffers();
  const [middle, large] = [buffers.take(MIDDLE), buffers.take(LARGE)];
  t.match(middle, MIDDLE);
  t.equal(middle.buffer.byteLength, 240_000);
  t.not(buffers.take(MIDDLE).buffer, middle.buffer, "not while it is in use");
  buffers.giveBack(large.buffer);
  buffers.giveBack(middle.buffer);
  t.equal(buffers.take({ width: 300, height: 200 }).buffer, middle.buffer);
  t.not(buffers.take(MIDDLE).buffer, middle.buffer, "once");
  t.equal(buffers.take(LARGE).buffer, large.buffer);
});

t.test("a few buffers are kept, the last ones, and no small ones", async (t) => {
  const buffers = createPixelBuffers();
  const given = Array.from({ length: 9 }, () => buffers.take(LARGE).buffer);
  for (const one of given) {
    buffers.giveBack(one);
    buffers.giveBack(buffers.take(SMALL).buffer);
  }
  const taken = Array.from({ length: 9 }, () => buffers.take(LARGE).buffer);
  const again = taken.map((one) => given.indexOf(one)).filter((at) => at >= 0);
  t.strictSame(
    again.sort((a, b) => a - b),
    [5, 6, 7, 8],
  );
  const small = buffers.take(SMALL).buffer;
  buffers.giveBack(small);
  t.not(buffers.take(SMALL).buffer, small);
});
