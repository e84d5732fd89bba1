/** Which batches are created, and what is said of those that are not. */
import t from "tap";
import { DEFAULT_QUOTAS } from "../../db/index.ts";
import { linesOf, manifestOf, NDJSON } from "../helpers/batches.ts";
import { testServer } from "../helpers/server.ts";

const SMALL = { size: 32 };

t.test("a repeated request with the same Idempotency-Key creates one batch", async (t) => {
  const server = await testServer(t);
  const pattern = await server.makePattern();
  const body = linesOf([{ pattern_id: pattern, ...SMALL }]);
  const headers = { ...NDJSON, "Idempotency-Key": "night-1" };
  const post = (text: string) => server.request("POST", "/batches", { body: text, headers });
  const [first, second] = [await post(body), await post(body)];
  t.equal(second.status, 202);
  t.equal(second.json.id, first.json.id);
  t.equal(second.headers.get("Idempotency-Replayed"), "true");
  t.match((await post(`${body} `.replace("32", "33"))).json, { code: "idempotency_mismatch" });
  t.equal((await server.request("GET", "/batches")).json.data.length, 1);
});

t.test("quotas bound the batches in progress and their items", async (t) => {
  const trial = { ...DEFAULT_QUOTAS.trial, batch_items: 5, open_batches: 2 };
  const server = await testServer(t, { quotas: { ...DEFAULT_QUOTAS, trial } });
  const pattern = await server.makePattern();
  const post = (count: number) =>
    server.request("POST", "/batches", {
      json: { items: Array.from({ length: count }, () => ({ pattern_id: pattern, ...SMALL })) },
    });
  t.match((await post(6)).json, { status: 409, quota: "batch_items", limit: 5, used: 0 });
  const { id } = (await post(2)).json;
  t.equal((await post(1)).status, 202);
  t.match((await post(1)).json, { status: 409, quota: "open_batches", limit: 2, used: 2 });
  await server.request("POST", `/batches/${id}/cancel`);
  t.match((await post(3)).json, { status: 409, quota: "batch_items", limit: 5, used: 3 });
  await server.request("DELETE", `/batches/${id}`);
  t.equal((await post(3)).status, 202);
  const { usage } = (await server.request("GET", "/account")).json;
  t.match(usage, { batch_items: 4, open_batches: 2 });
});

t.test("rejects invalid batches with what was expected, and where", async (t) => {
  const server = await testServer(t);
  const pattern = await server.makePattern();
  const good = { pattern_id: pattern, ...SMALL };
  const items = Array.from({ length: 18 }, () => good);
  for (const [json, path, message] of [
    [{}, "/items", /either a product or items, got neither/],
    [{ items, product: { pattern_ids: [pattern] } }, "/items", /got both/],
    [{ items: [] }, "/items", /is wrong/],
    [{ items: [...items.slice(1), { ...good, size: 9 }] }, "/items/17/size", /16…8192|16/],
    [{ items: [5] }, "/items/0", /an object/],
    [{ items: [{ size: 32 }] }, "/items/0/pattern_id", /is missing/],
    [{ items: [{ ...good, colour: 1 }] }, "/items/0/colour", /unknown field/],
    [{ items: [{ ...good, palette: { from: 1 } }] }, "/items/0/palette", /is wrong/],
    [{ items: [good, { ...good, group: "p5" }] }, "/items/1/group", /no wallpaper group/],
    [
      { product: { pattern_ids: [1], groups: ["*632", "p5"] } },
      "/product/groups/1",
      /no wallpaper group/,
    ],
    [{ product: { pattern_ids: [] } }, "/product/pattern_ids", /is wrong/],
    [{ product: { pattern_ids: [pattern], formats: ["gif"] } }, "/product/formats/0", /png/],
    [
      {
        product: {
          pattern_ids: Array.from({ length: 1000 }, (_, n) => n + 1),
          sizes: [16, 17, 18],
          formats: ["png", "webp", "avif", "tiff"],
        },
      },
      "/product",
      /at most 10000 items, got 1000 × 1 × 1 × 3 × 4 = 12000/,
    ],
    [{ name: "", items }, "/name", /1 to 200/],
  ] as const) {
    const reply = await server.request("POST", "/batches", { json });
    t.match(reply.json, { status: 422, code: "validation_failed" }, path);
    const [error] = reply.json.errors;
    t.equal(error.path, path, JSON.stringify(reply.json.errors));
    t.match(error.message, message, path);
  }
  const post = (body: string) => server.request("POST", "/batches", { body, headers: NDJSON });
  t.match((await post(`${linesOf(items)}\n{"pattern_id": 1,}`)).json, {
    status: 400,
    code: "malformed_json",
    detail: /^line 19: /,
  });
  t.match((await post(linesOf([...items, { ...good, size: "big" }]))).json.errors, [
    { path: "/items/18/size", message: /expected an integer.*got "big"/ },
  ]);
  const many = linesOf(Array.from({ length: 10_001 }, () => good));
  t.match((await post(many)).json.errors, [{ path: "/items", message: /at most 10000 items/ }]);
  const wrong = Array.from({ length: 500 }, () => ({ ...good, size: 1 }));
  t.equal((await post(linesOf(wrong))).json.errors.length, 20, "not all of them are listed");
  t.same((await server.request("GET", "/batches")).json.data, []);
});

t.test("ten thousand items are taken at once", async (t) => {
  const server = await testServer(t);
  const pattern = await server.makePattern();
  const item = { pattern_id: pattern, ...SMALL };
  const body = linesOf(
    Array.from({ length: 10_000 }, (_, n) => ({ ...item, size: 32 + (n % 99) })),
  );
  const reply = await server.request("POST", "/batches", { body, headers: NDJSON });
  t.match(reply.json, { status: "queued", total: 10_000 });
  const lines = await manifestOf(server, reply.json.id);
  t.equal(lines.length, 10_000);
  t.match(lines[9999], { index: 9999, status: "queued", file: null, error: null });
});
