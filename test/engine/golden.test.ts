/**
 * Small pictures of every catalogue entry, compared to the bit with reviewed ones in `golden/`.
 * `REWRITE_GOLDEN=1` replaces those that differ and writes new ones; look at them before you commit them, and raise
 * ENGINE_VERSION once there has been a release.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import t from "tap";
import {
  APERIODIC_KINDS,
  GROUP_NAMES,
  palettes,
  patternEffects,
  presets,
  styles,
  surfaceEffects,
} from "../../engine/index.ts";
import { bytesOf, type RequestParts, request, testEngine } from "../helpers/engine.ts";
import { rasterOf, rasterWithin } from "../helpers/pictures.ts";

const FOLDER = new URL("golden/", import.meta.url);
const rewrites = process.env.REWRITE_GOLDEN === "1";

const engine = await testEngine(t, { queueMax: 1000 });

const rendered = async (parts: RequestParts) => bytesOf(await engine.render(request(parts)));
const tile = (size: number) => ({ size });
const sheet = (width: number, height: number, cell: number) =>
  ({ mode: "surface", surface_width: width, surface_height: height, cell }) as const;

/** Whether a file has these pixels, perhaps with other bytes. */
const isKept = async (file: URL, bytes: Uint8Array) =>
  existsSync(file) && isDeepStrictEqual(rasterOf(await readFile(file)), rasterOf(bytes));

/** Each chapter's pictures by their names. */
const chapters: Record<string, Record<string, () => Promise<Uint8Array>>> = {
  groups: named(GROUP_NAMES, (group) => rendered({ group, render: tile(72) })),
  presets: named(idsOf(presets), (id) => engine.drawPreset(id, 1, 96)),
  effects: named(idsOf(patternEffects), (id) =>
    rendered({ group: "p4g", effects: [{ id }], render: tile(72) }),
  ),
  // Rotated, so that torus effects are interpolated between the period's pixels.
  "effects-on-sheets": named(idsOf(patternEffects.filter(({ kind }) => kind === "torus")), (id) =>
    rendered({ group: "p6", effects: [{ id }], render: { ...sheet(72, 60, 50), rotation: 20 } }),
  ),
  "surface-effects": named(idsOf(surfaceEffects), (id) =>
    rendered({ group: "p2", render: { ...sheet(96, 72, 60), surface_effects: [{ id }] } }),
  ),
  palettes: named(idsOf(palettes), (id) =>
    rendered({ group: "pmg", palette: id, render: tile(48) }),
  ),
  styles: named(idsOf(styles), (id) =>
    rendered({ group: "p31m", style: id, render: sheet(96, 72, 60) }),
  ),
  aperiodic: Object.fromEntries(
    APERIODIC_KINDS.flatMap((kind) =>
      (["image", "flat", "varied"] as const).map((fill) => [
        `${kind}-${fill}`,
        () =>
          rendered({
            render: {
              mode: "aperiodic",
              size: 96,
              cell: 20,
              aperiodic: { kind, fill },
            },
          }),
      ]),
    ),
  ),
};

for (const [chapter, pictures] of Object.entries(chapters)) {
  t.test(`${chapter} match the golden pictures`, async (t) => {
    const folder = new URL(`${chapter}/`, FOLDER);
    await mkdir(folder, { recursive: true });
    for (const [name, draw] of Object.entries(pictures)) {
      const file = new URL(`${name}.png`, folder);
      const actual = await draw();
      if (rewrites && !(await isKept(file, actual))) await writeFile(file, actual);
      if (!existsSync(file)) t.fail(`${name}: no picture has been kept of it`);
      else rasterWithin(t, rasterOf(actual), rasterOf(await readFile(file)), 0, name);
    }
    const kept = (await readdir(folder)).map((file) => file.replace(/\.png$/, ""));
    t.strictSame(kept.sort(), Object.keys(pictures).sort(), "and there are no others");
  });
}

function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

function named(names: readonly string[], draw: (name: never) => Promise<Uint8Array>) {
  return Object.fromEntries(names.map((name) => [name, () => draw(name as never)]));
}
