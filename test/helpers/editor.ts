/** The editor in a browser. */
import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import type { Test } from "tap";
import { openPage } from "./browser.ts";
import { handOver } from "./guest-sessions.ts";
import { photograph, pngOf } from "./pictures.ts";
import type { TestServer } from "./server.ts";

export const PICTURE = {
  name: "picture.png",
  mimeType: "image/png",
  buffer: Buffer.from(pngOf(photograph(240, 180))),
};

/** URL of the editor of a user, who need not sign in. */
export function editorOf({ url, token, account }: TestServer): string {
  const session = { token, account_id: account.id, expires_at: new Date().toISOString() };
  return `${url}/editor#${encodeURIComponent(JSON.stringify(session))}`;
}

/** Opens the editor as a shop's customer on a phone does, and uploads a picture. */
export async function openEditor(t: Test, server: TestServer, handoff: object = {}) {
  const { editor } = await handOver(server, handoff);
  const opened = await openPage(t, editor.href);
  const { page } = opened;
  await page.setViewportSize({ width: 360, height: 740 });
  await page.route("https://shop.example/**", (route) => route.fulfill({ body: "the shop" }));
  await page.getByLabel("Your picture").setInputFiles(PICTURE);
  await pattern(page).waitFor();
  return opened;
}

/** The pattern, once it shows what its label says. */
export const pattern = (page: Page) => page.locator('.view canvas[role="img"][aria-busy="false"]');

/** Resolves with the canvas, once it shows what its label says: a group, or a style. */
export async function canvasOf(page: Page, words: string): Promise<Locator> {
  const canvas = page.locator(`canvas[aria-label*="${words}"][aria-busy="false"]`);
  await canvas.waitFor();
  return canvas;
}

/** Has a page keep the pixels that are put on its canvases from now on, for `pixelsOn`. */
export const keepPixels = (page: Page) =>
  page.evaluate(() => {
    const kept = new WeakMap<HTMLCanvasElement, Uint8ClampedArray>();
    const { prototype } = CanvasRenderingContext2D;
    const put: (image: ImageData, x: number, y: number) => void = prototype.putImageData;
    prototype.putImageData = function (image: ImageData, x: number, y: number) {
      kept.set(this.canvas, image.data.slice());
      put.call(this, image, x, y);
    };
    Object.assign(globalThis, { kept });
  });

/**
 * Resolves with the RGBA that was put on a canvas, after a check that it shows them. A canvas multiplies colours by alpha
 * and loses their last bits.
 */
export async function pixelsOn(t: Test, canvas: Locator): Promise<Buffer> {
  const [put, shown] = await canvas.evaluate(async (element: HTMLCanvasElement) => {
    const { kept } = globalThis as unknown as { kept: WeakMap<HTMLCanvasElement, BlobPart> };
    const reader = new FileReader();
    const read = new Promise((resolve) => reader.addEventListener("load", resolve));
    reader.readAsDataURL(new Blob([kept.get(element) ?? ""]));
    await read;
    return [String(reader.result), element.toDataURL()];
  });
  const bytesOf = (url: string) => Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
  const rgba = bytesOf(put);
  const seen = await sharp(bytesOf(shown)).ensureAlpha().raw().toBuffer();
  t.equal(seen.length, rgba.length, "the canvas has the size of its picture");
  const multiplied = (pixels: Buffer, at: number) => (pixels[at] * pixels[at | 3]) / 255;
  const apart = rgba.reduce(
    (most, _, at) => Math.max(most, Math.abs(multiplied(rgba, at) - multiplied(seen, at))),
    0,
  );
  t.ok(apart <= 1, `the canvas shows its picture: ${apart} apart`);
  return rgba;
}

export const radio = (page: Page, name: string) =>
  page.getByRole("radiogroup", { name: "Symmetry" }).getByRole("radio", { name });

export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/**
 * Resolves with the fields of the server's render that the editor shows with a surface effect: a
 * sheet of two tiles across, from the middle.
 */
export async function sheetFields(page: Page, { id, title }: { id: string; title: string }) {
  const canvas = page.locator(`canvas[aria-label*="surface ${title}"][aria-busy="false"]`);
  const width = Number(await canvas.getAttribute("data-size"));
  const size = Math.round(width / 2);
  const from = Math.round(width / 2) % size;
  return {
    mode: "surface",
    size,
    dpi: (300 * size) / 1024,
    surface_width: width,
    surface_height: width,
    offset: { x: from, y: from },
    surface_effects: [{ id }],
  };
}
