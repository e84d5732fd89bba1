/**
 * Takes the pictures of the pages that the documentation shows.
 *
 *   npm run screenshots [-- FOLDER]
 *
 * It starts a server of its own and fills an account with patterns of presets. Needs Chromium.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { BENCH_USER, openApi } from "./harness/api-client.ts";
import { launchBrowser } from "./harness/chromium.ts";
import { type StartedServer, startServer } from "./harness/started-server.ts";

const DESKTOP = { width: 1280, height: 860 };
const PHONE = { width: 390, height: 800 };

/** A preset with its seed, and the design that is made of it. */
const PATTERNS = [
  { preset: "terrazzo", seed: 3, name: "Terrazzo", group: "p4m" },
  { preset: "marble", seed: 5, name: "Marble", group: "p6m" },
  { preset: "leaves", seed: 4, name: "Leaves", group: "pgg" },
  { preset: "voronoi", seed: 2, name: "Glass", group: "p31m" },
  { preset: "brush", seed: 8, name: "Brush", group: "p4g" },
  { preset: "floral", seed: 7, name: "Flowers", group: "p6", palette: null },
] as const;

const folder = process.argv[2] ?? "docs/images";
const server = await startServer();
try {
  const last = await fillAccount(server);
  await mkdir(folder, { recursive: true });
  const browser = await launchBrowser();
  try {
    const editor = async (page: Page) => {
      await signIn(page);
      await page.goto(`${server.url}/editor#pattern=${last}`);
      await drawn(page);
      await page.getByText("See the pattern on a product").click();
      await page.getByRole("radio", { name: "Tote bag" }).check();
      await page.getByRole("img", { name: "Tote bag with your pattern" }).waitFor();
      await drawn(page);
      await page.getByRole("heading", { level: 1 }).scrollIntoViewIfNeeded();
    };
    await take(browser, "editor", DESKTOP, editor);
    await take(browser, "editor-phone", PHONE, editor);
    await take(browser, "console", DESKTOP, async (page) => {
      await signIn(page);
      await page.goto(`${server.url}/console/patterns`);
      await page.waitForLoadState("networkidle");
    });
  } finally {
    await browser.close();
  }
} finally {
  await server.stop();
}

/** Creates the patterns; returns the id of the last one. */
async function fillAccount(started: StartedServer): Promise<number> {
  const [key] = (await openApi(started, 1)).keys;
  const post = async (path: string, body: object): Promise<number> => {
    const response = await fetch(`${started.url}/api/v1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": key },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST ${path}: ${await response.text()}`);
    return (await response.json()).id;
  };
  let id = 0;
  for (const { preset, seed, ...design } of PATTERNS) {
    const source_id = await post("/sources/presets", { preset, seed });
    id = await post("/patterns", { source_id, ...design });
  }
  return id;
}

async function signIn(page: Page): Promise<void> {
  await page.goto(`${server.url}/sign-in`);
  await page.getByLabel("E-mail").fill(BENCH_USER.email);
  await page.getByLabel("Password").fill(BENCH_USER.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "Patterns" }).first().waitFor();
}

/** Resolves once every picture in the window is drawn. */
async function drawn(page: Page): Promise<void> {
  await page.locator('canvas[role="img"]').first().waitFor();
  await page.waitForFunction(() => {
    const seen = [...document.querySelectorAll("canvas")].filter((canvas) => {
      const { top, bottom } = canvas.getBoundingClientRect();
      return top < innerHeight && bottom > 0;
    });
    return seen.every(({ ariaBusy }) => ariaBusy !== "true");
  });
}

async function take(
  browser: Browser,
  name: string,
  viewport: typeof DESKTOP,
  open: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await browser.newPage({ viewport, colorScheme: "light" });
  await open(page);
  const picture = await page.screenshot();
  await page.close();
  const file = join(folder, `${name}.jpg`);
  await writeFile(file, await sharp(picture).jpeg({ quality: 82, mozjpeg: true }).toBuffer());
  process.stdout.write(`${file}\n`);
}
