/** The pages of an account's owner, in a browser. */
import { readFile } from "node:fs/promises";
import t from "tap";
import { setPassword } from "../../../server/actions/accounts.ts";
import { checkBarriers } from "../../helpers/axe.ts";
import { openPage, skipWithoutBrowser as skip } from "../../helpers/browser.ts";
import { ADA, button, fill, heading, link } from "../../helpers/console.ts";
import { until } from "../../helpers/jobs.ts";
import { testServer } from "../../helpers/server.ts";
import { isServiceSigned, LOOPBACK, receiver, subscribe } from "../../helpers/webhooks.ts";

t.test("an owner signs up, creates a key, and gets webhooks", { skip }, async (t) => {
  const server = await testServer(t, { ...LOOPBACK, takesJobs: true });
  const target = await receiver(t);
  const { page, hosts, issues } = await openPage(t, `${server.url}/sign-up`);
  await fill(page, { "E-mail": ADA.email, Password: ADA.password });
  await button(page, "Create account").click();
  await heading(page, "Patterns");

  await link(page, "API keys").click();
  await fill(page, { Name: "shop" });
  await page.getByLabel("(mcp)").uncheck();
  await button(page, "Create key").click();
  const key = await page.getByLabel("Secret of “shop”").inputValue();
  const headers = { "X-API-Key": key };
  t.equal((await fetch(`${server.url}/api/v1/patterns`, { headers })).status, 200);
  t.equal((await fetch(`${server.url}/api/v1/mcp/info`, { headers })).status, 403);
  await page.reload();
  await page.getByText("last used").waitFor();
  t.notMatch(await page.content(), key, "the secret is shown once");

  await link(page, "Integrations").click();
  await fill(page, { URL: target.url });
  await page.getByLabel("(credits.low)").uncheck();
  await button(page, "Add webhook").click();
  const secret = await page.getByLabel(`Secret for ${target.url}`).inputValue();
  await page.getByRole("combobox", { name: "Event" }).selectOption("mockup.ready");
  await button(page, "Send test").click();
  await page.locator(".state", { hasText: "Delivered" }).waitFor();
  const [received] = target.received;
  t.match(received?.json, { event: "mockup.ready", data: { test: true } });
  t.ok(received && (await isServiceSigned(received, secret)));
  await page.getByText("Payload and attempts").click();
  await page.getByText("1 attempt.").waitFor();
  await page.getByText("answered 204").waitFor();
  t.match(await page.locator("pre").innerText(), String(received?.json.data.delivery_id));
  await button(page, "Redeliver").click();
  await until(() => target.received.length === 2);
  t.equal(target.received[1]?.body, received?.body);
  await page.getByText("2 attempts").waitFor();

  await button(page, "Rotate secret").click();
  await button(page, "Rotate").click();
  // The question has these words, too, until it is closed.
  const renewed = page.getByRole("textbox", { name: `New secret for ${target.url}` });
  t.not(await renewed.inputValue(), secret);
  await page.getByText("The old secret signs, too, until").waitFor();
  await page.getByRole("combobox", { name: "Status" }).selectOption("failed");
  await page.getByText("No delivery is like this.").waitFor();
  await button(page, "Delete").click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("There is no webhook yet").waitFor();

  await link(page, "API keys").click();
  await button(page, "Revoke shop").click();
  await button(page, "Revoke").click();
  await page.getByText("There is none yet").waitFor();
  t.equal((await fetch(`${server.url}/api/v1/patterns`, { headers })).status, 401);
  t.same([...hosts], [new URL(server.url).host]);
  t.same(issues, []);
});

