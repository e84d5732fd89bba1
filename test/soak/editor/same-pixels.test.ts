/** The editor's pictures, beside those of the server. */
import { hash } from "node:crypto";
import sharp from "sharp";
import t, { type Test } from "tap";
import { GROUP_NAMES } from "../../../engine/core.ts";
import type { ByteImage } from "../../../engine/image/picture.ts";
import { patternEffects, styles, surfaceEffects } from "../../../engine/index.ts";
import { openPage, skipWithoutBrowser as skip } from "../../helpers/browser.ts";
import { canvasOf, editorOf, keepPixels, pixelsOn, sheetFields } from "../../helpers/editor.ts";
import { faded, photograph, pngOf } from "../../helpers/pictures.ts";
import { draw, some } from "../../helpers/random-subset.ts";
import { testServer } from "../../helpers/server.ts";

/** Opens the editor with a picture; returns the page, and what compares its pattern with the server's tile. */
async function openWith(t: Test, picture: ByteImage) {
  const server = await testServer(t);
  const opened = await openPage(t, editorOf(server));
  const { page } = opened;
  await keepPixels(page);
  const buffer = Buffer.from(pngOf(picture));
  const file = { name: "picture.png", mimeType: "image/png", buffer };
  await page.getByLabel("Your picture").setInputFiles(file);
  await canvasOf(page, "Pattern");
  const [source] = (await server.request("GET", "/sources")).json.data;
  return {
    ...opened,
    server,
    async compare(words: string, design: object, what: string, fields: object = { size: 512 }) {
      const shown = await pixelsOn(t, await canvasOf(page, words));
      const json = { source_id: source.id, ...design };
      const { id } = (await server.request("POST", "/patterns", { json })).json;
      const path = `/patterns/${id}/render`;
      const tile = await server.request("POST", path, { json: fields });
      const rendered = await sharp(tile.bytes).ensureAlpha().raw().toBuffer();
      t.equal(hash("sha256", shown), hash("sha256", rendered), what);
    },
  };
}

const CASES = {
  opaque: { picture: photograph(900, 640), groups: some(GROUP_NAMES, 5) },
  transparent: { picture: faded(photograph(420, 510)), groups: draw(GROUP_NAMES, 3) },
};

for (const [kind, { picture, groups }] of Object.entries(CASES)) {
  t.test(`tiles of groups have the server's pixels: ${kind}`, { skip }, async (t) => {
    const { page, issues, compare } = await openWith(t, picture);
    const symmetry = page.getByRole("radiogroup", { name: "Symmetry" });
    for (const group of groups) {
      await symmetry.getByRole("radio", { name: new RegExp(`\\(${group}\\)$`) }).check();
      await compare(`(${group})`, { group }, group);
    }
    const canvas = page.getByRole("img", { name: /^Pattern/ });
    t.equal(await canvas.getAttribute("data-backend"), "webasm");
    t.same(issues, [], "the policy allows what the engine does, and nothing failed");
  });
}

t.test("tiles in a style have the server's pixels", { skip }, async (t) => {
  const { page, issues, compare } = await openWith(t, photograph(300, 300));
  for (const { id, title } of draw(styles, 5)) {
    await page.getByRole("combobox", { name: "Style" }).selectOption({ label: title });
    await compare(`style ${title}`, { group: "p4", style: id }, title);
  }
  t.same(issues, []);
});

t.test(
  "palettes have the server's pixels, and so have those of another picture",
  { skip },
  async (t) => {
    const { page, server, issues, compare } = await openWith(t, photograph(300, 300));
    const choose = async (name: string) => {
      await page.getByRole("button", { name: "See all palettes" }).click();
      await page
        .getByRole("dialog", { name: "Choose a palette" })
        .getByRole("button", { name })
        .click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
    };
    await choose("Lagoon");
    await compare("palette Lagoon", { group: "p4", palette: "lagoon" }, "Lagoon");

    const photo = photograph(200, 150);
    const negative = { ...photo, pixels: photo.pixels.map((value) => 255 - value) };
    const buffer = Buffer.from(pngOf(negative));
    const file = { name: "negative.png", mimeType: "image/png", buffer };
    await page.getByLabel("Your picture").setInputFiles(file);
    const own = page.getByRole("radiogroup", { name: "Pictures" }).getByRole("radio");
    await own.nth(1).waitFor();
    await own.nth(1).check();
    const [other] = (await server.request("GET", "/sources")).json.data;
    await choose(`Colours of Picture ${other.id}`);
    await compare("palette #", { group: "p4", palette: { from: other.id } }, "another picture's");
    const chosen = page.getByRole("combobox", { name: "Palette" }).locator("option:checked");
    t.equal(await chosen.textContent(), "Chosen colours");
    t.same(issues, []);
  },
);

t.test("cuts along the picture's lines have the server's pixels", { skip }, async (t) => {
  const { page, issues, compare } = await openWith(t, photograph(900, 700));
  await page.getByRole("combobox", { name: "Seam" }).selectOption("cut");
  for (const group of some(["p1", "p31m"], 1)) {
    await page.getByRole("radio", { name: new RegExp(`\\(${group}\\)$`) }).check();
    await compare(`(${group})`, { group, seam: { method: "cut" } }, group);
  }
  t.same(issues, []);
});

