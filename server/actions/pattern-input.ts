/** What people may say about a pattern, when they make it and when they change it. */
import Type from "typebox";
import { GROUP_NAMES, type GroupName, groupOf, Lattice, Motif, Seam } from "../../engine/index.ts";
import { InvalidInput } from "./errors.ts";
import { describeValue } from "./input.ts";
import { Id, Name } from "./resources/fields.ts";

export const patternFields = {
  source_id: Id,
  group: Type.String({
    examples: ["p4"],
    description: `Wallpaper group: ${GROUP_NAMES.join(", ")}. Full Hermann–Mauguin (p4mm) and orbifold (*442) names are taken too.`,
  }),
  name: Type.Union([Name(200), Type.Null()], { default: null, description: "A name for people." }),
  motif: Type.Object(Motif.properties, { ...Motif, default: {} }),
  lattice: Type.Object(Lattice.properties, { ...Lattice, default: {} }),
  seam: Type.Object(Seam.properties, { ...Seam, default: {} }),
  background: Type.Union(
    [Type.String({ pattern: "^#[0-9a-fA-F]{6}$", title: "a colour such as #1a2b3c" }), Type.Null()],
    {
      default: null,
      description: "Colour under transparent places, or null to keep them transparent.",
    },
  ),
};

/** The short name of a group that was named in any of the usual ways. Throws InvalidInput. */
export function readGroup(text: string): GroupName {
  const group = groupOf(text);
  if (group) return group;
  const expected = `one of ${GROUP_NAMES.join(", ")}`;
  const received = describeValue(text);
  const message = `is no wallpaper group: expected ${expected}, got ${received}`;
  throw new InvalidInput([{ path: "/group", message, expected, received }]);
}
