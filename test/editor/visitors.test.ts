/** The pages for visitors, in a browser: the first one, and the ways into an account. */
import t from "tap";
import { createMailer } from "../../server/outbound/index.ts";
import { openPage, skipWithoutBrowser as skip } from "../helpers/browser.ts";
import { ADA, button, fill, heading, link } from "../helpers/console.ts";
import { startMailServer } from "../helpers/mail.ts";
import { testServer } from "../helpers/server.ts";

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
});

t.test("an address without a page leads browsers to the first one", { skip }, async (t) => {
  const server = await testServer(t);
  const url = `${server.url}/console/none/here`;
  const { page } = await openPage(t, url);
  await heading(page, "Page not found");
  t.equal(await page.title(), "Page not found · orbifold");
  await link(page, "Go to the first page").click();
  await page.getByRole("img", { name: /^Pattern/ }).waitFor();
  t.equal((await fetch(url, { headers: { Accept: "text/html" } })).status, 404);
  const forProgram = await fetch(url);
  t.match(await forProgram.json(), { status: 404, code: "not_found" });
  const ofApi = await fetch(`${server.url}/api/v1/none`, { headers: { Accept: "text/html" } });
  t.match(ofApi.headers.get("Content-Type"), "application/problem+json");
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

t.test("a closed sign-up says who makes accounts", { skip }, async (t) => {
  const server = await testServer(t, { services: { signUps: "nobody" } });
  const { page } = await openPage(t, `${server.url}/sign-up`);
  await page.getByText("the operator of this service creates accounts").waitFor();
  t.equal(await page.getByRole("textbox").count(), 0);
});
