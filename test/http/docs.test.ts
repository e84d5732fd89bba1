import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import t from "tap";
import { testServer } from "../helpers/server.ts";

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

/** Where a build server checks every change, a browser that is missing is a failure. */
const skip = !existsSync(CHROMIUM) && process.env.CI !== "true" ? `there is no ${CHROMIUM}` : false;

async function openPage(browser: Browser, url: string) {
  const page = await browser.newPage();
  const hosts = new Set<string>();
  const complaints: string[] = [];
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(`${url}/docs`);
  return { page, hosts, complaints };
}

async function enterKey(page: Page, key: string): Promise<void> {
  await page.locator("button.authorize").first().click();
  await page.locator("#api_key_value").fill(key);
  await page.getByRole("button", { name: "Apply credentials" }).first().click();
  await page.getByRole("button", { name: "Close" }).first().click();
}

t.test(
  "a person makes a request in the browser, and nobody else hears of it",
  { skip },
  async (t) => {
    const server = await testServer(t);
    await server.makePattern({ name: "Seen in the browser" });
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
    t.teardown(() => browser.close());
    const { page, hosts, complaints } = await openPage(browser, server.url);
    await enterKey(page, server.key);
    const operation = page.locator("#operations-Patterns-getPatterns");
    await operation.locator(".opblock-summary").click();
    await operation.getByRole("button", { name: "Execute" }).click();
    const answer = operation.locator(".live-responses-table");
    await answer.waitFor();
    t.match(await answer.locator(".response-col_status").nth(1).innerText(), "200");
    t.match(await answer.innerText(), "Seen in the browser");

    await page.reload();
    await page.locator("button.authorize.locked, button.authorize").first().click();
    await page.getByText("Logout").first().waitFor();
    t.same([...hosts], [new URL(server.url).host], "no other host was asked for anything");
    t.same(complaints, [], "and the page's own rules were kept");
  },
);
