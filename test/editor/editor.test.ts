/** The editor in a browser: a shop's customer from the handoff to the shop, and a user. */
import t from "tap";
import { setPassword } from "../../server/actions/accounts.ts";
import { openPage, skipWithoutBrowser as skip } from "../helpers/browser.ts";
import { button, openEditor, PICTURE, pattern, radio } from "../helpers/editor.ts";
import { testServer } from "../helpers/server.ts";

t.test("a customer designs with the keyboard and returns with the pattern", { skip }, async (t) => {
  const server = await testServer(t);
  const { page, hosts, issues } = await openEditor(t, server);
  t.equal(await page.getByRole("radio", { name: /\((p|c)[\w]+\)$/ }).count(), 17);
  await radio(page, "Pinwheel (p4)").focus();
  await page.keyboard.press("ArrowRight");
  t.ok(await radio(page, "Square stars (p4m)").isChecked());
  await page.getByRole("slider", { name: "Turn" }).focus();
  for (const _ of [1, 2, 3]) await page.keyboard.press("ArrowRight");
  await page.getByRole("slider", { name: "Across" }).focus();
  await page.keyboard.press("Home");
  await page.getByRole("combobox", { name: "Style" }).selectOption({ label: "Watercolour" });
  await page.getByRole("combobox", { name: "Palette" }).selectOption({ label: "Lagoon" });
  await pattern(page).waitFor();
  const { scrollWidth } = await page.evaluate(() => ({
    scrollWidth: document.documentElement.scrollWidth,
  }));
  t.equal(scrollWidth, 360, "nothing is wider than the screen");

  await button(page, "Use this pattern").click();
  await page.waitForURL("https://shop.example/**");
  const [made] = (await server.request("GET", "/patterns")).json.data;
  t.match(made, {
    group: "p4m",
    motif: { x: 0, y: 0.5, scale: 1, rotation: 3 },
    seam: { method: "blend", width: 0.22, preserve_contrast: true },
    palette: "lagoon",
    style: "watercolour",
  });
  t.equal(new URL(page.url()).searchParams.get("pf_pattern_id"), String(made.id));
  t.same([...hosts], [new URL(server.url).host, "shop.example"], "no other host was asked");
  t.same(issues, [], "and the page's Content-Security-Policy holds");
});

t.test("a user signs in and saves a pattern", { skip }, async (t) => {
  const server = await testServer(t);
  await setPassword(server.db, server.account.id, "correct horse battery");
  const { page, issues } = await openPage(t, `${server.url}/editor`);
  await page.getByLabel("E-mail").fill(server.account.email);
  await page.getByLabel("Password").fill("correct horse battery");
  await button(page, "Sign in").click();
  await page.getByLabel("Your picture").setInputFiles(PICTURE);
  await button(page, "Save pattern").click();
  await page.locator("canvas[data-pattern]").waitFor();
  const [made] = (await server.request("GET", "/patterns")).json.data;
  t.equal(await pattern(page).getAttribute("data-pattern"), String(made.id));
  await radio(page, "Snowflakes (p6m)").check();
  await page.locator("canvas:not([data-pattern])[role=img]").waitFor();
  t.equal(page.url(), `${server.url}/editor`, "the address, which people pass on, has no token");
  await page.reload();
  await pattern(page).waitFor();
  t.ok(await radio(page, "Snowflakes (p6m)").isChecked());
  t.same(issues, []);
});
