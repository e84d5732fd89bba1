/** Certificates over HTTP; the engine's tests cover their content. */
import t from "tap";
import type { Engine } from "../../engine/index.ts";
import { testEngine } from "../helpers/engine.ts";
import { until } from "../helpers/jobs.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";
import { testServer } from "../helpers/server.ts";

t.test("certifies a pattern with its effects, free of charge", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern({ group: "p4g", effects: [{ id: "sepia" }] });
  const path = `/patterns/${id}/validate`;
  const before = (await server.request("GET", "/account")).json.credits;
  const certified = await server.request("POST", path, { json: { size: 256 } });
  t.equal(certified.status, 200);
  t.match(certified.json, { verdict: "valid", claimed: "p4g", found: "p4g", summary: /p4g/ });
  t.equal((await server.request("GET", "/account")).json.credits, before);
  t.equal((await server.request("POST", path, { json: {} })).status, 200, "by its defaults");
});

t.test("certifies the claimed group of an uploaded picture", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern({ group: "p4" });
  const tile = await server.request("POST", `/patterns/${id}/render`, { json: { size: 256 } });
  const data = tile.bytes.toString("base64");
  const validate = (group: string) =>
    server.request("POST", "/validate", { json: { data, group } });
  t.match((await validate("p4")).json, { verdict: "valid", found: "p4" });
  t.match((await validate("p2")).json, { verdict: "more_symmetric", found: "p4" });
  t.match((await validate("*442")).json, { verdict: "broken", claimed: "p4m", failing: /./ });

  const form = new FormData();
  form.append("file", new Blob([Buffer.from(tile.bytes)]), "tile.png");
  form.append("group", "p4");
  t.match((await server.request("POST", "/validate", { body: form })).json, { verdict: "valid" });
});

t.test("disconnecting cancels the certificate", async (t) => {
  const whole = await testEngine(t);
  const endings: unknown[] = [];
  const begun = Promise.withResolvers<void>();
  const certify: Engine["certify"] = (subject, signal) => {
    begun.resolve();
    const certificate = whole.certify(subject, signal);
    certificate.then(
      () => endings.push("certified"),
      (error) => endings.push(error.name),
    );
    return certificate;
  };
  const server = await testServer(t, { engine: { ...whole, certify } });
  const id = await server.makePattern({ group: "p6m" });
  const leaving = new AbortController();
  const answer = fetch(`${server.url}/api/v1/patterns/${id}/validate`, {
    method: "POST",
    headers: { "X-API-Key": server.key, "Content-Type": "application/json" },
    body: JSON.stringify({ size: 4096 }),
    signal: leaving.signal,
  });
  await begun.promise;
  leaving.abort();
  await t.rejects(answer);
  await until(() => endings.length > 0);
  t.same(endings, ["AbortError"]);
  t.equal((await server.request("GET", `/patterns/${id}/render?size=16`)).status, 200);
});

t.test("rejects invalid certificates", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const data = Buffer.from(pngOf(photograph(64, 64))).toString("base64");
  const cases: [string, object, number, string | null][] = [
    [`/patterns/${id}/validate`, { size: 63 }, 422, "/size"],
    [`/patterns/${id}/validate`, { hex_cells: "3x2" }, 422, "/hex_cells"],
    ["/patterns/999999/validate", {}, 404, null],
    ["/validate", { data }, 422, "/group"],
    ["/validate", { data, group: "p5" }, 422, "/group"],
    ["/validate", { group: "p4" }, 422, "/data"],
    ["/validate", { data: "AAAA", group: "p4" }, 422, null],
  ];
  for (const [path, json, status, at] of cases) {
    const refused = await server.request("POST", path, { json });
    t.equal(refused.status, status, `${path} ${JSON.stringify(json).slice(0, 60)}`);
    if (at !== null) t.match(refused.json.errors, [{ path: at }]);
  }
  const stranger = await server.makeCaller({});
  const foreign = await server.request("POST", `/patterns/${id}/validate`, {
    json: {},
    as: stranger,
  });
  t.equal(foreign.status, 404);
});
