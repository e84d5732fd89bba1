/** The pages for people beside the editor, in a browser: the way in, and those of an account's owner. */
import type { Locator, Page } from "playwright-core";
import t from "tap";
import { createMailer } from "../../server/outbound/index.ts";
import { openPage, skipWithoutBrowser as skip } from "../helpers/browser.ts";
import { until } from "../helpers/jobs.ts";
import { startMailServer } from "../helpers/mail.ts";
import { testServer } from "../helpers/server.ts";
import { isServiceSigned, LOOPBACK, receiver } from "../helpers/webhooks.ts";

const ADA = { email: "ada@example.com", password: "correct horse battery" };

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true });

/** Waits for a page by its heading. */
const heading = (page: Page, name: string) =>
  page.getByRole("heading", { level: 1, name, exact: true }).waitFor();

/** Fills in labelled fields. */
async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
}

t.test("the first page shows a pattern to play with", { skip }, async (t) => {
  const server = await testServer(t);
  const { page, hosts, issues } = await openPage(t, `${server.url}/`);
  const pattern = page.getByRole("img", { name: /^Pattern/ });
  const pixels = async (words: string) => {
    await page.locator(`canvas[aria-label*="${words}"][aria-busy="false"]`).waitFor();
    return pattern.evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
  };
  const first = await pixels("(p6m)");
  await page.getByRole("radio", { name: "Snowflakes (p6m)" }).focus();
  await page.keyboard.press("ArrowLeft");
  const second = await pixels("(p6)");
  t.not(first, second);
  await page.getByRole("radio", { name: "Leaves" }).check();
  t.not(await pixels("Leaves"), second);
  t.same([...hosts], [new URL(server.url).host], "no other host was asked");
  t.same(issues, []);
  await link(page, "Create an account").click();
  await heading(page, "Create an account");
});

t.test("programs that ask for the first page get the service's addresses", async (t) => {
  const server = await testServer(t);
  const ask = (Accept: string) => fetch(`${server.url}/`, { headers: { Accept } });
  const forProgram = await ask("application/json");
  t.match(await forProgram.json(), { name: "orbifold", docs: `${server.url}/docs` });
  t.equal(forProgram.headers.get("Vary"), "Accept");
  for (const accept of ["*/*", "text/html,application/json;q=0.9"]) {
    t.match((await ask(accept)).headers.get("Content-Type"), "text/html");
  }
  t.equal((await fetch(`${server.url}/console/none`)).status, 404);
});

t.test("a visitor signs up, verifies the address and resets the password", { skip }, async (t) => {
  const mail = await startMailServer(t);
  const mailer = createMailer({ url: mail.url, from: "orbifold@patterns.example" });
  const server = await testServer(t, { services: { mailer }, takesJobs: true });
  const { page, issues } = await openPage(t, `${server.url}/sign-up`);
  await fill(page, { "E-mail": ADA.email, Password: ADA.password });
  await button(page, "Create account").click();
  await heading(page, "Account");
  await page.getByText("not verified yet").waitFor();
  await page.goto(`${server.url}/verify-email#${await mail.tokenOf(0)}`);
  await button(page, "Verify").click();
  await page.getByText("Your address is verified").waitFor();
  await page.goto(`${server.url}/console/account`);
  await page.getByText(`${ADA.email}, verified`).waitFor();

  await button(page, "Sign out").click();
  await link(page, "Sign in").click();
  await link(page, "Forgot your password?").click();
  await fill(page, { "E-mail": ADA.email });
  await button(page, "Send a link").click();
  await page.getByText("is on its way").waitFor();
  await page.goto(`${server.url}/reset-password#${await mail.tokenOf(1)}`);
  await fill(page, { "New password": "another one, with a comma" });
  await button(page, "Set password").click();
  await heading(page, "Account");

  await fill(page, { "Current password": "wrong, of course" });
  await fill(page, { "New password": ADA.password });
  t.same(issues, []);
  await button(page, "Change password").click();
  await page.getByText("the current password is wrong").waitFor();
  await fill(page, { "Current password": "another one, with a comma" });
  await button(page, "Change password").click();
  await page.getByText("Your password is changed").waitFor();
  await button(page, "Sign out everywhere").click();
  await heading(page, "Sign in");
  await page.goto(`${server.url}/console/account`);
  await heading(page, "Sign in");
  await fill(page, { "E-mail": ADA.email, Password: ADA.password });
  await button(page, "Sign in").click();
  await heading(page, "Account");
});

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
  await page.getByText("answered 204").waitFor();
  t.match(await page.locator("pre").innerText(), String(received?.json.data.delivery_id));
  await button(page, "Redeliver").click();
  await until(() => target.received.length === 2);
  t.equal(target.received[1]?.body, received?.body);
  await page.getByText("2 attempts").waitFor();

  await button(page, "Rotate secret").click();
  await button(page, "Rotate").click();
  t.not(await page.getByLabel(`New secret for ${target.url}`).inputValue(), secret);
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

/** Presses Tab until an element has the focus, and fails the test where it never does. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor();
  for (let count = 0; count < 60; count++) {
    await page.keyboard.press("Tab");
    if (await element.evaluate((found) => found === document.activeElement)) return;
  }
  throw new Error(`no focus on ${element}`);
}

t.test("an owner creates a key and a webhook with the keyboard", { skip }, async (t) => {
  const server = await testServer(t, { ...LOOPBACK, takesJobs: true });
  const target = await receiver(t);
  const { page, issues } = await openPage(t, `${server.url}/`);
  await page.setViewportSize({ width: 360, height: 740 });
  const { keyboard } = page;
  const press = async (element: Locator) => {
    await tabTo(page, element);
    await keyboard.press("Enter");
  };
  await press(link(page, "Create an account"));
  await tabTo(page, page.getByLabel("E-mail"));
  await keyboard.type(ADA.email);
  await tabTo(page, page.getByLabel("Password"));
  await keyboard.type(ADA.password);
  await keyboard.press("Enter");
  await heading(page, "Patterns");
  await press(link(page, "API keys"));
  await tabTo(page, page.getByLabel("Name"));
  await keyboard.type("shop");
  await press(button(page, "Create key"));
  const headers = { "X-API-Key": await page.getByLabel("Secret of “shop”").inputValue() };
  t.equal((await fetch(`${server.url}/api/v1/patterns`, { headers })).status, 200);
  await press(link(page, "Integrations"));
  await tabTo(page, page.getByLabel("URL"));
  await keyboard.type(target.url);
  await keyboard.press("Enter");
  await press(button(page, "Send test"));
  await page.locator(".state", { hasText: "Delivered" }).waitFor();
  t.equal(target.received.length, 1);
  await press(button(page, "Redeliver"));
  await until(() => target.received.length === 2);
  await press(button(page, "Delete"));
  await page.getByRole("dialog").waitFor();
  await keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  t.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  t.same(issues, []);
});

t.test("a closed sign-up says who makes accounts", { skip }, async (t) => {
  const server = await testServer(t, { services: { signUps: "nobody" } });
  const { page } = await openPage(t, `${server.url}/sign-up`);
  await page.getByText("the operator of this service creates accounts").waitFor();
  t.equal(await page.getByRole("textbox").count(), 0);
});
