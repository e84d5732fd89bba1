import t from "tap";
import {
  checkDesign,
  GROUP_NAMES,
  InvalidRecipe,
  type Lattice,
  type RenderFields,
  styles,
} from "../../engine/index.ts";
import { request } from "../helpers/engine.ts";

const validationIssuesOf = (check: () => void) => {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof InvalidRecipe) return error.issues;
    throw error;
  }
};

t.test("rejects a lattice that the group cannot have", async (t) => {
  const refused = (lattice: Lattice) =>
    GROUP_NAMES.filter(
      (group) =>
        validationIssuesOf(() => checkDesign({ group, lattice, counterchange: null, effects: [] }))
          .length > 0,
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

t.test("describes large input briefly", async (t) => {
  let deep: unknown = [];
  for (let k = 0; k < 20_000; k++) deep = [deep];
  const uses = [
    { id: "x".repeat(100_000) },
    { id: "vignette", params: { strength: deep } },
    { id: "vignette", params: { strength: Number.NaN } },
    { id: "vignette", params: { rain: "a".repeat(100_000) } },
  ];
  const sheet = { mode: "surface", surface_width: 99, surface_height: 99 } as const;
  const issues = validationIssuesOf(() => request({ render: { ...sheet, surface_effects: uses } }));
  t.strictSame(
    issues.map(({ path }) => path),
    [
      "/surface_effects/0/id",
      "/surface_effects/1/params/strength",
      "/surface_effects/2/params/strength",
      "/surface_effects/3/params/rain",
    ],
  );
  for (const { path, message, received } of issues) {
    t.ok(message.length < 400 && (received?.length ?? 0) < 100, path);
  }
});

t.test("rejects surface effects whose total reach is too large", async (t) => {
  const sheet = { mode: "surface", surface_width: 99, surface_height: 99, dpi: 812.8 } as const;
  const issuesOf = (surface_effects: RenderFields["surface_effects"] & {}) =>
    validationIssuesOf(() => request({ render: { ...sheet, surface_effects } }));
  const far = { id: "misregistration", params: { shift: 2, turn: 2 } };
  t.strictSame(issuesOf([far, { id: "grain" }, far, far]), []);
  t.match(issuesOf([far, { id: "grain" }, far, far, far]), [
    {
      path: "/surface_effects",
      message: "the total reach of the surface effects is 520 pixels (130 + 0 + 130 + 130 + 130)",
      expected: "effects with a total reach of at most 512 pixels",
    },
  ]);
  const near = Array.from({ length: 16 }, () => ({ id: "misregistration" }));
  t.strictSame(issuesOf(near), [], "as many as there may be, at their defaults");
});

t.test("the total reach of each style's surface effects is allowed", async (t) => {
  const reaches = styles.map(({ id, surfaceEffects }) => {
    const surface_effects = surfaceEffects.map((use) => ({ ...use }));
    const sheet = { mode: "surface", surface_width: 20000, surface_height: 20000 } as const;
    const render = { ...sheet, surface_effects };
    return validationIssuesOf(() => request({ render })).map(({ message }) => `${id}: ${message}`);
  });
  t.strictSame(reaches.flat(), []);
});

t.test("names the modes that support surface effects", async (t) => {
  t.match(
    validationIssuesOf(() => request({ render: { surface_effects: [{ id: "grain" }] } })),
    [
      {
        path: "/surface_effects",
        expected: 'an empty list, or mode "surface", "aperiodic", "frieze" or "rosette"',
      },
    ],
  );
});

t.test("rejects invalid recipes", async (t) => {
  const cases = [
    [{ mode: "surface", surface_width: 300 }, "/surface_height"],
    [{ mode: "surface", surface_width: 20000, surface_height: 20001 }, "/surface_height"],
    [{ surface_effects: [{ id: "vignette" }] }, "/surface_effects"],
    [
      { mode: "surface", surface_width: 99, surface_height: 99, surface_effects: [{ id: "rain" }] },
      "/surface_effects/0/id",
    ],
    [
      {
        mode: "surface",
        surface_width: 99,
        surface_height: 99,
        surface_effects: [{ id: "vignette", params: { strength: 7 } }],
      },
      "/surface_effects/0/params/strength",
    ],
    [{ mode: "surface", surface_width: 20000, surface_height: 9000, format: "jpeg" }, "/format"],
  ] as const;
  for (const [render, path] of cases) {
    const [issue] = validationIssuesOf(() => request({ render: render as never }));
    t.equal(issue?.path, path);
  }
});
