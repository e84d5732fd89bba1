import Type, { type Static } from "typebox";
import { groups } from "../../engine/index.ts";
import { strict } from "./resources/fields.ts";

export const Group = Type.Object(
  {
    name: Type.String({ description: "Short name, as `group` of a pattern takes it." }),
    hermann_mauguin: Type.String({ description: "Full Hermann–Mauguin symbol." }),
    orbifold: Type.String({ description: "Conway's orbifold symbol." }),
    lattice: Type.String({ description: "Shape of the cell." }),
  },
  strict,
);

/** The 17 wallpaper groups, in the order of the International Tables. */
export function listGroups(): Static<typeof Group>[] {
  return groups.map(({ name, hermannMauguin, orbifold, lattice }) => ({
    name,
    hermann_mauguin: hermannMauguin,
    orbifold,
    lattice,
  }));
}
