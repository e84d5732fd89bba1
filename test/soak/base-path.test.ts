/** The pages of a service that a proxy serves under a path. */
import t from "tap";
import { openPage, skipWithoutBrowser as skip } from "../helpers/browser.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";
import { underPrefix } from "../helpers/prefix-proxy.ts";

t.test("the pages load and work", { skip }, async (t) => {
  const { publicUrl, server } = await underPrefix(t);
  const { page, hosts, issues } = await openPage(t, `${publicUrl}/docs`);
  const operation = page.locator("#operations-Operation-getReadiness");
  await operation.locator(".opblock-summary").click();
  await operation.getByRole("button", { name: "Execute" }).click();
  const response = operation.locator(".live-responses-table");
  await response.waitFor();
  t.match(await response.innerText(), '"status": "ready"');
  t.match(await operation.innerText(), `${publicUrl}/readyz`);

  await page.goto(`${publicUrl}/docs/problems#conflict`);
  const row = page.locator("#conflict");
  t.match(await row.innerText(), /409\s+Conflict/);
  t.not(
    await row.evaluate((element) => getComputedStyle(element).backgroundColor),
    "rgba(0, 0, 0, 0)",
  );

  const json = { product_id: 4711, return_url: "https://shop.example/" };
  const { editor_url } = (await server.request("POST", "/embed/handoff", { json })).json;
  await page.goto(editor_url);
  const buffer = Buffer.from(pngOf(photograph(60, 40)));
  const file = { name: "picture.png", mimeType: "image/png", buffer };
  await page.getByLabel("Your picture").setInputFiles(file);
  await page.locator('canvas[role="img"][aria-busy="false"]').waitFor();
  t.same([...hosts], [new URL(publicUrl).host]);
  t.same(issues, [], "nothing failed to load");
});
