/** Steps of users on the pages of the console. */
import type { Page } from "playwright-core";

/** A user who is not there yet. */
export const ADA = { email: "ada@example.com", password: "correct horse battery" };

export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
export const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true });

/** Waits for a page by its heading. */
export const heading = (page: Page, name: string) =>
  page.getByRole("heading", { level: 1, name, exact: true }).waitFor();

/** Fills in labelled fields. */
export async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
}
