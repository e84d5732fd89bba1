/** The seven frieze groups by the symbols of the International Tables, volume E. */
export const FRIEZE_NAMES = ["p1", "p211", "p1m1", "p11m", "p11g", "p2mm", "p2mg"] as const;

export type FriezeName = (typeof FRIEZE_NAMES)[number];
