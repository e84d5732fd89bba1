/** The maps with which the editor draws products. */
import t from "tap";
import { unpackMap } from "../../engine/mockup-core.ts";
import { bearer, beginSession, open } from "../helpers/guest-sessions.ts";
import { mapOf } from "../helpers/mockups.ts";
import { testServer } from "../helpers/server.ts";

t.test("users and guests load the maps that the editor's page names, and cache them", async (t) => {
  const server = await testServer(t);
  const page = await (await fetch(`${server.url}/editor`)).text();
  const [, version] = /data-maps="([0-9a-f]+)"/.exec(page) ?? [];
  const path = `/mockup-maps/${version}/mug/128`;

  const map = await server.request("GET", path);
  t.equal(map.status, 200);
  t.equal(map.headers.get("Cache-Control"), "private, max-age=31536000, immutable");
  t.equal(map.headers.get("Content-Type"), "application/octet-stream");
  t.ok(map.bytes.length < 40_000, `${map.bytes.length} bytes`);
  const { header } = mapOf([await unpackMap(new Uint8Array(map.bytes))]);
  t.equal(header.size, 128);

  const { token } = await beginSession(server);
  const guests = await server.request("GET", path, bearer(token));
  t.equal(Buffer.compare(guests.bytes, map.bytes), 0);

  t.equal((await server.request("GET", path, open)).status, 401);
  const other = (name: string) => server.request("GET", `/mockup-maps/${name}`);
  t.equal((await other("0123456789abcdef/mug/128")).status, 404, "of another release");
  t.equal((await other(`${version}/teapot/128`)).status, 404);
  t.equal((await other(`${version}/mug/4096`)).status, 404, "nobody has the service make any size");
});
