/** The editor's page in a browser: handoffs, and its content security policy. */
import t, { type Test } from "tap";
import { openPage, skipWithoutBrowser as skip } from "../helpers/browser.ts";
import { handOver, RETURN } from "../helpers/guest-sessions.ts";
import { type TestServer, testServer } from "../helpers/server.ts";

/** Opens the editor as a shop's customer does. */
async function openEditor(t: Test, server: TestServer) {
  const { editor } = await handOver(server);
  return openPage(t, editor.href);
}

t.test("a customer's link opens the editor, also after a reload", { skip }, async (t) => {
  const server = await testServer(t);
  const { page, hosts, issues } = await openEditor(t, server);
  for (const visit of ["first", "reloaded"]) {
    await page.getByText("You are designing for product 4711").waitFor();
    t.equal(await page.getByText("Back to the shop").getAttribute("href"), RETURN, visit);
    await page.reload();
  }
  await page.locator("pre").waitFor();
  const headers = { Authorization: `Bearer ${await page.locator("pre").innerText()}` };
  t.equal((await server.request("GET", "/patterns", { as: null, headers })).status, 200);
  t.same([...hosts], [new URL(server.url).host], "no other host was asked for anything");
  t.same(issues, [], "and the page's Content-Security-Policy holds");
});

t.test("an invalid link shows what to do", { skip }, async (t) => {
  const server = await testServer(t);
  const { page } = await openPage(t, `${server.url}/editor?handoff=used`);
  await page.getByText("Go back to the shop and start again").waitFor();
  t.match(await page.getByRole("status").innerText(), /used already/);
  await page.goto(`${server.url}/editor`);
  await page.getByText("opened by a shop").waitFor();
});
