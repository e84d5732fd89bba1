/** The files of messages against each other, the pages' code and the catalogues. */
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import t from "tap";
import { LANGUAGES, type Message } from "../../editor/shared/languages.ts";
import {
  Preflight,
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

/** Folders of messages, by those of the code that uses them: a page has the shared ones, too. */
const FOLDERS = ["app", "console", "shared"] as const;
type Folder = (typeof FOLDERS)[number];

const filesOf = (folder: Folder) =>
  new Map(
    globSync(`editor/messages/${folder}/*.json`).map((path): [string, MessageFile] => [
      basename(path, ".json"),
      JSON.parse(readFileSync(path, "utf8")),
    ]),
  );

const FILES = { app: filesOf("app"), console: filesOf("console"), shared: filesOf("shared") };
const englishOf = (folder: Folder) => FILES[folder].get("en")?.messages ?? {};

/** Whether code of a folder finds a message: shared code runs in both pages. */
const has = (folder: Folder, key: string): boolean =>
  key in englishOf("shared") ||
  (folder === "shared" ? has("app", key) && has("console", key) : key in englishOf(folder));

const textsOf = (message: Message) =>
  typeof message === "string" ? [message] : Object.values(message);

const valuesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

/** A call of `t`: its key as a pattern, and the names of its values. */
interface Call {
  readonly key: RegExp;
  readonly values: readonly string[];
}

interface Uses {
  readonly calls: Call[];
  /** All texts of the code, keys among them. */
  readonly literals: Set<unknown>;
}

const usesIn = (folder: Folder) =>
  globSync(`editor/${folder}/**/*.{ts,tsx}`).reduce<Uses>(addUses, {
    calls: [],
    literals: new Set(),
  });

function addUses({ calls, literals }: Uses, path: string): Uses {
  new Visitor({
    Literal: ({ value }) => void literals.add(value),
    CallExpression({ callee, arguments: [key, values] }) {
      if (callee.type !== "Identifier" || !/^(t|rich)$/.test(callee.name)) return;
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
  return { calls, literals };
}

const USES = { app: usesIn("app"), console: usesIn("console"), shared: usesIn("shared") };

for (const folder of FOLDERS) checkFolder(folder);

function checkFolder(folder: Folder): void {
  const english = englishOf(folder);
  const { calls, literals } = USES[folder];
  const users = FOLDERS.filter((one) => one === folder || [one, folder].includes("shared"));

  t.test(`every language has a file: ${folder}`, async (t) => {
    t.same([...FILES[folder].keys()].sort(), Object.keys(LANGUAGES).sort());
  });

  t.test(`every message is used: ${folder}`, async (t) => {
    const unused = Object.keys(english).filter(
      (key) =>
        !users.some(
          (user) =>
            USES[user].literals.has(key) || USES[user].calls.some((call) => call.key.test(key)),
        ),
    );
    t.same(unused, []);
  });

  t.test(`the code uses messages that its page has: ${folder}`, async (t) => {
    const keys = new Set(FOLDERS.flatMap((one) => Object.keys(englishOf(one))));
    const foreign = [...literals].filter(
      (text) => typeof text === "string" && keys.has(text) && !has(folder, text),
    );
    t.same(foreign, []);
    for (const { key } of calls) {
      t.ok(
        [...keys].some((one) => key.test(one) && has(folder, one)),
        String(key),
      );
    }
  });

  t.test(`the code gives every message its values: ${folder}`, async (t) => {
    for (const [key, message] of Object.entries(english)) {
      const wanted = new Set(textsOf(message).flatMap(valuesIn));
      if (typeof message !== "string") wanted.add("count");
      const found = users.flatMap((user) => USES[user].calls).filter((call) => call.key.test(key));
      for (const { values } of found) t.same([...values].sort(), [...wanted].sort(), key);
    }
  });

  for (const [language, file] of FILES[folder]) checkFile(`${folder}, ${language}`, file, english);
}

function checkFile(
  name: string,
  { messages, catalogue = {} }: MessageFile,
  english: MessageFile["messages"],
): void {
  const [, language] = name.split(", ");
  t.test(`the messages have the same values and all plurals: ${name}`, async (t) => {
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

  t.test(`the catalogue's names are those of something: ${name}`, async (t) => {
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
  ...Preflight.properties.warnings.items.properties.code.enum.map((code) => `warning.${code}`),
  ...parameters.map(([name]) => `parameter.${name}`),
  ...parameters.flatMap(([, schema]) => (schema.enum ?? []).map((value) => `value.${value}`)),
]);
