/** Medallions of petals, beads and lace, a large one among smaller ones. */
import { permutationTable, pick, randomSequence } from "../lib/random.ts";
import { layoutOf } from "./mandala/layouts.ts";
import { medallion } from "./mandala/medallion.ts";
import { type Medal, medalTables } from "./mandala/medals.ts";
import { partKernel } from "./mandala/part-kernel.ts";
import { partTables } from "./mandala/parts.ts";
import { themeOf } from "./mandala/theme.ts";
import { definePreset } from "./preset.ts";

/** Numbers of spokes: the larger the medallion, the more. */
const ORDERS = [
  { upTo: 0.15, orders: [6, 8, 10] },
  { upTo: 0.3, orders: [8, 10, 12] },
  { upTo: 1, orders: [8, 12, 12, 16] },
] as const;

/** Share by which the printed paper varies. */
const PAPER_GRAIN = 0.05;

export const mandala = definePreset({
  id: "mandala",
  title: "Mandala",
  description: "Medallions of petals, paisleys, beads and lace, a large one among smaller ones.",
  tiles: true,
  kernel: partKernel,
  prepare(seed, palette) {
    const random = randomSequence(seed, 13);
    const theme = themeOf(random, palette);
    const groups = layoutOf(random);
    const drawn = groups.map((group, design) => {
      const { radius } = group[0];
      const size = ORDERS.find(({ upTo }) => radius < upTo) ?? ORDERS[2];
      const order = pick<number>(random, size.orders);
      const parts = medallion(random, theme, order, radius);
      // The first spoke points up, so that the medallion is as symmetric as the square.
      const turn = -Math.PI / 2;
      return { parts, medals: group.map((spot): Medal => ({ ...spot, order, turn, design })) };
    });
    const {
      medals,
      list: medalList,
      starts: medalStarts,
    } = medalTables(
      drawn.flatMap((group) => group.medals),
      theme.ground,
      PAPER_GRAIN,
    );
    const {
      parts,
      list: partList,
      starts: partStarts,
    } = partTables(drawn.map((group) => group.parts));
    return [medals, medalList, medalStarts, parts, partList, partStarts, permutationTable(seed)];
  },
});
