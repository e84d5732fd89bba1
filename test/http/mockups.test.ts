/** Mockups: ordered, drawn in the background, announced, downloaded. */
import { createHash } from "node:crypto";
import sharp from "sharp";
import t from "tap";
import { processEngine } from "../helpers/engine.ts";
import { TestClock, until } from "../helpers/jobs.ts";
import { type TestServer, testServer } from "../helpers/server.ts";
import { LOOPBACK, receiver, subscribe } from "../helpers/webhooks.ts";

/** Orders mockups and waits until they are drawn. */
// biome-ignore lint/suspicious/noExplicitAny: what is answered is checked below
async function draw(server: TestServer, pattern: number, json: object): Promise<any[]> {
  const path = `/patterns/${pattern}/mockups`;
  const ordered = await server.request("POST", path, { json });
  if (ordered.status !== 202) throw new Error(ordered.bytes.toString());
  // Polling over HTTP would exceed a key's rate limit.
  const stored = () => server.db.mockups.list(server.account.id, pattern);
  await until(async () => (await stored())?.every(({ status }) => status !== "queued") ?? false);
  return (await server.request("GET", path)).json.data;
}

t.test("mockups are created, announced when all are drawn, and downloaded", async (t) => {
  const server = await testServer(t, { ...LOOPBACK, takesJobs: true });
  const target = await receiver(t);
  await subscribe(server, target.url, ["mockup.ready"]);
  const pattern = await server.makePattern();
  t.same((await server.request("GET", `/patterns/${pattern}/mockups`)).json, { data: [] });
  const mockups = await draw(server, pattern, { products: ["mug", "cushion"], cell_mm: 50 });
  t.match(mockups, [
    { product: "cushion", cell_mm: 50, status: "done", error: null },
    { product: "mug", cell_mm: 50, status: "done", error: null },
  ]);
  await until(() => target.received.length > 0);
  t.match(target.received[0]?.json, {
    event: "mockup.ready",
    data: {
      pattern_id: pattern,
      mockups: mockups.map(({ id, product, image_url }) => ({ id, product, url: image_url })),
    },
  });
  const digests = new Set<string>();
  for (const { id, image_url } of mockups) {
    t.equal(image_url, `${server.url}/api/v1/mockups/${id}/image`);
    const image = await server.request("GET", `/mockups/${id}/image`);
    t.match(await sharp(image.bytes).metadata(), { format: "jpeg", width: 1600, height: 1600 });
    const digest = createHash("sha256").update(image.bytes).digest();
    t.equal(image.headers.get("Repr-Digest"), `sha-256=:${digest.toString("base64")}:`);
    digests.add(digest.toString("hex"));
    const tag = image.headers.get("ETag") ?? "";
    const known = await server.request("GET", `/mockups/${id}/image`, {
      headers: { "If-None-Match": tag },
    });
    t.equal(known.status, 304);
  }
  t.equal(digests.size, 2, "each product has a picture of its own");

  const [, mug] = mockups;
  const again = await draw(server, pattern, { products: ["mug"] });
  t.equal(again.find(({ product }) => product === "mug").id, mug.id);
  const other = await server.request("GET", `/mockups/${mug.id}/image`);
  const { cell_mm } = (await server.request("GET", "/mockup-products")).json.data.find(
    ({ id }: { id: string }) => id === "mug",
  );
  t.equal(again.find(({ product }) => product === "mug").cell_mm, cell_mm);
  const digest = createHash("sha256").update(other.bytes).digest("hex");
  t.notOk(digests.has(digest), "at another scale it is another picture");
});

t.test("an unfinished mockup is not found, and invalid requests are rejected", async (t) => {
  const server = await testServer(t);
  const pattern = await server.makePattern();
  const path = `/patterns/${pattern}/mockups`;
  const { data } = (await server.request("POST", path, { json: {} })).json;
  const { data: products } = (await server.request("GET", "/mockup-products")).json;
  t.ok(products.length >= 8);
  t.same(
    data.map(({ product }: { product: string }) => product),
    products.map(({ id }: { id: string }) => id).toSorted(),
    "all of them, where nothing else is said",
  );
  const early = await server.request("GET", `/mockups/${data[0].id}/image`);
  t.match(early.json, { status: 409, code: "conflict" });
  t.equal(early.headers.get("Retry-After"), "2");
  for (const [json, where] of [
    [{ products: ["spaceship"] }, "/products/0"],
    [{ products: [] }, "/products"],
    [{ products: ["mug", "mug"] }, "/products"],
    [{ cell_mm: 0 }, "/cell_mm"],
    [{ size: 100 }, "/size"],
  ] as const) {
    const reply = await server.request("POST", path, { json });
    t.match(reply.json, { status: 422, errors: [{ path: where }] });
  }
  const as = await server.makeCaller({});
  t.equal((await server.request("POST", path, { json: {}, as })).status, 404);
  t.equal((await server.request("GET", path, { as })).status, 404);
  t.equal((await server.request("GET", `/mockups/${data[0].id}/image`, { as })).status, 404);
});

t.test("internal errors fail a mockup in the end", async (t) => {
  let draws = 0;
  const drawMockup = async () => {
    draws++;
    throw new Error("it broke");
  };
  const server = await testServer(t, { engine: { ...(await processEngine()), drawMockup } });
  const pattern = await server.makePattern();
  const json = { products: ["mug"] };
  const ordered = await server.request("POST", `/patterns/${pattern}/mockups`, { json });
  const [{ id }] = ordered.json.data;
  const clock = new TestClock();
  await server.takeJobs({ clock });
  await until(async () => {
    await clock.tick(5000);
    return (await server.db.mockups.get(server.account.id, id))?.status === "failed";
  });
  t.equal(draws, 20);
  const reply = await server.request("GET", `/mockups/${id}/image`);
  t.match(reply.json, { status: 409, detail: /internal errors/ });
});
