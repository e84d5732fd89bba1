/** Products in the editor, which follow the design. */
import { hash } from "node:crypto";
import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import t, { type Test } from "tap";
import { mapVersion, products } from "../../../engine/index.ts";
import { makePrint, openMap, rasterise, unpackMap } from "../../../engine/mockup-core.ts";
import { openPage, skipWithoutBrowser as skip } from "../../helpers/browser.ts";
import { editorOf } from "../../helpers/editor.ts";
import { request } from "../../helpers/engine.ts";
import { beginSession } from "../../helpers/guest-sessions.ts";
import { inThread } from "../../helpers/in-thread.ts";
import { faded, photograph, pngOf } from "../../helpers/pictures.ts";
import { type TestServer, testServer } from "../../helpers/server.ts";

const product = (page: Page, title: string) =>
  page.locator(`canvas[aria-label="${title} with your pattern"][aria-busy="false"]`);

async function choose(page: Page, title: string): Promise<Locator> {
  const group = page.getByRole("radiogroup", { name: "Products" });
  if (!(await group.isVisible())) await page.getByText("See the pattern on a product").click();
  await group.getByRole("radio", { name: title }).check();
  return product(page, title);
}

/** RGBA of a canvas. */
async function pixelsIn(canvas: Locator): Promise<Buffer> {
  const url = await canvas.evaluate((element) => (element as HTMLCanvasElement).toDataURL());
  const png = Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
  return sharp(png).ensureAlpha().raw().toBuffer();
}

/** Draws a product with the code of the server on the map that it sends. */
async function drawn(t: Test, server: TestServer, id: string, group: string, source: Uint8Array) {
  const { context } = await inThread(t);
  const path = `/mockup-maps/${await mapVersion()}/${id}/800`;
  const { bytes } = await server.request("GET", path);
  const unpacked = await unpackMap(new Uint8Array(bytes));
  const map = openMap((into, at) => into.set(unpacked.subarray(at, at + into.length)));
  const { print, cell } = products.find((one) => one.id === id) ?? products[0];
  const wanted = request({ group: group as "p4", source });
  const options = { ...print, cell, density: map.header.density };
  const made = await makePrint(context, wanted.design, wanted.source, options);
  const rgb = await rasterise(context.runner, map, made, async () => undefined);
  const size = map.header.size;
  return sharp(rgb, { raw: { width: size, height: size, channels: 3 } })
    .ensureAlpha()
    .raw()
    .toBuffer();
}

const SOURCES = {
  opaque: pngOf(photograph(900, 640)),
  transparent: pngOf(faded(photograph(420, 510))),
};

/** Opens the editor of a customer of a mug, and uploads a picture. */
async function openWithMug(t: Test, server: TestServer, source: Uint8Array) {
  const { begun } = await beginSession(server, { product: { title: "Our mug", mockup: "mug" } });
  const fragment = encodeURIComponent(JSON.stringify(begun.json));
  const opened = await openPage(t, `${server.url}/editor#${fragment}`);
  const file = { name: "picture.png", mimeType: "image/png", buffer: Buffer.from(source) };
  await opened.page.getByLabel("Your picture").setInputFiles(file);
  // The service may have to make the maps.
  opened.page.setDefaultTimeout(120_000);
  const mug = product(opened.page, "Our mug");
  await mug.waitFor();
  return { ...opened, mug };
}

for (const [kind, source] of Object.entries(SOURCES)) {
  t.test(`a customer's product has the server's pixels: ${kind}`, { skip }, async (t) => {
    const server = await testServer(t);
    const { page, issues, mug } = await openWithMug(t, server, source);
    for (const group of ["p4", "p6m", "pg"]) {
      await page.getByRole("radio", { name: new RegExp(`\\(${group}\\)$`) }).check();
      await mug.waitFor();
      const shown = hash("sha256", await pixelsIn(mug));
      t.equal(shown, hash("sha256", await drawn(t, server, "mug", group, source)), group);
    }
    t.equal(await page.getByRole("radiogroup", { name: "Products" }).count(), 0);
    t.same((await server.request("GET", "/patterns")).json.data, [], "no pattern is saved for it");
    t.same(issues, [], "and the page's policy allows it");
  });
}

/** Opens the editor where requests of some addresses fail, and uploads a picture. */
async function openWhereFails(t: Test, addresses: string, status: number, json: object) {
  const server = await testServer(t);
  const { page } = await openPage(t, editorOf(server));
  await page.context().route(addresses, (route) => route.fulfill({ status, json }));
  const file = { name: "picture.png", mimeType: "image/png", buffer: Buffer.from(SOURCES.opaque) };
  await page.getByLabel("Your picture").setInputFiles(file);
  return page;
}

t.test("why no pattern is shown is said in the page's language", { skip }, async (t) => {
  const problem = { code: "internal", detail: "the log says more" };
  const page = await openWhereFails(t, "**/levels/**", 500, problem);
  await page.getByText("Something went wrong in the service.").waitFor();
  await page.getByRole("combobox", { name: "Language" }).selectOption("Deutsch");
  await page.getByText("Beim Dienst ist etwas schiefgegangen.").waitFor();
});

t.test("why no product is shown is said in the page's language", { skip }, async (t) => {
  const problem = { code: "not_found", detail: "there is no such map" };
  const page = await openWhereFails(t, "**/mockup-maps/**", 404, problem);
  await choose(page, "Mug");
  await page.getByText("not shown. This page is older than the service: reload it.").waitFor();
  await page.getByRole("combobox", { name: "Language" }).selectOption("Deutsch");
  await page.getByText("nicht gezeigt. Diese Seite ist älter als der Dienst.").waitFor();
});

t.test("a user chooses one of all products, or none", { skip }, async (t) => {
  const server = await testServer(t);
  const { page } = await openPage(t, editorOf(server));
  const file = { name: "picture.png", mimeType: "image/png", buffer: Buffer.from(SOURCES.opaque) };
  await page.getByLabel("Your picture").setInputFiles(file);
  page.setDefaultTimeout(120_000);
  const mug = await choose(page, "Mug");
  await mug.waitFor();
  const group = page.getByRole("radiogroup", { name: "Products" });
  t.equal(await group.getByRole("radio").count(), products.length + 1);
  const small = group.locator('canvas[aria-busy="false"]').first();
  await small.waitFor();
  t.ok(new Set(await pixelsIn(small)).size > 50, "with the pattern");
  await page.reload();
  await mug.waitFor();
  await choose(page, "None");
  await mug.waitFor({ state: "detached" });
});
