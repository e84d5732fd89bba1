/** The pages are self-contained: their shell lines can be pasted, and their links lead to files. */
import { readdir, readFile } from "node:fs/promises";
import t from "tap";

const ROOT = new URL("../../", import.meta.url);

/** Upper-case variables that a shell block reads, and those that it sets. */
function variablesOf(block: string): { readonly reads: string[]; readonly sets: string[] } {
  const names = (pattern: RegExp) => [...block.matchAll(pattern)].map(([, name = ""]) => name);
  return { reads: names(/\$\{?([A-Z]+)\b(?!:-)/g), sets: names(/^([A-Z]+)=/gm) };
}

t.test("a page sets the variables that its shell lines read", async (t) => {
  const names = (await readdir(new URL("docs/", ROOT))).filter((name) => name.endsWith(".md"));
  let read = 0;
  for (const path of ["README.md", ...names.map((name) => `docs/${name}`)]) {
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

t.test("no page runs a TypeScript file by the reader's own Node", async (t) => {
  const names = (await readdir(new URL("docs/", ROOT))).filter((name) => name.endsWith(".md"));
  for (const path of ["README.md", ...names.map((name) => `docs/${name}`)]) {
    const page = await readFile(new URL(path, ROOT), "utf8");
    const commands = [...page.matchAll(/(?:npx )?\bnode (?:--\S+ )*\S+\.ts\b/g)];
    for (const [command] of commands) t.match(command, /^npx /, path);
  }
});
