/** Canonical forms, which identify requests for the same picture. */
import t, { type Test } from "tap";
import { APERIODIC_KINDS, canonicalRender, GROUP_NAMES } from "../../engine/index.ts";
import { pixelsOf, type RequestParts, request, testEngine } from "../helpers/engine.ts";

const engine = await testEngine(t);

const formOf = (parts: RequestParts) => {
  const { design, render } = request(parts);
  return JSON.stringify(canonicalRender(design, render));
};
const pictureOf = async (parts: RequestParts) =>
  Buffer.from((await pixelsOf(engine, parts)).pixels).toString("base64");

const sheet = { mode: "aperiodic", size: 64, cell: 12 } as const;

/** Asserts that forms differ exactly where pictures do. */
async function isHeeded(
  t: Test,
  one: RequestParts,
  other: RequestParts,
  heeded: boolean,
  what: string,
): Promise<void> {
  t.equal((await pictureOf(one)) !== (await pictureOf(other)), heeded, `${what}: the picture`);
  t.equal(formOf(one) !== formOf(other), heeded, `${what}: the form`);
}

t.test("settings of an aperiodic sheet are canonical for its kind", async (t) => {
  for (const kind of APERIODIC_KINDS) {
    const aperiodic = { kind, outline_width: 0.03, blend: 0.3 } as const;
    const render = { ...sheet, aperiodic };
    const isWaves = kind === "quasicrystal";
    const cases = {
      n: [{ n: 9 }, isWaves || kind === "multigrid"],
      outline_width: [{ outline_width: 0.1 }, !isWaves],
      outline_colour: [{ outline_colour: "#ff0000" }, !isWaves],
      seed: [{ seed: 5 }, true],
      fill: [{ fill: "flat" }, true],
      variation: [{ variation: "turns" }, !isWaves],
      blend: [{ blend: 0.5 }, !isWaves],
    } as const;
    for (const [name, [change, heeded]] of Object.entries(cases)) {
      const changed = { ...sheet, aperiodic: { ...aperiodic, ...change } };
      await isHeeded(t, { render }, { render: changed }, heeded, `${kind}, ${name}`);
    }
    const other = { group: "p6m", lattice: {}, seam: { width: 0.4 }, render } as const;
    await isHeeded(t, { render }, other, false, `${kind}, group and seam`);
  }
  const bare = { ...sheet, aperiodic: { outline_width: 0 } };
  const dyed = { ...sheet, aperiodic: { outline_width: 0, outline_colour: "#ff0000" } };
  await isHeeded(t, { render: bare }, { render: dyed }, false, "the colour of no outline");
  const flat = { ...sheet, aperiodic: { fill: "flat" } } as const;
  const soft = { ...sheet, aperiodic: { fill: "flat", variation: "parts", blend: 0.3 } } as const;
  await isHeeded(t, { render: flat }, { render: soft }, false, "what flat tiles have not");
  for (const variation of ["parts", "none"] as const) {
    const render = { ...sheet, aperiodic: { variation } };
    const moved = { motif: { x: 0.1, y: 0.8 }, render };
    await isHeeded(t, { render }, moved, variation === "none", `where the motif is: ${variation}`);
  }
});

t.test("an aperiodic sheet does not depend on the group, even with effects", async (t) => {
  for (const id of ["blur", "halftone", "swirl", "pixelate"]) {
    const parts = { effects: [{ id }], render: sheet };
    const first = await pictureOf(parts);
    for (const group of GROUP_NAMES) {
      t.ok((await pictureOf({ ...parts, group })) === first, `${id}, ${group}`);
    }
  }
});

t.test("the group matters if the pattern is shown", async (t) => {
  for (const mode of ["tile", "surface"] as const) {
    const render = { mode, size: 64, surface_width: 64, surface_height: 64 };
    await isHeeded(t, { group: "p4", render }, { group: "p4m", render }, true, mode);
  }
});
