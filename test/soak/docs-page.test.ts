import type { Page } from "playwright-core";
import t from "tap";
import { openPage, skipWithoutBrowser as skip } from "../helpers/browser.ts";
import { testServer } from "../helpers/server.ts";

async function enterKey(page: Page, key: string): Promise<void> {
  await page.locator("button.authorize").first().click();
  await page.locator("#api_key_value").fill(key);
  await page.getByRole("button", { name: "Apply credentials" }).first().click();
  await page.getByRole("button", { name: "Close" }).first().click();
}

t.test("the documentation page sends requests to this service only", { skip }, async (t) => {
  // A request by another name than the public one still reaches its own server.
  const server = await testServer(t, { publicUrl: "https://patterns.example" });
  await server.makePattern({ name: "Seen in the browser" });
  const { page, hosts, issues } = await openPage(t, `${server.url}/docs`);
  await enterKey(page, server.key);
  const operation = page.locator("#operations-Patterns-listPatterns");
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
  t.same(issues, [], "and the page's Content-Security-Policy holds");
});
