/** A real browser for pages. */
import { existsSync } from "node:fs";
import { type BrowserContextOptions, chromium, type Page } from "playwright-core";
import type { Test } from "tap";

const CHROMIUM = "/usr/bin/chromium";
const ARGUMENTS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** In CI a missing browser is a failure. */
export const skipWithoutBrowser =
  !existsSync(CHROMIUM) && process.env.CI !== "true" ? `there is no ${CHROMIUM}` : false;

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
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
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
