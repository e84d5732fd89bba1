import { createHash } from "node:crypto";
import sharp from "sharp";
import t from "tap";
import { bytesOf } from "../../engine/image/samples.ts";
import { lastLevel, prepareLevels } from "../../engine/image/source-levels.ts";
import { faded, photograph, pngOf, rasterOf } from "../helpers/pictures.ts";
import { etagOf, testServer } from "../helpers/server.ts";

const png = Buffer.from(pngOf(photograph(40, 30)));

function formWith(bytes: Uint8Array<ArrayBuffer>, field = "file"): FormData {
  const form = new FormData();
  form.append(field, new Blob([bytes]), "picture.png");
  return form;
}

/** More bytes than a field of a form may have. */
const LARGE = Buffer.from(pngOf(photograph(300, 200)));

t.test("creates a source from a preset for one credit, the same for the same seed", async (t) => {
  const server = await testServer(t);
  const make = (json: object) => server.request("POST", "/sources/presets", { json });
  const first = await make({ preset: "floral", seed: 7 });
  t.equal(first.status, 201);
  t.match(first.json, { kind: "preset", preset: "floral", seed: 7, media_type: "image/png" });
  const second = await make({ preset: "floral", seed: 7 });
  t.equal(second.json.sha256, first.json.sha256);
  t.not((await make({ preset: "floral", seed: 8 })).json.sha256, first.json.sha256);
  const drawn = await make({ preset: "marble" });
  t.ok(Number.isSafeInteger(drawn.json.seed), "a missing seed is drawn and returned");
  const account = await server.request("GET", "/account");
  t.equal(account.json.credits, server.account.credits - 4);

  const image = await server.request("GET", `/sources/${first.json.id}/image`);
  const { width, height } = rasterOf(image.bytes);
  t.same([width, height], [first.json.width, first.json.height]);
});

t.test("uploads a picture as a form, free of charge", async (t) => {
  const server = await testServer(t);
  const made = await server.request("POST", "/sources/upload", { body: formWith(png) });
  t.equal(made.status, 201);
  const sha256 = createHash("sha256").update(png).digest("hex");
  t.match(made.json, { kind: "upload", preset: null, width: 40, height: 30, sha256 });
  const image = await server.request("GET", `/sources/${made.json.id}/image`);
  t.ok(image.bytes.equals(png), "and comes back as it was");
  t.equal(image.headers.get("Content-Type"), "image/png");
  t.equal((await server.request("GET", "/account")).json.credits, server.account.credits);
});

t.test("a form's file needs no media type", async (t) => {
  const server = await testServer(t);
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="photo"\r\n\r\n';
  const body = Buffer.concat([Buffer.from(head), LARGE, Buffer.from("\r\n--x--\r\n")]);
  const headers = { "Content-Type": "multipart/form-data; boundary=x" };
  const { status, json } = await server.request("POST", "/sources/upload", { body, headers });
  t.equal(status, 201);
  t.match(json, { media_type: "image/png", width: 300, height: 200 });
});

t.test("uploads a picture as base64: standard, URL-safe or with line breaks", async (t) => {
  const server = await testServer(t);
  const plain = png.toString("base64");
  const lines = plain.replace(/.{76}/g, "$&\r\n");
  for (const data of [plain, png.toString("base64url"), lines]) {
    const json = { data, filename: "picture.png" };
    const made = await server.request("POST", "/sources/upload", { json });
    t.equal(made.status, 201);
    t.equal(made.json.sha256, createHash("sha256").update(png).digest("hex"));
  }
  const odd = await server.request("POST", "/sources/upload", { json: { data: "data:image/png" } });
  t.equal(odd.status, 422);
  t.match(odd.json.errors, [{ path: "/data", received: ":" }]);
});

t.test("responds 304 to a matching If-None-Match of a source", async (t) => {
  const server = await testServer(t);
  const path = `/sources/${await server.makeSource()}/image`;
  const tag = (await server.request("GET", path)).headers.get("ETag");
  const again = await server.request("GET", path, { headers: { "If-None-Match": `"x", ${tag}` } });
  t.equal(again.status, 304);
});

