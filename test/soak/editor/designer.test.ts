/** A designer from a photograph to the print file: with the keyboard, without a network, and after a crash. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import t from "tap";
import { setPassword } from "../../../server/actions/accounts.ts";
import {
  failingOnce,
  killPage,
  openPage,
  skipWithoutBrowser as skip,
  withoutNetworkErrors,
} from "../../helpers/browser.ts";
import { ADA, button, heading, link } from "../../helpers/console.ts";
import { PICTURE, pattern, radio } from "../../helpers/editor.ts";
import { skipWithout } from "../../helpers/external-validators.ts";
import { keyboardOf } from "../../helpers/keyboard.ts";
import { drawn } from "../../helpers/pdf.ts";
import { testServer } from "../../helpers/server.ts";

t.test("a designer makes a print file with the keyboard", { skip }, async (t) => {
  const server = await testServer(t, { takesJobs: true });
  await setPassword(server.db, server.account.id, ADA.password);
  const { page, hosts, issues } = await openPage(t, `${server.url}/editor`);
  const { press, tabTo, activate, fill, chooseFile } = keyboardOf(page);
  const slider = (name: string) => page.getByRole("slider", { name, exact: true });
  const list = async (path: string) => (await server.request("GET", path)).json.data;

  await t.test("from a photograph to a saved pattern", async (t) => {
    await fill(page.getByLabel("E-mail"), server.account.email);
    await fill(page.getByLabel("Password"), ADA.password);
    await press("Enter");
    await chooseFile(page.getByLabel("Your picture"), PICTURE);
    await pattern(page).waitFor();
    await tabTo(radio(page, "Pinwheel (p4)"));
    await press("ArrowDown");
    await tabTo(page.getByRole("group", { name: "Part of the picture" }));
    for (const key of ["ArrowRight", "Shift+ArrowDown", ".", "+"]) await press(key);
    await tabTo(page.getByRole("combobox", { name: "Add an effect" }));
    await press("ArrowDown");
    await page.locator(".chain li").waitFor();
    await page.context().setOffline(true);
    await page.getByText("There is no connection").waitFor();
    const failed = page.waitForEvent("requestfailed");
    await activate(button(page, "Save pattern"));
    await failed;
    t.same(await list("/patterns"), []);
    await page.context().setOffline(false);
    await page.locator("canvas[data-pattern]").waitFor();
    t.match(await list("/patterns"), [
      { group: "p4m", motif: { x: 0.51, y: 0.55, rotation: -1 }, effects: [{ id: String }] },
    ]);
    t.equal((await list("/patterns")).length, 1, "saved once");
    t.ok(await slider("Turn").isVisible());
  });

  await t.test("from the pattern to the file", async (t) => {
    await activate(link(page, "Patterns"));
    await heading(page, "Patterns");
    await activate(page.getByText("Download and print", { exact: true }));
    await fill(page.getByLabel("Width in mm"), "40");
    await fill(page.getByLabel("Height in mm"), "30");
    await tabTo(button(page, "Make print file"));
    await failingOnce(page, () => press("Enter"));
    await page.getByText("kept until").waitFor();
    t.equal((await list("/exports")).length, 1, "ordered once");
    const saving = page.waitForEvent("download");
    await activate(page.getByRole("button", { name: /^Download Pattern \d+, 40 × 30 mm, PDF$/ }));
    const pdf = await readFile(await (await saving).path());
    t.equal(pdf.subarray(0, 5).toString(), "%PDF-");
    const missing = skipWithout("mutool");
    if (missing) return t.comment(missing);
    const { width, height } = await drawn("mupdf", pdf, t.testdir(), 72);
    // With a bleed of 3 mm on each side.
    t.ok(Math.abs(width - (46 * 72) / 25.4) < 1, `${width} points across`);
    t.ok(Math.abs(height - (36 * 72) / 25.4) < 1, `${height} points down`);
  });

  t.same([...hosts], [new URL(server.url).host], "no other host was asked");
  t.same(withoutNetworkErrors(issues), []);
});

t.test("a tab that is killed loses no more than the last 300 ms", { skip }, async (t) => {
  const server = await testServer(t);
  await setPassword(server.db, server.account.id, ADA.password);
  const url = `${server.url}/editor`;
  const { page, issues } = await openPage(t, url);
  const signIn = async (page: Page) => {
    await page.getByLabel("E-mail").fill(server.account.email);
    await page.getByLabel("Password").fill(ADA.password);
    await button(page, "Sign in").click();
    await page.getByLabel("Your picture").waitFor();
  };
  await page.clock.install();
  await page.reload();
  await signIn(page);
  await page.getByLabel("Your picture").setInputFiles(PICTURE);
  await button(page, "Save pattern").click();
  await page.locator("canvas[data-pattern]").waitFor();
  // From here on the page's time stands still, but for what the test lets pass.
  await page.clock.pauseAt(Date.now() + 60_000);
  await radio(page, "Whirls (p6)").check();
  await page.clock.runFor(300);
  await radio(page, "Weave (pgg)").check();

  const reopened = await killPage(page);
  await reopened.clock.resume();
  await reopened.goto(url);
  await signIn(reopened);
  await pattern(reopened).waitFor();
  t.ok(await radio(reopened, "Whirls (p6)").isChecked());
  await button(reopened, "Undo").click();
  await reopened.locator("canvas[data-pattern]").waitFor();
  await button(reopened, "Save pattern").click();
  const { data } = (await server.request("GET", "/patterns")).json;
  t.equal(data.length, 1, "what was saved is known, and not made twice");
  t.same(issues, []);
});
