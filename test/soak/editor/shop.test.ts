/** The whole way of a shop's customer on a phone, through the example shop and its overlay. */
import type { FrameLocator, Page } from "playwright-core";
import t from "tap";
import { openPage, skipWithoutBrowser as skip } from "../../helpers/browser.ts";
import { PICTURE } from "../../helpers/editor.ts";
import { handOver, handOverExpired, RETURN } from "../../helpers/guest-sessions.ts";
import { testServer } from "../../helpers/server.ts";
import { design, editorOf, handoffOf, PHONE, patternIn, startShop } from "../../helpers/shop.ts";

/** Opens the editor from the product's page and uploads a picture. */
async function openEditor(page: Page): Promise<FrameLocator> {
  await design(page).tap();
  const editor = editorOf(page);
  await editor.getByLabel("Your picture").setInputFiles(PICTURE);
  await patternIn(editor).waitFor();
  return editor;
}

const button = (editor: FrameLocator, name: string) =>
  editor.getByRole("button", { name, exact: true });

/** Name of the element that has the focus. */
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent || document.activeElement?.tagName);

t.test("from the shop through the editor over its page, and back", { skip }, async (t) => {
  const server = await testServer(t, { takesJobs: true });
  const shop = await startShop(t, server);
  const { page, hosts, issues } = await openPage(t, shop, PHONE);

  await t.test("the editor opens over the page, for this product", async (t) => {
    const editor = await openEditor(page);
    await editor.getByText("Your pattern on: Tote bag, 380 × 420 mm").waitFor();
    t.equal(await focused(page), "IFRAME");
    const { width } = (await page.locator("dialog").boundingBox()) ?? {};
    t.equal(width, 360);
    await design(page).evaluate((behind: HTMLElement) => behind.focus());
    t.equal(await focused(page), "IFRAME", "what is behind is inert");
    t.match(await handoffOf(server), { status: "open", product: { mockup: "tote-bag" } });
  });

  await t.test("the customer sees the pattern on the product", async (t) => {
    const editor = editorOf(page);
    const picture = editor.locator(
      'canvas[aria-label="Tote bag with your pattern"][aria-busy="false"]',
    );
    const pixels = async () => {
      // Where the product was never drawn before, its map is made first.
      await picture.waitFor();
      return picture.evaluate((shown) => (shown as HTMLCanvasElement).toDataURL());
    };
    const before = await pixels();
    await editor.getByRole("radio", { name: "Weave (pgg)" }).check();
    t.not(await pixels(), before, "which follows the design");
  });

  await t.test("messages of anyone else are ignored", async (t) => {
    await page.evaluate(() => {
      postMessage({ type: "orbifold:finish", redirect_url: "https://evil.example/" }, "*");
      const editor = document.querySelector("iframe")?.contentWindow;
      editor?.postMessage({ type: "orbifold:finish" }, "*");
    });
    t.ok(await page.locator("dialog").isVisible());
  });

  await t.test("Escape cancels, focus returns, and the design is kept", async (t) => {
    const cancelled = page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          addEventListener("orbifold:cancel", (event) =>
            resolve((event as CustomEvent).detail.redirect_url),
          );
        }),
    );
    await page.keyboard.press("Escape");
    const returned = new URL(await cancelled);
    t.equal(returned.searchParams.get("pf_status"), "cancelled");
    t.ok(returned.searchParams.has("pf_sig"));
    await page.locator("dialog").waitFor({ state: "hidden" });
    t.equal(await focused(page), "Design your own");
    t.equal((await handoffOf(server)).status, "cancelled");
    await design(page).tap();
    const editor = editorOf(page);
    t.ok(await editor.getByRole("radio", { name: "Weave (pgg)" }).isChecked());
    await button(editor, "Cancel").tap();
    await page.locator("dialog").waitFor({ state: "hidden" });
    t.equal(page.url(), shop);
    await design(page).tap();
  });

  await t.test("the shop takes a signed return, and refuses a forged one", async (t) => {
    await button(editorOf(page), "Use this pattern").tap();
    await page.getByRole("heading", { name: "In your basket" }).waitFor();
    const { status, pattern_id } = await handoffOf(server);
    t.equal(status, "finished");
    const patterns = (await server.request("GET", "/patterns")).json.data;
    t.match(patterns, [{ id: pattern_id, group: "pgg" }], "one pattern");
    await page.getByText(`A tote bag with pattern ${pattern_id}`).waitFor();
    const image = page.getByRole("img", { name: "Your tote bag" });
    t.equal(await image.evaluate((shown: HTMLImageElement) => shown.decode()), undefined);
    const forged = new URL(page.url());
    forged.searchParams.set("pf_pattern_id", String(pattern_id + 1));
    const { request } = page.context();
    t.equal((await request.get(forged.href)).status(), 403);
    t.equal((await request.get(page.url())).status(), 200);
    t.equal((await fetch(page.url())).status, 403, "for another customer");
  });

  t.same([...hosts], [new URL(shop).host, new URL(server.url).host], "no other host was asked");
  t.same(issues, [], "and the policies of both pages hold");
});

