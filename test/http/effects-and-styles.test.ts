/** Effects, palettes and styles of patterns over the API. */
import t from "tap";
import { LIMITS } from "../../engine/index.ts";
import { finishedExport, orderExport } from "../helpers/exports.ts";
import { cropped, rasterOf, rasterWithin } from "../helpers/pictures.ts";
import { testServer } from "../helpers/server.ts";

t.test("a pattern keeps its effects, palette and style, and its render shows them", async (t) => {
  const server = await testServer(t);
  const plain = await server.makePattern();
  const fields = {
    effects: [{ id: "posterize", params: { levels: 3 } }, { id: "invert" }],
    palette: ["#102030", "#F0E0D0"],
    style: null,
  };
  const id = await server.makePattern(fields);
  const path = `/patterns/${id}`;
  t.match((await server.request("GET", path)).json, fields);
  const json = { size: 64 };
  const shown = await server.request("POST", `${path}/render`, { json });
  const other = await server.request("POST", `/patterns/${plain}/render`, { json });
  t.notOk(shown.bytes.equals(other.bytes));
  t.not(shown.headers.get("ETag"), other.headers.get("ETag"));

  const cleared = await server.request("PATCH", path, { json: { effects: [], palette: null } });
  t.match(cleared.json, { effects: [], palette: null });
  const again = await server.request("POST", `${path}/render`, { json });
  t.ok(again.bytes.equals(other.bytes));
  t.equal(again.headers.get("ETag"), other.headers.get("ETag"), "the same picture, the same tag");
});

t.test("a style sets the seam unless the pattern has its own", async (t) => {
  const server = await testServer(t);
  const styles = (await server.request("GET", "/styles")).json.data as {
    name: string;
    seam: Record<string, unknown>;
  }[];
  const styled = styles.find(({ seam }) => typeof seam.width === "number");
  if (styled === undefined) throw new Error("no style has a seam's width");
  const seamOf = async (id: number) => (await server.request("GET", `/patterns/${id}`)).json.seam;
  const made = await server.makePattern({ style: styled.name });
  t.match(await seamOf(made), styled.seam);
  const own = await server.makePattern({ style: styled.name, seam: { width: 0.31 } });
  t.match(await seamOf(own), { ...styled.seam, width: 0.31 });

  const later = await server.makePattern({ seam: { width: 0.31 } });
  const path = `/patterns/${later}`;
  t.match((await server.request("PATCH", path, { json: { style: styled.name } })).json.seam, {
    ...styled.seam,
  });
  const changed = await server.request("PATCH", path, { json: { seam: { width: 0.2 } } });
  t.match(changed.json, { style: styled.name, seam: { ...styled.seam, width: 0.2 } });
});

t.test("reports the issues of effects, palettes and styles by path", async (t) => {
  const server = await testServer(t);
  const source_id = await server.makeSource();
  const many = Array.from({ length: 300 }, () => ({ id: "invert" }));
  const cases: [object, string][] = [
    [{ effects: [{ id: "sparkle" }] }, "/effects/0/id"],
    [{ effects: [{ id: "invert" }, { id: "vignette" }] }, "/effects/1/id"],
    [{ effects: [{ id: "blur", params: { radius: 99 } }] }, "/effects/0/params/radius"],
    [{ effects: [{ id: "blur", params: { radius: "wide" } }] }, "/effects/0/params/radius"],
    [{ effects: [{ id: "blur", params: { radius: null } }] }, "/effects/0/params/radius"],
    [{ effects: [{ id: "blur", params: { speed: 1 } }] }, "/effects/0/params/speed"],
    [{ effects: [{ id: "blur", parameters: {} }] }, "/effects/0/parameters"],
    [{ effects: many }, "/effects"],
    [{ effects: "invert" }, "/effects"],
    [{ palette: "sunset" }, "/palette"],
    [{ palette: ["#000000"] }, "/palette"],
    [{ palette: ["#000000", "red"] }, "/palette/1"],
    [{ style: "baroque" }, "/style"],
  ];
  for (const [fields, path] of cases) {
    const json = { source_id, group: "p4", ...fields };
    const refused = await server.request("POST", "/patterns", { json });
    const what = JSON.stringify(fields).slice(0, 80);
    t.equal(refused.status, 422, what);
    const issue = refused.json.errors?.find((error: { path: string }) =>
      path.startsWith(error.path),
    );
    t.match(issue, { expected: /./, received: /./, message: /./ }, `${what}: ${path}`);
  }
  const longest = many.slice(0, LIMITS.effects);
  const json = { source_id, group: "p4", effects: longest };
  t.equal((await server.request("POST", "/patterns", { json })).status, 201);
  // NaN is not JSON; a number out of range is, and becomes infinite.
  const body = `{"source_id":${source_id},"group":"p4","effects":[{"id":"blur","params":{"radius":1e999}}]}`;
  const headers = { "Content-Type": "application/json" };
  const infinite = await server.request("POST", "/patterns", { body, headers });
  t.equal(infinite.status, 422);
});

t.test("draws a preset in the requested colours", async (t) => {
  const server = await testServer(t);
  const draw = async (palette: unknown) => {
    const json = { preset: "stripes", seed: 3, palette };
    return (await server.request("POST", "/sources/presets", { json })).json.sha256;
  };
  const drawn = await Promise.all([null, "neon", ["#000000", "#ffffff", "#ff0000"]].map(draw));
  t.equal(new Set(drawn).size, 3);
  const refused = await server.request("POST", "/sources/presets", {
    json: { preset: "stripes", palette: "sunset" },
  });
  t.match(refused, { status: 422, json: { errors: [{ path: "/palette" }] } });
});

