/**
 * `npm run imports`: checks who imports whom in this tree, or in the one named as argument.
 * Prints each forbidden import with its place, the rules it breaks and their reasons; exits 1 when there is one.
 */
import { importRules } from "./imports/import-rules.ts";
import { judgeImports } from "./imports/judge-imports.ts";
import { readImports } from "./imports/read-imports.ts";

const graph = readImports(process.argv[2] ?? ".");
const violations = judgeImports(graph, importRules);
for (const { file, line, message } of violations) console.error(`${file}:${line} ${message}`);
console.log(`${graph.size} files, ${violations.length} forbidden imports`);
process.exitCode = violations.length > 0 ? 1 : 0;
