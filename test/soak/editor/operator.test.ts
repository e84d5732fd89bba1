/** The pages of operators, and the end of an account, in a browser. */
import type { Page } from "playwright-core";
import t, { type Test } from "tap";
import { setPassword } from "../../../server/actions/accounts.ts";
import { createMailer } from "../../../server/outbound/index.ts";
import { checkBarriers } from "../../helpers/axe.ts";
import { openPage, skipWithoutBrowser as skip } from "../../helpers/browser.ts";
import { ADA, button, fill, heading, link } from "../../helpers/console.ts";
import { keyboardOf } from "../../helpers/keyboard.ts";
import { startMailServer } from "../../helpers/mail.ts";
import { type Caller, type ServerOptions, testServer } from "../../helpers/server.ts";

async function signedIn(t: Test, path: string, options: ServerOptions = {}) {
  const server = await testServer(t, options);
  const operator = await server.makeCaller({ role: "operator" });
  const signIn = async (page: Page, { account }: Caller) => {
    await setPassword(server.db, account.id, ADA.password);
    await fill(page, { "E-mail": account.email, Password: ADA.password });
    await button(page, "Sign in").click();
  };
  const { page, issues } = await openPage(t, `${server.url}/${path}`);
  return { server, operator, signIn, page, issues };
}

const region = (page: Page, name: string | RegExp) => page.getByRole("region", { name });

t.test("an operator finds an account, changes it, and freezes it", { skip }, async (t) => {
  const { server, operator, signIn, page, issues } = await signedIn(t, "console/accounts");
  const others = await Promise.all(Array.from({ length: 25 }, () => server.makeCaller({})));
  await signIn(page, operator);
  await heading(page, "All accounts");
  const accounts = region(page, "Accounts");
  await accounts.getByRole("link").first().waitFor();
  t.equal(await accounts.getByRole("link").count(), 24);
  await button(page, "Show more accounts").click();
  await accounts.getByRole("link", { name: server.account.email, exact: true }).waitFor();
  t.equal(await accounts.getByRole("link").count(), others.length + 2);
  t.equal(await button(page, "Show more accounts").count(), 0);

  const label = "Search by e-mail or number";
  await fill(page, { [label]: server.account.email });
  await page.getByLabel(label).press("Enter");
  const other = accounts.getByRole("link", { name: others[3].account.email, exact: true });
  await other.waitFor({ state: "detached" });
  await accounts.getByRole("link", { name: server.account.email, exact: true }).click();
  await heading(page, server.account.email);

  const credits = region(page, /^Credits:/);
  await credits.getByLabel("Amount").fill("50");
  await credits.getByLabel("Note").fill("Refund of order 81");
  await button(page, "Add credits").click();
  await page.getByRole("heading", { name: "Credits: 150" }).waitFor();
  await credits.getByLabel("Amount").fill("1000");
  await button(page, "Remove credits").click();
  await page.getByText("The account has fewer credits").waitFor();
  await region(page, "History of credits").getByText("Refund of order 81").waitFor();
  await page.getByLabel("New plan").selectOption("agency");
  await button(page, "Change plan").click();
  await page.getByRole("heading", { name: "Plan: Agency" }).waitFor();
  await region(page, "Freeze").getByLabel("Note").fill("Spam");
  await button(page, "Freeze account").click();
  await page.getByRole("dialog").getByRole("button", { name: "Freeze" }).click();
  await button(page, "Unfreeze account").waitFor();
  t.equal((await server.request("GET", "/patterns")).status, 402);
  const actions = region(page, "Operators’ actions");
  await actions.getByText("Frozen: Spam").waitFor();
  t.match(
    await actions.innerText(),
    /Plan changed from Trial to Agency[\s\S]*\+50 credits, 150 then/,
  );
  t.match(await actions.innerText(), `by ${operator.account.email}`);
  await button(page, "Unfreeze account").click();
  await button(page, "Freeze account").waitFor();
  t.equal((await server.request("GET", "/patterns")).status, 200);

  await link(page, "All accounts").first().click();
  await page.getByLabel("State").selectOption("true");
  await page.getByText("No account is like this.").waitFor();
  await page.getByLabel("State").selectOption("");
  await fill(page, { [label]: String(operator.account.id) });
  await page.getByLabel(label).press("Enter");
  await accounts.getByRole("link", { name: operator.account.email, exact: true }).click();
  await page.getByText("This is your own account").waitFor();
  const [, ...unexpected] = issues;
  t.match(issues[0], /409/, "too few credits");
  t.same(unexpected, []);
});

