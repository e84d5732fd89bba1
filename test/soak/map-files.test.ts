/** Map files, and which process makes them. */
import { readdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { products } from "../../engine/index.ts";
import { makeMap } from "../../engine/mockups/make-map.ts";
import { createMapFiles } from "../../engine/mockups/map-files.ts";
import { request, testEngine } from "../helpers/engine.ts";

const plain = {
  sample: (_x: number, _y: number, fragment: object) => {
    const shown = { piece: 1, red: 0, green: 0, blue: 0, mask: 1, u: 1, v: 1 };
    Object.assign(fragment, { ...shown, shading: 1, highlight: 0 });
  },
};
const pieces = await makeMap(plain, 16, async () => undefined);

/** Makes small maps and counts them. */
function maker() {
  const made: string[] = [];
  const make = async (path: string) => {
    made.push(path);
    await writeFile(path, Buffer.concat(pieces));
  };
  return { made, make };
}

t.test("concurrent callers share the creation of a map, which is kept", async (t) => {
  const folder = join(t.testdir(), "maps");
  const { made, make } = maker();
  const files = createMapFiles(folder);
  const paths = await Promise.all(Array.from({ length: 5 }, () => files.pathOf("mug", make)));
  t.equal(new Set(paths).size, 1);
  t.same(made, [paths[0]]);
  const others = createMapFiles(folder);
  t.equal(await others.pathOf("mug", make), paths[0]);
  t.equal(made.length, 1);
  await others.close();
  t.same(
    await readdir(folder),
    [paths[0].slice(folder.length + 1)],
    "a given folder is not deleted",
  );
});

t.test("deletes maps of other scenes and replaces truncated ones", async (t) => {
  const old = "mug-0123456789abcdef.map";
  const folder = t.testdir({ [old]: "of another version", "notebook-1.map": "" });
  const { made, make } = maker();
  const files = createMapFiles(folder);
  const path = await files.pathOf("mug", make);
  t.same((await readdir(folder)).sort(), [path.slice(folder.length + 1), "notebook-1.map"].sort());
  for (const length of [0, 100, 600]) {
    await truncate(path, length);
    await files.pathOf("mug", make);
  }
  t.equal(made.length, 4);
});

t.test("a failed creation rejects its callers and is retried by the next one", async (t) => {
  const files = createMapFiles(t.testdir());
  const failing = files.pathOf("mug", async () => {
    throw new Error("no room");
  });
  await t.rejects(failing, { message: "no room" });
  const { made, make } = maker();
  await files.pathOf("mug", make);
  t.equal(made.length, 1);
});

t.test("an engine without a folder deletes its maps on close", async (t) => {
  const files = createMapFiles();
  const { make } = maker();
  const path = await files.pathOf("mug", make);
  await files.close();
  await t.rejects(readdir(join(path, "..")), { code: "ENOENT" });
});

t.test("cancelling one caller does not cancel the map for others", async (t) => {
  const folder = t.testdir();
  const engine = await testEngine(t, { mockupMaps: folder });
  const { design, source } = request({ group: "p1" });
  const wanted = { design, source, product: products[3].id };
  const left = new AbortController();
  const reason = new Error("gone");
  const first = engine.drawMockup(wanted, left.signal);
  const second = engine.drawMockup(wanted);
  setImmediate(() => left.abort(reason));
  await t.rejects(first, reason);
  t.ok((await second).byteLength > 10_000);
  t.equal((await readdir(folder)).length, 1);
});
