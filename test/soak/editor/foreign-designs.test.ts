/** Designs from elsewhere: by a link, in a picture, and kept by the browser. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mock } from "node:test";
import { deflateRawSync } from "node:zlib";
import type { Page } from "playwright-core";
import t, { type Test } from "tap";
import { FIRST_DRAFT } from "../../../editor/app/draft.ts";
import { setPassword } from "../../../server/actions/accounts.ts";
import { openPage, skipWithoutBrowser as skip } from "../../helpers/browser.ts";
import { ADA } from "../../helpers/console.ts";
import { button, openEditor, PICTURE, pattern, radio } from "../../helpers/editor.ts";
import { handOver } from "../../helpers/guest-sessions.ts";
import { type Caller, testServer } from "../../helpers/server.ts";

async function signIn(page: Page, { account }: Pick<Caller, "account">): Promise<void> {
  await page.getByLabel("E-mail").fill(account.email);
  await page.getByLabel("Password").fill(ADA.password);
  await button(page, "Sign in").click();
  await page.getByLabel("Your picture").waitFor();
}

/** A file on the disk, as the browser takes it from another window. */
async function dropped(t: Test, page: Page, name: string, bytes: Uint8Array): Promise<void> {
  const path = join(t.testdir(), name);
  await writeFile(path, bytes);
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    if (type === "drop") await page.getByText("Drop your picture here").waitFor();
    await session.send("Input.dispatchDragEvent", { type, x: 200, y: 200, data });
  }
}

t.test("a link carries a design", { skip }, async (t) => {
  const server = await testServer(t);
  await setPassword(server.db, server.account.id, ADA.password);
  const other = await server.makeCaller({});
  await setPassword(server.db, other.account.id, ADA.password);
  const { page, issues } = await openPage(t, `${server.url}/editor`);
  const dialog = page.getByRole("dialog");
  await signIn(page, server);
  await page.getByLabel("Your picture").setInputFiles(PICTURE);
  await radio(page, "Snowflakes (p6m)").check();
  await page.getByRole("combobox", { name: "Add an effect" }).selectOption({ label: "Pixelate" });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await button(page, "Copy link").click();
  await page.getByText("Link copied").waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  t.ok(link.startsWith(`${server.url}/editor#design=1.`));
  t.ok(link.length < 700, `${link.length} characters`);

  await t.test("its owner gets the picture, too, and may undo", async (t) => {
    await radio(page, "Weave (pgg)").check();
    await page.goto(link);
    await page.locator('canvas[aria-label$="effect Pixelate"][aria-busy="false"]').waitFor();
    t.ok(await radio(page, "Snowflakes (p6m)").isChecked());
    t.equal(page.url(), `${server.url}/editor`);
    await button(page, "Undo").click();
    t.ok(await radio(page, "Weave (pgg)").isChecked());
  });

  await t.test("links that are damaged say so, and leave the design", async (t) => {
    const linkOf = (text: string) => `1.${deflateRawSync(text).toString("base64url")}`;
    const design = { ...FIRST_DRAFT.design, group: "p5" };
    for (const [fragment, words] of [
      ["", "this link is damaged"],
      ["1.AAAA", "this link is damaged"],
      [link.slice(link.lastIndexOf("1."), -9), "this link is damaged"],
      [linkOf(" ".repeat(2 ** 20)), "this link is damaged"],
      ["2.AAAA", "another version"],
      [linkOf("[]"), "cannot be used"],
      [linkOf(JSON.stringify({ ...FIRST_DRAFT, source: undefined, design })), "group: is wrong"],
    ] as const) {
      await page.goto("about:blank");
      await page.goto(`${server.url}/editor#design=${fragment}`);
      await page.getByRole("status").getByText(words).waitFor();
      t.ok(await radio(page, "Weave (pgg)").isChecked(), fragment.slice(0, 40));
    }
  });

  await t.test("another account uses it with a picture of its own", async (t) => {
    await page.evaluate(() => sessionStorage.clear());
    await page.goto("about:blank");
    await page.goto(link);
    await signIn(page, other);
    await dialog.getByText("The picture of this design is not yours").waitFor();
    await button(page, "Use its design").click();
    await page.getByText("Now choose a picture").waitFor();
    await page.getByLabel("Your picture").setInputFiles(PICTURE);
    await page.locator('canvas[aria-label$="effect Pixelate"][aria-busy="false"]').waitFor();
    t.ok(await radio(page, "Snowflakes (p6m)").isChecked());
  });

  await t.test("a picture that was rendered here brings its design", async (t) => {
    const recipe = { group: "p31m", palette: "lagoon", effects: [{ id: "invert" }] };
    const id = await server.makePattern(recipe);
    const { bytes } = await server.request("GET", `/patterns/${id}/render?size=256`);
    await dropped(t, page, "tile.png", bytes);
    await dialog.getByText("There is a design in this picture").waitFor();
    await button(page, "Use its design").click();
    await page.locator('canvas[aria-label$="Invert and Palette"][aria-busy="false"]').waitFor();
    t.ok(await radio(page, "Trefoils (p31m)").isChecked());
    await dropped(t, page, "tile.png", bytes);
    await button(page, "Use it as a picture").click();
    await page
      .getByRole("radio", { name: /^Picture \d/ })
      .nth(1)
      .waitFor();
    t.ok(await radio(page, "Trefoils (p31m)").isChecked());
  });

  await t.test("pictures are pasted, and other files refused", async () => {
    await page.evaluate(async () => {
      const canvas = Object.assign(new OffscreenCanvas(30, 20));
      canvas.getContext("2d")?.fillRect(5, 5, 10, 10);
      const items = { "image/png": canvas.convertToBlob() };
      await navigator.clipboard.write([new ClipboardItem(items)]);
    });
    await page.keyboard.press("Control+v");
    await page
      .getByRole("radio", { name: /^Picture \d/ })
      .nth(2)
      .waitFor();
    await dropped(t, page, "text.txt", Buffer.from("no picture"));
    await page.getByText("This file is not a picture").waitFor();
  });
  t.same(issues, []);
});

