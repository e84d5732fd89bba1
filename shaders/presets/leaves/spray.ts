/** Leaves of one kind along a stem: eucalyptus, olive, willow. */
import { lightened, mixed } from "../../lib/colour.ts";
import { between, whole } from "../../lib/random.ts";
import { disc } from "../floral/bloom.ts";
import { alongStem, type Foliage, type Growth, stem } from "../floral/growth.ts";
import type { Petal } from "../floral/petal.ts";

/** Shape of a spray; lengths in lengths of the stem. */
interface Habit {
  readonly leaves: readonly [number, number];
  /** Length of the leaves at the foot and at the tip, and their half width by their length. */
  readonly size: readonly [number, number];
  readonly slender: number;
  /** How far a leaf turns off the stem, in radians. */
  readonly turn: number;
  /** Whether leaves stand in pairs. */
  readonly paired: boolean;
  readonly tip: number;
  readonly fruit?: number;
}

function spray(habit: Habit): Foliage {
  return (growth) => {
    const { length, colour, ink, random } = growth;
    const bend = between(random, -0.32, 0.32);
    const count = whole(random, ...habit.leaves);
    const places = Array.from({ length: count }, (_, index) => ({
      index,
      s: 0.14 + (0.84 * (habit.paired ? Math.floor(index / 2) * 2 : index)) / count,
    }));
    const leaves = places.flatMap(({ index, s }): Petal[] => {
      const at = alongStem(growth, bend, s);
      const way = index % 2 === 0 ? 1 : -1;
      const [foot, tip] = habit.size;
      const size = length * (foot + (tip - foot) * s) * between(random, 0.88, 1.1);
      const angle = at.angle + way * habit.turn * between(random, 0.8, 1.2) * (1.15 - 0.4 * s);
      const tone = mixed(colour, ink, random() < 0.35 ? 0.2 : 0.04);
      return [blade({ ...growth, ...at, angle, length: size, colour: tone }, habit)];
    });
    const end = alongStem(growth, bend, 1);
    return [
      stem(growth, bend, length * 0.007),
      ...leaves,
      blade({ ...growth, ...end, length: length * habit.size[1] }, habit),
      ...fruits(growth, bend, habit.fruit ?? 0),
    ];
  };
}

function blade(growth: Growth, { slender, tip }: Habit): Petal {
  const { x, y, angle, length, colour, ink, random } = growth;
  return {
    x,
    y,
    angle,
    length,
    halfWidth: length * slender,
    bend: between(random, -0.14, 0.14),
    tip,
    base: 0.55,
    belly: tip > 0.5 ? -0.3 : 0.2,
    from: mixed(colour, ink, 0.24),
    to: lightened(colour, 0.06),
    blend: [0, 0.8],
    veins: 2,
    ribs: slender > 0.3 ? 7 : 0,
    lines: 0.32,
    rim: 0.25,
    shade: 0.26,
  };
}

function fruits(growth: Growth, bend: number, count: number): Petal[] {
  const { length, berry, random } = growth;
  return Array.from({ length: count }, () => {
    const at = alongStem(growth, bend, between(random, 0.25, 0.85));
    const away = length * 0.05 * (random() < 0.5 ? -1 : 1);
    const x = at.x - Math.sin(at.angle) * away;
    const y = at.y + Math.cos(at.angle) * away;
    const radius = length * between(random, 0.026, 0.036);
    return [
      disc(x, y, radius, { from: berry, rim: 0.5, shade: 0.3 }),
      disc(x - radius * 0.3, y - radius * 0.3, radius * 0.3, {
        from: lightened(berry, 0.2),
        soft: radius * 0.2,
      }),
    ];
  }).flat();
}

/** Round leaves in pairs. */
export const eucalyptus: Foliage = spray({
  leaves: [10, 13],
  size: [0.21, 0.11],
  slender: 0.4,
  turn: 1.05,
  paired: true,
  tip: 0.15,
});

/** Narrow leaves and fruit. */
export const olive: Foliage = spray({
  leaves: [13, 18],
  size: [0.27, 0.2],
  slender: 0.13,
  turn: 0.72,
  paired: false,
  tip: 0.75,
  fruit: 4,
});

/** Long drooping leaves. */
export const willow: Foliage = spray({
  leaves: [12, 17],
  size: [0.36, 0.26],
  slender: 0.085,
  turn: 0.5,
  paired: false,
  tip: 0.95,
});

/** Broad pointed leaves in pairs, as of laurel and beech. */
export const laurel: Foliage = spray({
  leaves: [10, 14],
  size: [0.33, 0.24],
  slender: 0.21,
  turn: 0.8,
  paired: true,
  tip: 0.85,
});