t.test("renders a frieze by POST, by query and as a print file", async (t) => {
  const server = await testServer(t, { takesJobs: true });
  const id = await server.makePattern();
  const frieze = { group: "p2mg", repeats: 6 };
  const json = { mode: "frieze", surface_width: 720, surface_height: 120, dpi: 254, frieze };
  const posted = await server.request("POST", `/patterns/${id}/render`, { json });
  t.equal(posted.status, 200);
  t.match(posted.headers.get("Content-Disposition"), /frieze-p2mg-720x120\.png/);
  t.equal(posted.headers.get("X-Orbifold-Repeat-Mm"), "12x12");
  const query = new URLSearchParams({
    mode: "frieze",
    surface_width: "720",
    surface_height: "120",
    dpi: "254",
    frieze: JSON.stringify(frieze),
  });
  const linked = await server.request("GET", `/patterns/${id}/render?${query}`);
  t.ok(linked.bytes.equals(posted.bytes));
  t.equal(linked.headers.get("ETag"), posted.headers.get("ETag"));
  const print = { mode: "frieze", frieze, width_mm: 72, height_mm: 12, bleed_mm: 1, dpi: 254 };
  const ordered = await orderExport(server, id, { ...print, format: "png" });
  t.match(await finishedExport(server, ordered), {
    status: "done",
    symmetry: null,
    preflight: { repeat_mm: { width: 12, height: 12 } },
  });
  const file = await server.request("GET", `/exports/${ordered}/file`);
  const [sheet, strip] = [rasterOf(file.bytes), rasterOf(posted.bytes)];
  t.same([sheet.width, sheet.height], [740, 140]);
  const inside = cropped(sheet, { x: 10, y: 10, width: 720, height: 120 });
  rasterWithin(t, inside, strip, 2, "inside the bleed is the strip");
  for (const [fields, path] of [
    [{ frieze: undefined }, "/frieze"],
    [{ frieze: { group: "p4" } }, "/frieze/group"],
    [{ frieze: { group: "p1", repeats: 100 } }, "/frieze/repeats"],
  ] as const) {
    const rendered = await server.request("POST", `/patterns/${id}/render`, {
      json: { ...json, ...fields },
    });
    t.match(rendered.json, { status: 422, errors: [{ path }] });
    const printed = await server.request("POST", `/patterns/${id}/export`, {
      json: { ...print, ...fields },
    });
    t.match(printed.json, { status: 422, errors: [{ path }] });
  }
});

t.test("renders an aperiodic sheet by POST and by signed URL", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const json = {
    mode: "aperiodic",
    surface_width: 120,
    surface_height: 90,
    aperiodic: { kind: "spectre", fill: "flat", outline_colour: "#ff0000" },
    surface_effects: [{ id: "vignette" }],
  };
  const posted = await server.request("POST", `/patterns/${id}/render`, { json });
  t.equal(posted.status, 200);
  const { width, height } = rasterOf(posted.bytes);
  t.same([width, height], [120, 90]);
  t.match(posted.headers.get("Content-Disposition"), /spectre-120x90\.png/);
  const query = new URLSearchParams({
    mode: "aperiodic",
    surface_width: "120",
    surface_height: "90",
    aperiodic: JSON.stringify(json.aperiodic),
    surface_effects: JSON.stringify(json.surface_effects),
  });
  const linked = await server.request("GET", `/patterns/${id}/render?${query}`);
  t.ok(linked.bytes.equals(posted.bytes));
  t.equal(linked.headers.get("ETag"), posted.headers.get("ETag"));
  const square = await server.request("POST", `/patterns/${id}/render`, {
    json: { mode: "aperiodic", size: 64 },
  });
  t.same([rasterOf(square.bytes).width, rasterOf(square.bytes).height], [64, 64]);
});

t.test("renders a rosette by POST, by query and as a print file", async (t) => {
  const server = await testServer(t, { takesJobs: true });
  const id = await server.makePattern();
  const json = { mode: "rosette", size: 160, rosette: { fold: 5, mirrors: false } };
  const posted = await server.request("POST", `/patterns/${id}/render`, { json });
  t.equal(posted.status, 200);
  t.match(posted.headers.get("Content-Disposition"), /rosette-c5-160x160\.png/);
  t.equal(rasterOf(posted.bytes).channels, 4);
  const query = new URLSearchParams({
    mode: "rosette",
    surface_width: "160",
    surface_height: "160",
    rosette: JSON.stringify(json.rosette),
  });
  const linked = await server.request("GET", `/patterns/${id}/render?${query}`);
  t.ok(linked.bytes.equals(posted.bytes));
  t.equal(linked.headers.get("ETag"), posted.headers.get("ETag"));
  const jpeg = await server.request("POST", `/patterns/${id}/render`, {
    json: { ...json, format: "jpeg" },
  });
  t.same([...jpeg.bytes.subarray(0, 3)], [0xff, 0xd8, 0xff]);

  const print = { mode: "rosette", width_mm: 16, height_mm: 16, dpi: 254, format: "pdf" };
  const ordered = await orderExport(server, id, print);
  t.match(await finishedExport(server, ordered), {
    status: "done",
    symmetry: null,
    request: { rosette: { fold: 8, mirrors: true, shape: "disc" } },
    preflight: { cell_mm: 16, repeat_mm: null, repeats: false },
  });

  for (const [rosette, path] of [
    [{ fold: 0 }, "/rosette/fold"],
    [{ fold: 8, mirrors: "yes" }, "/rosette/mirrors"],
    [{ petals: 8 }, "/rosette/petals"],
  ] as const) {
    for (const [target, fields] of [
      ["render", json],
      ["export", print],
    ] as const) {
      const refused = await server.request("POST", `/patterns/${id}/${target}`, {
        json: { ...fields, rosette },
      });
      t.match(refused.json, { status: 422, errors: [{ path }] });
    }
  }
});
