/** A real browser for pages. */
import type { BrowserContextOptions, Page } from "playwright-core";
import type { Test } from "tap";
import { launchBrowser, missingBrowser } from "../../bench/harness/chromium.ts";

/** In CI a missing browser is a failure. */
export const skipWithoutBrowser = process.env.CI === "true" ? false : (missingBrowser ?? false);

export interface Watched {
  readonly page: Page;
  /** The hosts that the page requested. */
  readonly hosts: ReadonlySet<string>;
  /** Errors of the page and of its console. */
  readonly issues: readonly string[];
}

/** Opens a page in a browser until the test ends. */
export async function openPage(
  t: Test,
  url: string,
  options?: BrowserContextOptions,
): Promise<Watched> {
  const browser = await launchBrowser();
  t.teardown(() => browser.close());
  const page = await browser.newPage(options);
  const hosts = new Set<string>();
  const issues: string[] = [];
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  page.on("console", (message) => {
    if (message.type() === "error") issues.push(message.text());
  });
  page.on("pageerror", (error) => issues.push(String(error)));
  await page.goto(url);
  return { page, hosts, issues };
}
