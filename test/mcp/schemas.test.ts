/** The texts that a model reads before it calls a tool. */
import t from "tap";
import { LISTED_TOOLS } from "../../server/mcp/listings.ts";
import { TOOLS } from "../../server/mcp/tools/index.ts";
import { judge } from "./toolbox.ts";

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
}

/** Every property of an input, however deep, with its place. */
function propertiesOf(schema: Schema, place: string): [string, Schema][] {
  const members = Object.entries(schema.properties ?? {}).flatMap<[string, Schema]>(
    ([name, member]) => [[`${place}.${name}`, member], ...propertiesOf(member, `${place}.${name}`)],
  );
  const within = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])];
  return [...members, ...within.flatMap((one) => propertiesOf(one, place))];
}

const inputs = LISTED_TOOLS.map(({ name, inputSchema }) => [name, inputSchema as Schema] as const);

t.test("lists the tools in the documented order", async (t) => {
  t.same(
    TOOLS.map(({ name }) => name),
    [
      "list_groups",
      "list_effects",
      "list_surface_effects",
      "list_palettes",
      "list_styles",
      "upload_source_from_base64",
      "create_pattern",
      "create_pattern_from_url",
      "generate_preset",
      "cleanup_presets",
      "list_patterns",
      "get_pattern",
      "update_pattern",
      "delete_pattern",
      "render_pattern_tile",
      "render_pattern_surface",
      "render_aperiodic",
      "render_frieze",
      "render_rosette",
      "validate_symmetry",
    ],
  );
});

t.test("inputs are plain objects without additional properties", async (t) => {
  for (const [name, schema] of inputs) {
    t.match(schema, { type: "object", additionalProperties: false }, name);
    for (const keyword of ["anyOf", "oneOf", "allOf", "$ref"]) t.notOk(keyword in schema, name);
  }
});

t.test("every property has a description, and numbers a range", async (t) => {
  for (const [name, schema] of inputs) {
    for (const [place, property] of propertiesOf(schema, name)) {
      t.ok(property.description, `${place} is described`);
      if (property.type !== "integer" && property.type !== "number") continue;
      t.type(property.minimum, "number", `${place} has a minimum`);
      t.type(property.maximum, "number", `${place} has a maximum`);
    }
  }
});

t.test("properties with defaults are optional, and updates have none", async (t) => {
  for (const [name, schema] of inputs) {
    for (const [property, { default: preset }] of Object.entries(schema.properties ?? {})) {
      if (preset !== undefined) t.notOk(schema.required?.includes(property), `${name}.${property}`);
    }
    if (name !== "update_pattern") continue;
    for (const [place, property] of propertiesOf(schema, name))
      t.notOk("default" in property, place);
    t.same(schema.required, ["pattern_id"]);
  }
});

t.test("the example in each description is a valid call", async (t) => {
  for (const tool of TOOLS) {
    const listed = LISTED_TOOLS.find(({ name }) => name === tool.name);
    const example = JSON.parse(/\nExample: (.*)$/.exec(tool.description)?.[1] ?? "null");
    const validate = judge().compile(listed?.inputSchema ?? false);
    t.ok(validate(example), `${tool.name} ${JSON.stringify(validate.errors)}`);
    t.doesNotThrow(() => tool.check(example), tool.name);
  }
});

t.test("schemas compile in strict mode and reject unknown properties", async (t) => {
  for (const { name, inputSchema, outputSchema } of LISTED_TOOLS) {
    t.notOk(judge().compile(inputSchema)({ nonsense: 1 }), name);
    if (outputSchema) t.notOk(judge().compile(outputSchema)({ nonsense: 1 }), name);
    const tool = TOOLS.find((one) => one.name === name);
    t.throws(() => tool?.check({ nonsense: 1 }), { name: "InvalidInput" }, name);
  }
});

t.test("only tools without a picture have an output schema", async (t) => {
  for (const tool of TOOLS) {
    const listed = LISTED_TOOLS.find(({ name }) => name === tool.name);
    t.equal(listed?.outputSchema !== undefined, tool.kind === "data", tool.name);
  }
});

t.test("descriptions state costs, and only tools with network access are open-world", async (t) => {
  const paid = TOOLS.filter(({ description }) => description.includes("Costs 1 credit."));
  t.same(
    paid.map(({ name }) => name),
    ["create_pattern", "create_pattern_from_url", "generate_preset"],
  );
  const open = LISTED_TOOLS.filter(({ annotations }) => annotations?.openWorldHint);
  t.same(
    open.map(({ name }) => name),
    ["create_pattern_from_url"],
  );
  const removing = LISTED_TOOLS.filter(({ annotations }) => annotations?.destructiveHint);
  t.same(
    removing.map(({ name }) => name),
    ["cleanup_presets", "update_pattern", "delete_pattern"],
  );
});
