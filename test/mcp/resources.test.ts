import t from "tap";
import { listResources, RESOURCE_TEMPLATES, readResource } from "../../server/mcp/resources.ts";
import { rasterOf } from "../helpers/pictures.ts";
import { noise, toolbox } from "./toolbox.ts";

const { signal } = new AbortController();

t.test("the list of patterns is paginated, newest first", async (t) => {
  const { services, account, call, makeSource } = await toolbox(t);
  t.same(await listResources(services, account), { resources: [] });
  const source_id = await makeSource();
  const uris = [];
  for (let count = 1; count <= 51; count++) {
    const made = await call("create_pattern", { source_id, group: "p4", name: `No. ${count}` });
    uris.unshift(`orbifold://patterns/${made.id}`);
  }
  const first = await listResources(services, account);
  t.match(first.resources[0], {
    title: "No. 51",
    mimeType: "image/png",
    description: /p4 pattern/,
  });
  const second = await listResources(services, account, first.nextCursor);
  t.same(
    [...first.resources, ...second.resources].map(({ uri }) => uri),
    uris,
  );
  t.notOk("nextCursor" in second);
  await t.rejects(listResources(services, account, "x"), { name: "InvalidInput" });
  t.equal(RESOURCE_TEMPLATES[0].uriTemplate, "orbifold://patterns/{id}");
});

t.test("a pattern's resource has a picture and fields", async (t) => {
  const { services, account, call, makePattern } = await toolbox(t);
  const pattern_id = await makePattern({ name: "Tiles" });
  const uri = `orbifold://patterns/${pattern_id}`;
  const [picture, recipe] = (await readResource(services, account, uri, signal)).contents;
  t.match(picture, { uri, mimeType: "image/png" });
  const { width, height } = rasterOf(Buffer.from(picture?.blob ?? "", "base64"));
  t.same([width, height], [512, 512]);
  t.match(recipe, { uri, mimeType: "application/json" });
  t.same(JSON.parse(recipe?.text ?? ""), await call("get_pattern", { pattern_id }));
});

t.test("compresses a picture that is too large as PNG", async (t) => {
  const { services, account, makePattern } = await toolbox(t);
  const id = await makePattern({ group: "p1", seam: { width: 0 } }, noise(1024));
  const uri = `orbifold://patterns/${id}`;
  const [picture] = (await readResource(services, account, uri, signal)).contents;
  t.equal(picture?.mimeType, "image/jpeg");
  const bytes = Buffer.from(picture?.blob ?? "", "base64");
  t.ok(bytes.byteLength <= 640_000, `${bytes.byteLength} bytes`);
  t.match(await services.engine.inspect(bytes), { width: 512, height: 512 });
});

t.test("missing resources and those of other accounts are not found", async (t) => {
  const { services, account, makePattern, stranger } = await toolbox(t);
  const id = await makePattern();
  const other = await stranger();
  const notFound = { name: "NotFound" };
  const uris = ["orbifold://patterns/999999", "orbifold://patterns/x", "orbifold://sources/1", ""];
  for (const uri of uris) await t.rejects(readResource(services, account, uri, signal), notFound);
  const uri = `orbifold://patterns/${id}`;
  await t.rejects(readResource(services, other.account, uri, signal), notFound);
  t.same((await listResources(services, other.account)).resources, []);
});
