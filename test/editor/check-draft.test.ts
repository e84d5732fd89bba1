/** What the editor says about designs from links, pictures and the browser's storage. */
import t from "tap";
import { FIRST_DRAFT } from "../../editor/app/draft.ts";
import { problemOfDraft } from "../../editor/engine/check-draft.ts";

const SOURCE = { id: 7, sha256: "ab".repeat(32), width: 640, height: 480, name: "forest" };

t.test("a draft of the editor can be used, with and without a picture", async (t) => {
  t.equal(problemOfDraft(FIRST_DRAFT), null);
  t.equal(problemOfDraft({ ...FIRST_DRAFT, source: SOURCE }), null);
});

const withDesign = (fields: object) => ({
  ...FIRST_DRAFT,
  design: { ...FIRST_DRAFT.design, ...fields },
});

const DRAFTS: Readonly<Record<string, readonly [unknown, RegExp]>> = {
  "no draft": [[], /^is wrong: expected an object/],
  "an unknown field": [{ ...FIRST_DRAFT, unknown: 1 }, /^unknown: unknown field/],
  "a missing field": [{ ...FIRST_DRAFT, aperiodic: undefined }, /^aperiodic: is missing/],
  "a source with a path for an id": [
    { ...FIRST_DRAFT, source: { ...SOURCE, id: "../account" } },
    /^source id: is wrong/,
  ],
  "a group that there is not": [withDesign({ group: "p5" }), /^group: is wrong/],
  "a motif that is too large": [
    withDesign({ motif: { x: 0.5, y: 0.5, scale: 400, rotation: 0 } }),
    /^motif scale: is wrong/,
  ],
  "a lattice that its group cannot have": [
    withDesign({ lattice: { ratio: 2, repeat: "straight" } }),
    /^lattice ratio: the cell of p4 is square/,
  ],
  "an effect that there is not": [
    withDesign({ effects: [{ id: "none" }] }),
    /^effects 0 id: there is no such effect/,
  ],
  "a surface effect that there is not": [
    { ...FIRST_DRAFT, surfaceEffects: [{ id: "none" }] },
    /^surface_effects 0 id: there is no such surface effect/,
  ],
  "an aperiodic tiling that there is not": [
    { ...FIRST_DRAFT, aperiodic: { ...FIRST_DRAFT.aperiodic, kind: "none" } },
    /^aperiodic kind: is wrong/,
  ],
};

for (const [name, [draft, words]] of Object.entries(DRAFTS)) {
  t.test(name, async (t) => {
    t.match(problemOfDraft(draft), words);
  });
}
