/** The address that a render node puts on the list. */
import { networkInterfaces } from "node:os";
import t from "tap";
import { urlForOthers } from "../../server/render-nodes/index.ts";

t.test("a node is listed where it listens, and never at the wildcard address", async (t) => {
  t.equal(urlForOthers("10.1.0.2", 3001), "http://10.1.0.2:3001");
  t.equal(urlForOthers("::1", 3001), "http://[::1]:3001");
  const outward = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4");
  if (outward.length === 0) return;
  for (const wildcard of ["0.0.0.0", "::"]) {
    const { hostname, port } = new URL(urlForOthers(wildcard, 3001));
    t.ok(
      outward.some(({ address }) => address === hostname),
      hostname,
    );
    t.equal(port, "3001");
  }
});
