import t from "tap";
import { INSTRUCTIONS } from "../../server/mcp/instructions.ts";
import { getPrompt, listPrompts } from "../../server/mcp/prompts.ts";
import { TOOLS } from "../../server/mcp/tools/index.ts";

const names = new Set(TOOLS.map(({ name }) => name));
const given: Readonly<Record<string, Record<string, string>>> = {
  seamless_pattern_from_photo: { url: "https://example.com/a.jpg", group: "*442" },
  product_variations: { product: "a tote bag", mood: "late summer" },
  check_symmetry: { pattern_id: "12" },
};

/** Words that look like tools. */
const mentioned = (text: string) =>
  text.match(/\b(list|get|create|update|delete|render|validate|generate|upload|cleanup)_\w+/g) ??
  [];

t.test("every prompt has a description and contains its arguments", async (t) => {
  t.same(
    listPrompts().map(({ name }) => name),
    Object.keys(given),
  );
  for (const { name, description, arguments: taken } of listPrompts()) {
    t.ok(description);
    for (const argument of taken) t.ok(argument.description, `${name} ${argument.name}`);
    const { messages } = getPrompt(name, given[name] ?? {});
    t.equal(messages.length, 1);
    const text = messages[0]?.content.text ?? "";
    for (const [argument, value] of Object.entries(given[name] ?? {})) {
      t.match(text, value === "*442" ? "p4m" : value, argument);
    }
  }
});

t.test("prompts and instructions name existing tools only", async (t) => {
  const texts = Object.entries(given).map(
    ([name, values]) => getPrompt(name, values).messages[0]?.content.text ?? "",
  );
  for (const text of [...texts, INSTRUCTIONS]) {
    t.ok(mentioned(text).length > 2);
    for (const tool of mentioned(text)) t.ok(names.has(tool), tool);
  }
});

t.test("optional arguments have defaults", async (t) => {
  const [message] = getPrompt("seamless_pattern_from_photo", { url: "https://a.test/" }).messages;
  t.match(message?.content.text, "group p4m");
  const [plain] = getPrompt("product_variations", { product: "a mug" }).messages;
  t.notMatch(plain?.content.text, "undefined");
});

t.test("rejects invalid arguments of a prompt with paths", async (t) => {
  const cases = [
    ["nonsense", {}, "/name"],
    ["check_symmetry", {}, "/pattern_id"],
    ["check_symmetry", { pattern_id: "twelve" }, "/pattern_id"],
    ["seamless_pattern_from_photo", { url: " " }, "/url"],
    ["seamless_pattern_from_photo", { url: "https://a.test/", group: "p5" }, "/group"],
    ["product_variations", { product: "a mug", colour: "red" }, "/colour"],
  ] as const;
  for (const [name, values, path] of cases) {
    t.throws(() => getPrompt(name, values), { name: "InvalidInput", issues: [{ path }] });
  }
});

t.test("the instructions are below 2 kB", async (t) => {
  t.ok(Buffer.byteLength(INSTRUCTIONS) < 2000);
});
