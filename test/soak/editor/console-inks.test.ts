/** The flat inks of a pattern in a browser: their names, and files for printers. */
import { readFile } from "node:fs/promises";
import t from "tap";
import { setPassword } from "../../../server/actions/accounts.ts";
import type { Ink } from "../../../server/actions/inks.ts";
import { openPage, skipWithoutBrowser as skip } from "../../helpers/browser.ts";
import { ADA, button, fill } from "../../helpers/console.ts";
import { testServer } from "../../helpers/server.ts";

t.test("an owner names inks and downloads them", { skip }, async (t) => {
  const server = await testServer(t);
  await setPassword(server.db, server.account.id, ADA.password);
  const id = await server.makePattern({ name: "Forest", group: "p4" });
  const { page, issues } = await openPage(t, `${server.url}/console/patterns`);
  await fill(page, { "E-mail": server.account.email, Password: ADA.password });
  await button(page, "Sign in").click();
  const downloaded = async (name: string) => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name }).click();
    return readFile(await (await download).path());
  };
  await page.getByText("Flat inks", { exact: true }).last().click();
  await page.getByText("more colours than can be mixed").waitFor();
  await server.request("PATCH", `/patterns/${id}`, { json: { effects: [{ id: "flat_inks" }] } });
  await page.reload();
  await page.getByText("Flat inks", { exact: true }).last().click();
  const first = page.getByRole("textbox", { name: /^Name of Ink 1 #/ });
  await first.waitFor();
  t.equal(await first.inputValue(), "", "what the API calls it is no name");
  await first.fill(" Indigo <30> ");
  const before = await server.request("GET", `/patterns/${id}/inks`);
  await button(page, "Save names").click();
  await page.getByText("Saved.", { exact: true }).waitFor();
  await page.getByRole("textbox", { name: "Name of Indigo <30>" }).waitFor();
  const { data: inks } = (await server.request("GET", `/patterns/${id}/inks`)).json;
  t.same(inks, before.json.data.with(0, { ...before.json.data[0], name: "Indigo <30>" }));
  t.equal(await page.getByRole("textbox", { name: /^Name of Ink 2 #/ }).inputValue(), "");
  const separation = await server.request(
    "GET",
    `/patterns/${id}/separations/${inks[1].colour.slice(1)}?size=4096`,
  );
  t.equal(separation.status, 200);
  t.ok((await downloaded(`Separation of ${inks[1].name}`)).equals(separation.bytes));
  t.equal((await downloaded("Swatches (ASE)")).toString("latin1", 0, 4), "ASEF");
  await page.getByRole("spinbutton", { name: "Repeat in mm" }).fill("64");
  const curves = await server.request("GET", `/patterns/${id}/vector?cell_mm=64`);
  t.ok((await downloaded("Download curves")).equals(curves.bytes));

  const [{ colour: background }] = inks;
  const given = inks.slice(0, 2).map(({ colour }: Ink) => ({ name: `No. ${colour}`, colour }));
  const cases: readonly (readonly [object, object, number])[] = [
    // Colours that the effect did not make have no names, and would be inks if they had.
    [{ count: 4 }, { counterchange: "p2" }, 0],
    [{ inks: given }, { counterchange: "p2" }, 2],
    [{}, { counterchange: null, background }, 0],
    [{ inks: given }, { background: "#123456" }, 2],
  ];
  for (const [params, fields, named] of cases) {
    const json = { effects: [{ id: "flat_inks", params }], ...fields };
    const changed = await server.request("PATCH", `/patterns/${id}`, { json });
    t.equal(changed.status, 200);
    await page.reload();
    await page.getByText("Flat inks", { exact: true }).last().click();
    await page
      .getByRole("button", { name: /^Separation of/ })
      .nth(1)
      .waitFor();
    t.equal(await page.getByRole("textbox", { name: /^Name of/ }).count(), named);
  }
  t.same(issues, []);
});
