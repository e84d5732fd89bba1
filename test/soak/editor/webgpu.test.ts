/** The editor on a GPU, which Chromium simulates: its pictures beside those of the server. */
import type { Page } from "playwright-core";
import sharp from "sharp";
import t, { type Test } from "tap";
import { GROUP_NAMES } from "../../../engine/core.ts";
import { patternEffects } from "../../../engine/index.ts";
import { openPage, skipWithoutBrowser as skip } from "../../helpers/browser.ts";
import { canvasOf, editorOf, keepPixels, pixelsOn } from "../../helpers/editor.ts";
import { faded, photograph, pngOf } from "../../helpers/pictures.ts";
import { draw, some } from "../../helpers/random-subset.ts";
import { testServer } from "../../helpers/server.ts";

const SOFTWARE_GPU = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"];

/** Makes the worker take the GPU for a real one, and keeps its device. */
const PRETEND = `{
  const is = (name, value) =>
    Object.defineProperty(GPUAdapterInfo.prototype, name, { get: () => value });
  is("isFallbackAdapter", false);
  is("architecture", "");
  const request = GPUAdapter.prototype.requestDevice;
  GPUAdapter.prototype.requestDevice = async function (...given) {
    globalThis.device = await request.apply(this, given);
    return globalThis.device;
  };
}
`;

interface Watching {
  readonly source: Buffer;
  /** Whether the GPU passes for a real one. */
  readonly pretends?: boolean;
}

async function openOnGpu(t: Test, { source, pretends = true }: Watching) {
  const server = await testServer(t);
  const { page, issues } = await openPage(t, "about:blank", {}, SOFTWARE_GPU);
  if (pretends) {
    await page.route("**/files/worker-*.js", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: PRETEND + (await response.text()) });
    });
  }
  await page.goto(editorOf(server));
  await keepPixels(page);
  const file = { name: "picture.png", mimeType: "image/png", buffer: source };
  await page.getByLabel("Your picture").setInputFiles(file);
  await canvasOf(page, "Pattern");
  const [uploaded] = (await server.request("GET", "/sources")).json.data;
  return {
    page,
    issues,
    /** Returns by how much the picture with a label is from the server's at most. */
    async apart(words: string, design: object, fields: object = { size: 512 }): Promise<number> {
      const json = { source_id: uploaded.id, ...design };
      const { id } = (await server.request("POST", "/patterns", { json })).json;
      const tile = await server.request("POST", `/patterns/${id}/render`, { json: fields });
      const one = await pixelsOn(t, await canvasOf(page, words));
      const other = await sharp(tile.bytes).ensureAlpha().raw().toBuffer();
      t.equal(one.length, other.length);
      return one.reduce((most, value, i) => Math.max(most, Math.abs(value - other[i])), 0);
    },
  };
}

const backendOf = (page: Page) =>
  page.getByRole("img", { name: /^Pattern/ }).getAttribute("data-backend");

const check = (page: Page, group: string) =>
  page.getByRole("radio", { name: new RegExp(`\\(${group}\\)$`) }).check();

t.test("on a GPU pictures are within 1/255 of the server's", { skip }, async (t) => {
  const source = Buffer.from(pngOf(faded(photograph(300, 260))));
  const { page, issues, apart } = await openOnGpu(t, { source });
  for (const group of some(GROUP_NAMES, 2)) {
    await check(page, group);
    const most = await apart(`(${group})`, { group });
    t.ok(most <= 1, `${group}: ${most} apart`);
    t.equal(await backendOf(page), "webgpu");
  }
  await check(page, "p4");
  for (const { id, title } of draw(patternEffects, 1)) {
    await page.getByRole("combobox", { name: "Add an effect" }).selectOption({ label: title });
    // Effects would make the difference larger.
    t.equal(await apart(`effect ${title}`, { group: "p4", effects: [{ id }] }), 0, title);
    t.equal(await backendOf(page), "webasm");
    await page.getByRole("button", { name: `Remove ${title}` }).click();
  }
  await canvasOf(page, "(p4)");
  t.equal(await backendOf(page), "webgpu", "and without it again");
  t.same(issues, []);
});

t.test("where the GPU is lost the editor goes on without it", { skip }, async (t) => {
  const source = Buffer.from(pngOf(photograph(240, 180)));
  const { page, apart } = await openOnGpu(t, { source });
  t.equal(await backendOf(page), "webgpu");
  for (const worker of page.workers()) {
    await worker.evaluate(() => (globalThis as { device?: { destroy(): void } }).device?.destroy());
  }
  await check(page, "pgg");
  t.equal(await apart("(pgg)", { group: "pgg" }), 0, "with the same picture");
  t.equal(await backendOf(page), "webasm");
});

t.test("a GPU of software is left alone: it is slower", { skip }, async (t) => {
  const source = Buffer.from(pngOf(photograph(240, 180)));
  const { page } = await openOnGpu(t, { source, pretends: false });
  t.equal(await backendOf(page), "webasm");
});