t.test("an operator works with the keyboard, without barriers", { skip }, async (t) => {
  const { server, operator, signIn, page, issues } = await signedIn(t, "console/accounts");
  await signIn(page, operator);
  const { tabTo } = keyboardOf(page);
  await tabTo(page.getByLabel("Search by e-mail or number"));
  await page.keyboard.type(server.account.email);
  await page.keyboard.press("Enter");
  const accounts = region(page, "Accounts");
  const others = accounts.getByRole("link", { name: operator.account.email, exact: true });
  await others.waitFor({ state: "detached" });
  await checkBarriers(t, page, "all accounts");
  await tabTo(accounts.getByRole("link", { name: server.account.email, exact: true }));
  await page.keyboard.press("Enter");
  await heading(page, server.account.email);
  await checkBarriers(t, page, "an account");
  await tabTo(button(page, "Freeze account"));
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Enter");
  await button(page, "Unfreeze account").waitFor();
  t.equal((await server.request("GET", "/patterns")).status, 402);
  t.same(issues, []);
});

t.test("an owner has no such pages, and a frozen one is told why", { skip }, async (t) => {
  const { server, signIn, page } = await signedIn(t, "console/accounts");
  await signIn(page, server);
  await page.getByText("Only operators of this service see this page").waitFor();
  t.equal(await link(page, "All accounts").count(), 0);
  await server.db.accounts.update(server.account.id, { frozen: true });
  await link(page, "Usage").click();
  await page.getByText("your account is frozen: ask the operator").first().waitFor();
});

t.test("an owner changes the address and deletes the account", { skip }, async (t) => {
  const mail = await startMailServer(t);
  const mailer = createMailer({ url: mail.url, from: "orbifold@patterns.example" });
  const options = { services: { mailer }, takesJobs: true };
  const { server, signIn, page, issues } = await signedIn(t, "console/account", options);
  await signIn(page, server);
  const { email } = server.account;
  const address = region(page, "E-mail address");
  await address.getByLabel("New e-mail address").fill(ADA.email);
  await address.getByLabel("Your password").fill("another password");
  await button(page, "Change address").click();
  await page.getByText("the current password is wrong").waitFor();
  await address.getByLabel("Your password").fill(ADA.password);
  await button(page, "Change address").click();
  await page.getByText(`A link is on its way to ${ADA.email}`).waitFor();
  await page.getByText(`${email}, not verified`).waitFor();

  // A link in mail opens in a tab of its own, without the session.
  const tab = await page.context().browser()?.newPage();
  if (!tab) throw new Error("the browser is gone");
  await tab.goto(`${server.url}/confirm-email#${await mail.tokenOf(0)}`);
  await fill(tab, { "E-mail": email, Password: ADA.password });
  await button(tab, "Sign in").click();
  await button(tab, "Confirm").click();
  await tab.getByText("Your address is changed").waitFor();
  await tab.close();
  await page.reload();
  await page.getByText(`${ADA.email}, verified`).waitFor();

  const limit = { quota: 5, windowSeconds: 60 * 60 };
  while ((await server.db.rateLimits.use(`mail:${server.account.id}`, limit)).allowed);
  await address.getByLabel("New e-mail address").fill("eve@example.com");
  await address.getByLabel("Your password").fill(ADA.password);
  await button(page, "Change address").click();
  await page.getByText("too often in a short time").waitFor();

  await page.getByText(`Delete ${ADA.email} for good`).click();
  const deletion = region(page, "Delete your account");
  const confirmation = deletion.getByLabel("Your e-mail address, to confirm");
  await confirmation.fill(email);
  await deletion.getByLabel("Your password").fill(ADA.password);
  await button(page, "Delete my account").click();
  await page.getByText(`type ${ADA.email} to confirm`).waitFor();
  t.match(await server.db.accounts.byId(server.account.id), { email: ADA.email });
  await confirmation.fill(ADA.email);
  await button(page, "Delete my account").click();
  await page.getByText("Your account is deleted.").waitFor();
  await heading(page, "Sign in");
  t.equal(await server.db.accounts.byId(server.account.id), null);
  t.equal(issues.length, 2, "the wrong password and the limit");
});
