/** The owner of an account with the keyboard, without a network, and after a crash. */
import t from "tap";
import {
  failingOnce,
  killPage,
  openPage,
  skipWithoutBrowser as skip,
  withoutNetworkErrors,
} from "../../helpers/browser.ts";
import { ADA, button, fill, heading, link } from "../../helpers/console.ts";
import { until } from "../../helpers/jobs.ts";
import { keyboardOf } from "../../helpers/keyboard.ts";
import { testServer } from "../../helpers/server.ts";
import { isServiceSigned, LOOPBACK, receiver } from "../../helpers/webhooks.ts";

t.test("an owner creates a key and a webhook with the keyboard", { skip }, async (t) => {
  const server = await testServer(t, { ...LOOPBACK, takesJobs: true });
  const target = await receiver(t);
  const { page, issues } = await openPage(t, `${server.url}/`);
  await page.setViewportSize({ width: 360, height: 740 });
  const { press, tabTo, activate, ...keyboard } = keyboardOf(page);
  await activate(link(page, "Create an account"));
  await keyboard.fill(page.getByLabel("E-mail"), ADA.email);
  await keyboard.fill(page.getByLabel("Password"), ADA.password);
  await press("Enter");
  await heading(page, "Patterns");

  await activate(link(page, "API keys"));
  await keyboard.fill(page.getByLabel("Name"), "shop");
  await tabTo(button(page, "Create key"));
  await failingOnce(page, () => press("Enter"));
  const key = await page.getByLabel("Secret of “shop”").inputValue();
  const headers = { "X-API-Key": key };
  t.equal((await fetch(`${server.url}/api/v1/patterns`, { headers })).status, 200);
  // The list comes after the secret.
  const revoke = page.getByRole("button", { name: "Revoke shop" });
  await revoke.first().waitFor();
  t.equal(await revoke.count(), 1, "created once");

  await activate(link(page, "Integrations"));
  await keyboard.fill(page.getByLabel("URL"), target.url);
  await press("Enter");
  const secret = await page.getByLabel(`Secret for ${target.url}`).inputValue();
  await activate(button(page, "Send test"));
  await page.locator(".state", { hasText: "Delivered" }).waitFor();
  const [received] = target.received;
  t.ok(received && (await isServiceSigned(received, secret)));
  await activate(button(page, "Redeliver"));
  await until(() => target.received.length === 2);
  await activate(button(page, "Delete"));
  await page.getByRole("dialog").waitFor();
  await press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  t.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);

  await t.test("after a crash everything is there, and nothing twice", async (t) => {
    const reopened = await killPage(page);
    await reopened.goto(`${server.url}/console/api-keys`);
    await fill(reopened, { "E-mail": ADA.email, Password: ADA.password });
    await button(reopened, "Sign in").click();
    await reopened.getByRole("button", { name: "Revoke shop" }).waitFor();
    t.equal(await reopened.getByRole("button", { name: /^Revoke/ }).count(), 1);
    t.notMatch(await reopened.content(), key);
    await link(reopened, "Integrations").click();
    await reopened.getByText(target.url, { exact: true }).waitFor();
    t.equal(await reopened.getByText(target.url, { exact: true }).count(), 1);
  });
  t.same(withoutNetworkErrors(issues), []);
});
