/**
 * Truchet's own tiles (S. Truchet, "Mémoire sur les combinaisons", 1704), halved from corner to
 * corner, and their round kin. Neighbours are painted over a cell's rim, so that edges are soft.
 */
import { type Linear, mixed } from "../../lib/colour.ts";
import { between, pick, type Random, whole } from "../../lib/random.ts";
import { randomGround, shiftedFrom } from "../ground.ts";
import type { Palette } from "../palette.ts";
import { assignKinds, type Board, cellsOf, randomBoard } from "./board.ts";
import type { Look } from "./look.ts";
import { ground, type Paint, type Piece } from "./pieces.ts";

/** The corner that is filled, 0 upper left, then clockwise; and whether it is filled roundly. */
interface Half {
  readonly corner: number;
  readonly round: boolean;
}

const CORNERS = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
] as const;

/** Colours that change over the board in patches, a wave each way. */
function patches(random: Random, board: Board, palette: Palette, base: Linear) {
  const hues = shiftedFrom([...palette.colours, palette.accent, palette.leaf], base, 0.2);
  const waves = [whole(random, 0, 2), whole(random, 1, 2)] as const;
  const phase = [random(), random()] as const;
  const loose = pick(random, [0.15, 0.5, 1]);
  const strays = Array.from({ length: board.count }, () => between(random, -0.5, 0.5) * loose);
  return (x: number, y: number) => {
    const turn = board.diagonal ? [(x - y) / 2, (x + y) / 2] : [x, y];
    const wave = (index: 0 | 1) =>
      Math.sin(2 * Math.PI * ((waves[index] * turn[index]) / board.cells + phase[index]));
    const place = (wave(0) + wave(1)) / 4 + 0.5 + strays[board.indexOf(x, y)];
    return hues[Math.floor((place - Math.floor(place)) * hues.length * 0.9999)];
  };
}

export const quilt: Look = (random, palette) => {
  const board = randomBoard(random, 8, 16);
  const curved = pick(random, [0, 0, 0.5, 1]);
  const halfAt = assignKinds<Half>(random, board, {
    draw: () => ({ corner: whole(random, 0, 3), round: random() < curved }),
    across: ({ corner, round }) => ({ corner: corner ^ 1, round }),
    down: ({ corner, round }) => ({ corner: 3 - corner, round }),
  });
  const base = randomGround(random, palette, 0.35);
  const colourAt = patches(random, board, palette, base);
  const second = mixed(base, pick(random, palette.colours), between(random, 0.06, 0.2));
  const ruled = random() < 0.5;
  const baseAt = (x: number, y: number) => ((x + y) % 2 === 0 ? base : second);

  /** The half of a cell that is filled, and the one that is not. */
  const halves = (x: number, y: number): readonly [Piece, Piece] => {
    const { corner, round } = halfAt(x, y);
    const [right, low] = CORNERS[corner];
    const paint: Paint = {
      body: colourAt(x, y),
      stripe: mixed(colourAt(x, y), base, 0.55),
      stripeAt: round ? 0.62 : 0.36,
      stripeHalf: ruled ? 0.07 : 0,
    };
    const place = { x: x + right, y: y + low, box: [-right, -low, 1 - right, 1 - low] as const };
    const normal = [(1 - 2 * right) * Math.SQRT1_2, (1 - 2 * low) * Math.SQRT1_2] as const;
    const rest = { body: baseAt(x, y) };
    return round
      ? [
          { ...place, course: 0, half: 1, paint },
          { ...place, course: 2, half: 1, paint: rest },
        ]
      : [
          { ...place, course: normal, half: Math.SQRT1_2, paint },
          {
            ...place,
            x: x + 1 - right,
            y: y + 1 - low,
            box: [right - 1, low - 1, right, low],
            course: normal,
            half: Math.SQRT1_2,
            paint: rest,
          },
        ];
  };
  const beside = [
    [-1, 0],
    [1, 0],
    [0, -1],
    [0, 1],
  ] as const;
  const pieces = cellsOf(board, (x, y) => {
    const { box: _, ...filled } = halves(x, y)[0];
    return [
      ground(x, y, baseAt(x, y)),
      filled,
      ...beside.flatMap(([dx, dy]) => halves(x + dx, y + dy)),
    ];
  });
  return { board, pieces };
};
