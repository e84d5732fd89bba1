/** What guests may create at a shop's expense. */
import t from "tap";
import { bearer, beginSession, design, open, RETURN } from "../helpers/guest-sessions.ts";
import { until } from "../helpers/jobs.ts";
import { testServer } from "../helpers/server.ts";

const made = (replies: readonly { readonly status: number }[]) =>
  replies.filter(({ status }) => status === 201).length;

t.test("a guest's concurrent creations never exceed the handoff's budget", async (t) => {
  const server = await testServer(t);
  const { json } = await server.request("POST", "/embed/handoff", {
    json: { product_id: 1, return_url: RETURN, max_patterns: 5 },
  });
  t.equal(json.max_patterns, 5);
  const handoff = new URL(json.editor_url).searchParams.get("handoff");
  const begun = await server.request("POST", "/embed/sessions", { ...open, json: { handoff } });
  t.equal(begun.json.max_patterns, 5);
  const { token } = begun.json;
  const preset = bearer(token, { preset: "stripes", seed: 1 });
  const source = await server.request("POST", "/sources/presets", preset);
  const pattern = bearer(token, { source_id: source.json.id, group: "p4" });
  const create = () => server.request("POST", "/patterns", pattern);
  const replies = await Promise.all(Array.from({ length: 12 }, create));
  t.equal(made(replies), 4, "the source from the preset was the first of five");
  for (const path of ["/patterns", "/sources/presets"]) {
    const refused = await server.request("POST", path, path === "/patterns" ? pattern : preset);
    t.match(refused.json, {
      status: 409,
      code: "quota_exceeded",
      quota: "handoff_creations",
      limit: 5,
      used: 5,
    });
  }
  const [first] = replies.filter(({ status }) => status === 201);
  const path = `/patterns/${first?.json.id}`;
  t.equal((await server.request("DELETE", path, bearer(token))).status, 204);
  t.equal((await create()).status, 409, "what was deleted stays paid");
  t.equal((await server.request("GET", "/account")).json.credits, server.account.credits - 5);

  const picture = await server.request("GET", `/sources/${source.json.id}/image`, bearer(token));
  const upload = () =>
    server.request(
      "POST",
      "/sources/upload",
      bearer(token, { data: picture.bytes.toString("base64") }),
    );
  // A handoff's guests may have two renders in flight; refused ones repeat their request.
  const uploadInTurn = async () => {
    let reply = await upload();
    while (reply.json.code === "rate_limited") reply = await upload();
    return reply;
  };
  t.equal(made(await Promise.all(Array.from({ length: 9 }, uploadInTurn))), 5);
  t.match((await upload()).json, { code: "quota_exceeded", quota: "handoff_uploads", limit: 5 });
  t.equal((await server.request("GET", "/sources", bearer(token))).json.data.length, 6);
  await server.makePattern();
});

t.test("a handoff's budget is 20 by default, or set by the shop within limits", async (t) => {
  const server = await testServer(t);
  const ask = (fields: object) =>
    server.request("POST", "/embed/handoff", {
      json: { product_id: 1, return_url: RETURN, ...fields },
    });
  t.equal((await ask({})).json.max_patterns, 20);
  t.equal((await ask({ max_patterns: 1000 })).json.max_patterns, 1000);
  for (const max_patterns of [0, 1001, -1, 1.5, "5", null]) {
    t.match((await ask({ max_patterns })).json, {
      status: 422,
      errors: [{ path: "/max_patterns" }],
    });
  }
});

t.test("a guest creates and sees mockups of its own patterns only", async (t) => {
  const server = await testServer(t, { takesJobs: true });
  const [mine, other] = [await beginSession(server), await beginSession(server)];
  const { pattern } = await design(server, mine.token);
  const theirs = await design(server, other.token);
  const ofShop = await server.makePattern();
  const order = (id: number) =>
    server.request("POST", `/patterns/${id}/mockups`, bearer(mine.token, { products: ["mug"] }));
  const ordered = await order(pattern);
  t.equal(ordered.status, 202);
  const id: number = ordered.json.data[0].id;
  const look = (token: string, path: string) => server.request("GET", path, bearer(token));
  await until(async () => (await server.db.mockups.get(server.account.id, id))?.status === "done");
  const { data } = (await look(mine.token, `/patterns/${pattern}/mockups`)).json;
  t.match(data, [{ id, product: "mug", status: "done" }]);
  const image = await look(mine.token, `/mockups/${id}/image`);
  t.same([image.status, image.headers.get("Content-Type")], [200, "image/jpeg"]);

  for (const foreign of [theirs.pattern, ofShop]) {
    t.equal((await order(foreign)).status, 404);
    t.equal((await look(mine.token, `/patterns/${foreign}/mockups`)).status, 404);
  }
  t.equal((await look(other.token, `/patterns/${pattern}/mockups`)).status, 404);
  t.equal((await look(other.token, `/mockups/${id}/image`)).status, 404);
  t.equal((await server.request("GET", `/mockups/${id}/image`)).status, 200, "the shop sees it");
});
