import t from "tap";
import { testServer } from "../helpers/server.ts";

t.test("an account shows its plan, credits and usage", async (t) => {
  const server = await testServer(t);
  await server.makePattern();
  const { json } = await server.request("GET", "/account");
  t.match(json, {
    id: server.account.id,
    email: server.account.email,
    plan: "trial",
    credits: server.account.credits - 1,
    frozen: false,
    low_credit_threshold: 10,
    return_origins: [],
    usage: { sources: 1, patterns: 1, api_keys: 1 },
  });
});

t.test("an account shows what it spent each day", async (t) => {
  const server = await testServer(t);
  await server.makePattern();
  const { credits } = server.account;
  const { data } = (await server.request("GET", "/account/credits/daily?days=3")).json;
  const days = data.map(({ day, ...amounts }: { day: string }) => amounts);
  const before = { spent: 0, received: 0, balance: 0 };
  t.same(days, [before, before, { spent: 1, received: credits, balance: credits - 1 }]);
  t.equal((await server.request("GET", "/account/credits/daily?days=0")).status, 422);
});

t.test("only settings can be updated", async (t) => {
  const server = await testServer(t);
  const return_origins = ["https://shop.example", "http://localhost:8080", "http://[::1]:3000"];
  const changed = await server.request("PATCH", "/account", { json: { return_origins } });
  t.same(changed.json.return_origins, return_origins);
  t.equal(changed.json.low_credit_threshold, 10, "what is left out stays");
  const raised = await server.request("PATCH", "/account", { json: { low_credit_threshold: 50 } });
  t.match(raised.json, { low_credit_threshold: 50, return_origins });
  const usage = { ...raised.json.usage, body_bytes_in_flight: 0 };
  t.same((await server.request("GET", "/account")).json, { ...raised.json, usage });
  for (const json of [{ credits: 1_000_000 }, { plan: "agency" }, { frozen: false }]) {
    t.equal((await server.request("PATCH", "/account", { json })).status, 422);
  }
});

t.test("rejects an unsafe return origin", async (t) => {
  const server = await testServer(t);
  const return_origins = [
    "https://shop.example",
    "http://shop.example",
    "https://shop.example/path",
    "https://SHOP.example",
    "javascript:alert(1)",
    "",
  ];
  const refused = await server.request("PATCH", "/account", { json: { return_origins } });
  t.equal(refused.status, 422);
  t.same(
    refused.json.errors.map(({ path }: { path: string }) => path),
    [1, 2, 3, 4, 5].map((index) => `/return_origins/${index}`),
  );
});
