import t from "tap";
import { bearer, beginSession, design } from "../helpers/guest-sessions.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";
import { testServer } from "../helpers/server.ts";

t.test("returns twelve ideas, which are patterns", async (t) => {
  const server = await testServer(t);
  const source_id = await server.makeSource();
  const path = `/sources/${source_id}/ideas`;
  const { status, json } = await server.request("POST", path, { json: {} });
  t.equal(status, 200);
  t.equal(json.data.length, 12);
  t.same((await server.request("POST", path, { json: {} })).json, json, "each time the same");
  const { group, motif, seam } = json.data[0];
  const made = await server.request("POST", "/patterns", {
    json: { source_id, group, motif, seam },
  });
  t.equal(made.status, 201);
  t.match(made.json, { group, motif, seam });
  const free = await server.request("GET", "/account");
  t.equal(free.json.credits, server.account.credits - 1, "only the pattern costs a credit");
});

t.test('motif "auto" is the best idea for the group', async (t) => {
  const server = await testServer(t);
  const source_id = await server.makeSource();
  const bestOf = async (group: string) => {
    const json = { count: 1, groups: [group] };
    return (await server.request("POST", `/sources/${source_id}/ideas`, { json })).json.data[0];
  };
  const json = { source_id, group: "p31m", motif: "auto" };
  const made = await server.request("POST", "/patterns", { json });
  t.equal(made.status, 201);
  t.match(made.json.motif, (await bestOf("p31m")).motif);
  const path = `/patterns/${made.json.id}`;
  await server.request("PATCH", path, { json: { motif: { x: 0.1, rotation: 7 } } });
  const changed = await server.request("PATCH", path, { json: { group: "p2", motif: "auto" } });
  t.match(changed.json.motif, (await bestOf("p2")).motif);
});

t.test(
  "a new pattern of a panorama has the best motif, of another picture the middle",
  async (t) => {
    const server = await testServer(t);
    const middle = { x: 0.5, y: 0.5, scale: 1, rotation: 0, sampling: "smooth" };
    const createdOf = async (width: number, height: number, motif?: object) => {
      const form = new FormData();
      form.append("file", new Blob([Buffer.from(pngOf(photograph(width, height)))]), "picture.png");
      const uploaded = await server.request("POST", "/sources/upload", { body: form });
      const source_id = uploaded.json.id;
      const made = await server.request("POST", "/patterns", {
        json: { source_id, group: "p6", ...(motif && { motif }) },
      });
      t.equal(made.status, 201);
      const json = { count: 1, groups: ["p6"] };
      const ideas = await server.request("POST", `/sources/${source_id}/ideas`, { json });
      return { motif: made.json.motif, best: ideas.json.data[0].motif };
    };
    for (const [width, height] of [
      [200, 40],
      [40, 200],
    ]) {
      const { motif, best } = await createdOf(width, height);
      t.match(motif, best, `${width} × ${height}`);
      t.notMatch(motif, middle, `${width} × ${height}`);
    }
    t.same((await createdOf(120, 60)).motif, middle, "the other side is half as long");
    t.same((await createdOf(200, 40, {})).motif, middle, "members that are left out have defaults");
  },
);

t.test('motif "auto" keeps how pixels are sampled, and fits the lattice', async (t) => {
  const server = await testServer(t);
  const lattice = { ratio: 0.3, repeat: "straight" };
  const id = await server.makePattern({ group: "pmm", lattice, motif: { sampling: "pixel" } });
  const json = { motif: "auto" };
  const { motif } = (await server.request("PATCH", `/patterns/${id}`, { json })).json;
  t.equal(motif.sampling, "pixel");
  const { source_id } = (await server.request("GET", `/patterns/${id}`)).json;
  const made = await server.request("POST", "/patterns", {
    json: { source_id, group: "pmm", lattice, motif: "auto" },
  });
  t.match(made.json.motif, { ...motif, sampling: "smooth" });
});

t.test(
  "a key that only reads may ask for ideas, and a guest for those of its own pictures",
  async (t) => {
    const server = await testServer(t);
    const source_id = await server.makeSource();
    const path = `/sources/${source_id}/ideas`;
    const key = { name: "reader", scopes: ["read"] };
    const made = await server.request("POST", "/api-keys", bearer(server.token, key));
    const asked = bearer(made.json.secret, {});
    t.equal((await server.request("POST", path, asked)).status, 200);
    const { token } = await beginSession(server);
    t.equal((await server.request("POST", path, bearer(token, {}))).status, 404);
    const own = await design(server, token);
    const theirs = `/sources/${own.source}/ideas`;
    t.equal((await server.request("POST", theirs, bearer(token, {}))).status, 200);
    const palettes = [{ from: source_id }];
    const colourways = `/patterns/${own.pattern}/colourways`;
    const foreign = await server.request("POST", colourways, bearer(token, { palettes }));
    t.equal(foreign.status, 404);
  },
);

t.test("says what is wrong, each at its place", async (t) => {
  const server = await testServer(t);
  const source_id = await server.makeSource();
  const stranger = await server.makeCaller({});
  const path = `/sources/${source_id}/ideas`;
  for (const [json, place] of [
    [{ count: 0 }, "/count"],
    [{ count: 13 }, "/count"],
    [{ groups: [] }, "/groups"],
    [{ groups: ["p4", "p5"] }, "/groups/1"],
    [{ many: 3 }, "/many"],
  ] as const) {
    const refused = await server.request("POST", path, { json });
    t.equal(refused.status, 422);
    t.match(refused.json.errors, [{ path: place }]);
  }
  t.equal((await server.request("POST", path, { json: {}, as: stranger })).status, 404);
  for (const [motif, place] of [
    ["middle", "/motif"],
    [{ scale: 99 }, "/motif/scale"],
    [{ zoom: 2 }, "/motif/zoom"],
  ] as const) {
    const refused = await server.request("POST", "/patterns", {
      json: { source_id, group: "p4", motif },
    });
    t.equal(refused.status, 422);
    t.match(
      refused.json.errors.map((issue: { path: string }) => issue.path),
      [place],
    );
  }
});
