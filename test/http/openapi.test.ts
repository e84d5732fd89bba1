import t from "tap";
import { FAILURES } from "../../server/actions/failures.ts";
import { ROUTES } from "../../server/http/app.ts";
import { fetchDocument, operationsOf, resolved } from "../contract/document.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";
import { testServer } from "../helpers/server.ts";

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

t.test("every reference in the document resolves", async (t) => {
  const { url } = await testServer(t);
  const document = await fetchDocument(url);
  const references = [
    ...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g),
  ];
  t.ok(references.length > 0);
  for (const [reference, section, name] of references) {
    t.ok(document.components[section]?.[name], reference);
  }
});

/** Public operations. */
const OPEN = new Set([
  "/healthz",
  "/readyz",
  "/docs",
  "/docs/problems",
  "/api/v1/openapi.json",
  "/api/v1/auth/signup",
  "/api/v1/auth/login",
  "/api/v1/auth/verify-email",
  "/api/v1/auth/password-reset",
  "/api/v1/auth/password-reset/confirm",
  "/api/v1/embed/sessions",
  "/api/v1/renders/{name}",
]);

t.test("every operation documents its input, responses and cost", async (t) => {
  const { url } = await testServer(t);
  const { paths } = resolved(await fetchDocument(url));
  const ids = new Set<string>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const what = `${method} ${path}`;
      t.notOk(ids.has(operation.operationId), `${what}: its own operationId`);
      ids.add(operation.operationId);
      t.match(
        operation,
        { summary: /./, description: /(Free of charge|Costs 1 credit( for each palette)?)\./ },
        what,
      );
      const named = operation.parameters.filter((one) => one.in === "path").map((one) => one.name);
      t.same(
        named,
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
        what,
      );
      const isOpen = OPEN.has(path);
      t.equal(operation.security.length === 0, isOpen, `${what}: whether it takes a key`);
      const statuses = Object.keys(operation.responses);
      t.ok(
        statuses.some((status) => status.startsWith("2")),
        what,
      );
      t.equal(statuses.includes("401"), !isOpen || path === "/api/v1/auth/login", what);
    }
  }
});

t.test("creations have a Location", async (t) => {
  const { url } = await testServer(t);
  const operations = operationsOf(resolved(await fetchDocument(url)));
  // Responses of MCP's transports arrive on streams; a message is not a resource.
  const creating = operations.filter(
    ({ path, operation: { responses } }) =>
      responses[201] || (responses[202] && !/^\/api\/v1\/(?:mcp|auth)/.test(path)),
  );
  t.ok(creating.length > 10);
  for (const { operation } of creating) {
    const { headers } = operation.responses[201] ?? operation.responses[202];
    t.match(headers, { Location: { required: true } }, operation.operationId);
  }
});

t.test("the document has no long duplicates", async (t) => {
  const { url } = await testServer(t);
  const document = await fetchDocument(url);
  const places = new Map<string, string[]>();
  const walk = (value: unknown, pointer: string) => {
    if (typeof value !== "object" || value === null) return;
    const text = JSON.stringify(value);
    // Schemas, parameters and problems; examples are copies.
    if (/"(type|schema|\$ref)":/.test(text) && text.length > 2000) {
      places.set(text, [...(places.get(text) ?? []), pointer]);
    }
    for (const [name, member] of Object.entries(value)) {
      if (!/^examples?$/.test(name)) walk(member, `${pointer}/${name}`);
    }
  };
  walk(document, "#");
  t.same(
    [...places.values()].filter((pointers) => pointers.length > 1),
    [],
  );
  const problems = operationsOf(document).flatMap(({ operation, pointer }) =>
    Object.entries(operation.responses)
      .filter(([status, response]) => /^[45]/.test(status) && !("$ref" in response))
      .map(([status]) => `${pointer}/${status}`),
  );
  t.same(problems, [], "problems are references");
});

t.test("operation ids are readable names", async (t) => {
  const { url } = await testServer(t);
  const ids = operationsOf(await fetchDocument(url)).map(({ operation }) => operation.operationId);
  for (const id of ids) t.match(id, /^[a-z]+([A-Z][a-z]+)*$/);
  for (const id of ["renderPattern", "createPattern", "listPatterns"]) t.ok(ids.includes(id), id);
});

t.test("the types of problems link to their documentation", async (t) => {
  const server = await testServer(t);
  const { json } = await server.request("GET", "/account", { as: null });
  const page = await fetch(new URL(json.type, server.url));
  t.equal(page.status, 200);
  const html = await page.text();
  for (const code of Object.keys(FAILURES)) t.match(html, `id="${code}"`);
});

t.test("the catalogues list what other routes accept", async (t) => {
  const server = await testServer(t);
  // More requests than a trial account may make in a minute.
  const as = await server.makeCaller({ plan: "agency" });
  const send = (method: string, path: string, json?: object) =>
    server.request(method, path, { as, ...(json && { json }) });
  const list = async (path: string) => {
    const { data } = (await send("GET", path)).json;
    t.ok(data.length > 10, path);
    return data;
  };
  const data = Buffer.from(pngOf(photograph(96, 64))).toString("base64");
  const source_id = (await send("POST", "/sources/upload", { data })).json.id;
  const { id } = (await send("POST", "/patterns", { source_id, group: "p4" })).json;
  const change = async (json: object) => (await send("PATCH", `/patterns/${id}`, json)).status;
  const groups = await list("/groups");
  t.equal(groups.length, 17);
  for (const { name, hermann_mauguin, orbifold } of groups) {
    for (const group of [name, hermann_mauguin, orbifold]) {
      t.equal((await send("POST", "/patterns", { source_id, group })).json.group, name, group);
    }
  }
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
  for (const { name } of await list("/palettes")) t.equal(await change({ palette: name }), 200);
  for (const { name } of await list("/styles")) t.equal(await change({ style: name }), 200);
  for (const { id: effect, parameters, neutral } of await list("/effects")) {
    for (const params of [defaultsOf(parameters), neutral]) {
      t.equal(await change({ effects: [{ id: effect, params }] }), 200, effect);
    }
  }
  for (const { id: effect, parameters } of await list("/surface-effects")) {
    const surface = { mode: "surface", surface_width: 16, surface_height: 16 };
    const json = { ...surface, surface_effects: [{ id: effect, params: defaultsOf(parameters) }] };
    t.equal((await send("POST", `/patterns/${id}/render`, json)).status, 200, effect);
  }
});

function defaultsOf(parameters: Readonly<Record<string, { readonly default?: unknown }>>) {
  const entries = Object.entries(parameters);
  return Object.fromEntries(entries.map(([name, schema]) => [name, schema.default]));
}
