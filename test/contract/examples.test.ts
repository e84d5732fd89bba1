import t from "tap";
import { testServer } from "../helpers/server.ts";
import {
  createSchemaValidator,
  escapePointer,
  examplesOf,
  fetchDocument,
  isJson,
  type MediaType,
  operationsOf,
  resolved,
} from "./document.ts";

t.test("every JSON body and response has examples that match its schema", async (t) => {
  const { url } = await testServer(t);
  const document = await fetchDocument(url);
  const validate = createSchemaValidator(document);
  const check = (pointer: string, content: Readonly<Record<string, MediaType>> = {}) => {
    for (const [type, media] of Object.entries(content)) {
      if (!isJson(type)) continue;
      const examples = examplesOf(media);
      t.ok(examples.length > 0, `${pointer} ${type} has an example`);
      for (const example of examples) {
        t.equal(
          validate(`${pointer}/content/${escapePointer(type)}/schema`, example),
          null,
          pointer,
        );
      }
    }
  };
  for (const { operation, pointer } of operationsOf(resolved(document))) {
    check(`${pointer}/requestBody`, operation.requestBody?.content);
    for (const [status, { content }] of Object.entries(operation.responses)) {
      check(`${pointer}/responses/${status}`, content);
    }
    operation.parameters.forEach((parameter, index) => {
      const place = `${pointer}/parameters/${index}`;
      check(place, parameter.content);
      if (parameter.in !== "path") return;
      t.equal(validate(`${place}/schema`, parameter.example), null, `${place} has an example`);
    });
  }
});

t.test("examples within schemas match them", async (t) => {
  const { url } = await testServer(t);
  const document = await fetchDocument(url);
  const validate = createSchemaValidator(document);
  let judged = 0;
  const run = (value: unknown, pointer: string, isSchema: boolean) => {
    if (typeof value !== "object" || value === null) return;
    const { examples }: { examples?: unknown } = value;
    if (isSchema && Array.isArray(examples)) {
      judged += examples.length;
      for (const example of examples) t.equal(validate(pointer, example), null, pointer);
    }
    for (const [name, member] of Object.entries(value)) {
      if (name === "examples" || name === "example" || name === "default") continue;
      const within = isSchema || name === "schema" || pointer === "#/components/schemas";
      run(member, `${pointer}/${escapePointer(name)}`, within);
    }
  };
  run(document, "#", false);
  t.ok(judged > 20, `${judged} examples`);
});