t.test("where the browser forbids the frame, the page goes to the editor", { skip }, async (t) => {
  const server = await testServer(t);
  const shop = await startShop(t, server);
  const { page } = await openPage(t, shop, PHONE);
  await page.clock.install();
  await page.reload();
  await page.route("**/editor?handoff=*", (route) =>
    route.request().frame().parentFrame() ? route.abort() : route.continue(),
  );
  await design(page).tap();
  await page.locator("dialog").waitFor();
  await page.clock.fastForward(20_000);
  await page.getByLabel("Your picture").waitFor();
  await page.getByRole("button", { name: "Cancel" }).tap();
  await page.waitForURL(shop);

  const sent = await fetch(`${shop}design`, { method: "POST", redirect: "manual" });
  t.equal(sent.status, 303, "without a script the shop redirects");
  t.ok(sent.headers.get("Location")?.startsWith(`${server.url}/editor?handoff=`));
});

t.test("only the handoff's shop may frame the editor", { skip }, async (t) => {
  const server = await testServer(t);
  const { editor } = await handOver(server);
  const ancestors = async (url: string) =>
    /frame-ancestors ([^;]+);/.exec(
      (await fetch(url)).headers.get("Content-Security-Policy") ?? "",
    )?.[1];
  t.equal(await ancestors(editor.href), "https://shop.example");
  t.equal(await ancestors(`${server.url}/editor`), "'none'");
  t.equal(await ancestors(`${server.url}/editor?handoff=foreign`), "'none'");
});

t.test("a link that does not open says why, and leads back", { skip }, async (t) => {
  const server = await testServer(t);
  const used = await handOver(server);
  const { page } = await openPage(t, used.editor.href, PHONE);
  await page.getByLabel("Your picture").waitFor();
  const back = page.getByRole("link", { name: "Back to the shop" });
  const visit = async (url: string, words: RegExp) => {
    // A fragment alone would not load the page again.
    await page.goto("about:blank");
    await page.goto(url);
    await page.getByText(words).waitFor();
  };
  await visit(used.editor.href, /This link was used already/);
  t.equal(await back.getAttribute("href"), RETURN);
  await visit((await handOverExpired(server)).editor.href, /This link has expired/);
  t.equal(await back.getAttribute("href"), RETURN);
  await visit(`${server.url}/editor?handoff=foreign`, /not one of this service/);
  t.equal(await back.count(), 0, "nobody knows which shop");
  const frozen = await handOver(server, { return_url: "https://shop.example/?a=1&b=<x>" });
  await server.db.accounts.update(server.account.id, { frozen: true });
  await visit(frozen.editor.href, /The shop cannot take designs right now/);
  t.equal(await back.getAttribute("href"), "https://shop.example/?a=1&b=%3Cx%3E");
  t.notMatch(await page.locator("body").innerText(), /frozen|credit|account/i);
});