t.test("an owner finds, renames, prints and deletes patterns", { skip }, async (t) => {
  const server = await testServer(t, { takesJobs: true });
  await setPassword(server.db, server.account.id, ADA.password);
  const id = await server.makePattern({ name: "Forest" });
  const json = { source_id: 1, group: "p6m", name: "Sea" };
  await server.request("POST", "/patterns", { json });
  const { page, issues } = await openPage(t, `${server.url}/console/patterns`);
  await fill(page, { "E-mail": server.account.email, Password: ADA.password });
  await button(page, "Sign in").click();
  await page.getByRole("heading", { name: "Sea" }).waitFor();
  await fill(page, { "Search patterns": "for" });
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Sea" }).waitFor({ state: "detached" });
  await page.locator('canvas[aria-label^="Forest"][aria-busy="false"]').waitFor();

  await button(page, "Rename Forest").click();
  await page.keyboard.type("Forest in spring");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Forest in spring" }).waitFor();
  t.equal((await server.request("GET", `/patterns/${id}`)).json.name, "Forest in spring");

  const downloaded = async (name: string) => {
    const download = page.waitForEvent("download").catch(async (error) => {
      throw new Error(`${name}: ${await page.getByRole("status").textContent()}`, { cause: error });
    });
    await page.getByRole("button", { name }).click();
    return readFile(await (await download).path());
  };
  await page.getByText("Download and print", { exact: true }).click();
  const tile = await server.request("GET", `/patterns/${id}/render?size=2048`);
  t.ok((await downloaded("Tile as PNG")).equals(tile.bytes));
  await fill(page, { "Width in mm": "40", "Height in mm": "30" });
  await button(page, "Make print file").click();
  await page.getByText("kept until").waitFor();
  t.match((await downloaded(`Download Pattern ${id}, 40`)).subarray(0, 5).toString(), "%PDF-");
  await page.getByLabel("Layout").last().selectOption("p2mg");
  await fill(page, { Repeats: "2" });
  await button(page, "Make print file").click();
  await page
    .getByRole("button", { name: /^Download Pattern/ })
    .nth(1)
    .waitFor();
  const { data: ordered } = (await server.request("GET", "/exports")).json;
  t.match(ordered[0].request, { mode: "frieze", frieze: { group: "p2mg", repeats: 2 } });
  await page.getByLabel("Layout").last().selectOption("Disc without mirrors");
  await fill(page, { Rotations: "5", "Diameter in mm": "28" });
  await button(page, "Make print file").click();
  await page
    .getByRole("button", { name: /^Download Pattern/ })
    .nth(2)
    .waitFor();
  const { data: round } = (await server.request("GET", "/exports")).json;
  const rosette = { fold: 5, mirrors: false, shape: "disc" };
  t.match(round[0].request, { mode: "rosette", rosette, cell_mm: 28 });
  await page.getByText("On products", { exact: true }).click();
  await button(page, "Show it on products").click();
  // Where products were never drawn before, the first one takes longer.
  const products = page.getByRole("button", { name: /^Download Forest in spring on a/ });
  await products.first().waitFor();
  // Else what is downloaded below waits for the others.
  await button(page, "Draw them again").waitFor({ timeout: 300_000 });

  await page.getByText("Colourways", { exact: true }).last().click();
  for (const name of ["Delft", "Blush"]) await page.getByRole("checkbox", { name }).check();
  await button(page, "Create 2 colourways").click();
  await page.getByText("2 colourways are among your patterns.").waitFor();
  const { data } = (await server.request("GET", "/patterns?limit=2")).json;
  t.same(
    data.map(({ name, palette }: { name: string; palette: string }) => [name, palette]),
    [
      ["Forest in spring, Blush", "blush"],
      ["Forest in spring, Delft", "delft"],
    ],
  );

  await link(page, "Open Forest in spring").click();
  await page.locator(`canvas[data-pattern="${id}"][aria-busy="false"]`).waitFor();
  await page.goBack();
  // Pictures of what is deleted could not be fetched.
  await page.locator('canvas[aria-label^="Forest"][aria-busy="false"]').first().waitFor();
  await page.locator('canvas[aria-busy="true"]').first().waitFor({ state: "detached" });
  for (const name of [
    "Sea",
    "Forest in spring",
    "Forest in spring, Delft",
    "Forest in spring, Blush",
    "picture 1 (uploaded)",
  ]) {
    await button(page, `Delete ${name}`).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await button(page, `Delete ${name}`).waitFor({ state: "detached" });
  }
  await page.getByText("There is no pattern yet").waitFor();
  t.same((await server.request("GET", "/sources")).json.data, []);
  t.same(issues, []);
});

