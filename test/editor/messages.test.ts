/** The files of messages against each other, the pages' code and the catalogues. */
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import t from "tap";
import { LANGUAGES, type Message } from "../../editor/shared/languages.ts";
import {
  palettes,
  patternEffects,
  presets,
  products,
  styles,
  surfaceEffects,
} from "../../engine/index.ts";

interface MessageFile {
  readonly messages: Readonly<Record<string, Message>>;
  readonly catalogue?: Readonly<Record<string, string>>;
}

const FILES = new Map(
  globSync("editor/messages/*.json").map((path): [string, MessageFile] => [
    basename(path, ".json"),
    JSON.parse(readFileSync(path, "utf8")),
  ]),
);
const english = FILES.get("en")?.messages ?? {};

const textsOf = (message: Message) =>
  typeof message === "string" ? [message] : Object.values(message);

const valuesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

/** A call of `t`: its key as a pattern, and the names of its values. */
interface Call {
  readonly key: RegExp;
  readonly values: readonly string[];
}

const calls: Call[] = [];
/** All texts of the code, keys among them. */
const literals = new Set<unknown>();

for (const path of globSync("editor/{app,console,shared}/**/*.{ts,tsx}")) {
  new Visitor({
    Literal: ({ value }) => void literals.add(value),
    CallExpression({ callee, arguments: [key, values] }) {
      if (callee.type !== "Identifier" || callee.name !== "t") return;
      const texts =
        key?.type === "TemplateLiteral" ? key.quasis.map(({ value }) => value.cooked ?? "") : [];
      if (key?.type === "Literal") texts.push(String(key.value));
      if (texts.length === 0) return;
      const names =
        values?.type === "ObjectExpression"
          ? values.properties.flatMap((one) =>
              one.type === "Property" && one.key.type === "Identifier" ? [one.key.name] : [],
            )
          : [];
      const pattern = texts.map((text) => RegExp.escape(text)).join("[\\w-]+");
      calls.push({ key: new RegExp(`^${pattern}$`), values: names });
    },
  }).visit(parseSync(path, readFileSync(path, "utf8")).program);
}

t.test("every language has a file", async (t) => {
  t.same([...FILES.keys()].sort(), Object.keys(LANGUAGES).sort());
});

t.test("every message is used", async (t) => {
  const unused = Object.keys(english).filter(
    (key) => !literals.has(key) && !calls.some((call) => call.key.test(key)),
  );
  t.same(unused, []);
});

t.test("the code gives every message its values", async (t) => {
  for (const [key, message] of Object.entries(english)) {
    const wanted = new Set(textsOf(message).flatMap(valuesIn));
    const isPlural = typeof message !== "string";
    for (const { values } of calls.filter((call) => call.key.test(key))) {
      t.same([...values].sort(), [...wanted, ...(isPlural ? ["count"] : [])].sort(), key);
    }
  }
});

for (const [language, { messages, catalogue = {} }] of FILES) {
  t.test(`the messages have the same values and all plurals: ${language}`, async (t) => {
    t.same(Object.keys(messages), Object.keys(english), "in the same order");
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const [key, message] of Object.entries(messages)) {
      const model = english[key];
      t.equal(typeof message, typeof model, key);
      for (const text of textsOf(message)) {
        t.same(valuesIn(text), valuesIn(textsOf(model)[0] ?? ""), key);
      }
      if (typeof message === "string") continue;
      t.ok("other" in message, `${key} has a text for any number`);
      t.same(
        Object.keys(message).filter((one) => !pluralCategories.some((known) => known === one)),
        [],
      );
    }
  });

  t.test(`the catalogue's names are those of something: ${language}`, async (t) => {
    t.same(
      Object.keys(catalogue).filter((key) => !NAMES.has(key)),
      [],
    );
  });
}

const named = (kind: string, rows: readonly { readonly id: string }[]) =>
  rows.flatMap(({ id }) => [`${kind}.${id}`, `${kind}.${id}.description`]);

const parameters = [...patternEffects, ...surfaceEffects].flatMap(({ params }) =>
  Object.entries<{ readonly enum?: readonly string[] }>(params.properties),
);

const NAMES = new Set([
  ...named("preset", presets),
  ...named("palette", palettes),
  ...named("style", styles),
  ...named("effect", patternEffects),
  ...named("surface", surfaceEffects),
  ...named("product", products),
  ...parameters.map(([name]) => `parameter.${name}`),
  ...parameters.flatMap(([, schema]) => (schema.enum ?? []).map((value) => `value.${value}`)),
]);
