/** A shop's customer who has only a keyboard, whose network fails, and whose tab is killed. */
import type { Page } from "playwright-core";
import t from "tap";
import {
  openPage,
  skipWithoutBrowser as skip,
  withoutNetworkErrors,
} from "../../helpers/browser.ts";
import { PICTURE } from "../../helpers/editor.ts";
import { keyboardOf } from "../../helpers/keyboard.ts";
import { testServer } from "../../helpers/server.ts";
import { design, editorOf, handoffOf, PHONE, patternIn, startShop } from "../../helpers/shop.ts";

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

t.test("a customer goes through the shop with the keyboard", { skip }, async (t) => {
  const server = await testServer(t, { takesJobs: true });
  const shop = await startShop(t, server);
  const { page, issues } = await openPage(t, shop, PHONE);
  const { press, tabTo, activate, chooseFile } = keyboardOf(page);
  const editor = editorOf(page);
  const button = (name: string) => editor.getByRole("button", { name, exact: true });
  const radio = (name: string) => editor.getByRole("radio", { name });
  const slider = (name: string) => editor.getByRole("slider", { name, exact: true });
  const patterns = async () => (await server.request("GET", "/patterns")).json.data;

  await t.test("from the product to a design", async (t) => {
    await activate(design(page));
    await chooseFile(editor.getByLabel("Your picture"), PICTURE);
    await patternIn(editor).waitFor();
    await tabTo(radio("Pinwheel (p4)"));
    await press("ArrowRight");
    t.ok(await radio("Square stars (p4m)").isChecked());
    await tabTo(editor.getByRole("group", { name: "Part of the picture" }));
    await press("ArrowLeft");
    await tabTo(slider("Turn"));
    await press("ArrowRight");
    await activate(button("Surprise me"));
    await tabTo(editor.getByRole("combobox", { name: "Style" }));
    await press("ArrowDown");
    t.not(await editor.getByRole("combobox", { name: "Style" }).inputValue(), "");
    await activate(button("Twelve ideas"));
    await activate(editor.getByRole("button", { name: /^Idea 3: / }));
    await editor.getByRole("dialog").waitFor({ state: "detached" });
  });

  await t.test("every step is taken back, and the focus stays", async () => {
    await tabTo(button("Undo"));
    while (await button("Undo").isEnabled()) await press("Enter");
    await editor.getByText("Choose a picture to begin.").waitFor();
    await tabTo(button("Redo"));
    while (await button("Redo").isEnabled()) await press(" ");
  });

  await t.test("Escape leads back to the product, and Enter to the design again", async (t) => {
    await press("Escape");
    await page.locator("dialog").waitFor({ state: "hidden" });
    t.equal(await focused(page), "Design your own");
    await press("Enter");
    await patternIn(editor).waitFor();
  });

  await t.test("without a network the page says so, and finishes when it is back", async (t) => {
    const before = await patterns();
    await page.context().setOffline(true);
    await editor.getByText("There is no connection").waitFor();
    await tabTo(editor.locator('input[name="group"]:checked'));
    await press("ArrowLeft");
    await patternIn(editor).waitFor();
    const failed = page.waitForEvent("requestfailed");
    await activate(button("Use this pattern"));
    await failed;
    await page.context().setOffline(false);
    await page.getByRole("heading", { name: "In your basket" }).waitFor();
    t.same(before, []);
    const [made, ...others] = await patterns();
    t.same(others, [], "made once");
    t.match(await handoffOf(server), { status: "finished", pattern_id: made.id });
  });

  t.same(withoutNetworkErrors(issues), []);
});

t.test("a shop's page that crashes goes on with the design", { skip }, async (t) => {
  const server = await testServer(t);
  const shop = await startShop(t, server);
  const { page, issues } = await openPage(t, shop, PHONE);
  const editor = editorOf(page);
  const radio = (name: string) => editor.getByRole("radio", { name });
  // What crashes gets no event. A page that is loaded again stays in its tab, as after a real crash.
  await page.addInitScript(() => {
    addEventListener("pagehide", (event) => event.stopImmediatePropagation(), { capture: true });
  });
  await page.clock.install();
  await page.reload();
  await design(page).tap();
  await editor.getByLabel("Your picture").setInputFiles(PICTURE);
  await patternIn(editor).waitFor();
  await page.clock.pauseAt(Date.now() + 60_000);
  await radio("Whirls (p6)").check();
  await page.clock.runFor(300);
  await radio("Weave (pgg)").check();
  await page.reload();
  await page.clock.resume();
  await design(page).tap();
  await patternIn(editor).waitFor();
  t.ok(await radio("Whirls (p6)").isChecked(), "only the last step is lost");
  t.equal((await server.request("GET", "/embed/handoffs")).json.data.length, 1);
  t.equal((await server.request("GET", "/sources")).json.data.length, 1);

  // Where the browser has forgotten the session, the shop makes another link.
  const [, frame] = page.frames();
  await frame?.evaluate(() => sessionStorage.clear());
  await page.reload();
  await design(page).tap();
  await editor.getByText("Choose a picture to begin.").waitFor();
  t.equal((await server.request("GET", "/embed/handoffs")).json.data.length, 2);
  t.same(
    issues.filter((issue) => !issue.includes("404")),
    [],
  );
});