t.test("steps of a kept design that cannot be read are left out", { skip }, async (t) => {
  const server = await testServer(t);
  const { page, issues } = await openEditor(t, server);
  await radio(page, "Weave (pgg)").check();
  await radio(page, "Whirls (p6)").check();
  await page.reload();
  await pattern(page).waitFor();
  /** Changes what is kept as the page does not expect it. */
  const reopen = async (damage: string) => {
    await page.evaluate((damage) => {
      const [name = ""] = Object.keys(localStorage).filter((one) => one.startsWith("design "));
      const kept = JSON.parse(localStorage.getItem(name) ?? "");
      if (damage === "group") kept.past.at(-1).design.group = "p5";
      if (damage === "source") kept.present.source.id = "../account";
      localStorage.setItem(name, JSON.stringify(kept));
    }, damage);
    await page.reload();
    await page.getByText("were left out").waitFor();
    await pattern(page).waitFor();
  };
  await reopen("group");
  t.ok(await radio(page, "Whirls (p6)").isChecked());
  await button(page, "Undo").click();
  t.ok(await radio(page, "Pinwheel (p4)").isChecked(), "Weave (pgg) is gone");
  await radio(page, "Windows (pmm)").check();
  await page.reload();
  await pattern(page).waitFor();
  await reopen("source");
  t.ok(await radio(page, "Pinwheel (p4)").isChecked(), "Windows (pmm) is gone");
  t.same(issues, []);
});

t.test("a customer whose session ends meanwhile goes on in the next one", { skip }, async (t) => {
  const server = await testServer(t);
  const { page } = await openEditor(t, server);
  await radio(page, "Trefoils (p31m)").check();
  await pattern(page).waitFor();
  t.teardown(() => mock.timers.reset());
  mock.timers.enable({ apis: ["Date"], now: Date.now() + 25 * 60 * 60 * 1000 });
  const ended = page.getByRole("heading", { name: "Your visit has ended" }).waitFor();
  // The page may ask for something else before, and then has no such button any more.
  await Promise.any([button(page, "Use this pattern").click(), ended]);
  await ended;
  t.notMatch(await page.locator("body").innerText(), /token|401|unauthori[sz]ed/i);
  mock.timers.reset();
  await page.getByRole("link", { name: "Back to the shop" }).click();
  await page.waitForURL("https://shop.example/**");
  await page.goto((await handOver(server)).editor.href);
  await page.getByText("Your last design is here again").waitFor();
  await page.getByLabel("Your picture").setInputFiles(PICTURE);
  await pattern(page).waitFor();
  t.ok(await radio(page, "Trefoils (p31m)").isChecked());
});
