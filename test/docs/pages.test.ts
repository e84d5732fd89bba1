/** The pages are self-contained: their shell lines can be pasted, and their links lead to files. */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import t from "tap";
import { VARIABLES } from "../../server/variables.ts";

const ROOT = new URL("../../", import.meta.url);

/** The Markdown files of a folder, relative to the root. */
async function markdownIn(folder: string): Promise<string[]> {
  const names = await readdir(new URL(folder, ROOT));
  return names.filter((name) => name.endsWith(".md")).map((name) => `${folder}${name}`);
}

/** Upper-case variables that a shell block reads, and those that it sets. */
function variablesOf(block: string): { readonly reads: string[]; readonly sets: string[] } {
  const names = (pattern: RegExp) => [...block.matchAll(pattern)].map(([, name = ""]) => name);
  return { reads: names(/\$\{?([A-Z]+)\b(?!:-)/g), sets: names(/^([A-Z]+)=/gm) };
}

t.test("a page sets the variables that its shell lines read", async (t) => {
  let read = 0;
  for (const path of ["README.md", ...(await markdownIn("docs/"))]) {
    const page = await readFile(new URL(path, ROOT), "utf8");
    const known = new Set<string>();
    for (const [, block = ""] of page.matchAll(/^```(?:sh|bash)\n(.*?)^```$/gms)) {
      const { reads, sets } = variablesOf(block);
      for (const name of sets) known.add(name);
      for (const name of reads) t.ok(known.has(name), `${path}: $${name}`);
      read += reads.length;
    }
  }
  t.ok(read > 40, "most pages read some");
});

t.test("links and listed files exist", async (t) => {
  const pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...(await markdownIn("docs/"))];
  let links = 0;
  for (const path of [...pages, ...(await markdownIn("docs/adr/"))]) {
    const page = await readFile(new URL(path, ROOT), "utf8");
    for (const [, link = ""] of page.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)) {
      t.ok(existsSync(new URL(link, new URL(path, ROOT))), `${path}: ${link}`);
      links += 1;
    }
  }
  t.ok(links > 100, `${links} links`);
  const architecture = await readFile(new URL("docs/architecture.md", ROOT), "utf8");
  const listed = architecture.matchAll(/`((?:db|engine|scenes|server|shaders|test)\/[\w./-]+)`/g);
  const files = [...listed]
    .map(([, file = ""]) => file)
    .filter((file) => !/NAME|NOUN|ID/.test(file));
  t.ok(files.length > 40);
  for (const file of files) t.ok(existsSync(new URL(file, ROOT)), file);
});

t.test("the README lists every variable", async (t) => {
  const page = await readFile(new URL("README.md", ROOT), "utf8");
  for (const name of Object.keys(VARIABLES)) t.ok(page.includes(`\`${name}\``), name);
});

t.test("no page runs a TypeScript file with the reader's own Node", async (t) => {
  let run = 0;
  for (const path of ["README.md", ...(await markdownIn("docs/"))]) {
    const page = await readFile(new URL(path, ROOT), "utf8");
    const commands = [...page.matchAll(/(?:npx )?\bnode (?:--\S+ )*\S+\.ts\b/g)];
    for (const [command] of commands) t.match(command, /^npx /, path);
    run += commands.length;
  }
  t.ok(run > 0, "some page runs one");
});
