/**
 * Interlaced bands. Across goes over where column and row are even together and under elsewhere:
 * along any course over and under then alternate, as in a knot.
 */
import { lightness, mixed } from "../../lib/colour.ts";
import { between, pick, whole } from "../../lib/random.ts";
import { randomGround, shiftedFrom } from "../ground.ts";
import { assignKinds, cellsOf, randomBoard } from "./board.ts";
import { Groups } from "./groups.ts";
import type { Look } from "./look.ts";
import { ground, line, type Paint, type Piece, ring } from "./pieces.ts";

export const ribbons: Look = (random, palette) => {
  const board = randomBoard(random, 7, 14);
  const crossings = between(random, 0.35, 0.8);
  // 0: arcs around the upper left and lower right corner, 1: around the others, 2: a crossing.
  const turned = (kind: number) => (kind === 2 ? 2 : 1 - kind);
  const kindAt = assignKinds(random, board, {
    draw: () => (random() < crossings ? 2 : whole(random, 0, 1)),
    across: turned,
    down: turned,
  });
  // Ports: each cell's left edge, then its upper one.
  const left = (x: number, y: number) => 2 * board.indexOf(x, y);
  const top = (x: number, y: number) => 2 * board.indexOf(x, y) + 1;
  const bands = new Groups(2 * board.count);
  cellsOf(board, (x, y) => {
    const kind = kindAt(x, y);
    if (kind === 2) {
      bands.join(left(x, y), left(x + 1, y));
      bands.join(top(x, y), top(x, y + 1));
    } else {
      bands.join(left(x, y), top(x, y + kind));
      bands.join(left(x + 1, y), top(x, y + 1 - kind));
    }
  });

  const base = randomGround(random, palette, 0.5);
  const hues = shiftedFrom([...palette.colours, palette.accent], base, 0.27);
  const edge = lightness(base) > 0.5 ? palette.ink : mixed(base, palette.ink, 0.7);
  const half = between(random, 0.17, 0.3);
  const dress = pick(random, ["plain", "middle", "hem", "hem"]);
  const round = pick(random, [0, 0.25, 0.45]);
  const edgeWidth = pick(random, [0.02, 0.035, 0.05]);
  const paints = Array.from({ length: 2 * board.count }, (): Paint => {
    const body = pick(random, hues);
    const stripe = shiftedFrom(
      [pick(random, [palette.paper, palette.ink, palette.accent])],
      body,
    )[0];
    return {
      body,
      edge,
      edgeWidth,
      stripe: stripe ?? palette.paper,
      stripeAt: dress === "hem" ? half * 0.6 : 0,
      stripeHalf: dress === "plain" ? 0 : half * (dress === "hem" ? 0.09 : 0.22),
      shadow: 0.5,
      reach: 0.13,
      round,
    };
  });
  const paintOf = (port: number) => paints[bands.of(port)];
  const spot = mixed(base, pick(random, hues), 0.3);
  const dotted = random() < 0.5;
  const pieces = cellsOf(board, (x, y) => {
    const kind = kindAt(x, y);
    const strands: Piece[] =
      kind === 2
        ? [
            line(x + 0.5, y + 0.5, [1, 0], half, paintOf(top(x, y))),
            line(x + 0.5, y + 0.5, [0, 1], half, paintOf(left(x, y))),
          ]
        : [
            ring(x, y + kind, 0.5, half, paintOf(left(x, y))),
            ring(x + 1, y + 1 - kind, 0.5, half, paintOf(left(x + 1, y))),
          ];
    const corners = dotted ? [0, 1, 2, 3] : [];
    return [
      ground(x, y, base),
      ...corners.map((c) => ring(x + (c % 2), y + (c >> 1), 0, 0.09, { body: spot })),
      ...((x + y) % 2 === 0 ? strands : strands.reverse()),
    ];
  });
  return { board, pieces };
};
