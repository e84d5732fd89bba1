/** Debian's Chromium, where it is installed. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const CHROMIUM = "/usr/bin/chromium";
const ARGUMENTS = [
  "--headless",
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Why there is no browser; null if there is one. */
export const missingBrowser = existsSync(CHROMIUM) ? null : `there is no ${CHROMIUM}`;

/** @param gpu what the browser shall do about a GPU; default: without */
export const launchBrowser = (gpu: readonly string[] = ["--disable-gpu"]): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: [...ARGUMENTS, ...gpu] });
