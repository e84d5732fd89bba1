/** The engine's core, bundled for a browser and run where nothing of Node is. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import vm from "node:vm";
import t from "tap";
import * as core from "../../engine/core.ts";
import { encoders } from "../../engine/encoders/index.ts";
import type { RenderRequest } from "../../engine/index.ts";
import { request } from "../helpers/engine.ts";

const ESBUILD = ["--bundle", "--platform=browser", "--target=esnext", "--format=iife"];

/** Bundles a module for browsers as a script that sets `core`. */
async function bundle(entryPoint: string): Promise<string> {
  const options = [...ESBUILD, "--global-name=core", "--log-limit=0", entryPoint];
  const run = promisify(execFile);
  const { stdout } = await run("node_modules/.bin/esbuild", options, { maxBuffer: 1 << 25 });
  return stdout;
}

/** What the core uses of the web platform. */
const WEB = { setTimeout, TextEncoder };

const SOURCE = {
  width: 48,
  height: 40,
  channels: 3,
  pixels: Uint8Array.from({ length: 48 * 40 * 3 }, (_, i) => (i * 37 + (i >> 5) * 11) % 251),
} as const;

const codec = {
  decode: async () => SOURCE,
  levels: async () => core.prepareLevels(SOURCE),
  encode: () => Promise.reject(new Error("nothing is encoded here")),
};

const REQUESTS = {
  "a tile": request({ group: "p4m", render: { size: 64 } }),
  "a tile with pattern effects": request({
    group: "p31m",
    effects: [{ id: "blur" }, { id: "sepia" }],
    render: { size: 64 },
  }),
  "a rotated sheet with surface effects": request({
    group: "pgg",
    background: "#ffeedd",
    render: {
      mode: "surface",
      surface_width: 80,
      surface_height: 60,
      rotation: 20,
      surface_effects: [{ id: "emboss" }, { id: "grain" }],
    },
  }),
  "a sheet of hats": request({
    render: { mode: "aperiodic", size: 64, aperiodic: { kind: "hat" } },
  }),
};

/** Checks and renders a request with the functions of a core; returns RGB bytes. */
async function pixelsOf(
  { checkDesign, checkRender, createRunner, picturePlan, bandsOf, ...rest }: typeof core,
  request: RenderRequest,
): Promise<number[]> {
  checkDesign(request.design);
  checkRender(request.render);
  const runner = createRunner("webasm", "");
  const bench = rest.createWorkerContext(runner, encoders, 1 << 24);
  const context = { ...bench, codec, checkpoint: async () => undefined };
  const plan = picturePlan(context, request);
  const rows = { first: 0, count: plan.size.height };
  const watch = rest.createStopwatch(() => 0);
  const pixels: number[] = [];
  for await (const band of bandsOf(context, plan, await plan.start(), rows, watch)) {
    const bytes = new Uint8Array(3 * band.colour.length);
    rest.writeBytes(band, 3, bytes);
    pixels.push(...bytes);
  }
  await runner.close();
  return pixels;
}

t.test("a browser bundle of the core renders the same pixels", async (t) => {
  const browser = vm.createContext({ ...WEB });
  vm.runInContext(await bundle("engine/core.ts"), browser);
  for (const [title, request] of Object.entries(REQUESTS)) {
    const expected = await pixelsOf(core, request);
    t.ok(new Set(expected).size > 20, `${title} shows something`);
    t.strictSame(await pixelsOf(browser.core, request), expected, title);
  }
});

t.test("code that needs Node cannot be bundled", async (t) => {
  for (const entryPoint of ["engine/index.ts", "engine/encoders/png/png.ts"]) {
    await t.rejects(bundle(entryPoint), { message: /Could not resolve "node:zlib"/ });
  }
});
