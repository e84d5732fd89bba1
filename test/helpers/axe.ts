/** Barriers that axe finds on a page. */
import axe from "axe-core";
import type { Page } from "playwright-core";
import type { Test } from "tap";

/** Resolves with the barriers on a page. */
export async function barriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  });
}

/** Fails the test for each barrier, narrow and light, wide and dark, and where the page is wider than the screen. */
export async function checkBarriers(t: Test, page: Page, name: string): Promise<void> {
  for (const [colorScheme, width] of [
    ["light", 360],
    ["dark", 1280],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    t.same(await barriers(page), [], `${name}, ${colorScheme}, ${width} pixels`);
    const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
    t.ok(scrollWidth <= width, `${name} is no wider than ${width} pixels`);
  }
}
