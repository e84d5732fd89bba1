/** A real browser for pages. */
import { setTimeout as delay } from "node:timers/promises";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import root, { type Test } from "tap";
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

/** For a page to show what a test waits for, on slow machines under load, too. */
const TIMEOUT_MS = 120_000;

/** The browsers of this process, by their arguments: to start one takes longer than many a test. */
const browsers = new Map<string, Promise<Browser>>();

function browserWith(gpu: readonly string[] | undefined): Promise<Browser> {
  const key = String(gpu);
  let browser = browsers.get(key);
  if (browser === undefined) {
    browser = launchBrowser(gpu);
    browsers.set(key, browser);
    root.teardown(async () => (await browsers.get(key))?.close());
  }
  return browser;
}

/**
 * Opens a page in a browser, with storage of its own, until the test ends.
 * @param gpu arguments of the browser
 */
export async function openPage(
  t: Test,
  url: string,
  options?: BrowserContextOptions,
  gpu?: readonly string[],
): Promise<Watched> {
  const browser = await browserWith(gpu);
  const context = await browser.newContext(options);
  t.teardown(() => context.close());
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const hosts = new Set<string>();
  const issues: string[] = [];
  // Pages that are opened beside it, too.
  context.on("request", (request) => hosts.add(new URL(request.url()).host));
  context.on("console", (message) => {
    if (message.type() === "error") issues.push(`${message.text()} ${message.location().url}`);
  });
  context.on("weberror", (error) => issues.push(String(error.error())));
  t.teardown(async () => {
    // On standard error, which CI shows.
    if (!t.passing()) console.error(`${t.name}: ${await stateOf(page)}`);
  });
  await page.goto(url);
  return { page, hosts, issues };
}

/** Resolves with why a page may have kept a test waiting: whether it runs scripts and whether the browser draws it. */
async function stateOf(page: Page): Promise<string> {
  const runs = page.evaluate(() => `runs scripts and is ${document.visibilityState}`);
  const draws = page.evaluate(
    () => new Promise<string>((resolve) => requestAnimationFrame(() => resolve("is drawn"))),
  );
  const states = [
    Promise.race([runs, delay(5000, "runs no scripts")]),
    Promise.race([draws, delay(5000, "is not drawn")]),
  ];
  return `the page ${(await Promise.all(states.map((state) => state.catch(String)))).join(", ")}`;
}

/** Does something without a network, until the page says that a request has failed, and connects again. */
export async function failingOnce(page: Page, act: () => Promise<void>): Promise<void> {
  await page.context().setOffline(true);
  const failed = page.waitForEvent("requestfailed");
  await act();
  await failed;
  await page.getByText("There is no connection").waitFor();
  await page.context().setOffline(false);
}

/** Leaves out what the browser reports of requests without a network. */
export const withoutNetworkErrors = (issues: readonly string[]) =>
  issues.filter((issue) => !issue.includes("ERR_INTERNET_DISCONNECTED"));

/** Kills the process of a page, which gets no event; returns a new page in its place. */
export async function killPage(page: Page): Promise<Page> {
  const context = page.context();
  const session = await context.newCDPSession(page);
  const crashed = page.waitForEvent("crash");
  // It gets no response.
  session.send("Page.crash").catch(() => undefined);
  await crashed;
  await page.close();
  return context.newPage();
}
