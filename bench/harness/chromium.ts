/**
 * Debian's Chromium, where it is installed: without a user interface if possible, which takes two thirds of the time.
 */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const SHELL = "/usr/bin/chromium-headless-shell";
const PROGRAM = existsSync(SHELL) ? SHELL : "/usr/bin/chromium";
/** What figures of the editor were measured in. */
export const BROWSER = PROGRAM === SHELL ? "Chromium's headless shell" : "Chromium";
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
export const missingBrowser = existsSync(PROGRAM) ? null : `there is no ${PROGRAM}`;

/** @param gpu what the browser shall do about a GPU; default: without */
export const launchBrowser = (gpu: readonly string[] = ["--disable-gpu"]): Promise<Browser> =>
  chromium.launch({ executablePath: PROGRAM, args: [...ARGUMENTS, ...gpu] });
