import t from "tap";
import {
  checkDesign,
  checkRender,
  GROUP_NAMES,
  InvalidRecipe,
  type Lattice,
} from "../../engine/index.ts";
import { request } from "../helpers/engine.ts";

const complaintsOf = (check: () => void) => {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof InvalidRecipe) return error.complaints;
    throw error;
  }
};

t.test("a lattice that a group cannot have is refused", async (t) => {
  const refused = (lattice: Lattice) =>
    GROUP_NAMES.filter(
      (group) => complaintsOf(() => checkDesign({ group, lattice, effects: [] })).length > 0,
    );
  t.strictSame(refused({ ratio: 1, repeat: "straight" }), []);
  t.strictSame(refused({ ratio: 2, repeat: "straight" }), [
    "p4",
    "p4m",
    "p4g",
    "p3",
    "p3m1",
    "p31m",
    "p6",
    "p6m",
  ]);
  t.strictSame(
    refused({ ratio: 1, repeat: "brick" }),
    GROUP_NAMES.filter((name) => name !== "p1" && name !== "p2"),
  );
});

t.test("what came is told in a few words, however large it is", async (t) => {
  let deep: unknown = [];
  for (let k = 0; k < 20_000; k++) deep = [deep];
  const uses = [
    { id: "x".repeat(100_000) },
    { id: "vignette", params: { strength: deep } },
    { id: "vignette", params: { strength: Number.NaN } },
    { id: "vignette", params: { rain: "a".repeat(100_000) } },
  ];
  const { render } = request({
    render: { mode: "surface", surface_width: 99, surface_height: 99, surface_effects: uses },
  });
  const complaints = complaintsOf(() => checkRender(render));
  t.strictSame(
    complaints.map(({ path }) => path),
    [
      "/surface_effects/0/id",
      "/surface_effects/1/params/strength",
      "/surface_effects/2/params/strength",
      "/surface_effects/3/params/rain",
    ],
  );
  for (const { path, message, received } of complaints) {
    t.ok(message.length < 400 && (received?.length ?? 0) < 100, path);
  }
});
