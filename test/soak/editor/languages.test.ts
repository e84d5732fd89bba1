/** The editor and the console in the languages of their users. */
import type { Page } from "playwright-core";
import t from "tap";
import { setPassword } from "../../../server/actions/accounts.ts";
import { MAX_WEBHOOKS } from "../../../server/actions/webhooks.ts";
import { barriers } from "../../helpers/axe.ts";
import { openPage, skipWithoutBrowser as skip } from "../../helpers/browser.ts";
import { ADA, fill, heading, link } from "../../helpers/console.ts";
import { button, PICTURE, pattern } from "../../helpers/editor.ts";
import { handOver } from "../../helpers/guest-sessions.ts";
import { testServer } from "../../helpers/server.ts";

/** What the title's text has been since the page was opened. */
const titles = (page: Page) =>
  page.evaluate(() => [...(globalThis as unknown as { titles: Set<string> }).titles]);

function recordTitles(): void {
  const titles = new Set<string>();
  Object.assign(globalThis, { titles });
  new MutationObserver(() => {
    const { textContent } = document.querySelector("h1") ?? {};
    if (textContent) titles.add(textContent);
  }).observe(document, { childList: true, characterData: true, subtree: true });
}

const languageOf = (page: Page) => page.evaluate(() => document.documentElement.lang);

t.test("the editor speaks its visitors' languages", { skip }, async (t) => {
  const server = await testServer(t);
  const opened = await openPage(t, `${server.url}/editor`, { locale: "de-AT" });
  const browser = opened.page.context().browser();

  /** Opens a handoff in a browser that prefers English. */
  async function openIn(locale: string) {
    const page = await browser?.newPage({ viewport: { width: 360, height: 740 } });
    if (page === undefined) throw new Error("the browser is closed");
    await page.addInitScript(recordTitles);
    const { editor } = await handOver(server, { locale });
    await page.goto(editor.href);
    await page.getByRole("heading", { level: 1 }).waitFor();
    return { page, editor };
  }

  await t.test("a user's is the browser's", async (t) => {
    const { page, issues } = opened;
    await page.getByLabel("E-Mail-Adresse").fill(server.account.email);
    await page.getByLabel("Passwort").fill("not this one");
    await button(page, "Anmelden").click();
    await page.getByText("Die E-Mail-Adresse oder das Passwort stimmt nicht.").waitFor();
    t.match(issues, [/401/], "nothing else went wrong");
  });

  await t.test("a customer's is the shop's", async (t) => {
    const { page } = await openIn("fr-CA");
    await page.getByRole("heading", { name: "Créer un motif" }).waitFor();
    t.equal(await languageOf(page), "fr");
    await page.context().close();
  });

  await t.test("English stands in for others", async (t) => {
    const { page } = await openIn("ja");
    await page.getByRole("heading", { name: "Design a pattern" }).waitFor();
    t.equal(await languageOf(page), "en");
    await page.context().close();
  });

  const { page, editor } = await openIn("de");

  await t.test("from the first word on", async (t) => {
    await page.getByLabel("Ihr Bild").setInputFiles({ ...PICTURE, buffer: Buffer.from("?") });
    await page.getByText("Diese Datei lässt sich nicht als Bild lesen.").waitFor();
    await page.getByLabel("Ihr Bild").setInputFiles(PICTURE);
    await pattern(page).waitFor();
    t.same(await titles(page), ["Muster gestalten"]);
    t.equal(await page.title(), "orbifold-Editor");
    t.equal(await languageOf(page), "de");
  });

  await t.test("the controls and the picture have names", async (t) => {
    const symmetry = page.getByRole("radiogroup", { name: "Symmetrie" });
    t.equal(await symmetry.getByRole("radio", { name: /\((p|c)\w+\)$/ }).count(), 17);
    await symmetry.getByRole("radio", { name: "Geflecht (pgg)" }).check();
    await page.getByRole("combobox", { name: "Stil" }).selectOption({ label: "Aquarell" });
    await page.getByRole("combobox", { name: "Palette" }).selectOption({ label: "Lagune" });
    const add = page.getByRole("combobox", { name: "Effekt hinzufügen" });
    for (const label of ["Negativ", "Mosaik"]) await add.selectOption({ label });
    await page.getByRole("slider", { name: "Felder" }).fill("12");
    const words =
      "Muster: Geflecht (pgg), Stil Aquarell, Palette Lagune, Effekte Negativ und Mosaik";
    await page.locator(`canvas[aria-label="${words}"][aria-busy="false"]`).waitFor();
    const across = page.getByRole("slider", { name: "Waagerecht" });
    t.equal(await across.getAttribute("aria-valuetext"), "50,0\u00a0%");
  });

  await t.test("axe finds no barriers, and nothing is wider than the screen", async (t) => {
    t.same(await barriers(page), []);
    t.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  });

  await t.test("another is chosen without a reload, and kept", async (t) => {
    await page.getByRole("combobox", { name: "Sprache" }).selectOption("Français");
    await page.getByRole("heading", { name: "Créer un motif" }).waitFor();
    t.same(await titles(page), ["Muster gestalten", "Créer un motif"]);
    const chosen = page.getByRole("radio", { name: "Tressage (pgg)" });
    t.ok(await chosen.isChecked());
    await page.getByRole("img", { name: /^Motif : .*, effets Négatif et Mosaïque$/ }).waitFor();
    await page.reload();
    await pattern(page).waitFor();
    t.same(await titles(page), ["Créer un motif"]);
    t.ok(await chosen.isChecked());
  });

  await t.test("a link that does not open says why in its own", async () => {
    const other = await browser?.newPage();
    await other?.goto(editor.href);
    await other?.getByText("Dieser Link wurde bereits verwendet.").waitFor();
  });
});

