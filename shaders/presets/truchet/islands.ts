/**
 * Smith's tiles (C. S. Smith, "The tiling patterns of Sebastien Truchet", Leonardo 20, 1987): two
 * quarter circles a tile. The islands and lakes between them are coloured one by one.
 */
import { mixed } from "../../lib/colour.ts";
import { between, pick, whole } from "../../lib/random.ts";
import { randomGround, shiftedFrom } from "../ground.ts";
import { assignKinds, cellsOf, randomBoard } from "./board.ts";
import { Groups } from "./groups.ts";
import type { Look } from "./look.ts";
import { disc, ground, type Paint, ring } from "./pieces.ts";

export const islands: Look = (random, palette) => {
  const board = randomBoard(random, 6, 14);
  // 0: arcs around the upper left and lower right corner, 1: around the two others.
  const kindAt = assignKinds(random, board, {
    draw: () => whole(random, 0, 1),
    across: (kind) => 1 - kind,
    down: (kind) => 1 - kind,
  });
  const regions = new Groups(board.count);
  cellsOf(board, (x, y) => {
    const kind = kindAt(x, y);
    regions.join(board.indexOf(x + 1 - kind, y), board.indexOf(x + kind, y + 1));
  });

  const sea = randomGround(random, palette, 0.4);
  const hues = shiftedFrom([...palette.colours, palette.accent], sea, 0.22);
  const seas = [sea, mixed(sea, pick(random, palette.colours), between(random, 0, 0.16))];
  const colours = Array.from({ length: board.count }, () => [
    pick(random, seas),
    pick(random, hues),
  ]);
  // Corners of even and odd places never meet, so that land is always beside water.
  const colourAt = (x: number, y: number) =>
    colours[regions.of(board.indexOf(x, y))]?.[(((x + y) % 2) + 2) % 2];

  const outline = pick(random, [palette.ink, palette.paper, palette.ink]);
  const half = pick(random, [0.035, 0.07, 0.12, 0.16]);
  const band: Paint = {
    body: outline,
    stripe: shiftedFrom([palette.accent], outline)[0] ?? palette.accent,
    stripeHalf: half > 0.1 ? half * 0.35 : 0,
    shadow: pick(random, [0, 0.35]),
    reach: 0.14,
  };
  // Echoes of the shore inside the land or the water.
  const echo = pick(random, [0, 0, 1, 2]);
  const pieces = cellsOf(board, (x, y) => {
    const kind = kindAt(x, y);
    const corners = [
      [x + kind, y],
      [x + 1 - kind, y + 1],
    ] as const;
    const middle = colourAt(x + 1 - kind, y);
    const shade = (colour: typeof sea) => mixed(colour, outline, 0.3);
    return [
      ground(x, y, middle),
      ...corners.flatMap(([cx, cy]) => {
        const inner = colourAt(cx, cy);
        const step = half + 0.09;
        return [
          ...(echo > 0 ? [ring(cx, cy, 0.5 + step, 0.025, { body: shade(middle) })] : []),
          disc(cx, cy, 0.5, { body: inner }),
          ...(echo > 0 ? [ring(cx, cy, 0.5 - step, 0.025, { body: shade(inner) })] : []),
          ...(echo > 1 ? [disc(cx, cy, 0.12, { body: shade(inner) })] : []),
        ];
      }),
      ...corners.map(([cx, cy]) => ring(cx, cy, 0.5, half, band)),
    ];
  });
  return { board, pieces };
};
