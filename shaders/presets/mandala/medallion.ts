/** A whole medallion, from its heart to its rim. */
import { between, pick, type Random } from "../../lib/random.ts";
import type { Part } from "./parts.ts";
import { contrastingFill, heart, type Place, RIMS, RINGS } from "./rings.ts";
import type { Theme } from "./theme.ts";

/**
 * Parts of a medallion of radius 1, the lowest first: from the rim inwards, so that each ring lies
 * over the feet of the one around it. `radius` is what it will have in the picture, in its edges;
 * the smaller it is, the fewer rings there are.
 */
export function medallion(random: Random, theme: Theme, order: number, radius: number): Part[] {
  const lineWidth = theme.lineWidth / radius;
  const detail = Math.min(Math.max(0.3 / radius, 1), 3.2);
  const place = (from: number, to: number, base = theme.ground): Place => ({
    random,
    theme,
    from,
    to,
    order,
    base,
    lineWidth,
  });
  const rimWidth = between(random, 0.13, 0.22) * Math.min(detail, 1.6);
  const rings = [pick(random, RIMS)(place(1 - rimWidth, 1))];
  let edge = 1 - rimWidth;
  const middle = between(random, 0.16, 0.24) * Math.min(detail, 2.4);
  let last: unknown;
  while (edge > middle + 0.02) {
    const { ring, width } = pick(
      random,
      RINGS.filter((entry) => entry.ring !== last),
    );
    last = ring;
    const base = contrastingFill(place(0, 0));
    const inner = Math.max(edge - between(random, ...width) * detail, middle);
    // A band instead of a disc: what lies under the inner rings is not painted at all.
    const foot = inner - 0.05;
    const board: Part = {
      kind: "band",
      at: (edge + foot) / 2,
      long: (edge - foot) / 2,
      fill: base,
      line: theme.line,
      lineWidth,
    };
    rings.push([{ ...board, shadow: theme.shadow * 0.6 }, ...ring(place(inner, edge, base))]);
    edge = inner;
  }
  const base = contrastingFill(place(0, 0));
  rings.push([
    { kind: "disc", at: 0, long: edge, fill: base, line: theme.line, lineWidth },
    ...heart(place(0, edge, base)),
  ]);
  return rings.flat();
}
