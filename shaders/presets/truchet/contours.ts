/** Quarter discs ruled with rings, one laid over the other: waves that change direction. */
import { mixed } from "../../lib/colour.ts";
import { between, pick, shuffled, whole } from "../../lib/random.ts";
import { randomGround, shiftedFrom } from "../ground.ts";
import { assignKinds, cellsOf, randomBoard } from "./board.ts";
import type { Look } from "./look.ts";
import { disc, ground, type Piece, ring } from "./pieces.ts";

export const contours: Look = (random, palette) => {
  const board = randomBoard(random, 4, 9);
  // The corner around which the upper disc lies: 0 upper left, then clockwise.
  const cornerAt = assignKinds(random, board, {
    draw: () => whole(random, 0, 3),
    across: (corner) => (corner ^ 1) % 4,
    down: (corner) => 3 - corner,
  });
  const base = randomGround(random, palette, 0.4);
  const rings = whole(random, 3, 7);
  const hues = shuffled(random, shiftedFrom([...palette.colours, palette.accent], base, 0.2));
  // The same from both ends of an edge, so that neighbours agree wherever their discs lie.
  const colourOf = (place: number) => hues[Math.min(place, rings - 1 - place) % hues.length];
  const half = (0.5 / rings) * between(random, 0.5, 0.8);
  const shadow = pick(random, [0.25, 0.45]);
  const edge = mixed(base, palette.ink, 0.35);
  const ruled = (x: number, y: number): Piece[] =>
    Array.from({ length: rings }, (_, place) =>
      ring(x, y, (place + 0.5) / rings, half, { body: colourOf(place) }),
    );
  const pieces = cellsOf(board, (x, y) => {
    const corner = cornerAt(x, y);
    const right = corner === 1 || corner === 2 ? 1 : 0;
    const low = corner > 1 ? 1 : 0;
    const top = disc(x + right, y + low, 1, {
      body: base,
      edge,
      edgeWidth: half * 0.2,
      shadow,
      reach: 0.16,
    });
    return [
      ground(x, y, base),
      ...ruled(x + 1 - right, y + 1 - low),
      top,
      ...ruled(x + right, y + low),
    ];
  });
  return { board, pieces };
};
