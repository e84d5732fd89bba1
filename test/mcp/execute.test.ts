/** The legacy route to call a tool, and the manifest. */
import t from "tap";
import { rasterOf } from "../helpers/pictures.ts";
import { testServer } from "../helpers/server.ts";

t.test("returns a tool's result, with a hint at the newer transport", async (t) => {
  const server = await testServer(t);
  const json = { tool: "list_groups", arguments: { limit: 3 } };
  const reply = await server.request("POST", "/mcp/execute", { json });
  t.equal(reply.status, 200);
  t.equal(reply.json.tool, "list_groups");
  t.same(
    reply.json.result.data.map(({ name }: { name: string }) => name),
    ["p1", "p2", "pm"],
  );
  t.match(reply.headers.get("Deprecation"), /^@\d+$/);
  t.equal(reply.headers.get("Link"), '</api/v1/mcp/info>; rel="successor-version"');
  const without = await server.request("POST", "/mcp/execute", { json: { tool: "list_groups" } });
  t.equal(without.json.result.data.length, 17, "arguments may be left out");
});

t.test("returns a picture as base64 beside its facts", async (t) => {
  const server = await testServer(t);
  const pattern_id = await server.makePattern();
  const json = { tool: "render_pattern_tile", arguments: { pattern_id, size: 128 } };
  const { result } = (await server.request("POST", "/mcp/execute", { json })).json;
  t.match(result, { pattern_id, group: "p4", image: { media_type: "image/png" } });
  t.equal(rasterOf(Buffer.from(result.image.data, "base64")).width, 128);
});

t.test("failures are problems with paths", async (t) => {
  const server = await testServer(t);
  const execute = async (tool: unknown, given?: unknown) => {
    const reply = await server.request("POST", "/mcp/execute", {
      json: { tool, ...(given !== undefined && { arguments: given }) },
    });
    const { code, errors = [] } = reply.json;
    return { status: reply.status, code, paths: errors.map(({ path }: { path: string }) => path) };
  };
  const invalid = (...paths: string[]) => ({ status: 422, code: "validation_failed", paths });
  t.match(await execute("sing"), invalid("/tool"));
  t.match(await execute("toString"), invalid("/tool"));
  t.match(await execute(5), invalid("/tool"));
  t.match(await execute("list_groups", 5), invalid("/arguments"));
  t.match(await execute("list_groups", [1]), invalid("/arguments"));
  t.match(await execute("list_groups", { limit: 0 }), invalid("/arguments/limit"));
  t.match(await execute("list_groups", { colour: 1 }), invalid("/arguments/colour"));
  const tile = "render_pattern_tile";
  t.match(await execute(tile, { pattern_id: "x" }), invalid("/arguments/pattern_id"));
  t.match(await execute(tile), invalid("/arguments/pattern_id"));
  const preset = { preset: "nothing", seed: 1 };
  t.match(await execute("generate_preset", preset), invalid("/arguments/preset"));
  t.match(await execute("get_pattern", { pattern_id: 99 }), { status: 404, code: "not_found" });

  const { credits } = (await server.db.accounts.byId(server.account.id)) ?? {};
  t.equal(credits, server.account.credits, "none of it cost anything");
  await server.db.accounts.update(server.account.id, { credits: 0 });
  const made = await execute("generate_preset", { preset: "floral", seed: 1 });
  t.match(made, { status: 402, code: "credits_exhausted" });
  t.match(await execute("list_patterns"), { status: 200 });
});

t.test("the manifest has the expected keys", async (t) => {
  const server = await testServer(t);
  const { json } = await server.request("GET", "/mcp/info");
  t.same(Object.keys(json), [
    "name",
    "version",
    "description",
    "auth",
    "transports",
    "rate_limit_per_minute",
    "tools",
    "claude_desktop_example",
  ]);
  t.match(json, { name: "orbifold", version: "0.1.0", rate_limit_per_minute: 120 });
  t.same(Object.keys(json.auth), ["type", "header", "format", "create_via"]);
  for (const name of ["sse", "stdio", "rest_legacy"]) t.type(json.transports[name], "object");
  t.equal(json.tools.length, 20);
  const { result } = (
    await server.request("POST", "/mcp/execute", { json: { tool: "list_styles" } })
  ).json;
  t.ok(result.data.length > 0, "a tool that it names runs");
  const { command, args, env } = Object.values(json.claude_desktop_example.mcpServers)[0] as never;
  t.same([typeof command, Array.isArray(args), typeof env], ["string", true, "object"]);
  const agency = await server.makeCaller({ plan: "agency" });
  const other = await server.request("GET", "/mcp/info", { as: agency });
  t.equal(other.json.rate_limit_per_minute, 600);
});