t.test("what is begun while something is under way is done after it, once", { skip }, async (t) => {
  const server = await testServer(t);
  await setPassword(server.db, server.account.id, ADA.password);
  const ids = [];
  for (const name of ["Forest", "Sea"]) ids.push(await server.makePattern({ name }));
  const { page, issues } = await openPage(t, `${server.url}/console/patterns`);
  await fill(page, { "E-mail": server.account.email, Password: ADA.password });
  await button(page, "Sign in").click();
  // A picture of what is deleted below could not be fetched, and the page would report that.
  await page.locator('canvas[aria-label^="Sea"]').waitFor();
  await page.locator('canvas[aria-busy="true"]').first().waitFor({ state: "detached" });
  const sent: string[] = [];
  const held = Promise.withResolvers<void>();
  await page.route("**/patterns/*", async (route) => {
    const request = route.request();
    sent.push(`${request.method()} ${new URL(request.url()).pathname.split("/").at(-1)}`);
    await held.promise;
    await route.continue();
  });
  const confirmed = async (name: string) => {
    await button(page, `Delete ${name}`).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  };
  for (const name of ["Forest", "Forest", "Sea"]) await confirmed(name);
  await until(() => sent.length > 0);
  t.same(sent, [`DELETE ${ids[0]}`], "the others wait");
  held.resolve();
  await page.getByText("There is no pattern yet").waitFor();
  t.same(
    sent,
    ids.map((id) => `DELETE ${id}`),
  );
  t.same(issues, []);
});

t.test("a list shows more rows, and keeps them when it changes", { skip }, async (t) => {
  const server = await testServer(t, LOOPBACK);
  await setPassword(server.db, server.account.id, ADA.password);
  const { id } = await subscribe(server, "https://shop.example/hook");
  const send = () => server.request("POST", `/webhooks/${id}/test`);
  for (let count = 0; count < 22; count++) await send();
  const { page, issues } = await openPage(t, `${server.url}/console/integrations`);
  await fill(page, { "E-mail": server.account.email, Password: ADA.password });
  await button(page, "Sign in").click();
  const rows = page.getByRole("region", { name: "Deliveries" }).getByRole("button", {
    name: "Redeliver",
  });
  const more = button(page, "Show more deliveries");
  for (const expected of [10, 20]) {
    await until(async () => (await rows.count()) === expected);
    await more.click();
  }
  await until(async () => (await rows.count()) === 22);
  t.equal(await more.count(), 0);
  await button(page, "Send test").click();
  await more.waitFor();
  t.equal(await rows.count(), 22, "the newest came, and the oldest left");
  await more.click();
  await until(async () => (await rows.count()) === 23);
  t.same(issues, []);
});

t.test("axe finds no barriers, narrow and light, wide and dark", { skip }, async (t) => {
  const server = await testServer(t, { ...LOOPBACK, takesJobs: true });
  await setPassword(server.db, server.account.id, ADA.password);
  await server.makePattern({ name: "Forest" });
  const { id } = await subscribe(server, (await receiver(t)).url);
  await server.request("POST", `/webhooks/${id}/test`);
  const { page } = await openPage(t, `${server.url}/sign-in`);
  const check = (name: string) => checkBarriers(t, page, name);
  await check("sign-in");
  await fill(page, { "E-mail": server.account.email, Password: ADA.password });
  await button(page, "Sign in").click();
  await heading(page, "Patterns");
  await page.locator('canvas[aria-busy="false"]').first().waitFor();
  await page.getByText("Download and print", { exact: true }).click();
  await check("patterns");
  for (const [name, sign] of [
    ["Usage", "As a table"],
    ["API keys", "last used"],
    ["Integrations", "Payload and attempts"],
    ["Account", "com for good"],
  ] as const) {
    await link(page, name).click();
    await page.getByText(sign).click();
    await check(name);
  }
  for (const path of [
    "",
    "sign-up",
    "forgot-password",
    "reset-password",
    "verify-email",
    "confirm-email",
  ]) {
    await page.goto(`${server.url}/${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await check(path);
  }
});
