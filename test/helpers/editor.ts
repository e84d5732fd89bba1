/** The editor in a browser. */
import type { Page } from "playwright-core";
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