t.test("the console speaks its users' languages", { skip }, async (t) => {
  const server = await testServer(t);
  await setPassword(server.db, server.account.id, ADA.password);
  const name = "Wald";
  await server.makePattern({ name });
  const options = { locale: "de-AT", viewport: { width: 360, height: 740 } };
  const { page, issues } = await openPage(t, `${server.url}/sign-in`, options);
  const isNarrow = async (path: string) => {
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
    });
    t.same(await barriers(page), [], path);
    t.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, path);
  };

  await t.test("in that of the browser at first", async (t) => {
    const words = { "E-Mail-Adresse": server.account.email, Passwort: ADA.password };
    await fill(page, { ...words, Passwort: "not this one" });
    await button(page, "Anmelden").click();
    await page.getByText("Die E-Mail-Adresse oder das Passwort stimmt nicht.").waitFor();
    await fill(page, words);
    await button(page, "Anmelden").click();
    await heading(page, "Muster");
    await button(page, `${name} löschen`).waitFor();
    t.equal(await languageOf(page), "de");
    t.equal(await page.title(), "Muster · orbifold");
    await isNarrow("patterns");
  });

  await t.test("with dates, numbers and plurals as it writes them", async () => {
    await server.db.accounts.update(server.account.id, { credits: 12_345 });
    for (const [title, words] of [
      ["Nutzung", /^12\s345$/],
      ["API-Schlüssel", /^Berechtigungen: .*Erstellt am \d/],
      ["Integrationen", "Noch gibt es keinen Webhook"],
      ["Konto", /^\d+\.\d+\.20\d\d$/],
    ] as const) {
      await link(page, title).click();
      await heading(page, title);
      await page.getByText(words).first().waitFor();
      await isNarrow(title);
    }
  });

  await t.test("also where the service refuses what people fill in", async () => {
    await link(page, "Integrationen").click();
    const add = async (url: string) => {
      await fill(page, { URL: url });
      await button(page, "Webhook hinzufügen").click();
    };
    await add("https://user:secret@example.com/");
    await page.getByText("Diese Adresse lässt sich nicht verwenden.").waitFor();
    const webhook = {
      url: "https://example.com/",
      events: ["pattern.created" as const],
      secret: "s",
    };
    for (let n = 0; n < MAX_WEBHOOKS; n++) {
      await server.db.webhooks.create(server.account.id, webhook, MAX_WEBHOOKS);
    }
    await add("https://example.com/21");
    await page.getByText("Ihr Konto hat so viele Webhooks, wie es haben darf.").waitFor();
    await link(page, "Konto").click();
  });

  await t.test("in another without a reload, and so is the editor", async (t) => {
    await page.getByRole("combobox", { name: "Sprache" }).selectOption("Français");
    await heading(page, "Compte");
    t.equal(await languageOf(page), "fr");
    t.equal(await page.title(), "Compte · orbifold");
    await link(page, "Utilisation").click();
    await heading(page, "Utilisation");
    await page.getByText(/^1 crédit dépensé en 30 jours/).waitFor();
    await isNarrow("Utilisation");
    await link(page, "Éditeur").click();
    await page.getByRole("heading", { name: "Créer un motif" }).waitFor();
  });

  t.match(issues, [/401/, /422/, /409/], "nothing but what was refused went wrong");
});
