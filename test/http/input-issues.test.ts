/** A refused request lists every invalid place and the expected values. */
import t from "tap";
import { testServer } from "../helpers/server.ts";

t.test("reports the issues of path, query, headers and body at once", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const refused = await server.request("PATCH", `/patterns/none`, {
    json: { motif: { x: 2 }, colour: "red" },
    headers: { "If-Match": "12" },
  });
  t.equal(refused.status, 422);
  t.match(refused.json, {
    code: "validation_failed",
    errors: [
      { in: "path", path: "/id", received: '"none"' },
      { in: "body", path: "/colour" },
      { in: "body", path: "/motif/x" },
      { in: "header", path: "/If-Match", expected: /"12-3"/ },
    ].sort((a, b) => order(a) - order(b)),
  });
  t.equal(refused.json.errors.length, 4);

  const keyed = { json: { preset: 1 }, headers: { "Idempotency-Key": "a b" } };
  const made = await server.request("POST", "/sources/presets", keyed);
  t.match(made.json, {
    code: "validation_failed",
    errors: [
      { in: "body", path: "/preset" },
      { in: "header", path: "/Idempotency-Key" },
    ],
  });

  const headers = { "Idempotency-Key": "a b" };
  const json = { preset: "stripes" };
  const header = await server.request("POST", "/sources/presets", { json, headers });
  t.equal(header.status, 400, "a header alone");
  t.match(header.json, {
    code: "malformed_request",
    detail: /^Idempotency-Key: expected 1 to 255/,
    errors: [{ in: "header", path: "/Idempotency-Key" }],
  });
  const both = await server.request("POST", "/webhooks/none/test", { headers });
  t.match(both.json, { status: 400, errors: [{ in: "path" }, { in: "header" }] });

  const query = await server.request("GET", `/patterns/${id}/render?size=1&dpi=x`);
  t.match(query.json.errors, [
    { in: "query", path: "/size" },
    { in: "query", path: "/dpi" },
  ]);
  t.equal(query.json.errors.length, 2);
  const later = await server.request("GET", "/patterns?cursor=!");
  t.match(later.json.errors, [{ in: "query", path: "/cursor" }], "what an action finds, too");
  const recipe = { mode: "surface", surface_width: 100 };
  const render = await server.request("POST", `/patterns/${id}/render`, { json: recipe });
  t.match(render.json.errors, [{ in: "body", path: "/surface_height" }]);
});

const order = ({ in: place }: { readonly in: string }) => ["path", "body", "header"].indexOf(place);

t.test("reports an unknown field with a suggestion", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const messageOf = async (query: string) =>
    (await server.request("GET", `/patterns/${id}/render?${query}`)).json.errors[0].message;
  const { errors: issues } = (await server.request("GET", `/patterns/${id}/render?sise=64`)).json;
  t.match(issues, [{ expected: /^one of the fields mode, size,/, received: '"64"' }]);
  t.equal(await messageOf("sise=64"), "unknown query field 'sise'; did you mean 'size'?");
  t.equal(
    await messageOf("surfacewidth=64"),
    "unknown query field 'surfacewidth'; did you mean 'surface_width'?",
  );
  t.match(
    await messageOf("colour=red"),
    /^unknown query field 'colour'; expected one of mode, size, /,
  );
  t.match(
    await messageOf(`${"x".repeat(5000)}=1`),
    /^unknown query field 'x{60}…'; expected one of/,
  );
  t.match(await messageOf("%0A=1"), /^unknown query field '\\n'; expected/);
  const json = { motif: { rotatoin: 1 }, nmae: "a" };
  const { errors } = (await server.request("PATCH", `/patterns/${id}`, { json })).json;
  t.match(errors.map(({ message }: { message: string }) => message).sort(), [
    "unknown field 'nmae'; did you mean 'name'?",
    "unknown field 'rotatoin'; did you mean 'rotation'?",
  ]);
});

t.test("rejects a body of another type or encoding with the accepted ones", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const send = (method: string, path: string, headers: Readonly<Record<string, string>>) =>
    // A body of bytes has no type of its own.
    server.request(method, path, { body: Buffer.from("{}"), headers });
  const text = await send("POST", "/sources/upload", { "Content-Type": "text/plain" });
  t.equal(text.status, 415);
  t.equal(text.headers.get("Accept-Post"), "application/json, multipart/form-data");
  t.match(text.json.detail, /application\/json or multipart\/form-data, got text\/plain$/);
  const none = await send("PATCH", `/patterns/${id}`, {});
  t.equal(none.status, 415);
  t.equal(none.headers.get("Accept-Patch"), "application/json");
  t.match(none.json.detail, /got no Content-Type$/);
  const json = { "Content-Type": "application/json" };
  const encoded = await send("POST", "/patterns", { ...json, "Content-Encoding": "zstd" });
  t.equal(encoded.status, 415);
  t.equal(encoded.headers.get("Accept-Encoding"), "identity, gzip, deflate, br");
  t.match(encoded.json.detail, /^Content-Encoding: expected one of .*, got zstd$/);
});