t.test("an SVG cannot run scripts in a browser", async (t) => {
  const server = await testServer(t);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><script>1</script><rect width="9" height="9"/></svg>`;
  const body = formWith(Buffer.from(svg));
  const made = await server.request("POST", "/sources/upload", { body });
  t.equal(made.status, 201);
  t.equal(made.json.media_type, "image/svg+xml");
  const image = await server.request("GET", `/sources/${made.json.id}/image`);
  t.match(image.headers.get("Content-Security-Policy"), /default-src 'none';.*sandbox/);
});

t.test("deletes a source unless a pattern uses it", async (t) => {
  const server = await testServer(t);
  const source_id = await server.makeSource();
  const path = `/sources/${source_id}`;
  const pattern = await server.request("POST", "/patterns", { json: { source_id, group: "p6" } });
  const refused = await server.request("DELETE", path);
  t.equal(refused.status, 409);
  t.equal(refused.json.code, "conflict");
  await server.request("DELETE", `/patterns/${pattern.json.id}`);
  t.equal((await server.request("DELETE", path)).status, 204);
  t.equal((await server.request("GET", path)).status, 404);
});

t.test("the list of sources is paginated", async (t) => {
  const server = await testServer(t);
  const ids = [await server.makeSource(), await server.makeSource(), await server.makeSource()];
  const first = (await server.request("GET", "/sources?limit=2")).json;
  const rest = (await server.request("GET", `/sources?cursor=${first.next_cursor}`)).json;
  t.same(
    [...first.data, ...rest.data].map(({ id }) => id),
    ids.toReversed(),
  );
  t.equal(rest.next_cursor, null);
});

t.test("creates nothing without credits", async (t) => {
  const server = await testServer(t);
  const poor = await server.makeCaller({ credits: 0 });
  const uploaded = await server.request("POST", "/sources/upload", {
    as: poor,
    body: formWith(png),
  });
  t.equal(uploaded.status, 201, "what is free still works");
  const preset = await server.request("POST", "/sources/presets", {
    as: poor,
    json: { preset: "floral" },
  });
  t.equal(preset.status, 402);
  t.equal(preset.json.code, "credits_exhausted");
  const json = { source_id: uploaded.json.id, group: "p1" };
  const pattern = await server.request("POST", "/patterns", { as: poor, json });
  t.equal(pattern.json.code, "credits_exhausted");
  const sources = await server.request("GET", "/sources", { as: poor });
  t.equal(sources.json.data.length, 1);
});

t.test("rejects a form without a file, with another field or with two files", async (t) => {
  const server = await testServer(t);
  const upload = (body: FormData) => server.request("POST", "/sources/upload", { body });
  t.match((await upload(formWith(png, "picture"))).json.errors, [
    { path: "/file", received: "nothing" },
    { path: "/picture" },
  ]);
  const text = new FormData();
  text.append("file", "no file");
  t.match((await upload(text)).json.errors, [{ path: "/file", expected: "a file" }]);
  const two = formWith(png);
  two.append("file", new Blob([png]), "second.png");
  t.equal((await upload(two)).json.code, "malformed_request");
});

t.test("returns the levels that renders sample, without loss", async (t) => {
  const server = await testServer(t);
  for (const picture of [photograph(90, 61), faded(photograph(90, 61))]) {
    const body = formWith(Buffer.from(pngOf(picture)));
    const { id } = (await server.request("POST", "/sources/upload", { body })).json;
    const levels = prepareLevels(picture);
    for (const level of [0, 1, 4, lastLevel(picture)]) {
      const reply = await server.request("GET", `/sources/${id}/levels/${level}`);
      const { pixels, channels } = rasterOf(reply.bytes);
      t.equal(channels, picture.channels);
      t.strictSame(pixels, bytesOf(levels.level(level)), `level ${level}`);
      const headers = { "If-None-Match": etagOf(reply) };
      const again = await server.request("GET", `/sources/${id}/levels/${level}`, { headers });
      t.equal(again.status, 304);
    }
    const beyond = `/sources/${id}/levels/${lastLevel(picture) + 1}`;
    t.equal((await server.request("GET", beyond)).status, 404);
  }
});

t.test("sends no level of more than 4 megapixels", async (t) => {
  const server = await testServer(t);
  const flat = sharp({ create: { width: 2049, height: 2048, channels: 3, background: "#456" } });
  const body = formWith(Buffer.from(await flat.png().toBuffer()));
  const { id } = (await server.request("POST", "/sources/upload", { body })).json;
  t.equal((await server.request("GET", `/sources/${id}/levels/0`)).status, 404);
  t.equal((await server.request("GET", `/sources/${id}/levels/1`)).status, 200);
  const other = await server.makeCaller({});
  t.equal((await server.request("GET", `/sources/${id}/levels/1`, { as: other })).status, 404);
});
