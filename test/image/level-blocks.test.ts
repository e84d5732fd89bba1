import t from "tap";
import { blockCount, makeBlocks, newWaitBudget } from "../../engine/image/level-blocks.ts";
import type { Region } from "../../engine/image/picture.ts";

const SIZE = { width: 600, height: 300 };
const WHOLE = { x: 0, y: 0, ...SIZE };

/** Values of flags. */
const [MISSING, CLAIMED, MADE] = [0, 1, 2];

function sharedFlags(state: number): Int32Array {
  const bytes = blockCount(SIZE) * Int32Array.BYTES_PER_ELEMENT;
  return new Int32Array(new SharedArrayBuffer(bytes)).fill(state);
}

const areaOf = (parts: readonly Region[]) =>
  parts.reduce((sum, { width, height }) => sum + width * height, 0);

t.test("makes what is missing of a region once, and nothing else", (t) => {
  const flags = sharedFlags(MISSING);
  const parts: Region[] = [];
  const make = (part: Region) => void parts.push(part);
  const corner = { x: 130, y: 10, width: 100, height: 100 };
  makeBlocks(SIZE, corner, flags, newWaitBudget(), make);
  t.same(parts, [{ x: 128, y: 0, width: 128, height: 128 }]);
  makeBlocks(SIZE, corner, flags, newWaitBudget(), make);
  t.equal(parts.length, 1);
  makeBlocks(SIZE, WHOLE, flags, newWaitBudget(), make);
  t.equal(areaOf(parts), SIZE.width * SIZE.height);
  t.ok(flags.every((flag) => flag === MADE));
  t.end();
});

t.test("waits once for the blocks of a thread that has ended, and makes them", (t) => {
  const flags = sharedFlags(CLAIMED);
  const budget = newWaitBudget();
  t.equal(budget.milliseconds, 1000);
  budget.milliseconds = 80;
  const parts: Region[] = [];
  makeBlocks(SIZE, WHOLE, flags, budget, (part) => {
    // A coarser level of the same call has blocks of that thread, too.
    if (parts.length === 0) makeBlocks(SIZE, WHOLE, sharedFlags(CLAIMED), budget, () => undefined);
    parts.push(part);
  });
  t.equal(budget.milliseconds, 0, "no block is waited for any more");
  t.equal(areaOf(parts), SIZE.width * SIZE.height);
  t.end();
});

t.test("gives its claims back if a block cannot be made", (t) => {
  for (const flags of [sharedFlags(MISSING), new Int32Array(blockCount(SIZE))]) {
    const failing = () => {
      throw new RangeError("no memory");
    };
    t.throws(() => makeBlocks(SIZE, WHOLE, flags, newWaitBudget(), failing), RangeError);
    t.ok(flags.every((flag) => flag === MISSING));
    makeBlocks(SIZE, WHOLE, flags, newWaitBudget(), () => undefined);
    t.ok(flags.every((flag) => flag === MADE));
  }
  t.end();
});
