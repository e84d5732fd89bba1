import t from "tap";
import { ROUTES } from "../../server/http/app.ts";
import { PROBLEMS } from "../../server/http/problem.ts";
import { testServer } from "../helpers/server.ts";

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security: readonly object[];
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

async function fetchDocument(url: string): Promise<OpenApi> {
  const response = await fetch(`${url}/api/v1/openapi.json`);
  return (await response.json()) as OpenApi;
}

t.test("the document describes every route and nothing else", async (t) => {
  const { url } = await testServer(t);
  const document = await fetchDocument(url);
  t.equal(document.openapi, "3.1.0");
  const described = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const served = ROUTES.filter(({ hidden }) => !hidden).map(
    ({ method, path }) => `${method} ${path}`,
  );
  t.same(described.toSorted(), served.toSorted());
});

t.test("every reference in the document leads somewhere", async (t) => {
  const { url } = await testServer(t);
  const document = await fetchDocument(url);
  const references = [
    ...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g),
  ];
  t.ok(references.length > 0);
  for (const [reference, section, name] of references) {
    t.ok(document.components[section]?.[name], reference);
  }
});

t.test("every operation says what it takes, answers and costs", async (t) => {
  const { url } = await testServer(t);
  const { paths } = await fetchDocument(url);
  const ids = new Set<string>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const what = `${method} ${path}`;
      t.notOk(ids.has(operation.operationId), `${what}: its own operationId`);
      ids.add(operation.operationId);
      t.match(operation, { summary: /./, description: /(Free of charge|Costs 1 credit)\./ }, what);
      const named = operation.parameters.filter((one) => one.in === "path").map((one) => one.name);
      t.same(
        named,
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
        what,
      );
      const isOpen = !path.startsWith("/api/v1") || path.endsWith("/openapi.json");
      t.equal(operation.security.length === 0, isOpen, `${what}: whether it takes a key`);
      const statuses = Object.keys(operation.responses);
      t.ok(
        statuses.some((status) => status.startsWith("2")),
        what,
      );
      t.equal(statuses.includes("401"), !isOpen, what);
    }
  }
});

t.test("the codes of problems have a page that their type leads to", async (t) => {
  const server = await testServer(t);
  const { json } = await server.request("GET", "/account", { as: null });
  const page = await fetch(new URL(json.type, server.url));
  t.equal(page.status, 200);
  const html = await page.text();
  for (const code of Object.keys(PROBLEMS)) t.match(html, `id="${code}"`);
});

t.test("the catalogues list what the other routes take", async (t) => {
  const server = await testServer(t);
  const list = async (path: string) => (await server.request("GET", path)).json.data;
  const source_id = await server.makeSource();
  const groups = await list("/groups");
  t.equal(groups.length, 17);
  for (const { name, hermann_mauguin, orbifold } of groups) {
    for (const group of [name, hermann_mauguin, orbifold]) {
      const made = await server.request("POST", "/patterns", { json: { source_id, group } });
      t.equal(made.json.group, name, group);
    }
  }
  const id = await server.makePattern();
  const presets = await list("/presets");
  for (const name of ["floral", "marble", "geometric", "voronoi"]) {
    t.match(
      presets.find((preset: { name: string }) => preset.name === name),
      {
        title: /./,
        description: /./,
        parameters: { seed: { type: "integer" } },
      },
    );
  }
  for (const { name } of await list("/palettes")) {
    t.equal(
      (await server.request("PATCH", `/patterns/${id}`, { json: { palette: name } })).status,
      200,
    );
  }
  for (const { name } of await list("/styles")) {
    t.equal(
      (await server.request("PATCH", `/patterns/${id}`, { json: { style: name } })).status,
      200,
    );
  }
  for (const { id: effect, parameters, neutral } of await list("/effects")) {
    const filled = Object.entries<{ default?: unknown }>(parameters).map(([name, schema]) => [
      name,
      schema.default,
    ]);
    for (const params of [Object.fromEntries(filled), neutral]) {
      const json = { effects: [{ id: effect, params }] };
      t.equal((await server.request("PATCH", `/patterns/${id}`, { json })).status, 200, effect);
    }
  }
  for (const effect of await list("/surface-effects")) {
    const surface = { mode: "surface", surface_width: 16, surface_height: 16 };
    const params = Object.fromEntries(
      Object.entries<{ default?: unknown }>(effect.parameters).map(([name, schema]) => [
        name,
        schema.default,
      ]),
    );
    const json = { ...surface, surface_effects: [{ id: effect.id, params }] };
    t.equal((await server.request("POST", `/patterns/${id}/render`, { json })).status, 200);
  }
});
