/** The editor's tools and views, in one session. */
import type { CDPSession } from "playwright-core";
import t from "tap";
import { skipWithoutBrowser as skip } from "../../helpers/browser.ts";
import { button, openEditor, pattern, radio } from "../../helpers/editor.ts";
import { until } from "../../helpers/jobs.ts";
import { testServer } from "../../helpers/server.ts";

interface Finger {
  readonly x: number;
  readonly y: number;
}

/** Puts fingers down, moves them, and lifts them. */
async function touch(session: CDPSession, ...steps: readonly (readonly Finger[])[]) {
  const send = (type: "touchStart" | "touchMove" | "touchEnd", fingers: readonly Finger[]) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: fingers.map((finger, id) => ({ ...finger, id })),
    });
  const [first = [], ...others] = steps;
  await send("touchStart", first);
  for (const step of others) await send("touchMove", step);
  await send("touchEnd", []);
}

t.test("tools and views of a design", { skip }, async (t) => {
  const server = await testServer(t);
  const { page, issues } = await openEditor(t, server);
  const session = await page.context().newCDPSession(page);
  const slider = (name: string) => page.getByRole("slider", { name, exact: true });
  const motif = async () => {
    const values: number[] = [];
    for (const name of ["Across", "Down", "Turn", "Scale"]) {
      values.push(Number(await slider(name).inputValue()));
    }
    return values;
  };
  const part = page.getByRole("group", { name: "Part of the picture" });
  const middleOf = async (locator: typeof part) => {
    await locator.scrollIntoViewIfNeeded();
    const box = await locator.boundingBox();
    if (box === null) throw new Error("it is not there");
    return { ...box, x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const picture = () =>
    pattern(page).evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());

  t.comment("the motif is dragged in one step");
  const { x, y, width, height } = await middleOf(part);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + width / 8, y, { steps: 3 });
  await page.mouse.move(x + width / 4, y - height / 4, { steps: 3 });
  await page.mouse.up();
  t.same(await motif(), [0.75, 0.25, 0, 0]);
  await button(page, "Undo").click();
  t.same(await motif(), [0.5, 0.5, 0, 0]);

  t.comment("keys move, turn and scale it");
  await part.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press(".");
  await page.keyboard.press("+");
  t.same(await motif(), [0.51, 0.55, -1, 1]);

  t.comment("two fingers turn and scale it, and tap to undo");
  const before = await motif();
  const at = await middleOf(part);
  const beside = (dx: number, dy: number) => ({ x: at.x + dx, y: at.y + dy });
  await touch(
    session,
    [beside(-30, 0), beside(30, 0)],
    [beside(-30, 0), beside(20, 20)],
    [beside(-30, 0), beside(-30, 60)],
  );
  const [, , turned = 0] = await motif();
  t.ok(Math.abs(turned + 91) < 2, `turned to ${turned}`);
  await touch(session, [beside(-30, 0), beside(30, 0)]);
  t.same(await motif(), before);

  t.comment("handles turn and scale it");
  const handle = await middleOf(page.locator('[data-handle="scale"]'));
  const centre = await middleOf(part);
  await page.mouse.move(handle.x, handle.y);
  await page.mouse.down();
  await page.mouse.move((handle.x + centre.x) / 2, (handle.y + centre.y) / 2);
  await page.mouse.up();
  t.ok(Number(await slider("Scale").inputValue()) > 10, "a smaller part shows larger");

  t.comment("Compare shows the design before the last change");
  const after = await picture();
  await button(page, "Compare").press("Enter");
  await pattern(page).waitFor();
  t.not(await picture(), after);
  await button(page, "Compare").press("Enter");
  await pattern(page).waitFor();
  t.equal(await picture(), after);

  t.comment("the sheet is moved and zoomed");
  t.equal(await pattern(page).getAttribute("data-size"), "512");
  const tab = (name: string) => page.getByRole("tab", { name, exact: true });
  await tab("Tile").press("ArrowRight");
  t.equal(await tab("Sheet").getAttribute("aria-selected"), "true");
  const plane = page.getByRole("img", { name: /^Pattern: .*repeated/ });
  const pixels = () => plane.evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
  // The plane is drawn with the tile.
  await page.locator('.plane .hidden[aria-busy="false"]').waitFor({ state: "attached" });
  await plane.and(page.locator("[width]")).waitFor();
  const whole = await pixels();
  const sheet = page.getByRole("group", { name: /^Sheet/ });
  await sheet.press("ArrowRight");
  await until(async () => (await pixels()) !== whole);
  const box = await middleOf(sheet);
  await page.mouse.move(box.x, box.y);
  await page.mouse.wheel(0, 300);
  await button(page, "Zoom in").click();
  await button(page, "Reset view").click();
  await until(async () => (await pixels()) === whole);

  t.comment("aperiodic tilings have their own options");
  await tab("Aperiodic").click();
  await page.getByRole("combobox", { name: "Shapes" }).selectOption({ label: "The hat" });
  await page.locator('canvas[aria-label*="The hat"][aria-busy="false"]').waitFor();
  const hats = await picture();
  await button(page, "Another part of it").click();
  await pattern(page).waitFor();
  t.not(await picture(), hats);

  t.comment("and are moved and zoomed");
  const here = await picture();
  for (const key of ["ArrowLeft", "+"]) {
    const before = await picture();
    await sheet.press(key);
    await until(async () => (await picture()) !== before);
  }
  await button(page, "Reset view").click();
  await until(async () => (await picture()) === here);

  t.comment("one of twelve ideas is chosen in one step");
  await tab("Tile").click();
  await pattern(page).waitFor();
  const mine = await picture();
  await button(page, "Twelve ideas").click();
  await page.getByRole("dialog", { name: "Choose an idea" }).waitFor();
  t.equal(await page.getByRole("button", { name: /^Idea \d+: .*\)$/ }).count(), 12);
  await button(page, "Twelve more").click();
  await page.getByRole("button", { name: /^Idea 7: / }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await pattern(page).waitFor();
  t.not(await picture(), mine);
  await button(page, "Undo").click();
  await pattern(page).waitFor();
  t.equal(await picture(), mine);

  t.comment("a repeat that is no square can be shown in its true shape");
  const isCell = page.getByRole("checkbox", { name: "One repeat, in its true shape" });
  await radio(page, "(p4)").check();
  await isCell.waitFor({ state: "detached" });
  await radio(page, "(p6m)").check();
  await isCell.check();
  await until(async () => {
    const { width, height } = await pattern(page).evaluate(
      ({ width, height }: HTMLCanvasElement) => ({ width, height }),
    );
    return width === 296 && height === 512;
  });
  t.equal(await pattern(page).getAttribute("data-size"), "512");
  await button(page, "Undo").click();
  await button(page, "Undo").click();
  await pattern(page).waitFor();
  t.equal(await picture(), mine);

  t.comment("effects are added, set, put in order and removed");
  const add = page.getByRole("combobox", { name: "Add an effect" });
  await add.selectOption({ label: "Pixelate" });
  await slider("Blocks").fill("12");
  await add.selectOption({ label: "Invert" });
  await button(page, "Apply Invert earlier").click();
  await page.locator('canvas[aria-label$="effects Invert and Pixelate"]').waitFor();
  await button(page, "Remove Invert").click();
  t.equal(await slider("Blocks").inputValue(), "12");

  t.comment("a design that cannot be read is dropped with a sentence");
  await page.evaluate(() => {
    for (const name of Object.keys(localStorage)) localStorage.setItem(name, '{"past":[{}]}');
    // The page keeps its design when it is left.
    Storage.prototype.setItem = () => undefined;
  });
  await page.reload();
  await page.getByText("could not be read").waitFor();
  t.same(issues, []);
});