t.test("counterchanges have the server's pixels", { skip }, async (t) => {
  const { page, issues, compare } = await openWith(t, photograph(300, 300));
  for (const counterchange of some(["p2", "p4"], 1)) {
    await page.getByRole("radio", { name: `p4/${counterchange}`, exact: true }).check();
    await compare(`negative by p4/${counterchange}`, { group: "p4", counterchange }, counterchange);
  }
  await page.getByRole("radio", { name: "Triple turns (p3)" }).check();
  await compare("(p3)", { group: "p3" }, "another group begins without");
  t.equal(await page.getByRole("radiogroup", { name: "Picture and negative" }).count(), 0);
  t.same(issues, []);
});

t.test("effects have the server's pixels", { skip }, async (t) => {
  const { page, issues, compare } = await openWith(t, faded(photograph(300, 300)));
  for (const { id, title } of some(patternEffects, 3)) {
    await page.getByRole("combobox", { name: "Add an effect" }).selectOption({ label: title });
    await compare(`effect ${title}`, { group: "p4", effects: [{ id }] }, title);
    await page.getByRole("button", { name: `Remove ${title}` }).click();
  }
  t.same(issues, []);
});

t.test("inks of one's own have the server's pixels, and names that can be", { skip }, async (t) => {
  const { page, issues, compare } = await openWith(t, photograph(300, 300));
  await page.getByRole("combobox", { name: "Add an effect" }).selectOption({ label: "Flat inks" });
  const count = page.getByRole("slider", { name: "Count" });
  await count.waitFor();
  await page.getByRole("button", { name: "Add an ink of your own" }).click();
  await page.getByLabel("Colour of Ink 2").fill("#ffe0b0");
  const name = (of: string) => page.getByRole("textbox", { name: `Name of ${of}`, exact: true });
  const rename = async (from: string, to: string) => {
    await name(from).fill(to);
    await name(from).press("Tab");
  };
  await rename("Ink 1", " Indigo 30 ");
  const told = page.getByRole("status");
  const refusals: readonly (readonly [string, RegExp])[] = [
    ["indigo 30", /Another ink has the name “indigo 30”/],
    ["black", /PDF reserves the name “black”/],
    ["  ", /it is empty/],
    ["Ecru\u202e", /invisible characters/],
    ["染".repeat(43), /too long for a PDF/],
  ];
  for (const [refused, reason] of refusals) {
    await rename("Ink 2", refused);
    t.equal(await name("Ink 2").inputValue(), "Ink 2", `"${refused}" is refused`);
    t.match(await told.textContent(), reason);
  }
  await page.getByLabel("Colour of Ink 2").fill("#1d2a5d");
  await page.getByLabel("Colour of Ink 2").blur();
  t.equal(await page.getByLabel("Colour of Ink 2").inputValue(), "#ffe0b0");
  t.match(await told.textContent(), "Another ink has this colour.");
  t.equal(await count.count(), 0, "as many as there are");
  await page.setViewportSize({ width: 360, height: 740 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  t.equal(width, 360, "they fit on a phone");
  const inks = [
    { name: "Indigo 30", colour: "#1d2a5d" },
    { name: "Ink 2", colour: "#ffe0b0" },
  ];
  const effects = [{ id: "flat_inks", params: { inks } }];
  await compare("effect Flat inks", { group: "p4", effects }, "two inks");
  await page.getByRole("button", { name: "Remove Ink 2", exact: true }).click();
  await count.waitFor();
  await compare("effect Flat inks", { group: "p4", effects: [{ id: "flat_inks" }] }, "none");
  t.same(issues, []);
});

t.test("surfaces have the server's pixels", { skip }, async (t) => {
  const { page, issues, compare } = await openWith(t, photograph(300, 300));
  for (const { id, title } of some(surfaceEffects, 3)) {
    await page.getByRole("combobox", { name: "Add a surface" }).selectOption({ label: title });
    const fields = await sheetFields(page, { id, title });
    await compare(`surface ${title}`, { group: "p4" }, title, fields);
    await page.getByRole("button", { name: `Remove ${title}` }).click();
  }
  t.same(issues, []);
});

t.test("aperiodic sheets have the server's pixels, moved and zoomed", { skip }, async (t) => {
  const { page, issues, compare } = await openWith(t, photograph(300, 300));
  await page.getByRole("tab", { name: "Aperiodic" }).click();
  const sheet = page.getByRole("group", { name: /^Sheet/ });
  const fields = { mode: "aperiodic", surface_width: 512, surface_height: 512 };
  const compareAt = (size: number, x: number, y: number, what: string) =>
    compare("Penrose", { group: "p4" }, what, {
      ...fields,
      size,
      dpi: (300 * size) / 1024,
      offset: { x, y },
      aperiodic: { kind: "penrose_p3", seed: 1 },
    });
  await compareAt(512, 0, 0, "at first");
  await sheet.press("ArrowRight");
  await compareAt(512, -51, 0, "moved");
  await sheet.press("+");
  await compareAt(640, -128, -64, "zoomed around the middle");
  t.same(issues, []);
});

/** Just beyond the most pixels of a level. */
const BLANK = {
  width: 2049,
  height: 2048,
  channels: 3,
  pixels: new Uint8Array(2049 * 2048 * 3).fill(90),
} as const;

t.test("a motif that is enlarged beyond all that is sent is softer", { skip }, async (t) => {
  const { page, issues } = await openWith(t, BLANK);
  await page.getByRole("slider", { name: "Scale" }).press("End");
  await canvasOf(page, "(p4)");
  t.same(issues, [], "and shown nonetheless");
});
