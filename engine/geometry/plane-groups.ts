/**
 * The 17 plane groups as data, in the standard settings of the International Tables for
 * Crystallography, volume A. One algorithm reads them; another group would be another row.
 *
 * `positions` are the images of the point (x, y) in fractional coordinates of the conventional
 * cell, modulo lattice translations; a centred cell adds (1/2, 1/2) to each. Hexagonal cells have
 * a and b of equal length, 120° apart.
 */
import { GROUP_LATTICES, type GroupName, type LatticeKind } from "../recipe/groups.ts";

export interface PlaneGroup {
  /** Number in the International Tables, 1…17. */
  readonly number: number;
  readonly name: GroupName;
  /** Full Hermann–Mauguin symbol. */
  readonly hermannMauguin: string;
  /** Conway's orbifold symbol. */
  readonly orbifold: string;
  readonly lattice: LatticeKind;
  readonly centred: boolean;
  readonly positions: readonly string[];
  /** With the lattice translations, and the centring, they generate the group. */
  readonly generators: readonly string[];
}

const ROWS: readonly Omit<PlaneGroup, "lattice">[] = [
  {
    number: 1,
    name: "p1",
    hermannMauguin: "p1",
    orbifold: "o",
    centred: false,
    positions: ["x,y"],
    generators: [],
  },
  {
    number: 2,
    name: "p2",
    hermannMauguin: "p2",
    orbifold: "2222",
    centred: false,
    positions: ["x,y", "-x,-y"],
    generators: ["-x,-y"],
  },
  {
    number: 3,
    name: "pm",
    hermannMauguin: "p1m1",
    orbifold: "**",
    centred: false,
    positions: ["x,y", "-x,y"],
    generators: ["-x,y"],
  },
  {
    number: 4,
    name: "pg",
    hermannMauguin: "p1g1",
    orbifold: "xx",
    centred: false,
    positions: ["x,y", "-x,y+1/2"],
    generators: ["-x,y+1/2"],
  },
  {
    number: 5,
    name: "cm",
    hermannMauguin: "c1m1",
    orbifold: "*x",
    centred: true,
    positions: ["x,y", "-x,y"],
    generators: ["-x,y"],
  },
  {
    number: 6,
    name: "pmm",
    hermannMauguin: "p2mm",
    orbifold: "*2222",
    centred: false,
    positions: ["x,y", "-x,-y", "-x,y", "x,-y"],
    generators: ["-x,y", "x,-y"],
  },
  {
    number: 7,
    name: "pmg",
    hermannMauguin: "p2mg",
    orbifold: "22*",
    centred: false,
    positions: ["x,y", "-x,-y", "-x+1/2,y", "x+1/2,-y"],
    generators: ["-x,-y", "-x+1/2,y"],
  },
  {
    number: 8,
    name: "pgg",
    hermannMauguin: "p2gg",
    orbifold: "22x",
    centred: false,
    positions: ["x,y", "-x,-y", "-x+1/2,y+1/2", "x+1/2,-y+1/2"],
    generators: ["-x,-y", "-x+1/2,y+1/2"],
  },
  {
    number: 9,
    name: "cmm",
    hermannMauguin: "c2mm",
    orbifold: "2*22",
    centred: true,
    positions: ["x,y", "-x,-y", "-x,y", "x,-y"],
    generators: ["-x,y", "x,-y"],
  },
  {
    number: 10,
    name: "p4",
    hermannMauguin: "p4",
    orbifold: "442",
    centred: false,
    positions: ["x,y", "-x,-y", "-y,x", "y,-x"],
    generators: ["-y,x"],
  },
  {
    number: 11,
    name: "p4m",
    hermannMauguin: "p4mm",
    orbifold: "*442",
    centred: false,
    positions: ["x,y", "-x,-y", "-y,x", "y,-x", "-x,y", "x,-y", "y,x", "-y,-x"],
    generators: ["-y,x", "-x,y"],
  },
  {
    number: 12,
    name: "p4g",
    hermannMauguin: "p4gm",
    orbifold: "4*2",
    centred: false,
    positions: [
      "x,y",
      "-x,-y",
      "-y,x",
      "y,-x",
      "-x+1/2,y+1/2",
      "x+1/2,-y+1/2",
      "y+1/2,x+1/2",
      "-y+1/2,-x+1/2",
    ],
    generators: ["-y,x", "-x+1/2,y+1/2"],
  },
  {
    number: 13,
    name: "p3",
    hermannMauguin: "p3",
    orbifold: "333",
    centred: false,
    positions: ["x,y", "-y,x-y", "-x+y,-x"],
    generators: ["-y,x-y"],
  },
  {
    number: 14,
    name: "p3m1",
    hermannMauguin: "p3m1",
    orbifold: "*333",
    centred: false,
    positions: ["x,y", "-y,x-y", "-x+y,-x", "-y,-x", "-x+y,y", "x,x-y"],
    generators: ["-y,x-y", "-y,-x"],
  },
  {
    number: 15,
    name: "p31m",
    hermannMauguin: "p31m",
    orbifold: "3*3",
    centred: false,
    positions: ["x,y", "-y,x-y", "-x+y,-x", "y,x", "x-y,-y", "-x,-x+y"],
    generators: ["-y,x-y", "y,x"],
  },
  {
    number: 16,
    name: "p6",
    hermannMauguin: "p6",
    orbifold: "632",
    centred: false,
    positions: ["x,y", "-y,x-y", "-x+y,-x", "-x,-y", "y,-x+y", "x-y,x"],
    generators: ["x-y,x"],
  },
  {
    number: 17,
    name: "p6m",
    hermannMauguin: "p6mm",
    orbifold: "*632",
    centred: false,
    positions: [
      "x,y",
      "-y,x-y",
      "-x+y,-x",
      "-x,-y",
      "y,-x+y",
      "x-y,x",
      "-y,-x",
      "-x+y,y",
      "x,x-y",
      "y,x",
      "x-y,-y",
      "-x,-x+y",
    ],
    generators: ["x-y,x", "-y,-x"],
  },
];

export const PLANE_GROUPS: readonly PlaneGroup[] = ROWS.map((row) => ({
  ...row,
  lattice: GROUP_LATTICES[row.name],
}));

const byName = new Map<string, PlaneGroup>();
for (const group of PLANE_GROUPS) {
  for (const alias of [group.orbifold, group.hermannMauguin, group.name]) byName.set(alias, group);
}

/** The row of a group. */
export function planeGroup(name: GroupName): PlaneGroup {
  return byName.get(name) as PlaneGroup;
}

/** The short name for a short name, full Hermann–Mauguin symbol or orbifold symbol; else null. */
export function groupOf(text: string): GroupName | null {
  return byName.get(text)?.name ?? null;
}
