/** What takes minutes in all its breadth: a test takes some of it by lot, `CLAIMS=all` takes all. */
import t from "tap";
import { hash } from "./pictures.ts";

export const seed = Number(process.env.SEED ?? Math.floor(1e6 * Math.random()));
t.comment(`SEED=${seed}`);

/** Whether it is the long run. */
export const all = process.env.CLAIMS === "all";

/** Draws so many of a list, others for every salt; all of them in the long run. */
export const some = <Value>(list: readonly Value[], count: number, salt = 0): readonly Value[] =>
  all ? list : draw(list, count, salt);

/** Draws so many of a list, others for every salt, in the long run too. */
export function draw<Value>(list: readonly Value[], count: number, salt = 0): readonly Value[] {
  return list
    .map((value, n) => ({ value, lot: hash(seed + salt, n) }))
    .toSorted((a, b) => a.lot - b.lot)
    .slice(0, count)
    .map(({ value }) => value);
}
