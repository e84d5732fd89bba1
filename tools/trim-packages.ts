/**
 * Deletes files of installed packages that no process on this machine reads: libraries for other systems, and headers
 * for add-ons of Node. `npm ci` runs it; without it an installation takes 180 MB more, and nothing else changes.
 */
import { glob, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const { platform, arch } = process;

/** As `webgpu` names its build for this system. */
const BUILD = `${platform}-${platform === "darwin" ? "universal" : arch}`;

const cwd = fileURLToPath(new URL("../node_modules/", import.meta.url));

/** Paths in `node_modules`. */
const UNREAD = [
  "webgpu/dist/*",
  "node/node_modules/node-*/include",
  "node-*/include/node",
  "swagger-ui-dist/*.map",
];

for await (const path of glob(UNREAD, { cwd, exclude: [`webgpu/dist/${BUILD}`] })) {
  await rm(new URL(`../node_modules/${path}`, import.meta.url), { recursive: true });
}
