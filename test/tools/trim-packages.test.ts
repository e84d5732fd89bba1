/** What `npm ci` leaves of packages that bring files for all systems. */
import { existsSync } from "node:fs";
import { glob } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import t from "tap";

const cwd = fileURLToPath(new URL("../../node_modules/", import.meta.url));

t.test("the libraries of this system are there, and no others", async (t) => {
  const libraries = await Array.fromAsync(glob("webgpu/dist/*/dawn.node", { cwd }));
  t.equal(libraries.length, 1);
  t.type((await import("webgpu")).create, "function");
});

t.test("Node's headers are deleted, and its program is not", async (t) => {
  t.same(await Array.fromAsync(glob("{node/node_modules/,}node-*/include/node", { cwd })), []);
  t.ok(existsSync(new URL("../../node_modules/node/bin/node", import.meta.url)));
});
