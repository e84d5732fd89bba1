/** Print files that the console's pages order. */
import t from "tap";
import { setPassword } from "../../../server/actions/accounts.ts";
import { openPage, skipWithoutBrowser as skip } from "../../helpers/browser.ts";
import { ADA, fill } from "../../helpers/console.ts";
import { button } from "../../helpers/editor.ts";
import { testServer } from "../../helpers/server.ts";

/** Print files that are refused, though each number is within its limits, and what an owner reads. */
const REFUSED_PRINTS = [
  [{ width: "5080" }, { Layout: "", Format: "pdf" }, "longer than a PDF’s page can be"],
  [{ width: "5080", height: "5080" }, { Layout: "", Format: "png" }, "more pixels than"],
  [{ width: "300", count: "900" }, { Layout: "p1" }, "too long or too short"],
  [{ width: "1000", height: "100", cell: "20" }, { Layout: "sheetTurns" }, "is too small to fill"],
] as const;

t.test("an owner reads why a print file is not made", { skip }, async (t) => {
  const server = await testServer(t);
  await setPassword(server.db, server.account.id, ADA.password);
  await server.makePattern({ name: "Forest" });
  const { page } = await openPage(t, `${server.url}/console/patterns`);
  await fill(page, { "E-mail": server.account.email, Password: ADA.password });
  await button(page, "Sign in").click();
  await page.getByText("Download and print", { exact: true }).click();
  for (const [numbers, choices, reason] of REFUSED_PRINTS) {
    for (const [label, option] of Object.entries(choices)) {
      await page.getByLabel(label).last().selectOption(option);
    }
    for (const [name, value] of Object.entries(numbers)) {
      await page.locator(`input[name=${name}]`).fill(value);
    }
    await button(page, "Make print file").click();
    await page.getByRole("status").filter({ hasText: reason }).waitFor();
  }
  await page.locator("input[name=width]").fill("9");
  await button(page, "Make print file").click();
  const isInvalid = (input: Element) => input.matches(":invalid");
  t.ok(await page.locator("input[name=width]").evaluate(isInvalid), "the browser says it itself");
  t.same((await server.request("GET", "/exports")).json.data, []);
});
