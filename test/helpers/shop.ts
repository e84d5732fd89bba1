/** The example shop, on a phone. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { FrameLocator, Page } from "playwright-core";
import type { Test } from "tap";
import type { TestServer } from "./server.ts";

const SHOP = fileURLToPath(new URL("../../docs/examples/shop/shop.ts", import.meta.url));

export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

/** Starts the shop until the test ends; returns its address. */
export async function startShop(t: Test, server: TestServer): Promise<string> {
  const options = ["--api", `${server.url}/api/v1`, "--key", server.key];
  const shop = spawn(process.execPath, [SHOP, ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.teardown(async () => {
    shop.kill();
    await once(shop, "exit");
  });
  for await (const line of createInterface(shop.stdout)) {
    const [, address] = /^shop {3}(\S+)$/.exec(line) ?? [];
    // The rest is not read: the pipe holds it.
    if (address) return address;
  }
  throw new Error("the shop did not start");
}

/** The button on the product's page. */
export const design = (page: Page) => page.getByRole("button", { name: "Design your own" });

/** The editor over the product's page. */
export const editorOf = (page: Page) => page.frameLocator("dialog iframe");

/** The pattern in the editor, once it shows what its label says. */
export const patternIn = (editor: FrameLocator) =>
  editor.locator('canvas[role="img"][aria-label^="Pattern"][aria-busy="false"]');

/** The newest handoff, as the shop reads it. */
export const handoffOf = async (server: TestServer) =>
  (await server.request("GET", "/embed/handoffs?limit=1")).json.data[0];
