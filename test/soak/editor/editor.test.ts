/** The editor in a browser: undo, surprises, cancelling, a lost network, barriers. */
import type { Locator } from "playwright-core";
import t from "tap";
import { checkBarriers } from "../../helpers/axe.ts";
import { openPage, skipWithoutBrowser as skip } from "../../helpers/browser.ts";
import { button, openEditor, PICTURE, pattern, radio } from "../../helpers/editor.ts";
import { handOver } from "../../helpers/guest-sessions.ts";
import { testServer } from "../../helpers/server.ts";

/** Whether all of an element lies in the window. */
const isInSight = (element: Locator) =>
  element.evaluate((found) => {
    const { top, bottom } = found.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });

t.test("every step can be undone, also after a reload", { skip }, async (t) => {
  const server = await testServer(t);
  const { page } = await openEditor(t, server);
  t.equal(await button(page, "Redo").isDisabled(), true);
  await radio(page, "Weave (pgg)").check();
  await page.getByRole("slider", { name: "Down" }).fill("0.25");
  await page.getByRole("slider", { name: "Scale" }).press("PageUp");
  await page.reload();
  await pattern(page).waitFor();
  t.ok(await radio(page, "Weave (pgg)").isChecked());
  await page.keyboard.press("Control+z");
  t.equal(await page.getByRole("slider", { name: "Scale" }).inputValue(), "0");
  await button(page, "Undo").click();
  t.equal(await page.getByRole("slider", { name: "Down" }).inputValue(), "0.5");
  await button(page, "Undo").click();
  t.ok(await radio(page, "Pinwheel (p4)").isChecked());
  await page.keyboard.press("Control+Shift+z");
  t.ok(await radio(page, "Weave (pgg)").isChecked());
});

t.test("groups far from the window are drawn once they are near", { skip }, async (t) => {
  const { page } = await openEditor(t, await testServer(t));
  await page.setViewportSize({ width: 360, height: 320 });
  const groups = page.getByRole("radiogroup", { name: "Symmetry" }).locator("canvas");
  const first = groups.first();
  const last = groups.last();
  await page.getByRole("slider", { name: "Turn" }).fill("7");
  await last.scrollIntoViewIfNeeded();
  await page.keyboard.press("Control+z");
  await first.and(page.locator('[aria-busy="true"]')).waitFor();
  await last.and(page.locator('[aria-busy="false"]')).waitFor();
  // The first one's turn would have come before.
  t.equal(await first.getAttribute("aria-busy"), "true");
  await first.scrollIntoViewIfNeeded();
  await first.and(page.locator('[aria-busy="false"]')).waitFor();
});

t.test("a surprise is one step", { skip }, async (t) => {
  const server = await testServer(t);
  const { page, issues } = await openEditor(t, server);
  const turn = page.getByRole("slider", { name: "Turn" });
  await turn.fill("7");
  await button(page, "Surprise me").click();
  await button(page, "Surprise me").click();
  await pattern(page).waitFor();
  await button(page, "Undo").click();
  await button(page, "Undo").click();
  t.equal(await turn.inputValue(), "7");
  t.same(issues, []);
});

t.test("a customer who cancels returns without a pattern", { skip }, async (t) => {
  const server = await testServer(t);
  const { page } = await openEditor(t, server);
  await button(page, "Cancel").click();
  await page.waitForURL("https://shop.example/**");
  t.match(page.url(), /\?variant=blue&pf_handoff=\d+&pf_status=cancelled#buy$/);
  t.same((await server.request("GET", "/patterns")).json.data, []);
});

t.test("a customer without a picture begins with a drawn one", { skip }, async (t) => {
  const server = await testServer(t);
  const { editor } = await handOver(server);
  const { page, issues } = await openPage(t, editor.href);
  const drawn = button(page, "Terrazzo");
  await drawn.locator("img").evaluate((image: HTMLImageElement) => image.decode());
  await drawn.click();
  await pattern(page).waitFor();
  t.match((await server.request("GET", "/sources")).json.data, [{ preset: "terrazzo", seed: 1 }]);
  t.same(issues, []);
  t.equal((await fetch(`${server.url}/editor/presets/none`)).status, 404);
});

t.test("a customer whose network fails goes on when it is back", { skip }, async (t) => {
  const server = await testServer(t);
  const { page } = await openEditor(t, server);
  await page.context().setOffline(true);
  await radio(page, "Whirls (p6)").check();
  await pattern(page).waitFor();
  const [{ id: first }] = (await server.request("GET", "/sources")).json.data;
  const sent = page.waitForEvent("requestfailed");
  await page.getByLabel("Your picture").setInputFiles({ ...PICTURE, name: "another.png" });
  await sent;
  await page.context().setOffline(false);
  await page.getByRole("radio", { name: `Picture ${first + 1}` }).waitFor();
  t.ok(await radio(page, "Whirls (p6)").isChecked());
  t.equal((await server.request("GET", "/sources")).json.data.length, 2, "uploaded once");
});

t.test("axe finds no barriers, narrow and light, wide and dark", { skip }, async (t) => {
  const server = await testServer(t);
  const product = { title: "Mug", mockup: "mug", width_mm: 228, height_mm: 85 };
  const { page } = await openEditor(t, server, { product });
  const check = (name: string) => checkBarriers(t, page, name);
  await page.getByRole("combobox", { name: "Add an effect" }).selectOption({ label: "Invert" });
  await page.getByRole("img", { name: "Mug with your pattern" }).waitFor();
  await check("the tile and the product");
  for (const name of ["Sheet", "Aperiodic"]) {
    await page.getByRole("tab", { name }).click();
    await page.getByRole("img", { name: /^Pattern/ }).waitFor();
    await check(name);
  }
  await page.goto(`${server.url}/editor?handoff=foreign`);
  await page.getByRole("heading", { name: "The editor did not open" }).waitFor();
  await check("a link that does not open");
  await page.goto(`${server.url}/editor`);
  await button(page, "Sign in").waitFor();
  await check("sign-in");
});

t.test("a message stays in sight until the design changes", { skip }, async (t) => {
  const server = await testServer(t);
  const { page } = await openEditor(t, server);
  await page.getByLabel("Address of a picture").fill("http://127.0.0.1/private.png");
  await button(page, "Fetch").click();
  const message = page.getByText("could not be fetched");
  await message.waitFor();
  await page.mouse.wheel(0, 2000);
  t.ok(await isInSight(page.getByRole("status")));
  await radio(page, "Weave (pgg)").check();
  await message.waitFor({ state: "detached" });
});
