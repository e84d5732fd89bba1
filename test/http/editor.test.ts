import t from "tap";
import { openPage, skipWithoutBrowser as skip } from "../helpers/browser.ts";
import { testServer } from "../helpers/server.ts";

t.test("a customer's link opens the editor, also after a reload", { skip }, async (t) => {
  const server = await testServer(t);
  const return_url = "https://shop.example/products/4711";
  const json = { product_id: 4711, return_url };
  const { editor_url } = (await server.request("POST", "/embed/handoff", { json })).json;
  const { page, hosts, issues } = await openPage(t, editor_url);
  for (const visit of ["first", "reloaded"]) {
    await page.locator("#opened").waitFor({ state: "visible" });
    t.equal(await page.locator("#product").innerText(), "4711", visit);
    t.equal(await page.locator("#back").getAttribute("href"), return_url);
    await page.reload();
  }
  await page.locator("#opened").waitFor({ state: "visible" });
  const token = await page.locator("#token").innerText();
  const headers = { Authorization: `Bearer ${token}` };
  t.equal((await server.request("GET", "/patterns", { as: null, headers })).status, 200);
  t.same([...hosts], [new URL(server.url).host], "no other host was asked for anything");
  t.same(issues, [], "and the page's Content-Security-Policy holds");
});

t.test("an invalid link shows what to do", { skip }, async (t) => {
  const server = await testServer(t);
  const { page } = await openPage(t, `${server.url}/editor?handoff=used`);
  await page.getByText("Go back to the shop and start again").waitFor();
  t.match(await page.locator("#state").innerText(), /used already/);
  await page.goto(`${server.url}/editor`);
  await page.getByText("opened by a shop").waitFor();
  t.equal(await page.locator("#opened").isVisible(), false);
});
